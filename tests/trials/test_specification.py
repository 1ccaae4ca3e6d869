"""What the trials promise: how well the bot does is measured against faults and foreign bots, and can be repeated.

Read from the top: the virtual world, its opponents, single lost replies.
"""

from __future__ import annotations

from pathlib import Path

from bot.course.journal.games import game_problems
from bot.course.journal.journal import read_journal
from bot.trials.simulation.campaign import SeriesResult, play_task, tasks_of
from bot.trials.simulation.faults import FaultPlan
from bot.trials.simulation.report import in_json, is_faultless
from bot.trials.simulation.roster import chosen
from bot.trials.simulation.single import play_out, single_tasks

FAULTS = "reset=0.2,refuse=0.05,kill=0.02"


def series(folder: Path | None = None, seed: int = 1) -> SeriesResult:
    """Play four games against the open half's copycat in a world of faults."""
    faults = FaultPlan.parse(FAULTS)
    return play_task(tasks_of(["o-copycat"], 4, seed=seed, faults=faults, journals=folder)[0])


def test_a_series_through_faults_and_kills_is_played_to_its_end_without_a_mistake() -> None:
    result = series()
    counts = result.counts
    assert counts.games == 4 and counts.kills > 0 and sum(counts.lost_replies.values()) > 0
    assert is_faultless(in_json([result])), "no forfeit, no invented result, no early end"


def test_its_journal_verifies_and_equal_seeds_write_equal_bytes(tmp_path: Path) -> None:
    files: list[Path] = []
    for name, seed in (("one", 1), ("two", 1), ("other", 2)):
        (tmp_path / name).mkdir()
        series(tmp_path / name, seed)
        files += (tmp_path / name).iterdir()
    one, two, other = (path.read_bytes() for path in files)
    assert one == two != other
    assert [problem for game in read_journal(files[0]).games for problem in game_problems(game)] == []


def test_opponents_have_names_and_two_halves_one_of_which_nothing_is_tuned_on() -> None:
    halves = [[bot.name for bot in chosen([half])] for half in ("open", "held-out")]
    assert [len(names) for names in halves] == [6, 14] and not set(halves[0]) & set(halves[1])
    assert len(chosen(["o-table-3", "h-follower"])) == 2 and len(chosen(["all", "random"])) == 21


def test_every_single_lost_reply_of_a_game_can_be_played_out() -> None:
    (task,) = single_tasks(["o-copycat"], seed=7, starter="student")
    counts = play_out(task).counts
    assert counts.faults["reset_before"] == counts.faults["reset_after"] == counts.lost_replies[True] / 2 > 0
