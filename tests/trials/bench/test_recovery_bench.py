"""The ablation table: switches that switch, paired differences, and a file from which a run goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.cli.app import run
from bot.errors import ExitCode
from bot.game import Board
from bot.trials.bench.recovery import FULL, SETTINGS, VARIANTS, finished, markdown, measured, table_of, tasks
from bot.trials.simulation.chooser import Policy, SimulationChooser, chooser_of
from bot.trials.simulation.single import Case, SingleResult, SingleTask


def result(task: SingleTask, lost: int, replies: int) -> SingleResult:
    """Return a game in which ``lost`` of ``replies`` lost replies cost the game."""
    cases = [
        Case(2 + n, was_processed=True, result=-1.0 if n < lost else 1.0, reason="", moves="") for n in range(replies)
    ]
    return SingleResult(task, replies, 1.0, tuple(cases))


def test_each_variant_differs_from_the_whole_policy_in_one_switch() -> None:
    """The first is the policy of `bot play`."""
    switches = set(Policy.__dataclass_fields__)
    changed = {
        name: {switch for switch in switches if getattr(policy, switch) != getattr(FULL, switch)}
        for name, policy in VARIANTS.items()
    }
    assert changed.pop("whole policy") == set()
    assert all(len(own) == 1 for own in changed.values())
    assert set().union(*changed.values()) == switches


def test_differences_are_paired_by_game() -> None:
    """The variant loses one more reply in each of two games of ten."""
    places = tasks(["open"], ["whole policy", "plan"])
    chosen = [task for task in places if task.bot in ("o-table-3", "o-copycat") and task.train == 0]
    results = [result(task, 1 + (not task.policy.plans), 10) for task in chosen]
    cell = table_of(places, results)["open"]["first contact"]["plan"]
    assert (cell.lost, cell.replies, cell.value) == (8, 40, 20.0)
    assert cell.more == pytest.approx(10)
    assert cell.interval == pytest.approx((10, 10))


def test_the_table_is_markdown() -> None:
    """A row for each variant, a column for each setting."""
    places = tasks(["open"], ["whole policy", "plan"])
    text = markdown(table_of(places, [result(task, task.policy.plans, 20) for task in places]))
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 4
    assert all(row.count("|") == len(SETTINGS) + 2 for row in rows)
    assert rows[2].startswith("| (nothing) | **5.00** |")
    assert rows[3].startswith("| plan | 0.00 (-5.00; -5.00 to -5.00) |")


def test_a_run_goes_on_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Finished games are read back as they were."""
    places = tasks(["open"], ["whole policy"])
    some = [result(task, 1, 5) for task in list(places)[:3]]
    monkeypatch.setattr("bot.trials.bench.recovery.run_tasks_of", lambda _tasks, _workers: iter(some))
    file = tmp_path / "results.jsonl"
    assert list(measured([each.task for each in some], 1, file)) == some
    assert list(finished(file, places).values()) == some
    assert finished(tmp_path / "none.jsonl", places) == {}


def test_settings_can_be_measured_apart() -> None:
    """A setting has every game of each half, with the training that its name says."""
    first, later = SETTINGS
    assert set(tasks(settings=[first])) | set(tasks(settings=[later])) == set(tasks())
    assert {task.train for task in tasks(settings=[later])} == {20}


def test_switches_reach_the_session() -> None:
    """Without memory, an answer that was seen does not count."""
    board = Board.from_moves([3])
    assert Policy(uses_memory=False).answers().observe(board, 0).counts(board) == [0.0] * 7
    assert Policy().answers().observe(board, 0).counts(board)[0] == 1.0


def test_choosers_share_what_the_engine_found() -> None:
    """A variant solves nothing again."""
    whole, variant = chooser_of(FULL), chooser_of(Policy(plans=False))
    assert isinstance(whole, SimulationChooser)
    assert whole.known is variant.known
    assert whole.prospects is variant.prospects


def test_an_unknown_half_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "recovery", "--half", "third"]) == ExitCode.USAGE
    assert "'held-out'" in capsys.readouterr().err
