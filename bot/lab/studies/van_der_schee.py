"""van der Schee 2014: a blog post with a program that plays by MTD(f).

The program: bot/agents/papers/van_der_schee.py; what was found in its listing: bot/agents/papers/van_der_schee.md.
Statements on the algorithm are tested with *MTD(f) itself*, those on the program with the *printed program*. Both are
deterministic. Where a search deepens, nodes are those of all its depths together.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from bot.agents.family import make_paper_agent
from bot.agents.growing_table import NO_TABLE
from bot.agents.kernels.rules import COUNTERS, INFINITY
from bot.game import Board
from bot.lab.arena.statistics import Estimate
from bot.lab.arena.tasks import PlannedQuestion, PlannedTask
from bot.lab.positions import judged_positions, read_positions
from bot.lab.replication.findings import Finding, below, certain, readings_above
from bot.lab.replication.plots import line
from bot.lab.replication.statistics import exact, ratio, share
from bot.lab.replication.study import Rows, Study

study = Study(
    __name__,
    "van der Schee 2014",
    "M. van der Schee: Python Connect4 AI (MTD(f) algorithm). LeaseWeb Labs, January 2014.",
    "Yes. The post prints all of it; only how far it looks ahead in its 2 seconds depends on the machine.",
    terms="The printed program is the listing with all its defects; MTD(f) itself has the same leaf values, and a"
    " search without the defects. Statements on the program are tested with the former, those on the algorithm with the"
    " latter. A null window asks only whether a value lies below a number or not; a pass is one search of the whole"
    " tree with a null window, and MTD(f) makes passes until it knows the value. An entry for a mirror image lets the"
    " table answer for a board with what it found for its reflection.",
)

DEEPEST = 6
"""In plies; the listing's `__iterative_deepening` goes on to 9."""
DEPTHS = range(1, DEEPEST + 1)
ALL = "clock=1000000000"
"""Never reached: with a clock, an agent counts the nodes of all depths together."""
LIMIT_S = 2
"""The listing's `best`."""
CLOCKS = (2_000, 5_000, 10_000, 20_000, 50_000)
"""Ours: nodes in this time. Python 3.11 visited 3,400 to 19,000 on one machine."""
CONSTANT = 2
"""Ours: a move takes the usual time if its time is within this factor of the median."""
MOST = 0.8
"""Ours: time is "more or less constant" if this share of the moves takes the usual time."""
GREATLY = 0.25
"""Ours: half of what mirror images can save at most."""


@study.run
def searches(quick: bool) -> Iterator[PlannedQuestion]:
    """The printed program and three searches of its leaf values, in solved positions."""
    step = 170 if quick else 5
    for depth, position in product(DEPTHS, judged_positions(4, 39, step)):
        agents = {
            "printed": f"vds:{depth},{ALL}",
            "mtdf": f"vds:{depth},search=mtdf,{ALL}",
            "pruned": f"vds:{depth},search=alpha-beta",
            "minimax": f"vds:{depth},search=minimax",
        }
        yield PlannedQuestion(agents, position, {"depth": depth})


@study.run
def replies(quick: bool) -> Iterator[PlannedQuestion]:
    """The computer's first two replies after every order of moves, with and without mirror images in the table."""
    for discs in (1,) if quick else (1, 3):
        for columns in product("0123456", repeat=discs):
            agents = {"shared": f"vds:6,{ALL}", "single": f"vds:6,{ALL},mirror=0"}
            yield PlannedQuestion(agents, "".join(columns), {"discs": discs})


@study.run
def moves(quick: bool) -> Iterator[PlannedQuestion]:
    """The printed program with its clock; the computer is always the second player.

    Each clock has other positions, so that their samples are independent.
    """
    step = 23 if quick else 1
    second = [position for position in judged_positions(5, 39, step) if len(position) % 2]
    for place, clock in enumerate(CLOCKS):
        for position in second[place :: len(CLOCKS)]:
            yield PlannedQuestion({"it": f"vds:9,clock={clock}"}, position, {"clock": clock})


@study.run
def transpositions(quick: bool) -> Iterator[PlannedTask]:
    """One search with and without a table, which finds no more than other orders of moves."""
    from bot.lab.arena.searches import PlannedSearch

    step = 80 if quick else 8
    for position in judged_positions(4, 32, step):
        for algorithm in ("alpha-beta", "alpha-beta + table"):
            yield PlannedSearch(algorithm, position, DEEPEST)


def _nodes(searches: Rows, depth: int, role: str) -> Estimate:
    """Return a search's nodes as a share of minimax's."""
    rows = searches[searches.depth == depth]
    return ratio(rows[f"{role}_nodes"], rows.minimax_nodes, "positions")


def _differ(searches: Rows, role: str, what: str) -> int:
    """Return how many searches find another ``value`` or ``column`` than minimax."""
    return int((searches[f"{role}_{what}"] != searches[f"minimax_{what}"]).sum())


def _unlike_mirrored(agent: str) -> int:
    """Return how many solved positions have another leaf value than their mirror images."""
    program = make_paper_agent(agent).program
    count = 0
    for position in read_positions():
        boards = position.board, position.board.mirror()
        one, other = (program.evaluate(board.current, board.opponent, 1, program.rules) for board in boards)
        count += one != other
    return count


@study.plot
def work(searches: Rows, axes: Any) -> None:
    """Nodes as parts of minimax's, and how often the printed program finds another value than minimax"""
    names = {"printed": "the printed program", "mtdf": "MTD(f) itself", "pruned": "alpha-beta"}
    for role, name in names.items():
        line(axes, DEPTHS, [_nodes(searches, depth, role) for depth in DEPTHS], name)
    wrong = (searches.printed_value != searches.minimax_value).groupby(searches.depth).mean()
    axes.axhline(1, color="black", linestyle="--", label="minimax")
    axes.set_xticks(DEPTHS, [f"{depth}\n{100 * wrong[depth]:.0f} % differ" for depth in DEPTHS])
    axes.set(xlabel="look-ahead in plies", ylabel="nodes / nodes of minimax", yscale="log")
    axes.legend()


@study.statement
def mtdf_optimized(searches: Rows) -> Finding:
    """Introduction: "MTD(f), is a higly optimized minimax algorithm."

    An optimised minimax finds its value with fewer nodes.
    """
    nodes = searches[searches.depth == DEEPEST].mean(numeric_only=True)
    wrong = _differ(searches, "mtdf", "value")
    sentence = (
        f"MTD(f) itself visits {nodes.mtdf_nodes:,.0f} nodes per position for {DEEPEST} plies, all its shallower"
        f" searches included, and minimax {nodes.minimax_nodes:,.0f}. Its value is not minimax's in {wrong} of"
        f" {len(searches):,} searches to 1 to {DEEPEST} plies."
    )
    return below(_nodes(searches, DEEPEST, "mtdf"), 1, "nodes of MTD(f) / of minimax", sentence)


@study.statement
def listing_is_mtdf(searches: Rows) -> Finding:
    """Introduction: "turning the minimax into a “Memory-enhanced Test Driver” also known as: MTD(f)"

    MTD(f) returns minimax's value.
    """
    wrong, own = _differ(searches, "printed", "value"), _differ(searches, "mtdf", "value")
    sentence = (
        f"The printed program finds another value than minimax in {wrong:,} of {len(searches):,} searches, MTD(f)"
        f" itself in {own}."
    )
    return certain(wrong, 0, "searches with another value", sentence)


@study.statement
def pruning_keeps_decision(searches: Rows) -> Finding:
    """Alpha-beta pruning: it prunes branches "that do not influence the final decision"."""
    different = _differ(searches, "pruned", "column")
    part = _nodes(searches, DEEPEST, "pruned").value
    sentence = (
        f"In {different} of {len(searches):,} searches alpha-beta chooses another column than minimax. At {DEEPEST}"
        f" plies it visits {100 * part:.0f} % of minimax's nodes."
    )
    return certain(different, 0, "searches with another column", sentence)


@study.statement
def null_window_bound() -> Finding:
    """Null window: it "does not return an exact score, but either an upper bound with score < beta", or a lower one.

    Checked when the page is written: four plies with the printed leaf values, in every 20th solved position.
    """
    searches = wrong = 0
    for position in read_positions()[::20]:
        value = _four_plies(position.board, -INFINITY, INFINITY)
        for beta in range(value - 2, value + 4):
            found = _four_plies(position.board, beta - 1, beta)
            searches += 1
            if found < beta:
                wrong += found < value
            else:
                wrong += found > value
    sentence = f"Of {searches:,} searches with null windows around the minimax value, {wrong} return a wrong bound."
    return certain(wrong, 0, "wrong bounds", sentence)


def _four_plies(board: Board, alpha: int, beta: int) -> int:
    """Return the value of a search of four plies within a window, with the printed leaf values."""
    from bot.agents.kernels.search import search_root

    program = make_paper_agent("vds:4").program
    values, counters, flag = np.empty(7, np.int64), np.zeros(COUNTERS, np.int64), np.zeros(1, np.uint8)
    position = board.current, board.opponent, 1, 4, alpha, beta, 1
    value, _ = search_root(*position, values, program.leaf, program.rules, counters, NO_TABLE, False, flag)
    return int(value)


@study.statement
def thinking_time_constant(moves: Rows) -> Finding:
    """Iterative deepening: "This makes the AI “thinking” time more or less constant"

    Nodes stand for time, because they repeat.
    """
    near = []
    for _, nodes in moves.groupby("clock").it_nodes:
        factors = nodes / nodes.median()
        near.append(share(factors.between(1 / CONSTANT, CONSTANT), "positions"))
    seconds = LIMIT_S * moves.it_nodes / moves.clock
    fast, slow = seconds.quantile([0.1, 0.9])
    sentence = (
        f"The source does not say how fast its machine was; each reading is one of {len(near)} speeds, {CLOCKS[0]:,} to"
        f" {CLOCKS[-1]:,} nodes in {LIMIT_S} s. With a limit of {LIMIT_S} s, and equal time for each"
        f" node, one move in ten takes more than {slow:.1f} s and one in ten less than {fast:.2f} s. The verdict rests"
        f" on the share of moves that take between 1/{CONSTANT} and {CONSTANT} times the median; we call time constant"
        f" if {100 * MOST:.0f} % do."
    )
    return readings_above(near, MOST, "share of such moves at a speed", sentence, exist=len(CLOCKS))


@study.statement
def table_saves_work(transpositions: Rows) -> Finding:
    """Transposition table: work is saved "if a single board state can be reached with different sequences of moves".

    One search with one window shows the effect alone; passes also use what earlier passes left in the table.
    """
    nodes = transpositions.pivot_table(index="position", columns="algorithm", values="nodes")
    without, table = nodes["alpha-beta"], nodes["alpha-beta + table"]
    sentence = (
        f"One search by alpha-beta to {DEEPEST} plies, with the leaf values of another source (Tommy 2017), visits"
        f" {without.mean():,.0f} nodes per position without a table and {table.mean():,.0f} with one."
    )
    return below(ratio(table, without, "positions"), 1, "nodes with the table / without", sentence)


@study.statement
def mirror_equal_scores() -> Finding:
    """Transposition table: mirrored boards "are supposed to be equally scored"."""
    printed, intended = _unlike_mirrored("vds"), _unlike_mirrored("vds-intended")
    sentence = (
        f"The printed heuristic gives {printed} of {len(read_positions()):,} positions another score than their mirror"
        f" images, and without its defects {intended}."
    )
    return certain(printed, 0, "positions with another score", sentence)


@study.statement
def mirror_saves_greatly(replies: Rows) -> Finding:
    """Transposition table: this "may greatly reduce the size of the search tree in the early stage of the game"."""
    means = replies.groupby("discs")[["shared_nodes", "single_nodes"]].mean().sum()
    middle = replies[replies.position == "3"].iloc[0]
    saved = [exact(1 - nodes.shared_nodes / nodes.single_nodes) for nodes in (means, middle)]
    sentence = (
        f"Entries for mirror images save {100 * saved[0].value:.0f} % of the nodes in the computer's moves up to ply"
        f" {replies.discs.max() + 1}, and {100 * saved[1].value:.0f} % in its reply to the middle column, which alone"
        " leaves the board symmetric. Either is a reading of 'the early stage'; greatly, by our limit, is more than"
        f" {100 * GREATLY:.0f} %."
    )
    return readings_above(saved, GREATLY, "share of nodes saved", sentence, exist=2)


@study.noticed
def passes(searches: Rows) -> str:
    """Count the passes of a short search."""
    counts = searches[searches.depth == 2].mean(numeric_only=True)
    return (
        f"To search to 1 and then to 2 plies, the printed program makes {counts.printed_passes:.0f} passes per position"
        f" and MTD(f) itself {counts.mtdf_passes:.1f}."
    )


@study.found
def summary(searches: Rows, findings: dict[str, Finding]) -> str:
    """Say whether the program does what MTD(f) promises."""
    factors = [_nodes(searches, depth, "printed").value for depth in DEPTHS]
    wrong = _differ(searches, "printed", "value") / len(searches)
    return (
        f"The printed program returns another value than minimax in {100 * wrong:.0f} % of its searches, and at 1 to"
        f" {DEEPEST} plies it visits {min(factors):.1f} to {max(factors):.0f} times minimax's nodes."
        f" {findings['mtdf_optimized'].sentence}"
    )
