"""Puzzles: each is proven again from its definition, and readable where it is exported to."""

from __future__ import annotations

import datetime
import re
from functools import reduce
from itertools import islice

import pytest

from bot.engine.agent import StopFlag
from bot.engine.score import sign
from bot.game import Board
from bot.learn.puzzles.generate import Generator
from bot.learn.puzzles.puzzle import Puzzle, PuzzleKind
from tests.learn.exact import score, scores_of


@pytest.fixture(scope="module")
def made() -> list[Puzzle]:
    generator = Generator()
    return [*islice(generator.puzzles(5), 4), next(generator.puzzles("traps", [PuzzleKind.TRAP]))]


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
        right = {column: [*outcomes(puzzle.board.play(column)).values()].count(-best) for column in good}
        assert right.pop(puzzle.solution) == 1 and min(right.values()) >= 3


def test_the_line_begins_with_the_solution_and_ends_the_game_as_stated(made):
    for puzzle in made:
        end = reduce(Board.play, puzzle.line, puzzle.board)
        mover, score = puzzle.board.ply % 2 + 1, puzzle.scores[puzzle.solution]
        assert puzzle.line[0] == puzzle.solution and end.is_over and score is not None
        assert end.winner == (None, mover, 3 - mover)[sign(score)]
        assert puzzle.kind is not PuzzleKind.WIN or len(puzzle.line) == puzzle.plies
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
    assert next(Generator().puzzles("daily/2026-11-23")) in found
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
