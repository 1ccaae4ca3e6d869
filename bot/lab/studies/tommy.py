"""Tommy 2017: alpha-beta (X) against MTD(f) (O) on equal depths.

The programs: bot/agents/papers/tommy.py; what the paper leaves open: bot/agents/papers/tommy.md. A *hole* is a cell or
a column, *LN* are leaf nodes, a *pass* is one search with an empty window. Both programs are deterministic, and from
the openings of four plies every one is played, so counts are without chance; only times are samples. A quick run plays
a part of the openings, and its counts are samples too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from bot.agents.kernels.windows import DIRECTIONS, FALLING, HORIZONTAL, RISING, VERTICAL
from bot.lab.arena.statistics import Estimate
from bot.lab.arena.tasks import PlannedGame, PlannedQuestion
from bot.lab.positions import all_openings
from bot.lab.replication.findings import Finding, above, below, certain, not_testable
from bot.lab.replication.plots import line
from bot.lab.replication.statistics import exact, jackknife, mean, rank_correlation
from bot.lab.replication.study import Rows, Study
from bot.lab.replication.tables import ComparedTable, blank, printed

study = Study(
    __name__,
    "Tommy 2017",
    "L. Tommy, M. Hardjianto, N. Agani: The Analysis of Alpha Beta Pruning and MTD(f) Algorithm to Determine the Best"
    " Algorithm to be Implemented at Connect Four Prototype. IOP Conf. Ser. 190 (2017) 012044.",
    "Yes. Its text leaves a few details open, such as the first guess of MTD(f); the printed counts decide them, and"
    " one reading gives every count. Only times depend on the machine.",
    terms="X is alpha-beta, O is MTD(f), which repeats a search with an empty window: each repetition is a *pass*. A"
    " *hole* is a cell or a column; LN are leaf nodes, the positions that are evaluated. All openings of four plies are"
    " played besides the paper's games; mirror images count once.",
)

DEPTHS = (5, 6, 7, 8, 9, 10)
"""Section 3.3: the depths in plies; each is played twice, once with either side moving first."""
SESSIONS, REPEATS = 8, 5
"""The paper repeats each game 10 times for its times. Here a session repeats all of them 5 times, and is the unit."""
OPENING_DEPTHS = DEPTHS[:4]
PRINTED = printed("""
depth  X,_s    O,_s    O_faster,_% LN_X    LN_O   O_fewer,_% passes X_wins O_wins draws
5      0.1317  0.1089  17.28       12242   5451   55.47      201    1      1      0
6      0.3083  0.3089  -0.19       17885   8705   51.33      255    1      1      0
7      1.6981  0.6767  60.15       175759  36906  79.00      456    1      1      0
8      2.3185  1.5027  35.19       218777  73957  66.20      715    1      1      0
9      14.7149 3.0543  79.24       1311365 143557 89.05      478    1      1      0
10     27.1850 5.0731  81.34       3352837 327609 90.23      590    0      0      2
""")
"""Table 1. Times are seconds per move, leaves and passes the mean of both games, without decimals."""
ABSTRACT_WON, ABSTRACT_FEWER = 45.83, 56.27
"""Abstract: per cent of the games that MTD(f) wins, and of leaves that it spares at depth 8."""


@study.run
def games(quick: bool) -> Iterator[PlannedGame]:
    """Section 3.3: the twelve conditions, repeated for their times."""
    sessions, repeats = (2, 1) if quick else (SESSIONS, REPEATS)
    for session in range(sessions):
        for depth in DEPTHS:
            for first in "XO":
                for repeat in range(repeats):
                    players = {"X": f"tommy-ab:{depth}", "O": f"tommy-mtdf:{depth}"}
                    labels = {"depth": depth, "session": session}
                    yield PlannedGame(players, first, repeat=1 + session * REPEATS + repeat, labels=labels)


def _openings(quick: bool) -> list[str]:
    """Return every position after four plies, of which the paper played none: one order of moves for each."""
    return ["".join(map(str, columns)) for columns in all_openings(4)][:: 50 if quick else 1]


@study.run
def openings(quick: bool) -> Iterator[PlannedGame]:
    """The same programs from other beginnings, to see how far the paper's statements reach."""
    for depth in OPENING_DEPTHS[:3] if quick else OPENING_DEPTHS:
        for opening in _openings(quick):
            for first in "XO":
                players = {"X": f"tommy-ab:{depth}", "O": f"tommy-mtdf:{depth}"}
                yield PlannedGame(players, first, opening, labels={"depth": depth})


@study.run
def parts(quick: bool) -> Iterator[PlannedQuestion]:
    """Both programs without one of their parts, in every position after four plies, at depth 6."""
    agents = {
        "O": "tommy-mtdf:6",
        "wide": "tommy-mtdf:6,zero=0",
        "tableless": "tommy-mtdf:6,table=0",
        "unmirrored": "tommy-mtdf:6,mirror=0",
        "leaves": "tommy-mtdf:6,leaves=1",
        "X": "tommy-ab:6",
        "left": "tommy-ab:6,order=left",
        "edge": "tommy-ab:6,order=edge",
    }
    for opening in _openings(quick):
        yield PlannedQuestion(agents, opening, {"opening": opening})


def _are_all(rows: Rows) -> bool:
    """Return whether there are rows from all openings."""
    return bool(rows.opening.nunique() == len(_openings(quick=False)))


def _among(rows: Rows) -> str:
    """Return from how many of the openings there are rows, in words."""
    exist = len(_openings(quick=False))
    return "all openings" if _are_all(rows) else f"{rows.opening.nunique()} of {exist:,} openings"


def _over_openings(rows: Rows, number: Callable[[Rows], float]) -> Estimate:
    """Return a number of rows: without chance if they are from all openings, otherwise with an interval by opening."""
    return exact(number(rows)) if _are_all(rows) else jackknife(number, rows, "opening")


def _per_game(games: Rows) -> Rows:
    """Return Table 1's counts: for each depth the mean over both games."""
    return games.groupby("depth")[["X_leaves", "O_leaves", "O_passes"]].mean()


def _times(games: Rows) -> Rows:
    """Return seconds per move and per leaf, for each session and depth."""
    columns = [f"{side}_{number}" for side in "XO" for number in ("seconds", "moves", "leaves")]
    sums = games.groupby(["session", "depth"])[columns].sum()
    for side in "XO":
        sums[side] = sums[f"{side}_seconds"] / sums[f"{side}_moves"]
        sums[f"{side}_leaf"] = sums[f"{side}_seconds"] / sums[f"{side}_leaves"]
    return sums


@study.table
def table_1(games: Rows) -> ComparedTable:
    """Table 1: both sides' work and results"""
    counts, times = _per_game(games), _times(games).groupby("depth").mean()
    ours = blank(PRINTED)
    ours.index = ours.index.astype(int)
    ours["X, s"], ours["O, s"] = times.X, times.O
    ours["O faster, %"] = 100 * (1 - times.O / times.X)
    ours["LN X"], ours["LN O"], ours["passes"] = counts.X_leaves // 1, counts.O_leaves // 1, counts.O_passes // 1
    ours["O fewer, %"] = 100 * (1 - counts.O_leaves / counts.X_leaves)
    points = games.X_points.groupby(games.depth)
    for head, wanted in (("X wins", 1.0), ("O wins", 0.0), ("draws", 0.5)):
        ours[head] = points.apply(lambda found, wanted=wanted: 2 * (found == wanted).mean())
    ours.index = PRINTED.index
    note = (
        "Leaves and passes are means of two games, without decimals. Our times are those of compiled code on one"
        " machine; an interval of a time counts sessions there, and does not cover other machines."
    )
    return ComparedTable(PRINTED, ours, machine=("X, s", "O, s", "O faster, %"), note=note)


@study.plot
def leaves(games: Rows, openings: Rows, axes: Any) -> None:
    """Leaves of MTD(f) as a share of alpha-beta's: Table 1, and games from all openings of four plies"""
    counts = _per_game(games)
    shares = [exact(value) for value in counts.O_leaves / counts.X_leaves]
    line(axes, DEPTHS, shares, "Table 1 (printed and ours)")
    depths = sorted(openings.depth.unique())
    line(axes, depths, [_leaf_ratio(openings[openings.depth == depth]) for depth in depths], _among(openings))
    axes.set(xlabel="depth in plies", ylabel="leaves of MTD(f) / of alpha-beta", ylim=(0, 1))
    axes.legend()


def _leaf_ratio(rows: Rows) -> Estimate:
    return _over_openings(rows, lambda some: some.O_leaves.sum() / some.X_leaves.sum())


@study.statement
def the_table(table_1: ComparedTable) -> Finding:
    """Table 1: leaves, passes and results of the twelve games."""
    equal = table_1.compared()
    sentence = (
        f"{sum(equal)} of the {len(equal)} cells that do not depend on the machine are equal. What the text leaves open"
        " was chosen by these counts."
    )
    return certain(sum(equal), len(equal), "equal cells", sentence)


@study.statement
def abstract_results(games: Rows) -> Finding:
    """Abstract: "The percentage achieved by MTD(f) based on experiments is win 45,83%, lose 37,5% and draw 16,67%." """
    points = games.O_points
    won, lost, drawn = (100 * float((points == each).mean()) for each in (1.0, 0.0, 0.5))
    sentence = (
        f"MTD(f) wins {won:.2f} %, loses {lost:.2f} % and draws {drawn:.2f} % of the twelve games; the conclusion (5.1"
        f" a) prints 41.67, 41.67 and 16.66. {ABSTRACT_WON} % of 12 games are {ABSTRACT_WON * 0.12:.1f}."
    )
    return certain(won, ABSTRACT_WON, "% of games won", sentence, margin=0.005)


@study.statement
def abstract_leaves(games: Rows) -> Finding:
    """Abstract: at search depth 8, MTD(f) evaluates "56,27% fewer leaf nodes than AB Pruning"."""
    counts = _per_game(games).loc[8]
    fewer = 100 * (1 - counts.O_leaves / counts.X_leaves)
    sentence = (
        f"At depth 8 MTD(f) evaluates {counts.O_leaves // 1:,.0f} leaves per game and alpha-beta"
        f" {counts.X_leaves // 1:,.0f}: {fewer:.2f} % fewer; Table 1 and the conclusion print 66.20."
    )
    return certain(fewer, ABSTRACT_FEWER, "% fewer leaves", sentence, margin=0.005)


@study.statement
def same_holes(games: Rows, openings: Rows) -> Finding:
    """4.3: "MTD(f) chooses holes which are same as AB Pruning", as both "use same evaluation function"."""
    different = 0
    for rows in (games, openings):
        different += int((rows.groupby(["depth", "opening"]).moves.nunique() > 1).sum())
    pairs = len(games.groupby("depth")) + len(openings.groupby(["depth", "opening"]))
    sentence = f"Of {pairs:,} pairs of games that begin alike, with X or O moving first, {different} differ in a move."
    return certain(different, 0, "pairs of games that differ", sentence)


@study.statement
def fewer_leaves(games: Rows, openings: Rows) -> Finding:
    """5.1 c: "MTD(f) algorithm on average evaluates fewer leaf nodes than AB Pruning at Connect Four".

    The depth at which it saves least decides.
    """
    counts = _per_game(games) // 1
    least, most = counts.iloc[0], counts.iloc[-1]
    fewer = _fewer_leaves(openings)
    sentence = (
        f"At depth 5 MTD(f) evaluates {least.O_leaves:,.0f} leaves per game and alpha-beta {least.X_leaves:,.0f}, at"
        f" depth 10 {most.O_leaves:,.0f} and {most.X_leaves:,.0f}. From {_among(openings)} of four plies it evaluates"
        f" {', '.join(f'{each:.0f}' for each in fewer)} % fewer, from depth 5 on."
    )
    found = _over_openings(openings, lambda rows: _fewer_leaves(rows).min())
    return above(found, 0, "% fewer leaves, least of the depths", sentence)


def _fewer_leaves(openings: Rows) -> Rows:
    """Return how many leaves MTD(f) spares at each depth, per cent."""
    leaves = openings.groupby("depth")[["O_leaves", "X_leaves"]].sum()
    return 100 * (1 - leaves.O_leaves / leaves.X_leaves)


@study.statement
def faster(games: Rows) -> Finding:
    """5.1 b: "The execution time of MTD(f) algorithm on average is faster than AB Pruning at Connect Four"."""
    times = _times(games)
    gain = 100 * (1 - times.O / times.X)
    found = mean(gain.groupby("session").mean(), "sessions")
    listed = ", ".join(f"{each:.1f}" for each in gain.groupby("depth").mean())
    theirs = ", ".join(f"{each:.1f}" for each in PRINTED["O faster, %"].astype(float))
    sentence = f"At depths 5 to 10 MTD(f) is {listed} % faster (printed: {theirs})."
    return above(found, 0, "% faster, mean of six depths", sentence)


@study.statement
def slower_at_6(games: Rows) -> Finding:
    """5.1 b: "At depth 6, the execution time of MTD(f) is 0,19% slower than AB Pruning"."""
    at_6 = _times(games).xs(6, level="depth")
    slower = 100 * (at_6.O / at_6.X - 1)
    return not_testable(
        f"Our sessions differ by more than that: MTD(f) takes {slower.min():+.1f} to {slower.max():+.1f} % more time"
        f" at depth 6. Per leaf it takes {at_6.O_leaf.mean() / at_6.X_leaf.mean():.1f} times as long."
    )


@study.statement
def much_faster_if_deep(games: Rows) -> Finding:
    """4.3: "At deep enough depth (9 and 10), the execution time of MTD(f) is not slow and much faster"."""
    times = _times(games)
    gain = (100 * (1 - times.O / times.X)).unstack("depth")
    by_depth = gain.mean()
    deep, shallow = by_depth[[9, 10]].idxmin(), by_depth[[5, 6, 7, 8]].idxmax()
    sentence = (
        f"At depths 9 and 10 MTD(f) is at least {by_depth[deep]:.0f} % faster, at depths 5 to 8 at most"
        f" {by_depth[shallow]:.0f} %. The paper sets no limit for 'much'; here, no smaller depth may gain as much."
    )
    return above(
        mean(gain[deep] - gain[shallow], "sessions"),
        0,
        "percentage points, deep less shallow",
        sentence,
    )


@study.statement
def time_gap_grows(games: Rows) -> Finding:
    """4.2: "The difference in the execution time and the number of LN of both algorithms increases": the time.

    The step that grows least on average decides. That in leaves grows at every step of Table 1.
    """
    times = _times(games)
    gaps = 1e6 * (times.X - times.O).unstack("depth")
    listed = ", ".join(f"{gap:.0f}" for gap in gaps.mean())
    theirs = ", ".join(f"{gap:.2f}" for gap in PRINTED["X, s"].astype(float) - PRINTED["O, s"].astype(float))
    sentence = (
        f"Alpha-beta's time per move less MTD(f)'s, at depths 5 to 10: {listed} microseconds; by the printed times"
        f" {theirs} s."
    )
    steps = gaps.diff(axis=1)
    return above(mean(steps[steps.mean().idxmin()], "sessions"), 0, "microseconds, least step", sentence)


@study.statement
def odd_depths_need_fewer_passes(games: Rows, openings: Rows) -> Finding:
    """4.3: "the number of passes MTD(f) at odd depth on average are fewer than at even depth".

    Passes grow with the depth, so each depth that was played with both its neighbours is compared with their mean.
    """
    table = _per_game(games).O_passes
    sentence = (
        f"Table 1's odd depths need {table[[5, 7, 9]].mean():.0f} passes per game, its even ones"
        f" {table[[6, 8, 10]].mean():.0f}; against the mean of both its neighbours, depth 6 needs"
        f" {_more(table, 6):+.0f} passes and depth 8 {_more(table, 8):+.0f}. The verdict rests on the same numbers from"
        f" {_among(openings)}."
    )
    found = _over_openings(openings, _more_at_even_depths)
    return above(found, 0, "passes per game that an even depth needs more", sentence)


def _more_at_even_depths(openings: Rows) -> float:
    """Return how many passes per game an even depth needs more than its neighbours, or an odd one less."""
    passes = openings.groupby("depth").O_passes.mean()
    inner = [depth for depth in passes.index if {depth - 1, depth + 1} <= {*passes.index}]
    more = [_more(passes, depth) * (-1) ** depth for depth in inner]
    return float(sum(more) / max(1, len(more)))


def _more(passes: Rows, depth: int) -> float:
    """Return how many passes a depth needs more than the mean of both its neighbours."""
    return float(passes[depth] - (passes[depth - 1] + passes[depth + 1]) / 2)


@study.statement
def few_passes_few_leaves(openings: Rows) -> Finding:
    """4.3: "The number of evaluated LN will be reduced if the number of passes are few"."""
    deepest = openings[openings.depth == openings.depth.max()]
    games = deepest.groupby("opening", as_index=False)[["O_passes", "O_leaves", "O_moves"]].sum()
    games = games.assign(passes=games.O_passes / games.O_moves, leaves=games.O_leaves / games.O_moves)
    passes, leaves = games.passes, games.leaves
    few = passes <= passes.median()
    sentence = (
        f"At depth {deepest.depth.max()}, the half of the games with fewer passes per move has"
        f" {leaves[few].mean():,.0f} leaves per move, the other half {leaves[~few].mean():,.0f}."
    )
    found = _over_openings(games, lambda rows: rank_correlation(rows.passes, rows.leaves))
    return above(found, 0, "rank correlation of passes and leaves per move", sentence)


@study.statement
def branching(games: Rows) -> Finding:
    """4.3: a "reduction in the number of AB Pruning branching factor" at even depth.

    Games have different lengths, so leaves are counted per move.
    """
    sums = games.groupby("depth")[["X_leaves", "X_moves"]].sum()
    leaves = sums.X_leaves / sums.X_moves
    factors = {depth: leaves[depth] / leaves[depth - 1] for depth in DEPTHS[1:]}
    listed = ", ".join(f"{factor:.1f}" for factor in factors.values())
    worst_even = max(factors[depth] for depth in (6, 8, 10))
    least_odd = min(factors[depth] for depth in (7, 9))
    sentence = (
        f"Alpha-beta's leaves per move at depths 6 to 10 are {listed} times those of the depth before. That the source"
        " calls it a square root is not judged."
    )
    return below(exact(worst_even - least_odd), 0, "largest even factor less least odd one", sentence)


@study.statement
def order_saves(parts: Rows) -> Finding:
    """4.3: exploring holes by weight, "the minimax value can be found earlier which lead to early pruning"."""
    found = _over_openings(parts, lambda rows: rows.X_leaves.sum() / rows.left_leaves.sum())
    sums = parts[["X_leaves", "left_leaves", "edge_leaves"]].mean()
    sentence = (
        f"At depth 6 alpha-beta evaluates {sums.X_leaves:,.0f} leaves per position in the paper's order,"
        f" {sums.left_leaves:,.0f} from left to right, {sums.edge_leaves:,.0f} from the edge."
    )
    return below(found, 1, "leaves in the paper's order / from left to right", sentence)


@study.statement
def each_part_saves(parts: Rows) -> Finding:
    """4.3: MTD(f) evaluates fewer leaves because of "zero-window search", "transposition table", "reflection"."""
    without = {"the empty window": "wide", "the table": "tableless", "the reflection": "unmirrored"}
    times = _times_leaves(parts, *without.values())
    listed = ", ".join(f"{each:.2f} without {name}" for name, each in zip(without, times, strict=True))
    sentence = f"MTD(f)'s leaves at depth 6 are multiplied by {listed}."
    found = _over_openings(parts, lambda rows: min(_times_leaves(rows, *without.values())))
    return above(found, 1, "leaves without the part that saves least / with all", sentence)


def _times_leaves(parts: Rows, *roles: str) -> list[float]:
    """Return how many leaves each program evaluates for one of MTD(f)."""
    return [float(parts[f"{role}_leaves"].sum() / parts.O_leaves.sum()) for role in roles]


@study.statement
def first_mover(games: Rows, openings: Rows) -> Finding:
    """4.3: "First turn computer has greater chance to win the game"."""
    found = _over_openings(openings, lambda rows: rows.first_points.mean())
    table = games.drop_duplicates(["depth", "first"]).first_points
    sentence = (
        f"The first mover gets {100 * found.value:.1f} % of the points from {_among(openings)} of four plies. In Table"
        f" 1 it wins {(table == 1).sum()} of {len(table)} games and draws {(table == 0.5).sum()}."
    )
    return above(found, 0.5, "share of points", sentence)


@study.statement
def segments() -> Finding:
    """3.2: "there are 69 win segments at board", 24 horizontal, 21 vertical and 24 diagonal ones."""
    counts = {step: starts.bit_count() for step, starts in DIRECTIONS}
    diagonal = counts[RISING] + counts[FALLING]
    sentence = f"{counts[HORIZONTAL]} horizontal, {counts[VERTICAL]} vertical and {diagonal} diagonal segments."
    return certain(sum(counts.values()), 69, "segments", sentence)


@study.statement
def negamax(table_1: ComparedTable) -> Finding:
    """1: negamax alpha-beta "evaluate same LN as AB Pruning even though its implementation is simpler"."""
    printed_leaves = table_1.printed["LN X"].astype(int)
    equal = int((printed_leaves == table_1.ours["LN X"]).sum())
    sentence = (
        f"Ours is a negamax. It has the printed leaves of the paper's alpha-beta at {equal} of {len(DEPTHS)} depths."
    )
    return certain(equal, len(DEPTHS), "depths with equal leaves", sentence)


@study.noticed
def leaves_in_the_table(parts: Rows) -> str:
    """Say what the pseudo-code's way with leaves would save."""
    fewer = 100 * (1 - parts.leaves_leaves.sum() / parts.O_leaves.sum())
    return (
        "The pseudo-code of ABMemory (2.3) looks leaves up in the table and stores them; the printed counts are those"
        f" of a program that does not. At depth 6 it would evaluate {fewer:.0f} % fewer leaves."
    )


@study.found
def summary(table_1: ComparedTable, findings: dict[str, Finding]) -> str:
    """Say how much of Table 1 is ours, and what MTD(f) saves."""
    equal = table_1.compared()
    return (
        f"{sum(equal)} of the {len(equal)} cells of Table 1 that do not depend on the machine come out as printed."
        f" {findings['fewer_leaves'].sentence}"
    )
