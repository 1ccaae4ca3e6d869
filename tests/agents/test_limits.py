"""Searches that end early: by a timer, a stop or a count there is always a legal move, and nothing stays behind."""

from __future__ import annotations

import threading

import pytest

from bot.agents.catalogue import make_agent
from bot.agents.family import paper_families
from bot.agents.paper import RESERVE_S, SHALLOW
from bot.engine.agent import NO_LIMIT_S, Limit, StopFlag
from bot.game import Board
from tests.engine.virtual_time import fire, virtual_time
from tests.positions import sample

UNLIMITED = Limit(hard_s=NO_LIMIT_S, think_s=NO_LIMIT_S)
FAMILIES = [family.name for family in paper_families()]


@pytest.mark.parametrize("name", [*(f"{family}:30" for family in FAMILIES), "tommy-ab:2"])
def test_a_depth_out_of_reach_still_moves_in_time(name):
    """The timer ends a search of years, in time for a shallow one, which is no deeper than the agent's own."""
    agent = make_agent(name)
    agent.warm_up()
    with virtual_time() as clock:
        clock.on_timer = fire
        found = agent.choose(Board(), Limit(hard_s=7.0))
    assert clock.intervals == [pytest.approx(7.0 - RESERVE_S)]
    assert found.depth == (2 if name == "tommy-ab:2" else SHALLOW) and 0 < (found.leaves or 0) <= (found.nodes or 0)
    assert (found.passes is not None) == name.startswith(("vds", "tommy-mtdf"))


@pytest.mark.parametrize("name", ["mtdf", "alphabeta", "tommy-ab:30", "vds:30", "rmarcus:30", "uct:1000000"])
def test_a_stop_ends_the_search(name):
    agent, stop = make_agent(name), StopFlag()
    agent.warm_up()
    timer = threading.Timer(0.1, stop.set)
    timer.start()
    board = Board.from_moves([3] * 6)
    assert agent.choose(board, UNLIMITED, stop).column in board.legal_columns()
    assert stop.is_set, "the search did not end by itself"
    assert agent.choose(board, UNLIMITED, stop).column in board.legal_columns(), "it was stopped before it began"
    timer.join()


@pytest.mark.parametrize("name", [*(f"{family}:9" for family in FAMILIES), "mtdf", "alphabeta"])
def test_no_search_exceeds_its_count_and_equal_counts_choose_alike(name):
    for board in sample(2, 2, 12):
        for nodes, leaves in ((800, 10**9), (10**9, 300)):
            budget = f"{name}@nodes={nodes},leaves={leaves}"
            one, other = (make_agent(budget, seed=1).choose(board, UNLIMITED) for _ in range(2))
            assert one.column in board.legal_columns()
            assert (one.column, one.nodes, one.leaves) == (other.column, other.nodes, other.leaves)
            assert 0 < (one.nodes or 0) <= nodes and (one.leaves or 0) <= leaves


@pytest.mark.parametrize("name", ["vds:4", "halim:4,ties=random", "kang-h1:2,random=1", "uct:30"])
def test_warming_up_changes_nothing(name):
    warm, cold = make_agent(name, seed=5), make_agent(name, seed=5)
    warm.warm_up()
    for _ in range(3):
        first, second = (agent.choose(Board.from_moves([3, 3]), UNLIMITED) for agent in (warm, cold))
        assert (first.column, first.score, first.nodes) == (second.column, second.score, second.nodes)
