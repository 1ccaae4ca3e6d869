"""The move clock: caps, stop flags, and no work outside them.

No real time is measured: a virtual clock shows what a limit makes of time, and counted nodes show how soon a search
stops. How long that takes depends on the machine.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bot
from bot.agents.catalogue import make_agent
from bot.engine.agent import Agent, Limit, Stop
from bot.engine.deadline import MARGIN_S
from bot.engine.kernels import minimax, search
from bot.engine.kernels.addresses import address
from bot.engine.timed import SURE_DEPTH
from bot.engine.warmup import warm_up
from bot.game import Board, parse_moves
from tests.engine.positions import boards
from tests.engine.virtual_time import VirtualTimer, virtual_time
from tests.processes import python_json

NAMES = ("mtdf", "alphabeta", "depth1", "depth8", "random")
OPEN = Board.from_moves(parse_moves("44"))
"""Far from proven within any time used here."""


@pytest.fixture(scope="module")
def agents() -> dict[str, Agent]:
    made = {name: make_agent(name, seed=1) for name in NAMES}
    warm_up(*made.values())
    return made


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("hard_s", [0.0, 0.001, 0.01, 0.05, 0.3])
def test_the_search_is_ended_before_the_cap_with_time_left_to_answer(agents, name, hard_s):
    with virtual_time() as clock:
        clock.on_timer = VirtualTimer.fire_now
        decision = agents[name].choose(OPEN, Limit(hard_s=hard_s, think_s=10.0))
    assert OPEN.can_play(decision.column)
    assert decision.proven is False
    assert clock.intervals == ([] if name == "random" or not hard_s else [pytest.approx(hard_s - margin(hard_s))])


def margin(hard_s: float) -> float:
    """Return the seconds that are kept free before the cap."""
    return min(MARGIN_S, hard_s / 2)


@pytest.mark.parametrize("name", ["mtdf", "alphabeta"])
def test_a_sure_depth_is_searched_within_the_cap_and_what_follows_within_the_aim(agents, name):
    limit = Limit(hard_s=5.0, think_s=0.2, depth=SURE_DEPTH + 2)
    with virtual_time() as clock:
        assert agents[name].choose(OPEN, limit).depth == SURE_DEPTH + 2, "the aim is not reached"
    assert clock.intervals == pytest.approx([5.0 - MARGIN_S, 0.2])


@pytest.mark.parametrize("name", ["mtdf", "alphabeta"])
@pytest.mark.parametrize(("passed_s", "deeper"), [(0.09, True), (0.11, False), (0.2, False)])
def test_no_iteration_begins_after_half_of_the_aim(agents, name, passed_s, deeper):
    def pass_time(_timer: VirtualTimer) -> None:
        if len(clock.intervals) == 2:  # the sure depth is searched
            clock.now += passed_s

    with virtual_time() as clock:
        clock.on_timer = pass_time
        decision = agents[name].choose(OPEN, Limit(hard_s=5.0, think_s=0.2, depth=SURE_DEPTH + 1))
    assert decision.depth == SURE_DEPTH + deeper


@pytest.mark.parametrize("name", ["mtdf", "alphabeta"])
@pytest.mark.parametrize("after_s", [0.002, 0.02, 0.2])
def test_a_stop_flag_ends_the_search(agents, name, after_s):
    """Without the flag the search would go on for hours, and the test's own time limit would end it."""
    stop = Stop()
    timer = threading.Timer(after_s, stop.set)
    timer.start()
    decision = agents[name].choose(OPEN, Limit(hard_s=1e5, think_s=1e5), stop)
    assert stop.is_set, "the search did not end by itself"
    timer.join()
    assert OPEN.can_play(decision.column)
    assert decision.pv[0] == decision.column


def nodes_after_a_stop(search_on: Callable[[np.ndarray, np.ndarray], None]) -> int:
    """Start a search in a thread, set its flag, and return the nodes that it counts afterwards."""
    flag, nodes = np.zeros(1, np.uint8), np.zeros(search.WORKSPACE_WORDS, np.int64)
    thread = threading.Thread(target=search_on, args=(flag, nodes))
    thread.start()
    while nodes[0] < 10_000:
        assert thread.is_alive()
    flag[0] = 1
    seen = int(nodes[0])
    thread.join()
    return int(nodes[0]) - seen


def test_a_kernel_polls_its_stop_flag_at_every_node():
    """A millisecond is some 10,000 nodes."""
    empty, infinity = (0, 0, 0), search.INFINITY

    def alpha_beta(flag: np.ndarray, work: np.ndarray) -> None:
        table, never = np.zeros(search.TABLE_SIZE, np.int64), np.zeros(1, np.uint8)
        search.search(*empty, -infinity, infinity, 42, *map(address, (table, work, flag, never)))

    def fixed_depth(flag: np.ndarray, nodes: np.ndarray) -> None:
        minimax.minimax(*empty, 40, -20000, 20000, nodes, np.zeros(1, np.uint8), flag)

    assert nodes_after_a_stop(alpha_beta) < 1000
    assert nodes_after_a_stop(fixed_depth) < 1000


@pytest.mark.parametrize("name", NAMES)
def test_a_stop_set_beforehand_still_gives_a_legal_move_at_once(agents, name):
    stop = Stop()
    stop.set()
    decision = agents[name].choose(OPEN, Limit(hard_s=10.0, think_s=10.0), stop)
    assert OPEN.can_play(decision.column)
    assert (decision.nodes or 0) < 100
    assert stop.is_set


@pytest.mark.parametrize("name", ["mtdf", "alphabeta"])
@pytest.mark.parametrize("moves", ["414141", "41414", "33445", "4444443333335555"])
def test_a_move_that_cannot_change_comes_at_once(agents, name, moves):
    board = Board.from_moves(parse_moves(moves))
    decision = agents[name].choose(board, Limit(hard_s=1e5, think_s=1e5))
    assert (decision.nodes or 0) < 1_000_000, "a tenth of a second"


ALONE = """
import json, threading, time
from bot.engine.agent import Limit
import json, threading
from bot.agents.catalogue import make_agent
from bot.engine.warmup import warm_up
from bot.game import Board
agent = make_agent("mtdf")
warm_up(agent)
before = set(threading.enumerate())
started, start = [], threading.Thread.start
threading.Thread.start = lambda thread: (started.append(thread), start(thread))
agent.choose(Board.from_moves([3, 3]), Limit(think_s=0.4))
kinds = {type(thread).__name__ for thread in started}
for thread in started:
    thread.join()  # a timer that was cancelled may need a moment to end
print(json.dumps([sorted(kinds), len(set(threading.enumerate()) - before)]))
"""


def test_a_search_has_one_thread_and_nothing_runs_afterwards():
    """In a process of its own: other tests' threads may still be at work in this one."""
    kinds, threads_left = python_json(ALONE)
    assert kinds == ["Timer"]
    assert threads_left == 0


def test_one_agent_may_think_in_several_threads(agents):
    limit = Limit(hard_s=1e5, think_s=1e5, depth=9)
    expected = {
        moves: agents["mtdf"].choose(Board.from_moves(parse_moves(moves)), limit) for moves in ("", "4", "44", "1")
    }
    found = {}

    def think(moves: str) -> None:
        found[moves] = agents["mtdf"].choose(Board.from_moves(parse_moves(moves)), limit)

    workers = [threading.Thread(target=think, args=(moves,)) for moves in expected]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert {m: (d.column, d.score, d.nodes) for m, d in found.items()} == {
        m: (d.column, d.score, d.nodes) for m, d in expected.items()
    }


@settings(max_examples=100)
@given(boards(), st.sampled_from(NAMES), st.sampled_from((0.0, 0.002, 0.02)), st.sampled_from((None, 0, 1, 3)))
def test_the_move_is_always_legal(agents, board, name, think_s, depth):
    decision = agents[name].choose(board, Limit(hard_s=1.0, think_s=think_s, depth=depth))
    assert decision.column in board.legal_columns()
    assert decision.pv[0] == decision.column
    assert not decision.proven or decision.score is not None


@pytest.mark.parametrize("name", NAMES)
def test_a_finished_board_is_refused(agents, name):
    with pytest.raises(ValueError, match="over"):
        agents[name].choose(Board.from_moves(parse_moves("1212121")), Limit())


@pytest.mark.parametrize("name", [*NAMES, "perfect", "uct:50", "tommy-ab:2", "level:1"])
@pytest.mark.parametrize("hard_s", [1e9, math.inf])
def test_no_limit_needs_no_timer(name, hard_s):
    """No system has a timer for infinity, and Windows has none for 1e9 s: its thread ended with a traceback."""
    agent = make_agent(name, seed=1)
    warm_up(agent)
    board = Board.from_moves("3117537462422444124527")
    with virtual_time() as clock:
        decision = agent.choose(board, Limit(hard_s=hard_s, think_s=hard_s, depth=1))
    assert board.can_play(decision.column)
    assert all(interval < 10 for interval in clock.intervals), "those of the agent's own shares of its time"


@pytest.mark.parametrize("limit_s", [1e9, math.inf])
def test_a_solution_without_a_limit_needs_no_timer(limit_s):
    """Of a position that outlasts the nodes that are searched before a timer is started."""
    with virtual_time() as clock:
        solution = bot.solve("3117537462", book=False, time_limit_s=limit_s)
        assert solution.line and solution.score is not None and solution.nodes > 400_000
    assert clock.intervals == []


WARM = """
import json
from bot.agents.catalogue import make_agent
from bot.agents.games import play_game
from bot.engine.agent import Limit
from bot.engine.warmup import warm_up
agents = [make_agent("perfect"), make_agent("depth8", seed=1), make_agent("mtdf")]
warm_up(*agents)
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
