"""Van der Schee 2014: what the post says of MTD(f) and of its program. The statements are in notes.md.

*Printed* is the listing with its defects, *MTD(f) itself* the same leaf values without them. Both repeat themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from bot.agents.family import make_paper_agent
from bot.game import format_moves
from bot.lab.positions import read_positions
from bot.papers.runs import Rows, Runner
from bot.papers.study import Statement, Study
from bot.papers.tasks import Ask, Play, Task

DEPTHS = range(1, 7)
"""Look-aheads, discs; the listing goes on to 9."""
ALL = "clock=1000000000"
"""Never reached: with a clock, an agent counts the nodes of all its look-aheads together."""
SEARCHES = {
    "printed": ALL,
    "unmirrored": f"mirror=0,{ALL}",
    "bare": f"table=0,{ALL}",
    "mtdf": f"search=mtdf,{ALL}",
    "mtdf_single": f"search=mtdf,mirror=0,{ALL}",
    "mtdf_bare": f"search=mtdf,table=0,{ALL}",
    "pruned": "search=alpha-beta",
    "tabled": "search=alpha-beta,table=1,mirror=0",
    "minimax": "search=minimax",
}
"""The printed program, without entries for mirror images, without a table; MTD(f) itself likewise; single searches."""
SPEEDS = (10_000, 2_000, 5_000, 20_000, 50_000)
"""Nodes in the program's 2 seconds: the recommended reading, and others."""
SLOW, FAST, LAST = 2, 0.5, 34
"""Ours: a first move is very slow if it takes more than twice the middle ones' median, a last one very fast below half;
last moves have at least 34 discs before them."""


def positions(step: int) -> list[str]:
    """Return every ``step``-th solved position of 4 to 39 discs."""
    return [format_moves(position.columns) for position in read_positions()[::step]]


def searches(step: int) -> Iterator[Task]:
    """All searches, in solved positions."""
    for depth, start in product(DEPTHS, positions(step)):
        yield Ask({role: f"vds:{depth},{search}" for role, search in SEARCHES.items()}, start, labels={"depth": depth})


def windows(searched: Rows) -> Iterator[Task]:
    """Null windows around the value of minimax and far from it, at a look-ahead of four."""
    for start, value in searched[searched.depth == 4][["start", "minimax_value"]][::4].itertuples(index=False):
        for beta in (int(value) + step for step in (-50, -1, 0, 1, 2, 51)):
            agents = {"null": f"vds:4,search=alpha-beta,beta={beta}", "printed": f"vds:4,beta={beta}"}
            yield Ask(agents, start, labels={"beta": beta, "value": value})


def games(quick: bool) -> Iterator[Task]:
    """The printed program as second player, against alpha-beta of four discs, from every first and second disc."""
    for speed in (*SPEEDS, 0):
        opponent, own = "vds:4,search=alpha-beta", f"vds:9,clock={speed}" if speed else f"vds:4,{ALL}"
        for start in "1234567"[:: 3 if quick else 1]:
            yield Play({"O": own, "X": opponent}, start, labels={"speed": speed})
            for reply in "1234567"[:: 3 if quick else 1]:
                yield Play({"X": opponent, "O": own}, start + reply, labels={"speed": speed})


def study(run: Runner) -> Study:
    """Carry out the study."""
    searched = run("searches", searches(170 if run.quick else 5))
    looked = run("windows", windows(searched))
    played = run("games", games(run.quick))
    early = [
        "".join(columns) for discs in ((1,) if run.quick else (1, 3)) for columns in product("1234567", repeat=discs)
    ]
    replies = run(
        "replies", (Ask({"shared": f"vds:6,{ALL}", "single": f"vds:6,{ALL},mirror=0"}, start) for start in early)
    )
    nodes = searched.groupby("depth").mean(numeric_only=True)
    nodes = nodes[[name for name in nodes if name.endswith("_nodes")]].rename(columns=lambda name: name[:-6])
    statements = [
        is_mtdf(searched),
        optimized(nodes),
        alpha_beta(searched, nodes),
        null_window(looked),
        thinking_time(played),
        table(nodes),
        mirror_images(replies),
    ]
    printed = nodes.printed / nodes.minimax
    wrong = {role: differ(searched, role, "value") for role in ("printed", "mtdf")}
    found = [
        f"The printed program returns another value than minimax with the same leaf values in {wrong['printed']:,} of"
        f" {len(searched):,} searches, and at look-aheads of 1 to 6 discs it visits {printed.min():.1f} to"
        f" {printed.max():.0f} times minimax's nodes.",
        f"MTD(f) without the listing's defects differs in {wrong['mtdf']}, and looks 6 discs ahead with"
        f" {nodes.mtdf[6]:,.0f} nodes where minimax needs {nodes.minimax[6]:,.0f}.",
        "The time limit should keep the first moves from being very slow and the last ones from being very fast: it"
        f" achieves {statements[4].ours:.0f} of the two at a speed of {SPEEDS[0]:,} nodes in 2 seconds.",
    ]
    return Study(found, [], statements, NOTICED, lambda axes: plot(axes, nodes))


NOTICED = [
    "The heuristic is that of the side to move at the leaf: at an odd look-ahead the program seeks what its own"
    " heuristic calls worst. Minimax above has the same leaf values, so this is not counted as an error of the search.",
    "`score+=self.height-y*100` punishes stacked threats, where (6 - y) times 100 would reward them. A win has the same"
    " value at any distance.",
]


def differ(searched: Rows, role: str, what: str) -> int:
    """Return how many searches find another ``value`` or ``column`` than minimax."""
    return int((searched[f"{role}_{what}"] != searched[f"minimax_{what}"]).sum())


def is_mtdf(searched: Rows) -> Statement:
    """Introduction: the value."""
    wrong = {role: differ(searched, role, "value") for role in SEARCHES}
    why = (
        f"Of {len(searched):,} searches, MTD(f) itself finds another value in {wrong['mtdf']}. Without entries for"
        f" mirror images the printed program errs in {wrong['unmirrored']:,}, without any table in {wrong['bare']:,}."
    )
    return Statement(wrong["printed"], lambda count: count == 0, why, "{:,.0f} searches with another value")


def optimized(nodes: Rows) -> Statement:
    """Introduction: nodes."""
    mtdf, printed = (nodes[role] / nodes.minimax for role in ("mtdf", "printed"))
    why = (
        f"At look-aheads of 1 to 6 discs MTD(f) itself visits {listed(mtdf)} times the nodes of minimax, its shallower"
        f" searches included; the printed program {listed(printed)} times, so this is not said of the program."
    )
    return Statement(mtdf[[4, 5, 6]].max(), lambda part: part < 1, why, "{:.2f} of minimax's nodes, at most")


def alpha_beta(searched: Rows, nodes: Rows) -> Statement:
    """Alpha-beta pruning: decisions and nodes."""
    values, columns = (differ(searched, "pruned", what) for what in ("value", "column"))
    part = nodes.pruned / nodes.minimax
    why = (
        f"In {len(searched):,} searches, {values} have another value and {columns} another column. At look-aheads of 1"
        f" to 6 discs alpha-beta visits {listed(part)} times minimax's nodes."
    )
    return Statement(values + columns, lambda count: count == 0 and part[6] < 1, why, "{:,.0f} searches that differ")


def null_window(looked: Rows) -> Statement:
    """Null window: bounds."""
    wrong = []
    for found in (looked.null_value, looked.printed_value):
        below = found < looked.beta
        wrong.append(int(((below & (found < looked.value)) | (~below & (found > looked.value))).sum()))
    why = f"Of {len(looked):,} searches, the printed program, whose table is new, returns {wrong[1]:,} wrong bounds."
    return Statement(wrong[0], lambda count: count == 0, why, "{:,.0f} wrong bounds")


def thinking_time(played: Rows) -> Statement:
    """Iterative deepening: nodes of the first, the middle and the last moves."""
    ratios = {}
    for speed, rows in played.groupby("speed"):
        moves = rows.assign(ply=rows.start.str.len() + (rows["first"] == "X"), nodes=rows.O_each_nodes).explode("nodes")
        ply = moves.ply + 2 * moves.groupby(level=0).cumcount()
        middle = moves.nodes[(ply > 5) & (ply < LAST)].median()
        ratios[speed] = moves.nodes[ply <= 5].median() / middle, moves.nodes[ply >= LAST].median() / middle
    kept = [(ratios[speed][0] <= SLOW, ratios[speed][1] >= FAST) for speed in SPEEDS]
    slow, fast = map(sum, zip(*kept, strict=True))
    shown = "; ".join(f"{speed:,} nodes: {ratios[speed][0]:.1f} and {ratios[speed][1]:.3f}" for speed in SPEEDS)
    why = (
        f"It keeps the first moves from being very slow at {slow} of {len(SPEEDS)} speeds, and the last ones from being"
        f" very fast at {fast}. First and last moves take, in parts of a middle one's time: {shown}. With a"
        f" look-ahead of always four discs it would be {ratios[0][0]:.1f} and {ratios[0][1]:.3f}. The listing stops"
        " after look-ahead 9, so that it is fast at the end; and it finishes a look-ahead that has begun."
    )
    own, *others = map(sum, kept)
    return Statement(own, lambda both: both == 2, why, "{:.0f} of 2 avoided", others)


def table(nodes: Rows) -> Statement:
    """Transposition table: nodes."""
    saved = nodes.tabled / nodes.pruned
    why = (
        f"At look-aheads of 3 to 6 discs one search by alpha-beta visits {listed(saved[2:])} times the nodes with a"
        f" table; MTD(f) itself {listed((nodes.mtdf_single / nodes.mtdf_bare)[2:])} times, since its table also saves"
        f" repeated passes; the printed program {listed((nodes.printed / nodes.bare)[2:])} times."
    )
    return Statement(saved[[4, 5, 6]].max(), lambda part: part < 1, why, "{:.2f} of the nodes, at most")


def mirror_images(replies: Rows) -> Statement:
    """Transposition table: scores of mirror images."""
    counts, boards = [], [position.board for position in read_positions()]
    for name in ("vds", "vds-intended"):
        program = make_paper_agent(name).program
        mirrored = 0
        for board in boards:
            one, other = (
                program.evaluate(each.current, each.opponent, 1, program.rules) for each in (board, board.mirror())
            )
            mirrored += one != other
        counts.append(mirrored)
    early = replies.groupby(replies.start.str.len()).mean(numeric_only=True)  # the replies of one game
    saved = [1 - rows.shared_nodes.sum() / rows.single_nodes.sum() for rows in (replies[replies.start == "4"], early)]
    why = (
        f"Of {len(boards):,} positions; with the winning cell mended {counts[1]}. Entries for mirror images save"
        f" {100 * saved[0]:.0f} % of the nodes in the reply to the middle column and {100 * saved[1]:.0f} % in"
        " the first two replies of a game: they may save greatly, as the post says, and need not."
    )
    return Statement(counts[0], lambda count: count == 0, why, "{:,.0f} positions with another score")


def listed(numbers: Any) -> str:
    """Return numbers with commas between them."""
    return ", ".join(f"{number:.3g}" for number in numbers)


def plot(axes: Any, nodes: Rows) -> None:
    """Draw nodes as parts of minimax's."""
    for role, name in {"printed": "the printed program", "mtdf": "MTD(f) itself", "pruned": "alpha-beta"}.items():
        axes.plot(DEPTHS, nodes[role] / nodes.minimax, "o-", label=name)
    axes.axhline(1, color="black", linestyle="--", label="minimax")
    axes.set(title="Nodes as parts of minimax's", xlabel="look-ahead, discs", yscale="log")
    axes.legend()
