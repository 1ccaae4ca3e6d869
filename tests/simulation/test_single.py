"""Single lost replies: every request of a game, processed and not, with exact counts."""

from __future__ import annotations

import json

import pytest

from bot.cli.app import run
from bot.errors import ExitCode
from bot.simulation.single import Case, SingleResult, SingleTask, in_json, play_out, rare

TASK = SingleTask("o-table-3", we_start=True, seed=7, train=0, timing=0.5)


@pytest.fixture(scope="module")
def result() -> SingleResult:
    """All single lost replies of one game."""
    return play_out(TASK)


def test_every_request_is_lost_once_before_and_once_after_processing(result: SingleResult) -> None:
    """Request 1 opens the game; its cases are counted apart."""
    expected = [(request, done) for request in range(1, result.requests + 1) for done in (False, True)]
    assert [(case.request, case.was_processed) for case in result.cases] == expected
    assert len(result.moves) == 2 * (result.requests - 1)
    assert result.result == 1


def test_equal_tasks_have_equal_results(result: SingleResult) -> None:
    """Nothing is remembered that changes a decision."""
    assert play_out(TASK) == result


def test_no_single_lost_reply_costs_a_forfeit(result: SingleResult) -> None:
    """A lost reply never leads to -1 in a running game."""
    told = in_json([result])["groups"]["open"]
    assert told["forfeits"] == 0
    assert told["lost_by_opening"]["count"] == 0
    assert told["lost_per_100_lost_replies"]["moving_first"]["of"] == len(result.moves)
    assert told["lost_per_100_lost_replies"]["moving_second"]["of"] == 0


def test_rare_faults_weigh_each_case_by_its_probability() -> None:
    """Two lost cases of a game with two requests: 1000 * (p/2 + p (1 - p) / 2)."""
    cases = tuple(Case(n, done, -1.0 if done else 1.0, "played", "") for n in (1, 2) for done in (False, True))
    told = rare([SingleResult(TASK, 2, 1.0, cases)], rate=0.1)
    assert told["value"] == pytest.approx(1000 * (0.1 / 2 + 0.1 * 0.9 / 2))
    assert rare([])["value"] is None


def test_the_command_reports_groups(capsys: pytest.CaptureFixture[str]) -> None:
    """Moving second only, with timing that always tells."""
    arguments = ["--opponents", "random", "--starter", "bot", "--faults", "timing=1", "--workers", "1", "--json"]
    assert run(["simulate", "--single-losses", *arguments]) == ExitCode.DONE
    told = json.loads(capsys.readouterr().out)
    assert told["timing"] == 1
    assert told["groups"]["random"]["games"] == 2
    assert told["groups"]["random"]["lost_per_100_lost_replies"]["moving_first"]["of"] == 0
