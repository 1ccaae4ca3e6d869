"""Halim et al.: the *system* S to depth 8 against the web program of rmarcus.info, its *opponent* O.

Both repeat themselves, so each game is played once. The statements and their rules are in notes.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product
from operator import eq

from bot.gauntlet.arena.statistics import share
from bot.papers.runs import Rows, Runner
from bot.papers.solved import keeps_outcome, solved
from bot.papers.study import Statement, Study, Table, listed, results
from bot.papers.tasks import Ask, Play, Task

PRINTED = """
opponent 1   2    3    4    5    6    7    8
1        W7  (W7) (W7) (W7) (W7) (W7) (W7) (W7)
2        D42 L28  L40  L40  L38  W17  W7   W7
3        L14 L38  L30  L22  L30  W39  W7   W7
4        L22 L34  D42  W35  W33  W37  W35  D42
5        L30 W35  L42  W33  W35  W37  W39  W19
6        L26 D42  L42  L40  W31  W31  W27  W29
7        L32 L30  L36  L34  L34  W31  D42  W35
8        L22 W35  L42  W33  W35  W31  W33  W31
"""
"""Tabel 1: rows are depths of the opponent, columns of the system; brackets: not printed, but read (notes.md)."""
CELLS = re.findall(r"[LDW]\d+", PRINTED)
LETTERS = "LDW"
"""Lost, drawn, won: 0, 1 and 2 half points."""
DEPTHS = range(1, 9)
OPPONENTS = DEPTHS[:5]
"""Ours: the opponents that all readings meet; the recommended one meets all eight."""
FUNCTIONS = {
    "recommended": "plus=0",
    "1000 added": "ends=added",
    "formula 7 as printed": "plus=1,ends=added",
    "a2 and a3 exchanged": "defend=1",
    "x1 alone": "alone=1",
}
"""Leaf values by name."""
RECOMMENDED = FUNCTIONS["recommended"]
TITLE = "Part of the games won, by the system's depth (other readings: against opponents 1 to 5)"
CHOICES = (
    "plus=0 plus=1",
    "lines=0 lines=1 lines=2 lines=3",
    "discs=1 discs=2 discs=3",
    "difference=0 difference=1",
    "distinct=0 distinct=1",
    "ends=dominant ends=flat ends=added ends=only",
    "view=own view=mover view=last",
)
READINGS = [",".join(chosen) for chosen in product(*map(str.split, CHOICES))]
"""One option of the program for each phrase that can be read in several ways; the first is the recommended reading."""


def games(readings: Iterable[str], opponents: Iterable[int], order: str = "SO") -> Iterator[Task]:
    """Tabel 1, or a part of its rows; ``order`` says who moves first."""
    for reading, opponent, system in product(readings, opponents, DEPTHS):
        names = {"S": f"halim:{system},{reading}", "O": f"rmarcus:{opponent}"}
        labels = {"reading": reading, "opponent": opponent, "system": system}
        yield Play({role: names[role] for role in order}, labels=labels)


def answers(step: int) -> Iterator[Task]:
    """The recommended reading in solved positions."""
    for start, depth in product(solved(step), DEPTHS):
        yield Ask({"S": f"halim:{depth},{READINGS[0]}"}, start, labels={"depth": depth})


def cells(rows: Rows) -> list[str]:
    """Return games as Tabel 1 prints them."""
    return [f"{LETTERS[int(2 * points)]}{plies}" for points, plies in zip(rows.S_points, rows.plies, strict=True)]


def wins(rows: Rows) -> Rows:
    """Return the games won in each reading (rows) at each depth of the system (columns)."""
    return (rows.S_points == 1).groupby([rows.reading, rows.system]).sum().unstack()


def deep_and_shallow(rows: Rows) -> tuple[Rows, Rows]:
    """Return the games won in each reading at depths 5 to 8, and at 1 to 4."""
    won = wins(rows)
    return won.loc[:, 5:].sum(axis=1), won.loc[:, :4].sum(axis=1)


def study(run: Runner) -> Study:
    """Carry out the study."""
    others = READINGS[1 :: 140 if run.quick else 1]
    named = run("games", games(FUNCTIONS.values(), DEPTHS))
    second = run("games, opponent first", games([RECOMMENDED], DEPTHS, "OS"))
    answered = run("answers", answers(50 if run.quick else 1))
    read = run("readings", games(others, OPPONENTS))
    turned = run("readings, opponent first", games(others[6::7], OPPONENTS, "OS"))

    own = named[named.reading == RECOMMENDED].reset_index(drop=True)
    points, plies = zip(*((LETTERS.index(cell[0]) / 2, int(cell[1:])) for cell in CELLS), strict=True)
    printed = own.assign(S_points=points, plies=plies)
    met = own[own.opponent.isin(OPPONENTS)]
    table = table_1(own, printed)
    best = max(sum(map(eq, cells(rows), CELLS)) for _, rows in read.groupby("reading"))
    (deep, shallow), (printed_deep, printed_shallow) = map(deep_and_shallow, (own, printed))
    totals, mean_loss, consistency = about_the_table(own, printed, read)
    deeper = deeper_wins(own, met, printed, read)
    found = [
        f"""Tabel 1 does not come out: in the reading of the text that we recommend, {sum(table.agree)} of {len(CELLS)}
        cells (seven of them are not printed) have its result and number of discs; of the {len(met)} cells that all
        readings played {sum(map(eq, cells(met), CELLS))}, and {best} in the best of {len(others):,} other readings.""",
        f"""Games won come near, {(own.S_points == 1).sum()} (printed {(printed.S_points == 1).sum()}); lost and drawn
        do not: won, lost and drawn are {results(own.S_points)} (printed {results(printed.S_points)}).""",
        f"""In this reading a deeper search wins more: {deep.iloc[0]} of 32 games at depths 5 to 8 and {shallow.iloc[0]}
        of 32 at 1 to 4 (printed {printed_deep.iloc[0]} and {printed_shallow.iloc[0]}); so it is in
        {[*map(deeper.says, deeper.others)].count(True):,} of the {len(others):,} other readings, which played
        {len(met)} of the {len(own)} games.""",
    ]
    statements = [
        seven_discs(own, read),
        totals,
        mean_loss,
        deeper,
        accuracy(answered),
        consistency,
        first_turn(own, second, read[read.reading.isin(turned.reading)], turned),
        heuristic(named, read),
    ]
    part = wins(read) / len(OPPONENTS)
    lines = {"Tabel 1": wins(printed).iloc[0] / 8, "the recommended reading": wins(own).iloc[0] / 8}
    lines |= {"the least of the other readings": part.min(), "their mean": part.mean(), "their most": part.max()}
    return Study(found, [table], statements, TITLE, lines)


def table_1(own: Rows, printed: Rows) -> Table:
    """Return Tabel 1 with ours."""
    ours = [cells(rows) for _, rows in own.groupby("opponent")]
    ours[0][1:] = [f"({cell})" for cell in ours[0][1:]]
    note = f"""W, L and D are games won, lost and drawn by the system, followed by the number of discs of both; rows are
        depths of the opponent, columns of the system. Cells in brackets are not printed: the paper has one W (7) in row
        1, most likely a merged cell. We read it as eight, because statement 1 says so and the totals of statement 2
        need it. In {(own.S_points == printed.S_points).sum()} of {len(own)} cells the result is the printed one,
        whatever the number of discs."""
    return Table("Tabel 1: result and number of discs", PRINTED, ours, note=note)


def seven_discs(own: Rows, read: Rows) -> Statement:
    """Pengujian Sistem: games against opponent 1."""
    quick, others = (
        ((rows.opponent == 1) & (rows.S_points == 1) & (rows.plies == 7)).groupby(rows.reading).sum()
        for rows in (own, read)
    )
    why = f"""The recommended reading wins with disc 7 at {quick.iloc[0]} of 8 depths, {(others == 8).sum()} of
        {len(others):,} other readings at all 8, {(others > 0).sum():,} at one or more. Seven discs are possible: at
        depth 1 the opponent looks at its own move alone, so that it never sees a threat."""
    return Statement(quick.iloc[0], lambda depths: depths == 8, why, "{:.0f} of 8 depths", [*others], few=0)


def about_the_table(own: Rows, printed: Rows, read: Rows) -> list[Statement]:
    """Pengujian Sistem: counts, the mean loss, and depths 6 to 8 beside the others, in the printed table."""
    won, lost = (printed.plies[printed.S_points == points] for points in (1, 0))
    our_won, our_lost = (own.plies[own.S_points == points] for points in (1, 0))
    compared, said = [], []
    for rows in (printed, own, read):
        deep = rows.system > 5
        mean = (
            rows.assign(won=rows.S_points == 1, lost=rows.S_points == 0)
            .groupby([rows.reading, deep])[["won", "lost"]]
            .mean()
        )
        more = mean.xs(True, level="system") - mean.xs(False, level="system")
        compared.append((more.won > 0).astype(int) + (more.lost < 0))
        said.append(
            f"{results(rows.S_points[deep])} of {deep.sum()}, and {results(rows.S_points[~deep])} of {(~deep).sum()}"
        )
    numbers = f"{results(printed.S_points)}, {won.mean():.2f}".split(", ")
    return [
        Statement(
            sum(map(eq, numbers, ["36", "23", "5", "23.89"])),
            lambda equal: equal == 4,
            f"""The printed table has {results(printed.S_points)} games won, lost and drawn, and its wins take
            {won.mean():.2f} discs on average; without the eight cells of row 1 they take
            {won[printed.opponent > 1].mean():.2f}. Row 1 is read as eight W7 partly because the totals need it, so
            that only the mean is an independent check. Our games, which cannot decide it: {results(own.S_points)},
            and {our_won.mean():.2f}.""",
            "{:.0f} of 4 numbers",
        ),
        Statement(
            lost.mean(),
            lambda discs: round(discs, 2) == 32.30,
            f"""{len(lost)} printed losses take {lost.sum()} discs, {lost.mean():.2f} each; 32.30 would need
            {32.30 * len(lost):.0f}. The mean or a cell is misprinted or miscounted. The paper concludes from
            23.89 and 32.30 that its system attacks more than it defends, and that the other one perhaps ("mungkin")
            defends; {lost.mean():.2f} would serve as well. That conclusion is not judged. Our losses take
            {our_lost.mean():.2f} discs.""",
            "{:.2f} discs",
        ),
        Statement(
            compared[0].iloc[0],
            lambda both: both == 2,
            f"""In the printed table depths 6 to 8 win, lose and draw {said[0]} at depths 1 to 5. In our games
            {said[1]}; {(compared[2] == 2).sum():,} of {len(compared[2]):,} other readings win a greater and lose a
            smaller share at depths 6 to 8, against opponents 1 to 5.""",
            "{:.0f} of 2 comparisons",
        ),
    ]


def deeper_wins(own: Rows, met: Rows, printed: Rows, read: Rows) -> Statement:
    """5. Simpulan, 1: wins by depth."""
    (deep, shallow), (others_deep, others_shallow) = map(deep_and_shallow, (met, read))
    others = others_deep - others_shallow
    more = (others > 0).mean()
    why = f"""Games won at depths 1 to 8: {listed(wins(own).iloc[0])} (printed {listed(wins(printed).iloc[0])}), so
        not every step goes up. {"Nearly all" if 0.95 <= more < 1 else f"{100 * more:.0f} % of the"} other readings
        win more at depths 5 to 8: {(others > 0).sum():,} of {len(others):,}, against opponents of depths 1 to 5; the
        recommended reading wins {deep.iloc[0]} of 20 games against them at depths 5 to 8, and {shallow.iloc[0]} of
        20 at depths 1 to 4."""
    return Statement((deep - shallow).iloc[0], lambda games: games > 0, why, "{:+.0f} games", [*others])


def accuracy(answered: Rows) -> Statement:
    """5. Simpulan, 1: moves that keep the outcome."""
    kept = answered.assign(kept=[*map(keeps_outcome, answered.start, answered.S_column)])
    shares = [share(rows.kept.sum(), len(rows)) for _, rows in kept.groupby("depth")]
    wrong = [100 * (1 - each.value) for each in shares]
    why = f"""In {answered.start.nunique():,} solved positions, {wrong[0]:.1f} % of the moves at depth 1 give the
        outcome away, a win or a draw, and {wrong[-1]:.1f} % at depth 8; at depths 1 to 8 {listed(wrong, ".1f")} %. The
        text has no number for "jauh" (much). That accuracy is why deeper searches win is not tested."""
    return Statement(shares[-1], lambda part: part > shares[0].high, why, "{:.3f} of the moves keep the outcome")


def first_turn(own: Rows, second: Rows, read: Rows, turned: Rows) -> Statement:
    """Pengujian Sistem: both orders, games won of 64."""
    gain, others = (
        64 * (wins(one).sum(axis=1) - wins(other).sum(axis=1)) / (8 * one.opponent.nunique())
        for one, other in ((own, second), (read, turned))
    )
    why = f"""At the same {len(own)} pairs of depths the recommended reading wins, loses and draws
        {results(own.S_points)} games where it starts, and {results(second.S_points)} where the opponent starts. Every
        seventh other reading, scaled from {8 * len(OPPONENTS)} games to 64: {(others >= 4).sum():,} win 4 or more
        games more by starting, {(others <= -4).sum():,} win 4 or more fewer, {(others == 0).sum():,} the same number,
        and {((others != 0) & (others.abs() < 4)).sum():,} more differ by less than 4. The paper has no game that the
        opponent starts, so its data cannot show it: the web program cannot start, ours can. That the turn is "kunci"
        (the key) is not judged."""
    return Statement(
        gain.iloc[0], lambda games: games > 0 if abs(games) >= 4 else None, why, "{:+.1f} games of 64", [*others]
    )


def heuristic(named: Rows, read: Rows) -> Statement:
    """5. Simpulan, 2: other leaf values at the same depths."""
    won, others = wins(named), wins(read)
    shown = (f"{name} {results(named.S_points[named.reading == reading])}" for name, reading in FUNCTIONS.items())
    why = f"""Games won, lost and drawn: {"; ".join(shown)}. At depths 1 to 8 the most of these functions wins
        {listed(won.max())} of 8 games, the least {listed(won.min())}. Against opponents 1 to 5, the worst of the
        other readings wins at most {others.min().max()} of 5 games at any depth, and the best at least
        {others.max().min()} at every depth."""
    least = (won.max() - won.min()).loc[2:].min()
    return Statement(least, lambda games: games >= 2, why, "{:.0f} games of 8, at least")
