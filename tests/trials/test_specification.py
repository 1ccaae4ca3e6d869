"""What the trials promise: how well the bot does is measured against faults and foreign bots, and can be repeated.

Read from the top: the virtual world, its opponents, single lost replies, faults on real sockets, the soak.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import requests

from bot.course.journal.reader import read_journal
from bot.course.journal.verify import game_problems
from bot.course.server.embedded import embedded_server
from bot.course.server.store import Store
from bot.engine.agent import Limit
from bot.engine.simple import Scripted
from bot.game import Board
from bot.trials.faults.plan import FaultPlan, FaultSpec
from bot.trials.faults.proxy import failing
from bot.trials.simulation.campaign import SeriesResult, play_task, tasks_of
from bot.trials.simulation.faults import VIRTUAL
from bot.trials.simulation.opponents.agent import agents_of
from bot.trials.simulation.opponents.roster import chosen
from bot.trials.simulation.report import in_json, is_faultless
from bot.trials.simulation.single import SingleTask, play_out
from bot.trials.simulation.soak_judge import OpponentReport, SoakReport

FAULTS = "reset=0.2,refuse=0.05,kill=0.02"


def series(folder: Path | None = None, seed: int = 1) -> SeriesResult:
    """Play four games against the open half's copycat in a world of faults."""
    faults = FaultSpec.parse(FAULTS, VIRTUAL)
    return play_task(tasks_of(["o-copycat"], 4, seed=seed, faults=faults, checks_values=True, journals=folder)[0])


def test_a_series_through_faults_and_kills_is_played_to_its_end_without_a_mistake() -> None:
    result = series()
    counts = result.counts
    assert counts.games == 4 and counts.kills > 0 and sum(counts.lost_replies.values()) > 0
    assert is_faultless(in_json([result])), "no forfeit, no invented result, no value given away"


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
    assert len(agents_of("o-table-3, depth2,h-playouts", 1)) == 3 and len(agents_of("all,random", 1)) == 21
    (agent,) = agents_of("o-copycat", 1)
    assert agent.choose(Board().play(0), Limit()).column == 6, "it mirrors the student's move"


def test_every_single_lost_reply_of_a_game_can_be_played_out() -> None:
    result = play_out(SingleTask("o-copycat", we_start=True, seed=7, train=0))
    assert result.result == 1 and len(result.cases) == 2 * result.cases[-1].request
    assert [case.was_processed for case in result.cases[:2]] == [False, True] and result.cases[0].is_opening


@pytest.mark.parametrize(("kind", "moves"), [("reset_before", ""), ("reset_after", "41")])
def test_a_fault_on_real_sockets_hits_the_planned_request(tmp_path: Path, kind: str, moves: str) -> None:
    front: Any = partial(failing, FaultPlan.parse(f"@1:{kind}", 1))
    form, store = {"stil_id": "a", "move": 3, "api_key": "nyckel"}, Store(tmp_path / "db")
    server = embedded_server(Scripted("1"), api_key="nyckel", db=tmp_path / "db", starter="student", front=front)
    with closing(store), server as url:
        with pytest.raises(requests.exceptions.ConnectionError):
            requests.post(f"{url}/move", data=form, timeout=60)
        assert store.read("a").moves == moves, "processed or not, as planned"
        assert requests.post(f"{url}/move", data=form, timeout=60).json()["status"] is True


def test_a_soak_adds_up_its_reports_and_passes_only_without_a_mistake_and_without_a_loss() -> None:
    fine = OpponentReport(games=5, won=5, kills=1, faults={"drip": 1, "delay": 2})
    lost = SoakReport({"a": fine, "b": OpponentReport(games=5, won=4, lost=["Game 2."], faults={"drip": 3})})
    assert [lost.in_all[what] for what in ("games", "won", "kills", "faults", "lost")] == [10, 9, 1, 6, 1]
    assert SoakReport({"a": fine}).passed and lost.faultless and not lost.passed
    for mistake in ({"given_away": ["."]}, {"disagreements": ["."]}, {"failures": ["."]}, {"forfeits": 1}):
        assert not SoakReport({"a": replace(fine, **mistake)}).faultless
