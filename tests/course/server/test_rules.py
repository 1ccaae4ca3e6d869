"""The rules, checked against a slower reference; and the quirk of the 42nd disc."""

from __future__ import annotations

import random

import pytest

from bot.course.server import rules
from bot.course.server.referee import Referee, Starter
from bot.course.server.store import Store
from bot.engine.simple import Scripted


def fours(grid: rules.Grid, player: int) -> bool:
    """Every window written out: the reference that the rules are checked against."""
    cells = {(row, column) for row in range(6) for column in range(7) if grid[row][column] == player}
    for row, column in cells:
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                if (down, right) != (0, 0) and all(
                    (row + step * down, column + step * right) in cells for step in range(4)
                ):
                    return True
    return False


@pytest.mark.parametrize("seed", range(40))
def test_random_games_end_where_the_reference_says(seed: int) -> None:
    chance, grid, player = random.Random(seed), rules.empty_grid(), 1
    while True:
        column = chance.choice(rules.playable(grid))
        rules.drop(grid, column, player)
        result = rules.result_after(grid, player)
        won = fours(grid, player)
        assert rules.has_four(grid, player) == won
        assert not rules.has_four(grid, -player)
        if result is None:
            assert not won and any(cell == 0 for cell in grid[0])
            player = -player
            continue
        full = all(grid[0])
        assert result == (0.5 if full else player)
        break


def test_a_full_column_takes_no_disc() -> None:
    grid = rules.empty_grid()
    for _ in range(6):
        rules.drop(grid, 0, 1)
    assert rules.playable(grid) == [1, 2, 3, 4, 5, 6]
    with pytest.raises(ValueError, match="full"):
        rules.drop(grid, 0, 1)


def test_a_four_made_by_the_42nd_disc_scores_as_a_draw() -> None:
    grid = [[1, 1, 1, 1, -1, 1, -1]] + [[-1, 1, -1, 1, -1, 1, -1] for _ in range(5)]
    assert rules.has_four(grid, 1)
    assert rules.result_after(grid, 1) == 0.5


FULL = "571376236345225146673541242612413735415776"  # the 42nd disc makes the first four in a row


@pytest.mark.parametrize("starter", ["student", "bot"])
def test_the_quirk_holds_in_a_whole_game_for_either_side(starter: Starter) -> None:
    student_first = starter == "student"
    ours, theirs = (FULL[0::2], FULL[1::2]) if student_first else (FULL[1::2], FULL[0::2])
    referee = Referee(Store(), Scripted(theirs), starter=starter)
    replies = [referee.move("a", -1), *(referee.move("a", int(column) - 1) for column in ours)]
    assert [reply.result for reply in replies] == [0.0] * 21 + [0.5]
    grid = replies[-1].state
    assert grid is not None and rules.has_four(grid, -1 if student_first else 1)
    assert replies[-1].botmove == (int(FULL[-1]) - 1 if student_first else -1)
    stats = referee.stats("a")
    counts = {"played": 1, "won": 0, "lost": 0, "streak": 1, "streak_max": 1, "total_reward": 0.5}
    assert stats == {"msg": None, "status": None, "stil_id": "a", **counts}
    assert [(game.moves, game.reason) for game in referee.store.games("a")] == [(FULL, "played")]
