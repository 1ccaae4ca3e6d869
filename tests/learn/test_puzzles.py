"""Puzzles: each is proven again from its definition, and readable where it is exported to."""

from __future__ import annotations

import datetime
import re
from functools import reduce
from itertools import islice

import pytest

from bot.engine.agent import StopFlag
from bot.engine.score import plies_to_end, sign
from bot.game import Board
from bot.learn.puzzles.generate import Generator
from bot.learn.puzzles.puzzle import Puzzle, PuzzleKind
from tests.learn.exact import score, scores_of


@pytest.fixture(scope="module")
def made() -> list[Puzzle]:
    generator = Generator()
    rare = (next(generator.puzzles(5, *wanted)) for wanted in (([PuzzleKind.TRAP],), ([PuzzleKind.WIN], [1])))
    return [*islice(generator.puzzles(5), 4), *rare]


def outcomes(board: Board) -> dict[int, int]:
    """Return the outcome of every legal column for the side to move."""
    return {column: sign(score) for column, score in scores_of(board).items()}


def test_each_puzzle_has_one_solution_by_its_definition(made):
    for puzzle in made:
        scores, found = scores_of(puzzle.board), outcomes(puzzle.board)
        best = max(found.values())
        good = {column for column, outcome in found.items() if outcome == best}
        assert puzzle.solution in good and len(found) >= 3
        assert puzzle.scores == tuple(map(scores.get, range(7)))
        if puzzle.kind is not PuzzleKind.TRAP:
            assert best == (puzzle.kind is PuzzleKind.WIN) and len(good) == 1
            continue
        assert best <= 0 and len(good) > 1
        answers = {column: outcomes(puzzle.board.play(column)) for column in good}
        right = {column: [*found.values()].count(-best) for column, found in answers.items()}
        assert right.pop(puzzle.solution) == 1 and min(right.values()) >= 3
        after, found = puzzle.board.play(puzzle.solution), answers[puzzle.solution]
        assert len(found) > 3 and not after.wins_with(puzzle.line[1]) and found[puzzle.line[1]] == -best
        assert not any(map(Board(after.opponent, after.mask).wins_with, range(7))), "a four to be blocked is no trap"


def test_the_plies_to_be_seen_are_those_of_the_win_or_of_the_longest_loss(made):
    for puzzle in made:
        played = int(puzzle.kind is PuzzleKind.TRAP)
        board = reduce(Board.play, puzzle.line[:played], puzzle.board)
        scores = scores_of(board).values()
        told = [max(scores)] if max(scores) > 0 else [score for score in scores if score < 0]
        assert puzzle.plies == played + max(plies_to_end(score, board.ply) for score in told)
        assert puzzle.kind is not PuzzleKind.WIN or len(puzzle.line) == puzzle.plies


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
