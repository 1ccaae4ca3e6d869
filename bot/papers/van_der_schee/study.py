"""Van der Schee 2014: what the post says of MTD(f) and of its program. The statements are in notes.md.

*Printed* is the listing with its defects, *MTD(f) itself* the same leaf values without them. Both repeat themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from bot.agents.catalogue import make_agent
from bot.agents.program import Program
from bot.game import Board
from bot.papers.runs import Rows, Runner
from bot.papers.solved import read_positions, solved
from bot.papers.study import Statement, Study, listed
from bot.papers.tasks import Ask, Play, Task

COLUMNS = "1234567"
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


def searches(step: int) -> Iterator[Task]:
    """All searches, in solved positions."""
    for depth, start in product(DEPTHS, solved(step)):
        yield Ask({role: f"vds:{depth},{search}" for role, search in SEARCHES.items()}, start, labels={"depth": depth})


def games(step: int) -> Iterator[Task]:
    """The printed program as second player, against alpha-beta of four discs, from every first and second disc."""
    for speed, start in product((*SPEEDS, 0), COLUMNS[::step]):
        names = {"O": f"vds:9,clock={speed}" if speed else f"vds:4,{ALL}", "X": "vds:4,search=alpha-beta"}
        yield Play(names, start, labels={"speed": speed})
        for reply in COLUMNS[::step]:
            yield Play({role: names[role] for role in "XO"}, start + reply, labels={"speed": speed})


def replies(step: int) -> Iterator[Task]:
    """The printed program's first two replies to any opponent, with entries for mirror images and without them."""
    for discs in (1, 3)[::step]:
        for columns in product(COLUMNS, repeat=discs):
            yield Ask({"shared": f"vds:6,{ALL}", "single": f"vds:6,{ALL},mirror=0"}, "".join(columns))


def study(run: Runner) -> Study:
    """Carry out the study."""
    step = 3 if run.quick else 1
    searched = run("searches", searches(170 if run.quick else 5))
    played = run("games", games(step))
    replied = run("replies", replies(step))
    nodes = searched.groupby("depth").mean(numeric_only=True)
    nodes = nodes[[f"{role}_nodes" for role in SEARCHES]].set_axis([*SEARCHES], axis=1)
    wrong = {role: (searched[f"{role}_value"] != searched.minimax_value).sum() for role in SEARCHES}
    first, last = thinking(played)
    printed = nodes.printed / nodes.minimax
    found = [
        f"""The printed program returns another value than minimax with the same leaf values in {wrong["printed"]:,} of
        {len(searched):,} searches, and at look-aheads of 1 to 6 discs it visits {printed.min():.1f} to
        {printed.max():.0f} times minimax's nodes.""",
        f"""MTD(f) without the listing's defects differs in {wrong["mtdf"]} of them, and looks 6 discs ahead with
        {nodes.mtdf[6]:,.0f} nodes on average where minimax needs {nodes.minimax[6]:,.0f}.""",
        f"""The time limit should keep the first moves from being very slow and the last ones from being very fast: at
        {SPEEDS[0]:,} nodes in 2 seconds the first ones take {first[SPEEDS[0]]:.1f} times the nodes of the middle ones
        (medians), and the last ones {last[SPEEDS[0]]:.3f} times.""",
    ]
    statements = [
        *values_and_nodes(searched, nodes, wrong),
        constant_time(first, last),
        table(nodes),
        mirrored(replied),
    ]
    lines = {
        "the printed program": printed,
        "MTD(f) itself": nodes.mtdf / nodes.minimax,
        "alpha-beta": nodes.pruned / nodes.minimax,
    }
    return Study(found, [], statements, "Nodes as parts of minimax's, by the look-ahead", lines, is_logarithmic=True)


def values_and_nodes(searched: Rows, nodes: Rows, wrong: dict[str, int]) -> list[Statement]:
    """Introduction, and alpha-beta pruning: values, columns and nodes beside minimax's."""
    part = nodes.div(nodes.minimax, axis=0)
    columns = (searched.pruned_column != searched.minimax_column).sum()
    return [
        Statement(
            wrong["printed"],
            lambda count: count == 0,
            f"""Of {len(searched):,} searches, MTD(f) itself finds another value in {wrong["mtdf"]}. The printed program
            does so in {wrong["printed"]}, without entries for mirror images in {wrong["unmirrored"]}, and without a
            table in {wrong["bare"]}.""",
            "{:,.0f} searches with another value",
        ),
        Statement(
            part.mtdf[[4, 5, 6]].max(),
            lambda most: most < 1,
            f"""At look-aheads of 1 to 6 discs MTD(f) itself visits {listed(part.mtdf, ".3g")} times the nodes of
            minimax, its shallower searches included; the printed program {listed(part.printed, ".3g")} times: it visits
            more nodes than minimax at {(part.printed > 1).sum()} of these six.""",
            "{:.2f} of minimax's nodes, at most",
        ),
        Statement(
            wrong["pruned"] + columns,
            lambda count: count == 0 and part.pruned[6] < 1,
            f"""In {len(searched):,} searches, {wrong["pruned"]} have another value and {columns} another column. At
            look-aheads of 1 to 6 discs alpha-beta visits {listed(part.pruned, ".3g")} times minimax's nodes.""",
            "{:,.0f} searches that differ",
        ),
    ]


def thinking(played: Rows) -> tuple[Rows, Rows]:
    """Return the nodes of the first and of the last moves as parts of the middle ones', the medians at each speed."""
    moves = played.assign(ply=played.start.str.len() + (played["first"] == "X")).explode("O_each_nodes")
    ply = moves.ply + 2 * moves.groupby(level=0).cumcount()
    third = (ply > 5).astype(int) + (ply >= LAST)
    median = moves.O_each_nodes.groupby([third, moves.speed]).median()
    return median[0] / median[1], median[2] / median[1]


def constant_time(first: Rows, last: Rows) -> Statement:
    """Iterative deepening: first and last moves."""
    slow, fast = (first <= SLOW)[[*SPEEDS]], (last >= FAST)[[*SPEEDS]]
    shown = (f"{speed:,} nodes: {first[speed]:.1f} and {last[speed]:.3f}" for speed in SPEEDS)
    why = f"""It keeps the first moves from being very slow at {slow.sum()} of {len(SPEEDS)} speeds, and the last ones
        from being very fast at {fast.sum()}. First and last moves take, in parts of a middle one's time:
        {"; ".join(shown)}. With a look-ahead of always four discs it would be {first[0]:.1f} and {last[0]:.3f}. With
        at most {42 - LAST} empty cells a look-ahead of 9, the last one of the listing, sees every line to its end, so
        that nothing is left to search. A look-ahead that has begun is finished, however long it takes."""
    own, *others = slow.astype(int) + fast
    return Statement(own, lambda both: both == 2, why, "{:.0f} of 2 avoided", others)


def table(nodes: Rows) -> Statement:
    """Transposition table: nodes."""
    saved = nodes.tabled / nodes.pruned
    why = f"""At look-aheads of 3 to 6 discs one search by alpha-beta visits {listed(saved[2:], ".3g")} times the nodes
        with a table; MTD(f) itself {listed((nodes.mtdf_single / nodes.mtdf_bare)[2:], ".3g")} times, since its table
        also saves repeated passes; the printed program {listed((nodes.printed / nodes.bare)[2:], ".3g")} times."""
    return Statement(saved[[4, 5, 6]].max(), lambda part: part < 1, why, "{:.2f} of the nodes, at most")


def mirrored(replied: Rows) -> Statement:
    """Transposition table: scores of mirror images."""
    boards, counts = [*map(Board.from_moves, read_positions())], []
    for name in ("vds", "vds-intended"):
        program = vars(make_agent(name))["program"]
        counts.append(sum(score(program, board) != score(program, board.mirror()) for board in boards))
    game = replied.groupby(replied.start.str.len()).mean(numeric_only=True)
    saved = [
        100 * (1 - rows.shared_nodes.sum() / rows.single_nodes.sum()) for rows in (replied[replied.start == "4"], game)
    ]
    why = f"""Of {len(boards):,} positions, {counts[0]:,} have another score than their mirror image, because the
        heuristic marks the last cell scanned, not the empty one; with this mended, {counts[1]}. The table does store
        mirror images; what fails is that they are equally scored. Entries for mirror images save {saved[0]:.0f} % of
        the nodes in the reply to the middle column and {saved[1]:.0f} % in the first two replies of a game: they may
        save greatly, as the post says, and need not."""
    return Statement(counts[0], lambda count: count == 0, why, "{:,.0f} positions with another score")


def score(program: Program, board: Board) -> int:
    """Return the leaf value of a program for the side to move."""
    return int(program.evaluate(board.current, board.opponent, 1, program.rules))
