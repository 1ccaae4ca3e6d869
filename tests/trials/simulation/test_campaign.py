"""Campaigns are repeatable, whatever the number of processes, and leave journals that verify."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.cli.app import run as main
from bot.course.journal.reader import read_journal
from bot.course.journal.verify import game_problems
from bot.errors import ExitCode
from bot.lab.arena.workers import run_tasks
from bot.trials.faults.plan import FaultSpec
from bot.trials.simulation.campaign import play_task, tasks_of
from bot.trials.simulation.faults import VIRTUAL
from bot.trials.simulation.report import in_json, is_faultless, per

FAULTS = FaultSpec.parse("reset=0.1,refuse=0.02,truncate=0.02,unread=0.1,kill=0.01", VIRTUAL)
BOTS = ("o-table-3", "random", "o-copycat")


def campaign(folder: Path, seed: int, workers: int, games: int = 30) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the report and the journals of a campaign."""
    folder.mkdir()
    tasks = tasks_of(BOTS, games, seed=seed, faults=FAULTS, checks_values=True, journals=folder)
    report = in_json(result for _, result in run_tasks(play_task, tasks, workers=workers))
    return report, {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], dict[str, bytes]]:
    """One campaign in this process."""
    folder = tmp_path_factory.mktemp("campaign") / "one"
    return (folder, *campaign(folder, 1, 1))


def test_equal_seeds_give_equal_bytes_whatever_the_processes(
    played: tuple[Path, dict[str, Any], dict[str, bytes]], tmp_path: Path
) -> None:
    """Caches of one process hold what other series left; neither may change a decision."""
    _, report, journals = played
    again, bytes_again = campaign(tmp_path / "two", 1, 2)
    assert bytes_again == journals
    assert again == report
    assert len(journals) == 2


def test_another_seed_gives_other_games(played: tuple[Path, dict[str, Any], dict[str, bytes]], tmp_path: Path) -> None:
    """The seed is not ignored."""
    assert set(campaign(tmp_path / "other", 2, 1, games=4)[1].values()).isdisjoint(played[2].values())


def test_journals_verify(played: tuple[Path, dict[str, Any], dict[str, bytes]]) -> None:
    """The records pass through the session again, and the server's rules agree."""
    folder, report, _ = played
    runs = [read_journal(path) for path in folder.iterdir()]
    games = [game for run in runs for game in run.games]
    assert [problem for game in games for problem in game_problems(game)] == []
    assert [problem for run in runs for problem in run.problems] == []
    assert sum(game.result not in (None, 0) for game in games) == report["games"] == 30


def test_the_client_invents_forfeits_and_gives_away_nothing(
    played: tuple[Path, dict[str, Any], dict[str, bytes]],
) -> None:
    """The campaign has faults of every kind that it names, and kills."""
    shown = played[1]["groups"]["open"]
    assert is_faultless(played[1])
    assert {"reset_before", "reset_after", "refuse", "truncate"} <= shown["faults"].keys()
    assert shown["kills"] > 0
    assert shown["lost_by"]["forfeit"] == shown["invented"] == shown["given_away"] == 0


def test_the_first_series_does_not_depend_on_the_others() -> None:
    """A series' seed is its own: a campaign can be continued or cut."""
    few, many = (tasks_of(BOTS, games, seed=3, faults=FAULTS) for games in (20, 200))
    assert few == many[:1]
    assert [task.games for task in tasks_of(BOTS, 45, seed=3, faults=FAULTS)] == [20, 20, 5]
    assert len({task.seed for task in many}) == 10


def test_shares_without_trials_have_no_value() -> None:
    """No share is computed without trials, or from more losses than lost replies."""
    assert per(100, 0, 0)["value"] is None
    assert per(100, 3, 2)["value"] is None
    assert per(100, 3, 100)["value"] == 3.0


def test_training_teaches_the_bots_answers() -> None:
    """After training, the session begins with a memory."""
    task = tasks_of(["o-table-3"], 1, seed=1, faults=FaultSpec(), train=2)[0]
    assert play_task(task).counts.games == 1


def test_the_command_prints_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    """--json prints counts by group and bot."""
    code = main(["simulate", "--games", "2", "--faults", "none", "--opponents", "random", "--workers", "1", "--json"])
    shown = json.loads(capsys.readouterr().out)
    assert code == ExitCode.DONE
    assert shown["games"] == shown["groups"]["random"]["won"] == shown["bots"]["random"]["games"] == 2


@pytest.mark.parametrize(
    ("option", "value", "named"),
    [
        ("--opponents", "nemo", "nemo"),
        ("--faults", "rain=1", "rain"),
        ("--starter", "me", "'random', 'student', 'bot'"),
        ("--journals", ".", "folder"),
    ],
)
def test_wrong_arguments_are_usage_errors(
    option: str, value: str, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each is named in one sentence."""
    assert main(["simulate", option, value]) == ExitCode.USAGE
    assert named in capsys.readouterr().err
