"""Halim et al.: the *system* S to depth 8 against the web program of rmarcus.info, its *opponent* O.

Both repeat themselves, so each game is played once. The statements and their rules are in notes.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product
from operator import eq
from typing import Any

from bot.game import format_moves, parse_moves
from bot.gauntlet.exact import keeps_outcome
from bot.gauntlet.positions import read_positions
from bot.papers.runs import Rows, Runner
from bot.papers.study import Statement, Study, Table, listed, share
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
TITLE = "Games won; boxes: half of the other readings, lines: all of them"
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
    for position, depth in product(read_positions()[::step], DEPTHS):
        yield Ask({"S": f"halim:{depth},{READINGS[0]}"}, format_moves(position.columns), labels={"depth": depth})


def cells(rows: Rows) -> list[str]:
    """Return games as Tabel 1 prints them."""
    return [f"{LETTERS[int(2 * points)]}{plies}" for points, plies in zip(rows.S_points, rows.plies, strict=True)]


def results(rows: Rows) -> str:
    """Return how many games the system won, lost and drew."""
    return listed((rows.S_points == points).sum() for points in (1, 0, 0.5))


def wins(rows: Rows) -> Rows:
    """Return the games won in each reading (rows) at each depth of the system (columns)."""
    return (rows.S_points == 1).groupby([rows.reading, rows.system]).sum().unstack()


def study(run: Runner) -> Study:
    """Carry out the study."""
    named = run("games", games(FUNCTIONS.values(), DEPTHS))
    second = run("games, opponent first", games([RECOMMENDED], DEPTHS, "OS"))
    answered = run("answers", answers(50 if run.quick else 1))
    others = READINGS[1 :: 140 if run.quick else 1]
    read = run("readings", games(others, OPPONENTS))
    turned = run("readings, opponent first", games(others[6::7], OPPONENTS, "OS"))

    own = named[named.reading == RECOMMENDED].reset_index(drop=True)
    printed = own.assign(
        S_points=[LETTERS.index(cell[0]) / 2 for cell in CELLS], plies=[int(cell[1:]) for cell in CELLS]
    )
    table = table_1(own)
    met = own[own.opponent.isin(OPPONENTS)]
    best = max(sum(map(eq, cells(rows), CELLS)) for _, rows in read.groupby("reading"))
    deeper = deeper_wins(own, printed, read)
    (deep, shallow), (printed_deep, printed_shallow) = map(halves, (own, printed))
    won_more = sum(deeper.says(other) is True for other in deeper.others)
    found = [
        f"Tabel 1 does not come out: in the reading of the text that we recommend, {sum(table.agree)} of {len(CELLS)}"
        f" cells (seven of them are not printed) have its result and number of discs; of the {len(met)} cells that all"
        f" readings played {sum(map(eq, cells(met), CELLS))}, and {best} in the best of {len(others):,} other"
        " readings.",
        f"Games won come near, {(own.S_points == 1).sum()} (printed {(printed.S_points == 1).sum()}); lost and drawn do"
        f" not: won, lost and drawn are {results(own)} (printed {results(printed)}).",
        f"In this reading a deeper search wins more: {deep.iloc[0]} of 64 games at depths 5 to 8 and {shallow.iloc[0]}"
        f" at 1 to 4 (printed {printed_deep.iloc[0]} and {printed_shallow.iloc[0]}); so it is in {won_more:,}"
        f" of the {len(others):,} other readings, of whose games {len(met)} are played.",
    ]
    statements = [
        seven_discs(own, read),
        totals(own, printed),
        mean_loss(own, printed),
        deeper,
        accuracy(answered),
        consistency(own, printed, read),
        first_turn(own, second, read[read.reading.isin(turned.reading)], turned),
        heuristic(named, read),
    ]
    noticed = [
        f"In {sum(map(eq, own.S_points, printed.S_points))} of {len(own)} cells the result is the printed one, whatever"
        " the number of discs.",
        "Programs without chance play one game a cell, and the least change of the leaf values plays another one:"
        " single cells show little about a reading.",
    ]
    return Study(found, [table], statements, noticed, lambda axes: plot(axes, own, printed, read))


def table_1(own: Rows) -> Table:
    """Return Tabel 1 with ours."""
    ours = [cells(rows) for _, rows in own.groupby("opponent")]
    ours[0][1:] = [f"({cell})" for cell in ours[0][1:]]
    note = (
        "W, L and D are games won, lost and drawn by the system, followed by the number of discs of both; rows are"
        " depths of the opponent, columns of the system. Cells in brackets are not printed: the paper has one W (7) in"
        " row 1, most likely a merged cell. We read it as eight, because statement 1 says so and the totals of"
        " statement 2 need it."
    )
    return Table("Tabel 1: result and number of discs", PRINTED, ours, note=note)


def seven_discs(own: Rows, read: Rows) -> Statement:
    """Pengujian Sistem: games against opponent 1."""
    quick, others = (
        ((rows.opponent == 1) & (rows.S_points == 1) & (rows.plies == 7)).groupby(rows.reading).sum()
        for rows in (own, read)
    )
    why = (
        f"The recommended reading wins with disc 7 at {quick.iloc[0]} of 8 depths, {(others == 8).sum()} of"
        f" {len(others):,} other readings at all 8, {(others > 0).sum():,} at one or more. Seven discs are possible:"
        " at depth 1 the opponent looks at its own move alone, so that it never sees a threat."
    )
    return Statement(quick.iloc[0], lambda depths: depths == 8, why, "{:.0f} of 8 depths", [*others], few=0)


def totals(own: Rows, printed: Rows) -> Statement:
    """Pengujian Sistem: counts of the printed table."""
    means = [rows[rows.S_points == 1].plies.mean() for rows in (printed, own, printed[printed.opponent > 1])]
    same = map(eq, [*results(printed).split(", "), f"{means[0]:.2f}"], ["36", "23", "5", "23.89"])
    why = (
        f"The printed table has {results(printed)} games won, lost and drawn, and its wins take"
        f" {means[0]:.2f} discs on average; without the eight cells of row 1 they take {means[2]:.2f}. Our games,"
        f" which cannot decide it: {results(own)}, and {means[1]:.2f}."
    )
    return Statement(sum(same), lambda all_four: all_four == 4, why, "{:.0f} of 4 numbers")


def mean_loss(own: Rows, printed: Rows) -> Statement:
    """Pengujian Sistem: mean of the printed table."""
    lost, ours = (rows[rows.S_points == 0].plies for rows in (printed, own))
    why = (
        f"{len(lost)} printed losses take {lost.sum()} discs, {lost.mean():.2f} each; 32.30 would need"
        f" {32.30 * len(lost):.0f}. The number or a cell is misprinted; nothing rests on it. Our losses take"
        f" {ours.mean():.2f} discs."
    )
    return Statement(lost.mean(), lambda discs: round(discs, 2) == 32.30, why, "{:.2f} discs")


def halves(rows: Rows) -> tuple[Rows, Rows]:
    """Return the games won in each reading at depths 5 to 8, and at 1 to 4."""
    won = wins(rows)
    return won.loc[:, 5:].sum(axis=1), won.loc[:, :4].sum(axis=1)


def deeper_wins(own: Rows, printed: Rows, read: Rows) -> Statement:
    """5. Simpulan, 1: wins by depth."""
    met = own[own.opponent.isin(OPPONENTS)]
    gain, others = (deep - shallow for deep, shallow in map(halves, (met, read)))
    more = (others > 0).mean()
    why = (
        f"Games won at depths 1 to 8: {listed(wins(own).iloc[0])} (printed {listed(wins(printed).iloc[0])}), so not"
        f" every step goes up. {'Nearly all' if 0.95 <= more < 1 else f'{more:.0%} of the'} other readings win more at"
        f" depths 5 to 8: {(others > 0).sum():,} of {len(others):,}, against opponents of depths 1 to 5;"
        f" the recommended reading wins {' and '.join(str(each.iloc[0]) for each in halves(met))} games of 40 against"
        " them at depths 5 to 8 and 1 to 4."
    )
    return Statement(gain.iloc[0], lambda games: games > 0, why, "{:+.0f} games", [*others])


def accuracy(answered: Rows) -> Statement:
    """5. Simpulan, 1: moves that keep the outcome."""
    kept = answered.assign(kept=[*map(keeps_outcome, map(parse_moves, answered.start), answered.S_column - 1)])
    shares = {depth: share(rows.kept.sum(), len(rows)) for depth, rows in kept.groupby("depth")}
    wrong = [100 * (1 - each.value) for each in shares.values()]
    why = (
        f"In {len(answered) // len(shares):,} solved positions, {wrong[0]:.1f} % of the moves at depth 1 give the"
        f" outcome away, a win or a draw, and {wrong[-1]:.1f} % at depth 8; at depths 1 to 8"
        f' {listed(wrong, ".1f")} %. The text has no number for "jauh" (much). That accuracy'
        " is why deeper searches win is not tested."
    )
    return Statement(shares[8], lambda kept: kept > shares[1].high, why, "{:.1%} of the moves keep the outcome")


def consistency(own: Rows, printed: Rows, read: Rows) -> Statement:
    """Pengujian Sistem: depths 6 to 8 and the others, in the printed table."""
    compared, said = [], []
    for rows in (printed, own, read):
        deep = rows.system > 5
        won, lost = ((rows.S_points == points).groupby([rows.reading, deep]).mean().unstack() for points in (1, 0))
        compared.append((won[True] > won[False]).astype(int) + (lost[True] < lost[False]))
        said.append(f"{results(rows[deep])} of {deep.sum()}, and {results(rows[~deep])} of {(~deep).sum()}")
    why = (
        f"In the printed table depths 6 to 8 win, lose and draw {said[0]} at depths 1 to 5. In our games {said[1]};"
        f" {(compared[2] == 2).sum():,} of {len(compared[2]):,} other readings win a greater and lose a smaller share"
        " at depths 6 to 8, against opponents 1 to 5."
    )
    return Statement(compared[0].iloc[0], lambda both: both == 2, why, "{:.0f} of 2 comparisons")


def first_turn(own: Rows, second: Rows, read: Rows, turned: Rows) -> Statement:
    """Pengujian Sistem: both orders, games won of 64."""
    gain, others = (
        64 * (wins(one).sum(axis=1) - wins(other).sum(axis=1)) / (8 * one.opponent.nunique())
        for one, other in ((own, second), (read, turned))
    )
    why = (
        f"At the same {len(own)} pairs of depths the recommended reading wins, loses and draws {results(own)}"
        f" games where it starts, and {results(second)} where the opponent starts. Every seventh other reading, at"
        f" {8 * len(OPPONENTS)} pairs, as games of 64: {(others >= 4).sum():,} win 4 or more games more by starting,"
        f" {(others <= -4).sum():,} win 4 or more fewer, {(others == 0).sum():,} the same number, and"
        f" {((others != 0) & (others.abs() < 4)).sum():,} more differ by less than 4. The paper has no game that"
        " the opponent starts, so its data cannot show it: the web program cannot start, ours can. That the turn is"
        ' "kunci" (the key) is not judged.'
    )
    return Statement(gain.iloc[0], sign_of_4, why, "{:+.1f} games of 64", [*others])


def sign_of_4(games: float) -> bool | None:
    """Return whether a difference is for the first turn; less than 4 games of 64 are no difference."""
    return games > 0 if abs(games) >= 4 else None


def heuristic(named: Rows, read: Rows) -> Statement:
    """5. Simpulan, 2: other leaf values at the same depths."""
    won, others = wins(named), wins(read)
    shown = [f"{name} {results(named[named.reading == reading])}" for name, reading in FUNCTIONS.items()]
    why = (
        f"Games won, lost and drawn: {'; '.join(shown)}. At depths 1 to 8 the most of these"
        f" functions wins {listed(won.max())} of 8 games, the least {listed(won.min())}. Of 5 games at each depth, the"
        f" readings win {listed(others.min())} at least and {listed(others.max())} at most."
    )
    return Statement(
        (won.max() - won.min()).loc[2:].min(), lambda games: games >= 2, why, "{:.0f} games of 8, at least"
    )


def plot(axes: Any, own: Rows, printed: Rows, read: Rows) -> None:
    """Draw the share of games won."""
    shares = 100 * wins(read) / len(OPPONENTS)
    axes.boxplot(shares, positions=DEPTHS, whis=(0, 100))
    for rows, name in ((printed, "Tabel 1"), (own, "the recommended reading")):
        axes.plot(DEPTHS, 100 * wins(rows).iloc[0] / 8, "o-", label=name)
    axes.set(
        title=TITLE,
        xlabel="the system's depth, discs (other readings: against opponents 1 to 5)",
        ylabel="games won, %",
    )
    axes.legend()
