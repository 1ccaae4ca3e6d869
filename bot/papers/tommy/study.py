"""Tommy 2017: Table 1, and what the text says of it. The programs are in program.py, the statements in notes.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Any

from bot.game import format_moves
from bot.gauntlet.positions import all_openings
from bot.papers.runs import Rows, Runner
from bot.papers.study import Statement, Study, Table, listed, measured
from bot.papers.tasks import Ask, Play, Task

DEPTHS = (5, 6, 7, 8, 9, 10)
"""Section 3.3: the depths, discs; each is played twice, once with either side moving first."""
SESSIONS, REPEATS = 8, 3
"""Ours, for times: a session plays all twelve games three times."""
PRINTED = """
depth  X,_s    O,_s    O_faster,_% LN_X    LN_O   O_fewer,_% passes results
5      0.1317  0.1089  17.28       12242   5451   55.47      201    X(1),O(1)
6      0.3083  0.3089  -0.19       17885   8705   51.33      255    X(1),O(1)
7      1.6981  0.6767  60.15       175759  36906  79.00      456    X(1),O(1)
8      2.3185  1.5027  35.19       218777  73957  66.20      715    X(1),O(1)
9      14.7149 3.0543  79.24       1311365 143557 89.05      478    X(1),O(1)
10     27.1850 5.0731  81.34       3352837 327609 90.23      590    Draw(2)
"""
"""Table 1 (section 4.2). Times are seconds per move; leaves and passes are those of a game."""
LINES = [line.split() for line in PRINTED.split("\n")[2:-1]]
ABSTRACT = (45.83, 37.5, 16.67, 35.19, 56.27)
"""Per cent of games that MTD(f) wins, loses, draws; how much faster it is at depth 8, and how many leaves fewer."""
PARTS = {"wide": "zero=0", "tableless": "table=0", "unmirrored": "mirror=0", "stored": "leaves=1", "bad": "guess=100"}
"""MTD(f) without its zero window, table, reflection; with leaves in the table; with a bad first guess."""


def both(depth: int, first: str = "X") -> dict[str, str]:
    """Return both programs by their roles, the first mover first."""
    names = {"X": f"tommy-ab:{depth}", "O": f"tommy-mtdf:{depth}"}
    return {role: names[role] for role in f"{first}XO"}


def games(repeats: int) -> Iterator[Task]:
    """Section 3.3: the twelve games; the paper repeats each ten times, for its times."""
    for number, depth, first in product(range(repeats), DEPTHS, "XO"):
        yield Play(both(depth, first), "", number, True, {"depth": depth, "session": number // REPEATS})


def questions(places: Iterable[tuple[int, str]]) -> Iterator[Task]:
    """Both programs, and O with each of its parts changed, in positions of a depth."""
    for depth, start in places:
        changed = {role: f"tommy-mtdf:{depth},{part}" for role, part in PARTS.items()}
        yield Ask(both(depth) | changed, start, labels={"depth": depth})


def guesses(asked: Rows) -> Iterator[Task]:
    """O in its own positions, with the value of its move before as first guess."""
    asked["guess"] = -asked.groupby("depth").O_value.shift(2).fillna(-1)
    for row in asked.itertuples():
        yield Ask({"O": f"tommy-mtdf:{row.depth},guess={row.guess:.0f}"}, row.start, labels={"depth": row.depth})


def less(own: Any, other: Any) -> Any:
    """Return how much less ``own`` is, per cent."""
    return 100 * (1 - own / other)


def results(points: Rows) -> list[int]:
    """Return how many games are won, lost and drawn by these points."""
    return [(points == each).sum() for each in (1, 0, 0.5)]


def totals(rows: Rows, *by: str) -> Rows:
    """Return the sums over a run, for each depth."""
    return rows.groupby([*by, "depth"]).sum(numeric_only=True)


def table_1(played: Rows, times: Rows) -> Table:
    """Return Table 1 with ours."""
    ours = []
    played["draws"] = played.X_points == 0.5
    for depth, row in played.groupby("depth").mean(numeric_only=True).iterrows():
        time, saved = times.loc[depth], less(row.O_leaves, row.X_leaves)
        result = {(0.5, 0): "X(1),O(1)", (0.5, 1): "Draw(2)"}.get((row.X_points, row.draws), "other")
        counts = row.X_leaves // 1, row.O_leaves // 1, saved, row.O_passes // 1
        ours.append([time.X, time.O, less(time.O, time.X), *counts, result])
    note = "Leaves and passes are the means of two games, without decimals; our times are those of compiled code."
    return Table("Table 1: work and results", PRINTED, ours, ("X,_s", "O,_s", "O_faster,_%"), note=note)


def study(run: Runner) -> Study:
    """Carry out the study."""
    played = run("games", games(REPEATS if run.quick else SESSIONS * REPEATS))
    six = played.drop_duplicates("depth")
    prefixes = [(line.depth, line.moves[:ply]) for line in six.itertuples() for ply in range(line.plies)]
    asked = run("positions", questions(prefixes))
    guessed = run("guesses", guesses(asked))
    starts = [format_moves(columns) for columns in all_openings(4)][:: 50 if run.quick else 1]
    places = [(depth, start) for depth in DEPTHS[:4] for start in starts]
    spread = run("openings", questions(places))
    opened = run("games from openings", (Play(both(depth), start, labels={"depth": depth}) for depth, start in places))

    work = totals(played, "session")
    times = work.assign(X=work.X_seconds / work.X_turns, O=work.O_seconds / work.O_turns)
    table = table_1(played, times.groupby("depth").mean())
    gain = less(times.O, times.X).unstack("depth")
    own, better, wide, all_twelve = map(totals, (asked, guessed, spread, played))
    statements = [
        as_optimal(played, asked, spread),
        the_abstract(),
        fewer_leaves(table, less(wide.O_leaves, wide.X_leaves)),
        faster(gain, all_twelve),
        odd_depths(less(better.O_leaves, own.X_leaves)),
        few_passes(own, better),
        why_fewer(own, wide),
        first_mover(played, six, opened),
    ]
    counts = sum("=" in row[place] for row in table.rows[1:] for place in (4, 5, 7))
    fewer, alike = less(all_twelve.O_leaves, all_twelve.X_leaves), len(asked) + len(spread)
    found = [
        f"{counts} of the 18 counts of Table 1 (leaves of X, leaves of O, passes) come out to the last digit, and"
        f" {sum(table.agree)} of all {len(table.agree)} cells that do not depend on the machine.",
        f"MTD(f) evaluates {fewer.min():.0f} to {fewer.max():.0f} % fewer leaves than alpha-beta, and takes"
        f" {gain.mean().mean():.0f} % less time for a move on our machine, as the mean of six depths.",
        f"Asked {alike:,} times (a position and a depth), the two programs differ in value or move"
        f" {statements[0].ours:.0f} times: the two games of each depth are one game, played twice.",
    ]
    noticed = [
        "The pseudo-code of ABMemory stores leaves in the table; the printed counts are those of a program that does"
        f" not. At depths 5 to 8 it would evaluate {listed(less(wide.stored_leaves, wide.O_leaves), ',.0f')} % fewer"
        " leaves."
    ]
    return Study(found, [table], statements, noticed, lambda axes: plot(axes, own, wide))


def as_optimal(played: Rows, *asked: Rows) -> Statement:
    """5.1 a: values, columns, results."""
    values = sum((rows.X_value != rows.O_value).sum() for rows in asked)
    columns = sum((rows.X_column != rows.O_column).sum() for rows in asked)
    twelve = [12 * count // len(played) for count in results(played.O_points)]
    why = (
        f"Asked {sum(map(len, asked)):,} times (a position and a depth), they differ in {values} values and {columns}"
        f" columns. MTD(f) wins, loses and draws {listed(twelve, ',.0f')} games. At"
        f" {(played.groupby('depth').moves.nunique() == 1).sum()} of 6 depths the two games are equal disc for disc:"
        " the twelve games are six, and equal percentages follow from that. 2 of 12 is 16.67 %, which is what the"
        " abstract prints."
    )
    return Statement(values + columns + (twelve != [5, 5, 2]), lambda count: count == 0, why, "{:,.0f} differences")


def the_abstract() -> Statement:
    """Abstract against the printed table."""
    results = "".join(line[-1] for line in LINES)
    won, lost, drawn = results.count("O(1)"), results.count("X(1)"), 2 * results.count("Draw(2)")
    table = [won / 0.12, lost / 0.12, drawn / 0.12, float(LINES[3][3]), float(LINES[3][6])]
    equal = sum(f"{own:.2f}" == f"{said:.2f}" for own, said in zip(table, ABSTRACT, strict=True))
    why = f"By the table the five are {listed(table, '.2f')} %. 45.83 % of 12 games would be 5.5 games."
    return Statement(equal, lambda count: count == 5, why, "{:.0f} of 5 numbers")


def fewer_leaves(table: Table, opened: Rows) -> Statement:
    """5.1 c: six percentages."""
    why = (
        "Beside the paper's games: in the positions after four discs MTD(f) evaluates"
        f" {listed(opened, ',.0f')} % fewer leaves at depths 5 to 8."
    )
    equal = sum("=" in row[6] for row in table.rows[1:])
    return Statement(equal, lambda count: count == 6, why, "{:.0f} of 6 percentages")


def faster(gain: Rows, work: Rows) -> Statement:
    """5.1 b: times."""
    leaf = (work.O_seconds / work.O_leaves * work.X_leaves / work.X_seconds).mean()
    why = (
        f"At depths 5 to 10 MTD(f) takes {listed(gain.mean(), '.1f')} % less time, as the mean of the sessions'"
        " percentages; Table 1 above compares the mean times instead. The six printed percentages cannot be told"
        f" here: a leaf of MTD(f) takes {leaf:.1f} times as long as one of alpha-beta in our program, and at"
        f" depth 6 our sessions range from {gain[6].min():.1f} to {gain[6].max():.1f} %. As the paper says, depths 9"
        " and 10 gain most."
    )
    return Statement(measured(gain.mean(axis=1)), lambda percent: percent > 0, why, "{:.1f} % less time")


def odd_depths(saved: Rows) -> Statement:
    """4.3: passes of the printed table."""
    passes = [int(line[-2]) for line in LINES]
    odd, even = sum(passes[::2]) / 3, sum(passes[1::2]) / 3
    why = (
        f"Odd depths have {odd:.0f} passes per game on average, even ones {even:.0f}; but depth 9 has {passes[4]} and"
        f" depth 6 {passes[1]}. Passes are not the whole cause: with the value of O's move before as first guess,"
        f" and far fewer passes at both, depth 7 still saves {saved[7]:.0f} % of the leaves and depth 8 {saved[8]:.0f}"
        " %."
    )
    fewer = (even - odd) * (float(LINES[2][6]) > float(LINES[3][6]))
    return Statement(fewer, lambda passes: passes > 0, why, "{:.0f} passes fewer")


def few_passes(own: Rows, better: Rows) -> Statement:
    """4.3: three first guesses."""
    tried = [
        rows[[f"{role}_passes", f"{role}_leaves"]].to_numpy()
        for rows, role in ((own, "O"), (better, "O"), (own, "bad"))
    ]
    against = [
        depth
        for one, other in combinations(tried, 2)
        for depth, sign in zip(DEPTHS, (one - other).prod(axis=1), strict=True)
        if sign <= 0
    ]
    saved, cost = less(tried[1], tried[0]).T, -less(tried[2], tried[0]).T
    why = (
        f"At depths 5 to 10 the value of the move before saves {listed(saved[0], ',.0f')} % of the passes and"
        f" {listed(saved[1], ',.0f')} % of the leaves, as stated. A first guess of 100 changes the passes by"
        f" {listed(cost[0], '+.0f')} % and the leaves by {listed(cost[1], '+.0f')} %: at depths"
        f" {listed(against, ',.0f')} fewer passes come with more leaves."
    )
    return Statement(len(against), lambda pairs: pairs == 0, why, "{:.0f} of 18 pairs against it")


def why_fewer(own: Rows, wide: Rows) -> Statement:
    """4.3: each part left out."""
    without = [wide[f"{role}_leaves"] / wide.O_leaves for role in ("wide", "tableless", "unmirrored")]
    mirrored = own.unmirrored_leaves / own.O_leaves
    why = (
        f"Leaves at depths 5 to 8 are multiplied by {listed(without[0], '.2f')} without the zero window and by"
        f" {listed(without[1], '.2f')} without the table; then MTD(f) needs more leaves than alpha-beta; without"
        f" the reflection by {listed(without[2], '.2f')}, in the paper's games by {mirrored.min():.2f} to"
        f" {mirrored.max():.2f}."
    )
    least = min(factor[depth] for factor in without[:2] for depth in (6, 7))
    return Statement(least, lambda factor: factor > 1, why, "{:.2f} times the leaves, at least")


def first_mover(played: Rows, six: Rows, opened: Rows) -> Statement:
    """4.3: wins of the first mover, and work by who moves first."""
    counts = [results(rows.X_points) for rows in (opened, six)]
    leaves = played.groupby(["depth", "first"])[["X_leaves", "O_leaves"]].first()
    differ = int((leaves.groupby("depth").nunique() == 2).to_numpy().sum())
    x = leaves.X_leaves
    why = (
        f"Won, lost and drawn by the first mover: {listed(counts[0], ',.0f')} of the games from openings, and"
        f" {listed(counts[1], ',.0f')} of the six games. {differ} of the 12 pairs of leaf counts differ: at depth 5, X"
        f" evaluates {x[5, 'X']:,} leaves if it moves first and {x[5, 'O']:,} if not."
    )
    ahead = [100 * (won - lost) / (won + lost + drawn) for won, lost, drawn in counts]
    return Statement(ahead[0], lambda more: more > 0 and differ == 12, why, "{:.0f} % more won than lost", ahead[1:])


def plot(axes: Any, own: Rows, wide: Rows) -> None:
    """Draw what MTD(f) needs of alpha-beta's leaves."""
    axes.plot(DEPTHS, own.O_leaves / own.X_leaves, "o-", label="in the positions of the paper's games")
    axes.plot(DEPTHS[:4], wide.O_leaves / wide.X_leaves, "s-", label="after all openings of four discs")
    axes.set(title="Leaves of MTD(f) as a part of alpha-beta's", xlabel="depth, discs", ylim=0)
    axes.legend()
