"""The laboratory's agents by name, their options and their limits."""

from __future__ import annotations

import math
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.agents.catalogue import make_agent
from bot.agents.family import families
from bot.agents.growing_table import entries_needed, grown, new_table
from bot.agents.paper import RESERVE_S
from bot.engine.agent import Limit, Stop
from bot.engine.warmup import warm_up
from bot.errors import UsageError
from bot.game import Board
from tests.engine.positions import boards
from tests.engine.virtual_time import VirtualTimer, virtual_time

NAMES = [f"{family.name}:{depth}" for family in families() for depth in (1, 4)]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=10, deadline=None)
@given(board=boards(most=42))
def test_every_agent_has_a_legal_column_in_any_unfinished_position(name: str, board: Board) -> None:
    agent = make_agent(name, seed=1)
    decision = agent.choose(board, Limit(hard_s=math.inf))
    assert agent.name == name
    assert decision.column in board.legal_columns()
    assert (decision.nodes or 0) > 0 and (decision.leaves or 0) > 0
    assert (decision.passes is not None) == name.startswith(("vds", "tommy-mtdf"))


@pytest.mark.parametrize("name", NAMES)
def test_a_finished_game_is_rejected(name: str) -> None:
    with pytest.raises(ValueError, match="over"):
        make_agent(name).choose(Board.from_moves([0, 1, 0, 1, 0, 1, 0]), Limit())


@pytest.mark.parametrize("name", [f"{family.name}:30" for family in families()])
def test_a_depth_out_of_reach_still_moves(name: str) -> None:
    """The timer ends a search of years."""
    agent = make_agent(name)
    warm_up(agent)
    assert agent.choose(Board(), Limit(hard_s=0.1)).column in range(7)
    with virtual_time() as clock:
        clock.on_timer = VirtualTimer.fire_now
        assert agent.choose(Board(), Limit(hard_s=7.0)).column in range(7)
    assert clock.intervals == [pytest.approx(7.0 - RESERVE_S)]


@pytest.mark.parametrize("name", ["tommy-ab:30", "vds:30", "tommy-mtdf:30", "rmarcus:30"])
def test_a_stop_ends_the_search(name: str) -> None:
    agent = make_agent(name)
    warm_up(agent)
    stop = Stop()
    timer = threading.Timer(0.1, stop.set)
    timer.start()
    assert agent.choose(Board(), Limit(hard_s=math.inf), stop).column in range(7)
    assert stop.is_set, "the search did not end by itself"
    timer.join()


def test_a_limit_of_depth_is_kept() -> None:
    assert make_agent("tommy-ab:9").choose(Board(), Limit(depth=2)).depth == 2


@pytest.mark.parametrize("name", ["vds:4", "halim:4,ties=random", "kang-h1:2,random=1"])
def test_warming_up_changes_nothing(name: str) -> None:
    warm, cold = make_agent(name, seed=5), make_agent(name, seed=5)
    warm_up(warm)
    board = Board.from_moves([3, 3])
    for _ in range(3):
        first, second = (agent.choose(board, Limit(hard_s=math.inf)) for agent in (warm, cold))
        assert (first.column, first.score, first.nodes) == (second.column, second.score, second.nodes)


@pytest.mark.parametrize(
    "name",
    [
        "tommy-ab",
        "tommy-ab:",
        "tommy-ab:0",
        "tommy-ab:43",
        "tommy-ab:-1",
        "tommy-ab:x",
        "tommy-ab:²",
        "tommy-ab:4,",
        "tommy-ab:4,random=3",
        "vds:4,think=0",
        "vds:4,think=inf",
        "vds:4,think=x",
        "halim:4,ties=x",
        "halim:4,ends=literal",
        "kang-h1:4,features=5",
        "kang-h1:4,features=",
        "kang-h1:4,random=0",
        "kang-h2:4,features=1",
        "unknown:4",
        "kang-h1:4,random=3,random=3",
    ],
)
def test_a_name_with_wrong_depth_or_options_is_rejected_with_a_hint(name: str) -> None:
    with pytest.raises(UsageError) as rejected:
        make_agent(name)
    assert rejected.value.message.endswith(".") and rejected.value.hint.endswith(".")


def test_every_option_of_a_family_is_accepted() -> None:
    values = {
        "features": "1+2",
        "ties": "random",
        "think": "0.5",
        "random": "3",
        "open": "900000",
        "streaks": "5+50+5000",
        "columns": "3+2+1",
        "ends": "added",
        "view": "last",
        "order": "left",
        "search": "alpha-beta",
        "runs": "every",
        "gap": "playable",
        "column": "now",
        "rest": "5000",
    }
    for family in families():
        for option in family.options:
            name = f"{family.name}:3,{option}={values.get(option, '1')}"
            assert make_agent(name).choose(Board(), Limit(hard_s=math.inf)).column in range(7)


def test_options_are_accepted_without_a_depth() -> None:
    """After 1 ns only depth 1 is searched, where the published program plays column 0 and the intended one column 3."""
    decision = make_agent("vds-intended,think=0.000000001").choose(Board.from_moves([3]), Limit(hard_s=math.inf))
    assert (decision.depth, decision.column) == (1, 3)
    assert make_agent("vds,think=0.000000001").choose(Board.from_moves([3]), Limit(hard_s=math.inf)).column == 0


@given(st.sets(st.integers(1, 10**12), min_size=900, max_size=1000))
@settings(max_examples=10)
def test_a_table_that_grows_keeps_its_entries(keys: set[int]) -> None:
    from bot.agents.kernels.table import KEY, LOWER, UPPER, claim, slot_of

    table = new_table()
    stored = []
    for key in keys:
        slot = claim(table, key)
        if slot >= 0:
            table[slot, LOWER], table[slot, UPPER] = -key, key
            stored.append(key)
    assert len(stored) == 768, "three quarters full is full"
    larger = grown(table, 100)
    assert len(larger) == 2049
    assert grown(larger, 100) is larger
    for key in stored:
        row = larger[slot_of(larger, key)]
        assert np.array_equal(row[[KEY, LOWER, UPPER]], [key, -key, key])


def test_a_table_has_room_for_every_inner_node() -> None:
    for depth in (1, 3, 5):
        inner = sum(7**level for level in range(depth))
        assert entries_needed(depth) == inner
        assert 3 * (len(new_table(inner)) - 1) >= 4 * inner
