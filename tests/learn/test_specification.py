"""What the room promises to people who learn: explanations that are proven, levels that err as people do, puzzles.

Columns are 0 to 6 in Python and 1 to 7 in words and strings.
"""

from __future__ import annotations

import pytest

from bot.agents.catalogue import make_agent
from bot.engine.agent import Limit
from bot.errors import UsageError
from bot.game import Board, parse_moves
from bot.learn.coach.coach import Coach
from bot.learn.coach.reason import Lesson
from bot.learn.levels.player import LevelPlayer
from bot.learn.levels.table import DEFAULT_LEVEL, LEVELS
from bot.learn.puzzles.generate import Generator
from bot.learn.puzzles.puzzle import PuzzleKind, as_solutions, as_text
from tests.learn.exact import analyst

LIMIT = Limit(hard_s=60.0)


def lesson(moves: str) -> Lesson:
    """Return the coach's lesson on the last of the moves."""
    *before, column = parse_moves(moves)
    found = Coach(analyst()).lesson(Board.from_moves(before), column)
    assert found is not None
    return found


def test_a_mistake_is_explained_by_a_line_that_proves_it():
    found = lesson("414147")
    (reason,) = found.reasons
    assert (found.ply, found.verdict.kind, found.better[0], found.right) == (5, "sooner", 3, (3,))
    assert (reason.kind, reason.line, reason.cells) == ("four left open", (6, 3), (18, 19, 20, 21))
    assert reason.text == "X could make four in column 4: that cell was left open."


def test_a_best_move_needs_no_reason():
    found = lesson("4141414")
    assert (found.verdict.kind, found.reasons, found.line, found.better) == ("best", (), (), ())


def test_there_are_ten_levels_and_the_first_one_offered_is_easy():
    assert [LevelPlayer(level.number).level for level in LEVELS] == list(LEVELS)
    overlook = [level.overlook for level in LEVELS]
    assert overlook == sorted({*overlook}, reverse=True) and overlook[-1] == 0 and DEFAULT_LEVEL < 4
    for wrong in ("level", "level:0", "level:11", "level:x", "level:-1", "level:²"):
        with pytest.raises(UsageError) as refused:
            make_agent(wrong)
        assert refused.value.hint


def test_a_novice_misses_an_open_four_far_away_at_times_and_the_perfect_level_never():
    board = Board.from_moves("172737")
    missed = [LevelPlayer(2, seed).choose(board, LIMIT).column != 3 for seed in range(100)]
    assert 0 < sum(missed) < 75
    assert all(LevelPlayer(10, seed).choose(board, LIMIT).column == 3 for seed in range(20))


def test_a_seed_always_makes_the_same_puzzle_and_its_solution_is_the_only_winning_move():
    puzzle, again = (next(Generator().puzzles(5, [PuzzleKind.WIN])) for _ in range(2))
    assert puzzle == again
    assert [column for column, score in enumerate(puzzle.scores) if score and score > 0] == [puzzle.solution]
    assert f"1. Column {puzzle.solution + 1} " in as_solutions([puzzle])
    assert str(puzzle.board) in as_text([puzzle]) and puzzle.answer not in as_text([puzzle])
