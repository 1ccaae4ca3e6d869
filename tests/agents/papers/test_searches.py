"""The programs' searches against plain minimax on random positions, and what their options and defects change."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.agents.family import make_paper_agent
from bot.agents.kernels.rules import INFINITY
from bot.agents.program import Ends
from bot.engine.agent import NO_LIMIT_S, Decision, Limit
from bot.errors import UsageError
from bot.game import Board
from tests.agents import reference
from tests.positions import boards, sample

UNLIMITED = Limit(hard_s=NO_LIMIT_S)


def choose(name: str, board: Board, seed: int | None = None) -> Decision:
    return make_paper_agent(name, seed).choose(board, UNLIMITED)


def choices(name: str, board: Board) -> set[int]:
    """Return the columns chosen with twelve seeds."""
    return {choose(name, board, seed).column for seed in range(12)}


@pytest.mark.parametrize("name", reference.PROGRAMS)
@settings(max_examples=15)
@given(board=boards(6), depth=st.integers(1, 3))
def test_value_and_column_are_those_of_plain_minimax(name, board, depth):
    values = reference.column_values(board, depth, reference.PROGRAMS[name])
    found = choose(name.format(depth), board)
    assert found.score == max(values.values())
    if name != "tommy-mtdf:{}":  # MTD(f) plays the first that fails high in its last pass
        assert found.column == max(values, key=lambda x: values[x])
    elif abs(found.score) < math.inf:
        assert values[found.column] == found.score


RECORDED = """\
edap01:2,form=runs 64316251643402463446650021521113 -75,3
edap01:1,form=runs 6064505530666406 44,4
edap01:1,form=runs 61343 -6,2
edap01:3,form=runs 433035640053250243 99896,5
edap01:3,form=runs 23260 28,4
edap01:1,form=runs 66152 18,5
edap01:1,form=runs 4000521124 26,3
edap01:2,form=runs 2135252563334362513410526211 -72,6
edap01:2,form=runs 22025213613133050143453655656411662 199897,0
edap01:2,form=runs 53160465132411046051012043066635435543 164,2
edap01:2,form=runs 416022613134236303244420304205055555 99644,1
edap01:2,form=runs 3012566443032662541446261 -214,5
edap01:1,form=runs 55645624561346500 100110,3
edap01:1,form=runs 615433502361065552 106,4
edap01:2,form=runs 0526261514620066120420044144 -102,3
vds-intended:2 66622 -17,2
vds-intended:1 041546022205502421103230 254,3
vds-intended:3 0434 34,4
vds-intended:2 532401263663621551115252201635336 1000000,0
vds-intended:3 1333241306345003422 415,2
vds-intended:2 6665410146632451 -41,1
vds-intended:3 516605 28,3
vds-intended:1 532153640004132216 -9,3
vds-intended:2 26244546045125546500540230162026633111 1000000,3
vds-intended:1 20320215 1000000,4
vds-intended:2 213506021153210566316552502 1000000,1
vds-intended:3 3100064452112351115360356 1000000,2
vds-intended:1 6101110453262401433655104055654066 1000000,2
vds-intended:1 3255300663150 50,3
vds-intended:2 6111504526631613 -51,4
vds:3,search=mtdf 50635410 -3,5
vds:3,search=mtdf 4116555036351436000 999,6
vds:2,search=mtdf 0566230235002005 -20,5
vds:3,search=mtdf 0303102266651631115434033412664 999,2
vds:3,search=mtdf 326365234201516640254453 -999,0
vds:3,search=mtdf 6461401132453 -999,0
vds:1,search=mtdf 25524043604152351 8,0
vds:2,search=mtdf 14525616 21,2
vds:3,search=mtdf 5045641160452605565222166244021 999,3
vds:3,search=mtdf 6106221151231213 56,3
vds:1,search=mtdf 3350502400164 6,0
vds:3,search=mtdf 451301510202624146656313 999,0
vds:2,search=mtdf 6224056031526626 19,3
vds:3,search=mtdf 15402364 17,6
vds:2,search=mtdf 032006235514 -20,3"""
"""Agent, position by columns 0 to 6, value and column; recorded from plain minimax with the leaves of these programs.

It is that of `tests/agents/reference.py` at 2d4e2a94, which had their evaluations, too.
"""


def test_value_and_column_are_the_recorded_ones():
    for line in RECORDED.splitlines():
        name, moves, answer = line.split()
        found = choose(name, Board.from_moves(map(int, moves)))
        assert f"{found.score:.0f},{found.column}" == answer, line


@pytest.mark.parametrize("values", [(INFINITY + 1, 0), (0, -INFINITY - 1)])
def test_values_of_finished_games_beyond_the_window_are_refused(values):
    Ends(INFINITY, -INFINITY)
    with pytest.raises(UsageError, match="A finished game counts too much for the search") as error:
        Ends(*values)
    assert error.value.hint == "Write at most 1,099,511,627,776."


SAME_MOVE = {
    "halim:4": ("halim:4,search=minimax",),
    "kang-h1:4": ("kang-h1:4,prune=0",),
    "kang-h2:4": ("kang-h2:4,prune=0",),
    "kang-sample:4,prune=1": ("kang-sample:4",),
    "tommy-ab:5": ("tommy-ab:5,order=left", "tommy-ab:5,order=edge"),
    "edap01-intended:5": ("edap01-intended:5,order=edge",),
    "tommy-mtdf:5,leaves=1": ("tommy-mtdf:5",),
    "tommy-mtdf:5": ("tommy-mtdf:5,mirror=0", "tommy-mtdf:5,table=0", "tommy-mtdf:5,zero=0"),
    "vds-intended:5": ("vds-intended:5,mirror=0", "vds-intended:5,search=alpha-beta", "vds-intended:5,search=minimax"),
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


def test_the_order_of_ties_and_chance_choose_among_the_best_columns_only():
    for board in sample(6, 2, 24):
        values = reference.column_values(board, 3, reference.PROGRAMS["halim:{}"])
        best = [x for x, value in values.items() if value == max(values.values())]
        picked = [choose(f"halim:3,ties={ties}", board).column for ties in ("lowest", "centre")]
        assert picked == [best[0], min(best, key=lambda x: (abs(x - 3), x))]
        assert choices("halim:3,ties=random", board) <= set(best)
    symmetrical = Board.from_moves([3] * 6)
    assert len(choices("halim:1,ties=random", symmetrical)) == len(choices("kang-h1:1,ties=random", symmetrical)) == 2


def test_kangs_random_move_is_one_of_the_two_best_at_every_third_own_move():
    for board in sample(12, 0, 20, seed=3):
        values = reference.column_values(board, 2, reference.PROGRAMS["kang-h2:{}"])
        ranked = sorted(values, key=lambda x: -values[x])
        assert choices("kang-h2:2,random=3", board) == set(ranked[: 1 + ((board.ply // 2 + 1) % 3 == 0)])
    assert len(choices("kang-h2:2,random=3,plies=1", Board.from_moves([3, 3]))) == 2, "the third disc of both sides"


def test_the_published_table_of_van_der_schee_is_unsound():
    """Its own vector after "32" at depth 4 is -23, where minimax with the same leaves finds 6."""
    board = Board.from_moves([3, 2])
    assert choose("vds:4", board).score == -23
    assert choose("vds:4,search=mtdf", board).score == choose("vds:4,search=alpha-beta", board).score == 6


def test_van_der_schees_table_outlives_a_move_but_not_the_agent():
    for name in ("vds:4", "vds-intended:4"):
        board, agent = Board.from_moves([3]), make_paper_agent(name)
        first, again = (agent.choose(board, UNLIMITED) for _ in range(2))
        assert first.nodes == choose(name, board).nodes
        assert (again.nodes or 0) < (first.nodes or 0)
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
