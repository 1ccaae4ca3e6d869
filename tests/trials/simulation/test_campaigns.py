"""Campaigns in virtual time: the same in any number of processes, and honest in what they report."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from bot.course.session.answers import AnswerBook
from bot.errors import ExitCode
from bot.game import Board, parse_moves
from bot.lab.arena.workers import run_tasks
from bot.trials.simulation import campaign
from bot.trials.simulation.campaign import SeriesCounts, SeriesResult, answers_of, play_task, tasks_of
from bot.trials.simulation.chooser import live_chooser
from bot.trials.simulation.faults import FaultPlan
from bot.trials.simulation.one_loss import OneLoss
from bot.trials.simulation.oracle import TrueAnswers, Truth
from bot.trials.simulation.report import difference, in_json, is_faultless, per
from bot.trials.simulation.report import in_words as report_in_words
from bot.trials.simulation.series import play_series
from bot.trials.simulation.single import SingleTask, play_out
from bot.trials.simulation.single_report import in_json as single_in_json
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
        tasks = tasks_of(BOTS, 6, seed=1, faults=FAULTS, checks_values=True, journals=folder)
        report = in_json(result for _, result in run_tasks(play_task, tasks, workers=workers))
        found.append((report, sorted(path.read_bytes() for path in folder.iterdir())))
    assert found[0] == found[1] and len(found[0][1]) == 3
    shown = found[0][0]["groups"]["open"]
    assert {"reset_before", "reset_after", "refuse", "truncate"} <= shown["faults"].keys() and shown["kills"] > 0
    assert is_faultless(found[0][0]) and shown["given_away"] == shown["invented"] == 0


def test_every_game_lost_by_an_illegal_move_is_explained() -> None:
    """The watcher finds as many as the server's finished games show, each with a full column."""
    faults = FaultPlan.parse("reset=0.4")
    parts = [play_task(tasks_of(["o-copycat"], 6, seed=seed, faults=faults)[0]).counts for seed in (8, 10, 11)]
    counts = sum(parts, SeriesCounts())
    moves = counts.illegal
    assert len(moves) == counts.lost[True, "illegal"] + counts.lost[False, "illegal"] > 0
    for move in moves:
        assert not Board.from_moves(parse_moves(move["moves"])).can_play(move["column"] - 1)
        assert 0 < move["legal"] < 1 and move["believed"] > 1 and not move["avoidable"]
    words = report_in_words(in_json([SeriesResult(0, "o-copycat", SeriesCounts(illegal=(moves[0],) * 13))]))
    assert words.count("Illegal move against") == 10 and "3 more are listed with --json" in words


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
            watches=[dice],
        )
        learnt = outcome.session.belief.answers
        assert len(dice.scheduled) >= 3 and learnt != AnswerBook(), "one session learns from all games"
        places.append(min(dice.scheduled))
    assert places[0] == places[1] == places[2]


def test_shares_and_differences_have_no_value_without_trials() -> None:
    assert per(100, 0, 0)["value"] is per(100, 3, 2)["value"] is difference(100, [((1, 2), (0, 0))])["value"] is None
    assert per(100, 3, 100)["value"] == 3.0
    assert difference(100, [((1, 2), (0, 4)), ((0, 2), (1, 4))])["value"] == pytest.approx(12.5)
    counts = SeriesCounts(10, lost=Counter({(True, "played"): 1}), lost_replies=Counter({True: 4}))
    shares = in_json([SeriesResult(0, "o-table-3", counts)])["groups"]["open"]["lost_per_100_lost_replies"]
    assert [shares[side]["value"] for side in ("all", "moving_first", "moving_second")] == [25.0, 25.0, None]


def test_the_oracle_decides_the_same_lost_replies() -> None:
    """Until a reply is lost it moves as the policy does; afterwards it knows the bot's answers."""
    task = SingleTask("o-table-3", we_start=True, seed=7, train=0)
    result, oracle = play_out(task), play_out(replace(task, oracle=True))
    assert play_out(task) == result and result.result == oracle.result == 1
    for one, other in zip(result.cases, oracle.cases, strict=True):
        assert (one.request, one.was_processed) == (other.request, other.was_processed)
        assert one.moves[: one.request] == other.moves[: one.request]
    report = single_in_json([result, oracle])["groups"]["open"]
    assert report["oracle"]["policy_loses_more"]["all"]["of"] == report["kinds"]["deterministic"]["games"] == 1
    assert report["forfeits"] == report["lost_by_opening"]["count"] == 0
    assert [each["of"] for each in report["lost_per_100_lost_replies"].values()] == [len(result.moves)] * 2 + [0]


def test_the_oracle_knows_the_bots_true_answers_and_nothing_else() -> None:
    """Answers depend on our last disc: here beside it, and in one case of three on it."""
    opened = Board().play(3)
    truth = Truth(lambda _board, last, seed: last + (seed % 3 > 0), is_deterministic=False, last=3)
    assert truth.likely(opened) == pytest.approx({3: 1 / 3, 4: 2 / 3}, abs=0.1)
    answers = TrueAnswers(learnt=AnswerBook(), truth=truth).observe(opened, 6)
    assert isinstance(answers, TrueAnswers) and answers.learnt.counts(opened)[6] == 1, "it learns as the policy does"
    assert answers.counts(opened) == [0, 0, 0, 1, 1, 0, 0] and answers.likely(opened).keys() == {3, 4}


WRONG = {
    "--opponents nemo": "nemo",
    "--faults rain=1": "rain",
    "--starter me": "'random', 'student', 'bot'",
    "--journals .": "folder",
    "--single-losses --faults reset=0.1": "--faults",
    "--one-loss --faults reset=0.1": "--faults",
    "--single-losses --one-loss": "--one-loss",
    "--single-losses --played 0.8": "--played",
    "--played 1.1": "--played",
}


def test_the_command_prints_one_object_and_names_wrong_arguments_in_one_sentence(tmp_path: Path) -> None:
    quick = "--opponents random --workers 1 --json"
    shown = json.loads(bot_here("simulate", "--games", "1", *quick.split(), cwd=tmp_path).stdout)
    assert shown["games"] == shown["bots"]["random"]["games"] == 1
    shown = json.loads(bot_here("simulate", "--one-loss", "--games", "2", *quick.split(), cwd=tmp_path).stdout)
    assert (shown["one_loss"], shown["played"], shown["faults"]) == (True, 0.5, {})
    assert shown["bots"]["random"]["lost_per_100_lost_replies"]["all"]["of"] == 2
    group = json.loads(bot_here("simulate", "--single-losses", *quick.split(), cwd=tmp_path).stdout)["groups"]["random"]
    assert group["games"] == 4 and group["oracle"]["lost_per_100_lost_replies"]["moving_second"]["of"] > 0
    (tmp_path / "other").touch()  # journals go to an empty folder only
    for options, named in WRONG.items():
        done = bot_here("simulate", *options.split(), cwd=tmp_path)
        assert (done.returncode, named in done.stderr) == (ExitCode.USAGE, True), done.stderr
