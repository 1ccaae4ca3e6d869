"""The move clock: caps, aims and stops. Time is virtual: how long a search really takes depends on the machine."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bot
from bot.agents.catalogue import make_agent
from bot.engine.agent import MAX_S, Agent, Limit
from bot.engine.deadline import MARGIN_S
from bot.engine.solver import Solver
from bot.engine.timed import SURE_DEPTH
from bot.game import Board
from tests.engine.virtual_time import Act, fire, virtual_time
from tests.positions import BEYOND_BOOK, boards
from tests.processes import python_json

SEARCHES = ("mtdf", "alphabeta")
NAMES = (*SEARCHES, "depth1", "depth8", "random")
OPEN = Board.from_moves("44")
"""Far from proven within any time used here."""


@pytest.fixture(scope="module")
def agents() -> dict[str, Agent]:
    made = {name: make_agent(name, seed=1) for name in NAMES}
    for agent in made.values():
        agent.warm_up()
    return made


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("hard_s", "margin_s"), [(0.0, 0.0), (0.01, 0.005), (0.3, MARGIN_S)])
def test_a_search_is_ended_before_the_cap_with_time_left_to_answer(agents, name, hard_s, margin_s):
    with virtual_time() as clock:
        clock.on_timer = fire
        decision = agents[name].choose(OPEN, Limit(hard_s=hard_s, think_s=10.0))
    assert OPEN.can_play(decision.column) and not decision.proven
    assert hard_s or not decision.depth, "nothing was searched"
    assert clock.intervals == ([] if name == "random" or not hard_s else [pytest.approx(hard_s - margin_s)])


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize(("passed_s", "deeper"), [(0.0, 2), (0.04, 2), (0.06, 0)])
def test_a_sure_depth_is_searched_within_the_cap_and_none_is_begun_after_half_of_the_aim(
    agents, name, passed_s, deeper
):
    def pass_time(_act: Act) -> None:
        clock.now += passed_s if clock.intervals[1:] else 0.05  # for the sure depth

    with virtual_time() as clock:
        clock.on_timer = pass_time
        decision = agents[name].choose(OPEN, Limit(hard_s=5.0, think_s=0.2, depth=SURE_DEPTH + 2))
    assert decision.depth == SURE_DEPTH + deeper
    assert clock.intervals == pytest.approx([5.0 - MARGIN_S, 0.15])


def test_the_solver_leaves_the_search_half_of_a_short_limit():
    agent = make_agent("perfect")
    agent.warm_up()

    def pass_time(act: Act) -> None:
        clock.now += clock.intervals[-1]
        act()

    for hard_s, share_s in ((0.4, 0.2), (5.0, 1.5)):
        with virtual_time() as clock:
            clock.on_timer = pass_time
            agent.choose(Board.from_moves(BEYOND_BOOK), Limit(hard_s, hard_s))
        assert clock.intervals == pytest.approx([share_s - MARGIN_S, hard_s - share_s])


def test_the_limit_of_all_columns_together_is_given_once():
    def pass_time(act: Act) -> None:
        clock.now += 1.0
        act()

    with virtual_time() as clock:
        clock.on_timer = pass_time
        Solver().solve_columns(Board.from_moves(BEYOND_BOOK), deadline_s=10.0)
    assert clock.intervals == pytest.approx([left_s - MARGIN_S for left_s in range(10, 3, -1)])


@given(boards(), st.sampled_from(NAMES), st.sampled_from((0.0, 0.002, 0.02)), st.sampled_from((None, 1, 3)))
def test_every_move_is_legal(agents, board, name, think_s, depth):
    decision = agents[name].choose(board, Limit(hard_s=1.0, think_s=think_s, depth=depth))
    assert decision.column in board.legal_columns()
    assert not decision.proven or decision.score is not None


@pytest.mark.parametrize("limit_s", [1e5, MAX_S])
def test_no_limit_needs_no_timer(agents, limit_s):
    """Windows has no timer for weeks: its thread ended with a traceback."""
    with virtual_time() as clock:
        for agent in agents.values():
            agent.choose(OPEN, Limit(limit_s, limit_s, depth=1))
        assert bot.solve(BEYOND_BOOK, book=False, time_limit_s=limit_s).score is not None
    assert clock.intervals == []


WARM = """
import json
from bot.agents.catalogue import make_agent
from bot.agents.games import play_game
from bot.engine.agent import Limit
agents = [make_agent("perfect"), make_agent("depth8", seed=1), make_agent("mtdf")]
for agent in agents:
    agent.warm_up()
from numba.core.dispatcher import Dispatcher
compiled, compile = [], Dispatcher.compile
Dispatcher.compile = lambda kernel, signature: (compiled.append(str(kernel)), compile(kernel, signature))[1]
perfect, depth8, mtdf = agents
for first, second, opening in ((perfect, depth8, ()), (depth8, perfect, (3, 3)), (mtdf, perfect, (3, 3, 3, 3, 3, 2))):
    play_game(first, second, opening, Limit(hard_s=0.3, think_s=0.02))
print(json.dumps(compiled))
"""


def test_nothing_compiles_or_loads_after_warming_up():
    """In a process of its own, which has loaded nothing yet."""
    assert python_json(WARM) == []
