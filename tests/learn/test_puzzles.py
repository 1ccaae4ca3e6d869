"""Puzzles: each is proven again from its definition, and readable where it is exported to."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from functools import reduce
from itertools import islice

import pytest

from bot.engine.agent import StopFlag
from bot.engine.score import plies_to_end, sign
from bot.game import Board
from bot.learn.puzzles.generate import Generator, _moves
from bot.learn.puzzles.puzzle import Puzzle, PuzzleKind
from tests.learn.exact import score, scores_of


@pytest.fixture(scope="module")
def made() -> list[Puzzle]:
    generator = Generator()
    rare = (next(generator.puzzles(5, *wanted)) for wanted in (([PuzzleKind.TRAP],), ([PuzzleKind.WIN], [1])))
    return [*islice(generator.puzzles(5), 4), *rare]


def seen(board: Board) -> int:
    """Return the plies of the win from a position, or of the longest loss to be avoided."""
    scores = scores_of(board).values()
    told = [max(scores)] if max(scores) > 0 else [score for score in scores if score < 0]
    return max(plies_to_end(score, board.ply) for score in told)


def classified(board: Board) -> tuple[PuzzleKind, int, int] | None:
    """Return the kind of puzzle that a position is, its solution and the plies to be seen, as the README defines it."""
    scores = scores_of(board)
    best = sign(max(scores.values()))
    good = [column for column, score in scores.items() if sign(score) == best]
    if len(scores) < 3:
        return None
    if len(good) == 1 and best >= 0:
        kind, plies = PuzzleKind.WIN if best else PuzzleKind.DRAW, seen(board)
        return (kind, good[0], plies) if plies >= 3 else None
    after = {column: board.play(column) for column in good}
    if best > 0 or len(good) < 2 or any(each.is_over for each in after.values()):
        return None
    answers = {
        column: [reply for reply, score in scores_of(each).items() if sign(score) == -best]
        for column, each in after.items()
    }
    traps = [column for column, right in answers.items() if len(right) == 1 and is_hard(after[column], right[0])]
    if len(traps) != 1 or any(len(answers[column]) < 3 for column in good if column != traps[0]):
        return None
    trap = after[traps[0]]  # where it is lost, the plies are those of the longest resistance
    return PuzzleKind.TRAP, traps[0], 1 + (plies_to_end(-max(scores.values()), trap.ply) if best else seen(trap))


def is_hard(board: Board, reply: int) -> bool:
    """Return whether the reply is one of four or more, makes no four, and there is none to block."""
    threatened = any(map(Board(board.opponent, board.mask).wins_with, range(7)))
    return len(board.legal_columns()) > 3 and not board.wins_with(reply) and not threatened


def test_a_position_is_a_puzzle_by_its_definition_and_has_one_solution(made):
    generator, kinds = Generator(), Counter[PuzzleKind]()
    for puzzle in made:
        assert classified(puzzle.board) == (puzzle.kind, puzzle.solution, puzzle.plies)
        assert puzzle.scores == tuple(map(scores_of(puzzle.board).get, range(7)))
    for board in (Board.from_moves(_moves("definition", number)) for number in range(500)):
        if board.is_over:
            continue
        expected = classified(board)
        assert generator._classified(board, scores_of(board)) == expected
        kinds.update([expected[0]] if expected else [])
    assert min(kinds[kind] for kind in PuzzleKind) > 2, kinds


def test_the_line_begins_with_the_solution_and_ends_the_game_as_stated(made):
    for puzzle in made:
        end = reduce(Board.play, puzzle.line, puzzle.board)
        mover, score = puzzle.board.ply % 2 + 1, puzzle.scores[puzzle.solution]
        assert puzzle.line[0] == puzzle.solution and end.is_over and score is not None
        assert end.winner == (None, mover, 3 - mover)[sign(score)]
        if puzzle.kind is PuzzleKind.WIN and puzzle.plies <= 5:
            assert f" wins in {len(puzzle.line[::2])} moves." in puzzle.answer
        assert puzzle.plies >= 3 and puzzle.grade == 1 + sum(puzzle.plies > most for most in (5, 9, 13, 19))


def test_the_reason_is_a_line_that_proves_the_answer(made):
    for puzzle in made:
        reason, board, is_draw = puzzle.reason, puzzle.board, puzzle.kind is PuzzleKind.DRAW
        assert reason is not None and (reason.line[0] != puzzle.solution) is is_draw
        winner = 1 + (board.ply + is_draw) % 2
        assert reduce(Board.play, reason.line, board).winner == reason.player == winner
        assert score(reduce(Board.play, reason.line[: reason.quiet], board), winner) > 0
        if puzzle.kind is not PuzzleKind.WIN:
            wrong = re.findall(r"Column (\d) would lose\.", puzzle.answer)
            assert wrong == [str(reason.line[puzzle.kind is PuzzleKind.TRAP] + 1)]
        assert puzzle.answer.endswith(reason.text) and not re.search(r"est play:|\bplies|\d\d moves", puzzle.answer)


def test_the_puzzles_of_a_day_are_the_same_for_all_from_easy_to_hard_of_all_kinds_and_five_motifs():
    found = Generator().daily(datetime.date(2026, 11, 23))
    firsts: dict[PuzzleKind, Puzzle] = {}
    for puzzle in Generator().puzzles("daily/2026-11-23"):
        firsts.setdefault(puzzle.kind, puzzle)
        if len(firsts) == len(PuzzleKind):
            break
    assert all(puzzle in found for puzzle in firsts.values()), "the first one of each kind"
    assert len(found) == 5 and found == sorted(found, key=lambda puzzle: puzzle.plies)
    assert all(puzzle.name.startswith("daily/2026-11-23-") for puzzle in found)
    assert {puzzle.kind for puzzle in found} == set(PuzzleKind) and len({puzzle.motif for puzzle in found}) == 5


def test_only_the_wanted_kinds_and_grades_are_made_until_a_stop(made):
    wanted, stop = made[2], StopFlag()
    stream = Generator().puzzles(5, [wanted.kind], [wanted.grade], stop)
    first = next(stream)
    assert (first.kind, first.grade) == (wanted.kind, wanted.grade)
    stop.set()
    assert list(stream) == []
