"""Campaigns in virtual time: the same in any number of processes, and honest in what they report."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from bot.course.learnt import AnswerBook
from bot.errors import ExitCode
from bot.lab.arena.workers import run_tasks
from bot.trials.simulation import campaign
from bot.trials.simulation.campaign import SeriesCounts, SeriesResult, answers_of, play_task, tasks_of
from bot.trials.simulation.chooser import live_chooser
from bot.trials.simulation.faults import FaultPlan
from bot.trials.simulation.one_loss import OneLoss
from bot.trials.simulation.report import in_json, in_words, is_faultless, per
from bot.trials.simulation.series import play_series
from bot.trials.simulation.single import play_out, single_tasks
from tests.processes import bot_here

FAULTS = FaultPlan.parse("reset=0.15,refuse=0.05,truncate=0.05,unread=0.1,kill=0.03")
BOTS = ("o-table-3", "random", "o-copycat")


def test_results_do_not_depend_on_the_number_of_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Caches of one process hold what other series left; neither may change a decision."""
    monkeypatch.setattr(campaign, "SERIES", 2)
    found = []
    for workers in (1, 2):
        folder = tmp_path / f"{workers}"
        folder.mkdir()
        tasks = tasks_of(BOTS, 6, seed=1, faults=FAULTS, journals=folder)
        report = in_json(result for _, result in run_tasks(play_task, tasks, workers=workers))
        found.append((report, sorted(path.read_bytes() for path in folder.iterdir())))
    assert found[0] == found[1] and len(found[0][1]) == 3
    shown = found[0][0]["groups"]["open"]
    assert {"reset_before", "reset_after", "refuse", "truncate"} <= shown["faults"].keys() and shown["kills"] > 0
    assert is_faultless(found[0][0]) and shown["invented"] == 0


def test_a_new_game_that_the_network_asked_for_twice_is_not_forfeited_by_the_client() -> None:
    result = play_task(tasks_of(["random"], 6, seed=4, faults=FaultPlan.parse("duplicate=0.5"))[0])
    reasons = {reason for _side, reason in result.counts.lost}
    assert "duplicate" in reasons and "forfeit" not in reasons


@pytest.mark.parametrize(("played", "kind"), [(0.0, "reset_before"), (1.0, "reset_after")])
def test_in_every_game_one_reply_is_lost(played: float, kind: str) -> None:
    (task,) = tasks_of(["o-copycat"], 6, seed=3, one_loss=played)
    counts = play_task(task).counts
    games = counts.games
    assert (counts.lost_replies.total(), counts.faults) == (games, {kind: games})
    assert games in (6, 7), "if the last reply of all was lost, one more game shows how the last one ended"
    assert play_task(task).counts == counts


def test_the_place_of_the_lost_reply_does_not_depend_on_whether_its_move_was_played() -> None:
    """Until the first one is lost, two series are equal; afterwards their games may differ in length."""
    places = []
    for played in (0.0, 0.5, 1.0):
        dice = OneLoss(live_chooser(), played, seed=4)
        outcome = play_series(
            answers_of("o-table-3"),
            3,
            dice=dice,
            seed=4,
            chooser=live_chooser(),
            answers=AnswerBook(),
            watch=dice,
        )
        learnt = outcome.session.answers
        assert len(dice.scheduled) >= 3 and learnt != AnswerBook(), "one session learns from all games"
        places.append(min(dice.scheduled))
    assert places[0] == places[1] == places[2]


def test_shares_have_no_value_without_trials() -> None:
    assert per(100, 0, 0)["value"] is per(100, 3, 2)["value"] is None
    assert per(100, 3, 100)["value"] == 3.0
    counts = SeriesCounts(10, lost=Counter({(True, "played"): 1}), lost_replies=Counter({True: 4}))
    shares = in_json([SeriesResult(0, "o-table-3", counts)])["groups"]["open"]["lost_per_100_lost_replies"]
    assert [shares[side]["value"] for side in ("all", "moving_first", "moving_second")] == [25.0, 25.0, None]


def test_a_forfeit_an_invented_result_or_an_early_end_is_no_success() -> None:
    good = SeriesCounts(1, won=1)
    forfeited = replace(good, lost=Counter({(True, "forfeit"): 1}))
    stopped = replace(good, stopped=Counter({"The server is gone.": 1}))
    for counts, passes in ((good, True), (forfeited, False), (replace(good, invented=1), False), (stopped, False)):
        assert is_faultless(in_json([SeriesResult(0, "random", counts)])) == passes
    assert "Stopped early (1 series): The server is gone." in in_words(in_json([SeriesResult(0, "random", stopped)]))


def test_every_move_of_a_game_loses_its_reply_once_before_and_once_after_processing() -> None:
    """The session learns nothing between them; what it learnt in games without faults it knows in each."""
    tasks = single_tasks(["o-table-3", "random"], seed=7)
    assert [(task.bot, task.starter) for task in tasks] == [
        ("o-table-3", "student"),
        ("o-table-3", "bot"),
        *[("random", "student")] * 2,
        *[("random", "bot")] * 2,
    ]
    counts = play_out(tasks[0]).counts
    replies = counts.faults["reset_after"]
    assert replies > 5 and counts.faults == {"reset_before": replies, "reset_after": replies}
    assert counts.lost_replies == {True: 2 * replies} and counts.games >= 2 * replies
    assert play_out(tasks[0]).counts == counts != play_out(replace(tasks[0], train=3)).counts


WRONG = {
    "--opponents nemo": "nemo",
    "--faults rain=1": "rain",
    "--starter me": "'random', 'student', 'bot'",
    "--journals .": "folder",
    "--single-losses --faults reset=0.1": "--faults",
    "--one-loss --faults reset=0.1": "--faults",
    "--single-losses --one-loss": "--one-loss",
    "--single-losses --played 0.8": "--played",
    "--single-losses --journals other": "--journals",
    "--played 1.1": "--played",
}


def test_the_command_prints_one_object_and_names_wrong_arguments_in_one_sentence(tmp_path: Path) -> None:
    quick = "--opponents random --workers 1 --json"
    shown = json.loads(bot_here("simulate", "--games", "1", *quick.split(), cwd=tmp_path).stdout)
    assert shown["games"] == shown["bots"]["random"]["games"] == 1
    shown = json.loads(bot_here("simulate", "--one-loss", "--games", "2", *quick.split(), cwd=tmp_path).stdout)
    assert (shown["one_loss"], shown["played"], shown["faults"]) == (True, 0.5, {})
    assert shown["bots"]["random"]["lost_per_100_lost_replies"]["all"]["of"] == 2
    shown = json.loads(bot_here("simulate", "--single-losses", *quick.split(), cwd=tmp_path).stdout)
    assert shown["faults"] == {} and shown["groups"]["random"]["lost_per_100_lost_replies"]["moving_second"]["of"] > 0
    (tmp_path / "other").touch()  # journals go to an empty folder only
    for options, named in WRONG.items():
        done = bot_here("simulate", *options.split(), cwd=tmp_path)
        assert (done.returncode, named in done.stderr) == (ExitCode.USAGE, True), done.stderr
