"""Standings: the counts of games by result, and the streak."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.course.journal.reader import parse_journal
from bot.course.protocol import Stats
from bot.course.run.standings import RunStandings, Standings, disagreements, journal_standings, standings_of
from tests.course.journal.build import IDS, SERVER, died_after, recorded, write_run


@pytest.mark.parametrize(
    ("runs", "current", "longest", "lost", "running"),
    [
        ([[1, 1, 0.5]], 3, 3, 0, False),
        ([[1, 1], [1, -1, 1]], 1, 3, 1, False),
        ([[1, -10, 0.5, 1]], 2, 2, 1, False),
        ([[1, 1, None]], 2, 2, 0, True),
        ([[1, None], [1]], 1, 1, 1, False),
        ([[1, 0, 1]], 2, 2, 0, False),
        ([], 0, 0, 0, False),
    ],
    ids=["draws count on", "over runs", "illegal ends it", "unfinished", "given up", "void", "nothing"],
)
def test_runs_without_a_loss(
    tmp_path: Path, runs: list[list[float | None]], current: int, longest: int, lost: int, running: bool
) -> None:
    for results in runs:
        write_run(tmp_path, results)
        write_run(tmp_path, [-1, -1], ids=("another", "player"))
    found = journal_standings(tmp_path, SERVER, IDS[::-1])
    assert (found.current, found.longest, found.lost, found.running) == (current, longest, lost, running)


def test_a_request_for_a_game_that_was_not_answered_is_no_game() -> None:
    unanswered, won = parse_journal(recorded(faults={1: died_after})), parse_journal(recorded((3, 3, 3, 3)))
    assert standings_of([unanswered]) == Standings()
    assert standings_of([won, unanswered, won]).current == 2


def test_disagreements_are_named() -> None:
    ours = Standings(played=3, won=3, current=3, longest=3)
    assert disagreements(ours, Stats(3, 3, 0, 3)) == []
    found = disagreements(ours, Stats(4, 3, 1, 0))
    assert len(found) == 3
    assert "3 played, the server 4" in found[0]


def test_a_run_passes_if_the_streak_reached_the_goal_at_some_moment() -> None:
    standings = RunStandings(current=1, goal=3)
    for result in (1.0, 0.5, -1.0, 1.0):
        standings.add(result)
    assert (standings.played, standings.won, standings.drawn, standings.lost) == (4, 2, 1, 1)
    assert (standings.current, standings.passed) == (1, True)
    assert not RunStandings(current=2, goal=3).passed
