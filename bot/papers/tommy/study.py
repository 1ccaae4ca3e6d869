"""Tommy 2017: Table 1, and what the text says of it. The programs are in program.py, the statements in notes.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Any

from bot.papers.runs import Rows, Runner
from bot.papers.solved import openings
from bot.papers.study import Statement, Study, Table, listed, measured, results
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


def totals(rows: Rows, *by: str) -> Rows:
    """Return the sums over a run, for each depth."""
    return rows.groupby([*by, "depth"]).sum(numeric_only=True)


def study(run: Runner) -> Study:
    """Carry out the study."""
    played = run("games", games(REPEATS if run.quick else SESSIONS * REPEATS))
    six = played.drop_duplicates("depth")
    prefixes = [(line.depth, line.moves[:ply]) for line in six.itertuples() for ply in range(line.plies)]
    asked = run("positions", questions(prefixes))
    guessed = run("guesses", guesses(asked))
    places = [*product(DEPTHS[:4], openings(4, 50 if run.quick else 1))]
    spread = run("openings", questions(places))
    opened = run("games from openings", (Play(both(depth), start, labels={"depth": depth}) for depth, start in places))

    own, better, wide, all_twelve = map(totals, (asked, guessed, spread, played))
    times = totals(played, "session")
    gain = less(times.O_seconds / times.O_turns, times.X_seconds / times.X_turns).unstack("depth")
    table = table_1(played)
    fewer = less(all_twelve.O_leaves, all_twelve.X_leaves)
    optimal, counts = (
        as_optimal(played, asked, spread),
        sum("=" in row[place] for row in table.rows[1:] for place in (4, 5, 7)),
    )
    found = [
        f"""{counts} of the 18 counts of Table 1 (leaves of alpha-beta, leaves and passes of MTD(f)) come out to the
        last digit: six of them, at depths 5 and 6, chose among the readings, the other twelve are a check. So do
        {sum(table.agree)} of all {len(table.agree)} cells that do not depend on the machine.""",
        f"""MTD(f) evaluates {fewer.min():.0f} to {fewer.max():.0f} % fewer leaves than alpha-beta, and takes
        {gain.mean().mean():.0f} % less time for a move on our machine, as the mean of six depths.""",
        f"""Asked {len(asked) + len(spread):,} times (a position and a depth), the two programs differ in value or move
        {optimal.ours:.0f} times: in both games of a depth the same moves are played, whichever program
        starts.""",
    ]
    statements = [
        optimal,
        *printed_percentages(table, less(wide.O_leaves, wide.X_leaves)),
        faster(gain, all_twelve),
        odd_depths(less(better.O_leaves, own.X_leaves)),
        few_passes(own, better),
        why_fewer(own, wide),
        first_mover(played, six, opened),
    ]
    lines = {
        "in the positions of the paper's games": own.O_leaves / own.X_leaves,
        "after all openings of four discs": wide.O_leaves / wide.X_leaves,
    }
    return Study(found, [table], statements, "Leaves of MTD(f) as a part of alpha-beta's, by depth", lines)


def table_1(played: Rows) -> Table:
    """Return Table 1 with ours."""
    ours = []
    for _, rows in played.groupby("depth"):
        mean = rows.mean(numeric_only=True)
        x, o = mean.X_seconds / mean.X_turns, mean.O_seconds / mean.O_turns
        counts = mean.X_leaves // 1, mean.O_leaves // 1, less(mean.O_leaves, mean.X_leaves), mean.O_passes // 1
        result = {(0.0, 1.0): "X(1),O(1)", (0.5,): "Draw(2)"}.get(tuple(sorted({*rows.X_points})), "other")
        ours.append([x, o, less(o, x), *counts, result])
    note = "Leaves and passes are the means of two games, without decimals; our times are those of compiled code."
    return Table("Table 1: work and results", PRINTED, ours, ("X,_s", "O,_s", "O_faster,_%"), note=note)


def as_optimal(played: Rows, *asked: Rows) -> Statement:
    """5.1 a: values, columns, results."""
    values = sum((rows.X_value != rows.O_value).sum() for rows in asked)
    columns = sum((rows.X_column != rows.O_column).sum() for rows in asked)
    twelve = results(played.O_points[: 2 * len(DEPTHS)])
    why = f"""Asked {sum(map(len, asked)):,} times (a position and a depth), they differ in {values} values and
        {columns} columns. MTD(f) wins, loses and draws {twelve} games. At
        {(played.groupby("depth").moves.nunique() == 1).sum()} of 6 depths the two games are equal disc for disc: the
        twelve games are six, and equal percentages follow from that. 2 of 12 is 16.67 %, which is what the abstract
        prints."""
    return Statement(values + columns + (twelve != "5, 5, 2"), lambda count: count == 0, why, "{:,.0f} differences")


def printed_percentages(table: Table, opened: Rows) -> list[Statement]:
    """Abstract against the printed table, and 5.1 c: six percentages."""
    ends = " ".join(line[-1] for line in LINES)
    games = ends.count("O(1)"), ends.count("X(1)"), 2 * ends.count("Draw(2)")
    ours = [*(count / 0.12 for count in games), float(LINES[3][3]), float(LINES[3][6])]
    return [
        Statement(
            sum(round(own, 2) == said for own, said in zip(ours, ABSTRACT, strict=True)),
            lambda count: count == 5,
            f"By the table the five are {listed(ours, '.2f')} %. 45.83 % of 12 games would be 5.5 games.",
            "{:.0f} of 5 numbers",
        ),
        Statement(
            sum("=" in row[6] for row in table.rows[1:]),
            lambda count: count == 6,
            f"""Beside the paper's games: in the positions after four discs MTD(f) evaluates {listed(opened, ",.0f")} %
            fewer leaves at depths 5 to 8.""",
            "{:.0f} of 6 percentages",
        ),
    ]


def faster(gain: Rows, work: Rows) -> Statement:
    """5.1 b: times."""
    leaf = (work.O_seconds / work.O_leaves * work.X_leaves / work.X_seconds).mean()
    why = f"""At depths 5 to 10 MTD(f) takes {listed(gain.mean(), ".1f")} % less time, as the mean of the sessions'
        percentages; Table 1 above compares the mean times instead. The six printed percentages cannot be told here: a
        leaf of MTD(f) takes {leaf:.1f} times as long as one of alpha-beta in our program, and at depth 6 our sessions
        range from {gain[6].min():.1f} to {gain[6].max():.1f} %. As the paper says, depths 9 and 10 gain most."""
    return Statement(measured(gain.mean(axis=1)), lambda percent: percent > 0, why, "{:.1f} % less time")


def odd_depths(saved: Rows) -> Statement:
    """4.3: passes of the printed table."""
    passes, fewer = zip(*((int(line[-2]), float(line[6])) for line in LINES), strict=True)
    odd, even = sum(passes[::2]) / 3, sum(passes[1::2]) / 3
    why = f"""Odd depths have {odd:.0f} passes per game on average, even ones {even:.0f}; but depth 9 has {passes[4]}
        and depth 6 {passes[1]}. Passes are not the whole cause, and the paper names a second one (alpha-beta prunes
        more at even depths), which is not tested here: with the value of O's move before as first guess, and far fewer
        passes at both, depth 7 still saves {saved[7]:.0f} % of the leaves and depth 8 {saved[8]:.0f} %."""
    return Statement(even - odd, lambda number: number > 0 and fewer[2] > fewer[3], why, "{:.0f} passes fewer")


def few_passes(own: Rows, better: Rows) -> Statement:
    """4.3: three first guesses."""
    against, changed = list[int](), ((own, "O"), (better, "O"), (own, "bad"))
    tried = [rows[[f"{role}_passes", f"{role}_leaves"]].to_numpy() for rows, role in changed]
    for one, other in combinations(tried, 2):
        against += [*own.index[(one - other).prod(axis=1) <= 0]]
    saved, cost = less(tried[1], tried[0]).T, -less(tried[2], tried[0]).T
    why = f"""At depths 5 to 10 the value of the move before saves {listed(saved[0], ",.0f")} % of the passes and
        {listed(saved[1], ",.0f")} % of the leaves, as stated. A first guess of 100 changes the passes by
        {listed(cost[0], "+.0f")} % and the leaves by {listed(cost[1], "+.0f")} %: at depths {listed(against)} fewer
        passes come with more leaves."""
    return Statement(len(against), lambda pairs: pairs == 0, why, "{:.0f} of 18 pairs against it")


def why_fewer(own: Rows, wide: Rows) -> Statement:
    """4.3: each part left out."""
    zero, table, mirror = (wide[f"{role}_leaves"] / wide.O_leaves for role in ("wide", "tableless", "unmirrored"))
    mirrored = own.unmirrored_leaves / own.O_leaves
    why = f"""Leaves at depths 5 to 8 are multiplied by {listed(zero, ".2f")} with the whole window in place of zero
        windows, and by {listed(table, ".2f")} without the table, where MTD(f) needs more leaves than alpha-beta.
        Without the reflection they are multiplied by {listed(mirror, ".2f")}, in the paper's games by
        {mirrored.min():.2f} to {mirrored.max():.2f}. The pseudo-code of ABMemory stores leaves in the table, too;
        the printed counts are those of a program that does not: one that stored them would evaluate
        {listed(less(wide.stored_leaves, wide.O_leaves), ",.0f")} % fewer leaves. So a leaf that is reached again, by
        other moves or in a later pass, is evaluated again: the sentence about the table is true of inner positions
        only. Whether MTD(f) is faster is judged in statement 4."""
    least = min(zero[[6, 7]].min(), table[[6, 7]].min())
    return Statement(least, lambda factor: factor > 1, why, "{:.2f} times the leaves, at least")


def first_mover(played: Rows, six: Rows, opened: Rows) -> Statement:
    """4.3: wins of the first mover, and work by who moves first."""
    leaves = played.groupby(["depth", "first"])[["X_leaves", "O_leaves"]].first()
    differ = (leaves.groupby("depth").nunique() == 2).to_numpy().sum()
    why = f"""Won, lost and drawn by the first mover: {results(opened.X_points)} of the games from openings, and
        {results(six.X_points)} of the six games. {differ} of the 12 pairs of leaf counts differ: at depth 5, X
        evaluates {leaves.X_leaves[5, "X"]:,} leaves if it moves first and {leaves.X_leaves[5, "O"]:,} if not."""
    ahead = [100 * (2 * rows.X_points.mean() - 1) for rows in (opened, six)]
    return Statement(ahead[0], lambda more: more > 0 and differ == 12, why, "{:.0f} % more won than lost", ahead[1:])
