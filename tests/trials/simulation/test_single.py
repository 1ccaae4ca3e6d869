"""Single lost replies: every request of a game, processed and not, with exact counts."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bot.cli.app import run
from bot.errors import ExitCode
from bot.trials.simulation.single import Case, SingleResult, SingleTask, play_out
from bot.trials.simulation.single_report import in_json, in_words, more

TASK = SingleTask("o-table-3", we_start=True, seed=7, train=0)


@pytest.fixture(scope="module")
def result() -> SingleResult:
    """All single lost replies of one game."""
    return play_out(TASK)


def test_every_request_is_lost_once_before_and_once_after_processing(result: SingleResult) -> None:
    """Request 1 opens the game; its cases are counted apart."""
    expected = [(request, done) for request in range(1, result.cases[-1].request + 1) for done in (False, True)]
    assert [(case.request, case.was_processed) for case in result.cases] == expected
    assert len(result.moves) == len(result.cases) - 2
    assert result.result == 1


def test_equal_tasks_have_equal_results(result: SingleResult) -> None:
    """No cache changes a decision."""
    assert play_out(TASK) == result


def test_no_single_lost_reply_costs_a_forfeit(result: SingleResult) -> None:
    """A lost reply never leads to -1 in a running game."""
    report = in_json([result])["groups"]["open"]
    assert report["forfeits"] == 0
    assert report["lost_by_opening"]["count"] == 0
    assert report["lost_per_100_lost_replies"]["moving_first"]["of"] == len(result.moves)
    assert report["lost_per_100_lost_replies"]["moving_second"]["of"] == 0


def test_the_command_reports_groups(capsys: pytest.CaptureFixture[str]) -> None:
    """Moving second only."""
    arguments = ["--opponents", "random", "--starter", "bot", "--workers", "1", "--json"]
    assert run(["simulate", "--single-losses", *arguments]) == ExitCode.DONE
    report = json.loads(capsys.readouterr().out)
    assert report["groups"]["random"]["games"] == 2
    assert report["groups"]["random"]["oracle"]["lost_per_100_lost_replies"]["moving_second"]["of"] > 0
    assert report["groups"]["random"]["lost_per_100_lost_replies"]["moving_first"]["of"] == 0


def test_the_oracle_decides_the_same_lost_replies(result: SingleResult) -> None:
    """Until its reply is lost the oracle moves as the policy does; afterwards it knows the one answer of this bot."""
    oracle = play_out(replace(TASK, oracle=True))
    assert [(case.request, case.was_processed) for case in oracle.cases] == [
        (case.request, case.was_processed) for case in result.cases
    ]
    assert oracle.result == result.result
    assert sum(case.result < 0 for case in oracle.moves) <= sum(case.result < 0 for case in result.moves)
    assert [case.moves[: case.request] for case in oracle.cases] == [
        case.moves[: case.request] for case in result.cases
    ]


def of_kind(bot: str, oracle: bool, lost: int, seed: int = 7) -> SingleResult:
    """A game with one move request, whose lost reply costs 0 to 2 of its two cases."""
    task = SingleTask(bot, we_start=True, seed=seed, train=0, oracle=oracle)
    cases = tuple(Case(2, done, -1.0 if done < lost else 1.0, "played", "") for done in (False, True))
    return SingleResult(task, 1.0, cases)


def test_kinds_of_bots_are_counted_apart() -> None:
    """Stochastic and deterministic bots are reported apart, each beside the oracle."""
    results = [of_kind("o-table-3", False, 2), of_kind("o-outcome-3", False, 0), of_kind("perfect", False, 1)]
    results += [of_kind("o-table-3", True, 1), of_kind("o-outcome-3", True, 0)]
    report = in_json(results)["groups"]
    kinds = report["open"]["kinds"]
    assert report["open"]["games"] == 2
    assert kinds["deterministic"]["lost_per_100_lost_replies"]["moving_first"]["value"] == 100
    assert kinds["stochastic"]["lost_per_100_lost_replies"]["all"]["value"] == 0
    assert kinds["deterministic"]["oracle"]["policy_loses_more"]["all"]["value"] == 50
    assert kinds["stochastic"]["oracle"]["policy_loses_more"]["all"]["value"] == 0
    assert report["perfect"]["kinds"].keys() == {"deterministic"}
    words = in_words(in_json(results))
    assert "open, stochastic: lost per 100 lost replies: 0.00" in words
    assert "The oracle: 50.00" in words


def test_the_excess_has_an_interval_over_games() -> None:
    """Two games with a loss more each leave no doubt; one more and none do."""
    ours = [of_kind("o-outcome-3", False, 1, seed) for seed in (7, 8)]
    same = [of_kind("o-outcome-3", True, 0, seed) for seed in (7, 8)]
    assert more(ours, same) == {"value": 50.0, "interval": [50.0, 50.0], "of": 2}
    mixed = more([of_kind("o-outcome-3", False, 2, 7), of_kind("o-outcome-3", False, 0, 8)], same)
    assert mixed["value"] == 50.0
    low, high = mixed["interval"]
    assert low < 0
    assert high > 100
    assert more(ours, [])["value"] is None


def test_rates_of_faults_are_refused_where_every_lost_reply_is_met(capsys: pytest.CaptureFixture[str]) -> None:
    """A rate would have no effect, which is said instead of ignored."""
    assert run(["simulate", "--single-losses", "--faults", "reset=0.1"]) == ExitCode.USAGE
    assert "--faults" in capsys.readouterr().err
