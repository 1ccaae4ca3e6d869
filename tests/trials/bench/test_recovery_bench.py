"""The ablation table: switches that switch, and paired differences."""

from __future__ import annotations

import pytest

from bot.cli.app import run
from bot.errors import ExitCode
from bot.game import Board
from bot.trials.bench.recovery import FULL, SETTINGS, VARIANTS, markdown, tasks
from bot.trials.simulation.chooser import Policy, SimulationChooser, chooser_of
from bot.trials.simulation.single import Case, SingleResult, SingleTask


def result(task: SingleTask, lost: int, replies: int) -> SingleResult:
    """Return a game in which ``lost`` of ``replies`` lost replies cost the game."""
    cases = [
        Case(2 + n, was_processed=True, result=-1.0 if n < lost else 1.0, reason="", moves="") for n in range(replies)
    ]
    return SingleResult(task, 1.0, tuple(cases))


def test_each_variant_differs_from_the_whole_policy_in_one_switch() -> None:
    """The first is the policy of `bot play`."""
    switches = set(Policy.__dataclass_fields__)
    changed = {
        name: {switch for switch in switches if getattr(policy, switch) != getattr(FULL, switch)}
        for name, policy in VARIANTS.items()
    }
    assert changed.pop("(nothing)") == set()
    assert all(len(own) == 1 for own in changed.values())
    assert set().union(*changed.values()) == switches


def test_differences_are_paired_by_game() -> None:
    """Without the plan, one more of ten lost replies costs each game; replies are counted over all games."""
    places = tasks(["open"])
    text = markdown([result(task, 1 + (not task.policy.plans), 10) for task in places])
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + len(VARIANTS)
    assert all(row.count("|") == len(SETTINGS) + 2 for row in rows)
    assert rows[2].startswith("| (nothing) | **10.00** |")
    assert "| plan | 20.00 (+10.00; +10.00 to +10.00) |" in text
    games = len([task for task in places if task.policy == FULL and task.train == 0])
    assert f"Lost replies of the whole policy: {10 * games} / {10 * games}." in text
    assert "held-out" not in text


def test_every_setting_has_every_game_of_each_half() -> None:
    """With the training that its name says."""
    assert {task.train for task in tasks()} == {0, 20}
    assert len(tasks()) == len(tasks(["open"])) + len(tasks(["held-out"]))


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
