"""Series in virtual time: what makes their figures comparable."""

from __future__ import annotations

import hashlib

import pytest

from tests.positions import sample
from tests.simulation.__main__ import simulate
from tests.simulation.bots import GROUPS, player_of
from tests.simulation.faults import parsed
from tests.simulation.series import Task, play_task


def test_equal_seeds_print_equal_tables_in_any_number_of_processes(capsys: pytest.CaptureFixture[str]) -> None:
    tables = []
    for workers, seed in ((1, 1), (2, 1), (2, 2)):
        simulate(games=4, faults="reset=0.2,kill=0.02", workers=workers, seed=seed)
        tables.append(capsys.readouterr().out)
    assert tables[0] == tables[1] != tables[2] and "random" in tables[0]


def test_a_new_game_that_the_network_asked_for_twice_is_not_forfeited_by_the_client() -> None:
    counts = play_task(Task("random", 6, 4, parsed("duplicate=0.5")))
    assert counts["asked twice"] > 0 and not counts["forfeit"]


def test_the_held_out_opponents_never_change() -> None:
    """A change would make their figures incomparable with all earlier ones."""
    boards = [board for board in sample(200, 0, 41) if not board.is_over]
    grids = [tuple(map(tuple, board.to_grid(-1))) for board in boards]
    moves = [[player_of(bot.name)(grid, 12_345) for grid in grids] for bot in GROUPS["held-out"]]
    assert all(not grid[0][column] for each in moves for grid, column in zip(grids, each, strict=True))
    assert hashlib.sha256(repr(moves).encode()).hexdigest()[:16] == "2ec540dba26472bb"
