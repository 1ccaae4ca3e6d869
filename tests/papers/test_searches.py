"""The programs' searches: moves recorded from plain minimax, and what their options and defects change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bot.agents.catalogue import make_agent
from bot.agents.games import UNLIMITED
from bot.agents.kernels.rules import COUNTERS, INFINITY, LEAVES
from bot.agents.paper import PaperAgent
from bot.agents.program import Ends
from bot.engine.agent import Decision, StopFlag
from bot.errors import UsageError
from bot.game import Board
from tests.positions import sample

FOLDER = Path(__file__).parent
WON = Board.from_moves(map(int, "515605026026015666041444124154105222"))
"""Its one free column wins."""


def choose(name: str, board: Board, seed: int | None = None) -> Decision:
    return make_agent(name, seed=seed).choose(board, UNLIMITED)


def choices(name: str, board: Board) -> set[int]:
    """Return the columns chosen with twelve seeds."""
    return {choose(name, board, seed).column for seed in range(12)}


def test_value_and_column_are_the_recorded_ones():
    for line in (FOLDER / "moves.txt").read_text().splitlines()[3:]:
        name, moves, answer = line.split()
        found = choose(name, Board.from_moves(map(int, moves)))
        assert f"{found.score:.0f},{found.column}" == answer, line


def test_values_of_finished_games_beyond_the_window_are_refused():
    Ends(INFINITY, -INFINITY)
    for values in ((INFINITY + 1, 0), (0, -INFINITY - 1)):
        with pytest.raises(UsageError, match="A finished game counts too much for the search"):
            Ends(*values)


SAME_MOVE = {
    "kang-h1:4": ("kang-h1:4,prune=0",),
    "kang-h2:4": ("kang-h2:4,prune=0",),
    "kang-sample:4,prune=1": ("kang-sample:4",),
    "edap01-intended:5": ("edap01-intended:5,order=left",),
    "edap01:4,search=figure4": ("edap01:4,search=minimax",),
    "tommy-mtdf:5,leaves=1": ("tommy-mtdf:5",),
    "tommy-mtdf:5": ("tommy-mtdf:5,mirror=0", "tommy-mtdf:5,table=0", "tommy-mtdf:5,zero=0", "tommy-mtdf:5,guess=100"),
    "vds-intended:5": ("vds-intended:5,mirror=0", "vds-intended:5,search=alpha-beta", "vds-intended:5,search=minimax"),
    "vds:4,search=alpha-beta,table=1": ("vds:4,search=minimax,table=1",),
}
"""Agents, and the same with something left out: values do not change, and the work is more."""


@pytest.mark.parametrize("name", SAME_MOVE)
def test_pruning_orders_and_tables_change_the_work_but_not_the_value(name):
    for other in SAME_MOVE[name]:
        pairs = [
            (choose(name, board), choose(other, board)) for board in map(Board.from_moves, ("", "4", "44", "4453"))
        ]
        assert all(one.score == two.score for one, two in pairs), other
        assert sum(one.leaves or 0 for one, _ in pairs) < sum(two.leaves or 0 for _, two in pairs), other


def recorded_columns(name: str) -> Iterator[tuple[Board, dict[int, int]]]:
    """Yield boards, and the recorded values of their columns for an agent."""
    for line in (FOLDER / "columns.txt").read_text().splitlines():
        agent, moves, *values = line.split()
        if agent == name:
            yield Board.from_moves(map(int, moves)), {x: int(value) for x, value in enumerate(values) if value != "-"}


def test_the_order_of_ties_and_chance_choose_among_the_best_columns_only():
    for board, values in recorded_columns("halim:3"):
        best = [x for x, value in values.items() if value == max(values.values())]
        picked = [choose(f"halim:3,ties={ties}", board).column for ties in ("lowest", "centre")]
        assert picked == [best[0], min(best, key=lambda x: (abs(x - 3), x))]
        assert choices("halim:3,ties=random", board) <= set(best)
    symmetrical = Board.from_moves([3] * 6)
    assert len(choices("halim:1,ties=random", symmetrical)) == len(choices("kang-h1:1,ties=random", symmetrical)) == 2


def test_chance_chooses_no_column_whose_value_is_only_a_bound():
    """The plain values of the columns are those of the positions behind them, for the other side."""
    for board in sample(40, 4, 20, seed=8):
        behind = {column: board.play(column) for column in board.legal_columns()}
        if not any(after.is_over for after in behind.values()):
            values = {column: -(choose("kang-h2:1", after).score or 0) for column, after in behind.items()}
            best = {column for column, value in values.items() if value == max(values.values())}
            assert choices("kang-h2:2,ties=random", board) <= best
            least = min(sorted(values.values())[-2:])
            two_best = {column for column, value in values.items() if value >= least}
            assert choices("kang-h2:2,random=1", board) <= two_best


def test_kangs_random_move_is_one_of_the_two_best_at_every_third_own_move():
    for board, values in recorded_columns("kang-h2:2"):
        ranked = sorted(values, key=lambda x: -values[x])
        assert choices("kang-h2:2,random=3", board) == set(ranked[: 1 + ((board.ply // 2 + 1) % 3 == 0)])
    assert len(choices("kang-h2:2,random=3,plies=1", Board.from_moves([3, 3]))) == 2, "the third disc of both sides"


def test_van_der_schees_table_outlives_a_move_but_not_the_agent():
    for name in ("vds:4", "vds-intended:4"):
        board, agent = Board.from_moves([3]), make_agent(name)
        first, again = (agent.choose(board, UNLIMITED) for _ in range(2))
        assert first.nodes == choose(name, board).nodes
        assert (again.nodes or 0) < (first.nodes or 0)
    for name in ("vds:4,table=0,clock=1000000", "vds-intended:4,table=0,clock=1000000"):
        played, other = make_agent(name), Board.from_moves([3, 2, 3])
        played.choose(board, UNLIMITED)
        found, fresh = played.choose(other, UNLIMITED), choose(name, other)
        assert (found.nodes, found.passes) == (fresh.nodes, fresh.passes), "nothing of the move before"
    cut = make_agent("vds:4,search=mtdf")
    for nodes in range(1, 300, 7):
        cut.choose(board, replace(UNLIMITED, nodes=nodes))
    assert cut.choose(board, UNLIMITED).score == choose("vds:4,search=mtdf", board).score, "what was cut off counts not"
    for moves in ([3, 2], [3, 2, 3]):  # entries of the other side are kept apart
        board = Board.from_moves(moves)
        assert agent.choose(board, UNLIMITED).score == choose(name, board).score


LIMITED = {
    "vds,think=0.000000001": (1, 0),
    "vds-intended,think=0.000000001": (1, 3),
    "vds-intended:9,clock=1": (1, 3),
    "halim:9,think=0.000000001": (1, 3),
}
"""Depth and column in reply to the middle column, of agents whose time or clock is over after the first depth."""


def test_a_clock_or_a_time_ends_the_search_between_depths():
    board = Board.from_moves([3])
    for name, expected in LIMITED.items():
        found = choose(name, board)
        assert (found.depth, found.column) == expected, name
    one, two = (choose(f"vds-intended:{depth},clock=1000000", board).nodes or 0 for depth in (1, 2))
    assert choose(f"vds-intended:9,clock={one + 1}", board).nodes == two > one, "nodes of all depths"
    assert choose("vds:2,think=60", board).nodes == choose("vds:2", board).nodes, "those of the last depth alone"


def test_listing_1_in_python_finds_value_column_and_nodes_of_the_compiled_program():
    for board in [*sample(10, 2, 34, seed=53), WON]:
        printed, compiled = (choose(name, board) for name in ("edap01-listing:3", "edap01:3"))
        assert (printed.score, printed.column, printed.nodes) == (compiled.score, compiled.column, compiled.nodes)


def test_listing_1_in_python_ends_when_it_is_stopped():
    stop = StopFlag()
    stop.set()
    agent, counters = make_agent("edap01-listing:9"), np.zeros(COUNTERS, np.int64)
    assert isinstance(agent, PaperAgent)
    assert agent.search(Board(), 9, counters, stop.flag) == (0, -1) and not counters[LEAVES]
    assert agent.choose(Board(), UNLIMITED, stop).depth == 3, "the search that replaces an interrupted one"


def test_figure_4_ends_below_a_win_of_the_student_where_the_listing_goes_on():
    assert [choose(f"edap01:5,search={search}", WON).nodes for search in ("figure4", "listing")] == [2, 3]
