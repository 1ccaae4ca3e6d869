"""The session in virtual time: series through faults and kills, and every single lost reply of a game."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest

from bot.course.journal.games import game_problems
from tests.positions import sample
from tests.processes import ROOT
from tests.simulation.bots import GROUPS, player_of
from tests.simulation.faults import KINDS, Dice, parsed
from tests.simulation.series import Task, play_task, played

FAULTS = parsed("reset=0.2,refuse=0.05,kill=0.02")


def test_a_series_through_faults_and_kills_ends_without_a_mistake_and_its_journal_verifies() -> None:
    series, _dice = played(Task("o-outcome-3", 4, 1, FAULTS))
    counts = series.counts
    assert counts["games"] >= 4 and counts["kills"] > 0 and counts["replies in all"] > 0
    assert not counts["forfeit"] + counts["invented"] + counts["unfinished"]
    assert [problem for game in series.disk.journal.games for problem in game_problems(game)] == []


def test_equal_seeds_print_equal_tables_in_any_number_of_processes() -> None:
    command = sys.executable, "-m", "tests.simulation", "--games", "4", "--faults", "reset=0.2,kill=0.02"
    tables = [
        subprocess.run([*command, *more], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for more in (("--workers", "1"), ("--workers", "2"), ("--seed", "2"))
    ]
    assert tables[0] == tables[1] != tables[2] and "random" in tables[0]


@pytest.mark.parametrize(("share", "kind"), [(0.0, "reset_before"), (1.0, "reset_after")])
def test_in_every_game_one_reply_is_lost(share: float, kind: str) -> None:
    counts = play_task(Task("o-outcome-3", 3, 3, one_loss=share, train=2))
    assert counts["replies in all"] == counts[kind] == counts["games"], "and no other fault"
    assert counts["games"] in (3, 4), "if the last reply of all was lost, one more game shows how the last one ended"


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


def test_a_plan_of_faults_keeps_its_shares_and_its_schedule() -> None:
    dice = Dice(parsed("default=0.32,reset=0.5", played=0.9), seed=1)
    dice.scheduled[3] = "truncate"
    drawn = [dice.of_request() for _ in range(2000)]
    assert drawn[2] == "truncate" and 830 < dice.counts["reset_after"] < 970, "900 within 4 sigma"
    assert KINDS.keys() >= dice.counts.keys() > {"refuse", "silent_before", "reset_before"}
    for text in ("lightning=0.1", "reset=x", "reset", "default=x", ""):
        with pytest.raises(ValueError):
            parsed(text)
