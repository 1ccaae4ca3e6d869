"""Black-box tests: `python -m bot play` through an outage of the server, and on a machine that falls asleep."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

from tests.course.foreign_course import Quirks
from tests.course.foreign_rules import AlphaBetaBot
from tests.course.foreign_server import ForeignServer
from tests.course.session.strangers import (
    Run,
    Student,
    assert_code_shows_losses,
    assert_known_results_true,
    assert_no_result_invented,
    assert_played_out,
)

pytestmark = pytest.mark.timeout(900)
SLEEP_S = 7.0
"""Longer than a move may take."""


def unhurried(request: int, move: int, game: int, ply: int) -> str:  # noqa: ARG001
    """Answer every move after 0.1 s, so that there is time to interrupt the game."""
    return "delay:0.1"


def has_discs(server: ForeignServer, discs: int) -> bool:
    """Return whether the running game has at least this number of discs on its board."""
    game = server.running
    return game is not None and len(game.moves) >= discs


def fall_asleep(run: Run, seconds: float) -> None:
    """Stop the process and continue it later: the clocks jump, and no request is sent meanwhile."""
    run.process.send_signal(signal.SIGSTOP)
    try:
        time.sleep(seconds)
    finally:
        run.process.send_signal(signal.SIGCONT)


@pytest.mark.slow
def test_an_outage_in_mid_game_is_shown_once_and_the_game_goes_on(tmp_path: Path) -> None:
    with (
        ForeignServer(AlphaBetaBot(2), Quirks(fault=unhurried)) as server,
        Student(server, tmp_path) as student,
    ):
        run = student.start(games=1)
        assert run.wait_for(lambda: has_discs(server, 6))
        server.go_down()
        time.sleep(SLEEP_S)
        server.come_back()
        outcome = run.outcome()
        assert_code_shows_losses(outcome, server)
        assert_played_out(server, 1)
        assert_known_results_true(student)
        notes = [line for line in outcome.out.splitlines() if line.startswith("Note:")]
        assert sum("Trying again" in note for note in notes) == 1
        assert sum("The 5 s for the move are over" in note for note in notes) == 1
        assert sum("The server is reachable again after" in note for note in notes) == 1
        assert any(record.get("late") for record in student.records()), "the journal names the late move"


@pytest.mark.slow
def test_an_outage_that_ends_the_run_in_mid_game_keeps_the_game(tmp_path: Path) -> None:
    with (
        ForeignServer(AlphaBetaBot(2), Quirks(fault=unhurried)) as server,
        Student(server, tmp_path) as student,
    ):
        run = student.start("--patience", "2", games=1)
        assert run.wait_for(lambda: has_discs(server, 6))
        server.go_down()
        outcome = run.outcome()
        assert outcome.code == 3, outcome.text
        assert "The game is kept: run the same command again to resume it." in outcome.err
        assert outcome.text.count("Trying again") == 1
        server.come_back()
        assert_code_shows_losses(student.play("--patience", "2", games=1), server)
        assert_played_out(server, 1)
        assert_known_results_true(student)


@pytest.mark.slow
@pytest.mark.parametrize("delay", ["ok", "delay:0.3"], ids=["anywhere", "waiting for a reply"])
def test_the_machine_sleeps_in_mid_game_and_the_server_waits(tmp_path: Path, delay: str) -> None:
    quirks = Quirks(starter="alternate", fault=lambda *_: delay)
    with ForeignServer(AlphaBetaBot(2), quirks) as server, Student(server, tmp_path) as student:
        run = student.start(games=2)
        assert run.wait_for(lambda: has_discs(server, 6))
        fall_asleep(run, SLEEP_S)
        outcome = run.outcome()
        assert_code_shows_losses(outcome, server)
        assert_played_out(server, 2)
        assert_known_results_true(student, at_least=2)


@pytest.mark.slow
def test_the_machine_sleeps_in_mid_game_and_the_server_ends_it(tmp_path: Path) -> None:
    with (
        ForeignServer(AlphaBetaBot(2), Quirks(fault=unhurried, clock_s=5.0)) as server,
        Student(server, tmp_path) as student,
    ):
        run = student.start(games=2)
        assert run.wait_for(lambda: has_discs(server, 6))
        fall_asleep(run, SLEEP_S)
        assert run.outcome().code == 5
        assert [game.ended for game in server.finished] == ["timeout", "played"]
        assert server.running is None
        assert_no_result_invented(student)
        assert [end["result"] for end in student.game_ends()] == [-1, server.finished[1].result]


@pytest.mark.slow
def test_the_machine_sleeps_again_and_again(tmp_path: Path) -> None:
    quirks = Quirks(starter="random", fault=unhurried, clock_s=5.0, stats_lag_s=1.0)
    with ForeignServer(AlphaBetaBot(2), quirks) as server, Student(server, tmp_path) as student:
        run = student.start(games=4)
        for discs in (1, 2, 5):
            if not run.wait_for(lambda discs=discs: has_discs(server, discs)):  # type: ignore[misc]
                break
            fall_asleep(run, SLEEP_S)
        outcome = run.outcome()
        assert_code_shows_losses(outcome, server)
        assert server.forfeits == 0
        assert {game.ended for game in server.finished} <= {"played", "timeout"}
        assert len(server.ended("timeout")) >= 1
        assert_known_results_true(student)
        assert_no_result_invented(student)
