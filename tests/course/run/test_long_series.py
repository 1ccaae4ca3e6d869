"""Sixty games through faults and kills against six bots written apart from the engine, judged by the server's list."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from bot.trials.simulation.roster import chosen
from tests.course.run.long_series import Series
from tests.course.run.verdicts import Verdicts, verdicts_on

GAMES = 10
"""Games against each bot."""
FAULTS = 0.2
"""Share of the requests that fail."""


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_sixty_games_through_faults_and_kills_show_no_mistake_of_the_client(tmp_path: Path) -> None:
    """A game may be lost, but only where some choice of it was not safe under every hypothesis."""
    start = time.monotonic()
    found = Verdicts()
    for seed, bot in enumerate(chosen(["open"]), start=1):
        folder = tmp_path / bot.name
        folder.mkdir()
        series = Series(bot, games=GAMES, seed=seed, faults=FAULTS, folder=folder)
        with series.server:
            series.play()
            verdicts = verdicts_on(series)
        print(f"{bot.name}: {verdicts}", flush=True)
        found += verdicts
    print(f"All bots, {(time.monotonic() - start) / 60:.1f} minutes: {found}")
    assert found.games >= 6 * GAMES and found.faults > 0 and found.kills > 0
    assert (found.endings["forfeit"], found.avoidable, found.unexplained) == (0, [], [])
    assert (found.given_away, found.unchecked) == ([], [])
    assert (found.failed_runs, found.disagreements) == ([], [])
