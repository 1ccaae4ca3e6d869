"""Kang 2019: Tables 6 to 9, and what the text says of them. The programs are in program.py, the statements in notes.md.

In every game *A* is the side that a statement is about: Heuristic-1, the deeper one, or the one with fewer features.
Shares are of won games: draws count for nobody, as in the paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement, product
from math import hypot
from typing import Any, NamedTuple

from bot.game import format_moves
from bot.lab.exact import keeps_outcome
from bot.lab.positions import all_openings
from bot.papers.runs import Rows, Runs
from bot.papers.study import Range, Statement, Study, Table, share
from bot.papers.tasks import Ask, Play, Task

ALL = "1+2+3+4"
FEATURES = ("1", "2", "3", "4", "1+2", "1+2+3", ALL)
DEPTHS = {2: 200, 4: 200, 6: 100, 8: 25}
"""The depths of Table 9, and our games at each with either side first."""
PAIRS = list(combinations_with_replacement([*DEPTHS][::-1], 2))
"""The depths of Table 6, the deeper one first."""
FEWER = ((2, 2), (4, 4), (4, 2), (6, 2), (6, 4))
"""Depths of fewer features and of all: equal, to see which ones are weaker, and deeper."""
ALIKE = 0.05
"""Ours: shares that differ by no more are similar."""


class Reading(NamedTuple):
    """What is chosen of all that the text leaves open."""

    rival: str = "kang-h2"
    both: str = ""
    """Options of both sides."""
    own: str = ""
    """Options of Heuristic-1."""

    def h1(self, depth: int, features: str = ALL) -> str:
        """Return the name of Heuristic-1 with random moves."""
        return f"kang-h1:{depth},features={features},random=3{self.both}{self.own}"


BOTH = (",ties=centre", ",ties=random", ",plies=1")
OWN = (",runs=every", ",gap=playable", ",column=now", ",rest=5000", ",three=below")
RIVALS = (("kang-h2", ""), ("kang-h2", ",wins=feature"), ("kang-sample", ",prune=1"))
RECOMMENDED = Reading()
SELF = [RECOMMENDED, *(Reading(both=option) for option in BOTH), *(Reading(own=option) for option in OWN)]
"""The recommended reading, then those in which one point is another."""
ALONE = [*SELF, *(Reading(*rival) for rival in RIVALS[1:])]
"""The same, and what is open of Heuristic-2 and of won games."""
EVERY = [
    Reading(rival, ties + plies + wins, "".join(own))
    for (rival, wins), ties, plies, *own in product(RIVALS, ("", *BOTH[:2]), ("", BOTH[2]), *(("", it) for it in OWN))
]
"""All combinations."""

PRINTED_6 = """
second 2_first 2_second 4_first 4_second 6_first 6_second 8_first 8_second
2      0.5     0.5      0.5     0.3      0.9     0.1      0.8     0.2
4      0.2     0.7      0.5     0.4      0.6     0.4      0.7     0.3
6      0.1     0.9      0.4     0.6      0.5     0.5      0.5     0.3
8      0.0     1.0      0.3     0.7      0.2     0.8      0.4     0.4
"""
PRINTED_7_8 = """
features H1
1        0.48
2        0.40
3        0.48
4        0.40
1+2      0.54
1+2+3    0.60
1+2+3+4  0.80
"""
PRINTED_9 = """
depth H1   H2
2     0.24 0.76
4     0.60 0.39
6     0.76 0.22
8     0.81 0.19
"""


def games(setting: str, reading: Reading, a: str, b: str, count: int) -> Iterator[Task]:
    """Play ``count`` games with either side first."""
    for number, first in product(range(count), "AB"):
        agents = {"A": a, "B": b} if first == "A" else {"B": b, "A": a}
        yield Play(agents, number=number, labels={"setting": setting, "reading": "".join(reading)})


def rivals(reading: Reading, depth: int, features: str, count: int) -> Iterator[Task]:
    """Heuristic-1 against Heuristic-2 at one depth."""
    rival = f"{reading.rival}:{depth},random=3{reading.both}"
    return games(f"{features} {depth}", reading, reading.h1(depth, features), rival, count)


def selves(reading: Reading, deep: int, shallow: int, features: str, count: int) -> Iterator[Task]:
    """Heuristic-1 against itself; the deeper side may have fewer features."""
    setting = f"{features} {deep} {shallow}"
    return games(setting, reading, reading.h1(deep, features), reading.h1(shallow), count)


def against_h2(less: int) -> Iterator[Task]:
    """Tables 7 to 9 in the recommended reading, Tables 7 and 8 in the others."""
    for depth, count in DEPTHS.items():
        yield from rivals(RECOMMENDED, depth, ALL, count // less)
    for reading, features in product(ALONE, FEATURES):
        if (reading, features) != (RECOMMENDED, ALL):
            yield from rivals(reading, 4, features, (50 if reading != RECOMMENDED else DEPTHS[4]) // less)


def against_itself(less: int) -> Iterator[Task]:
    """Table 6, and fewer features; fewer games in the other readings, none of those that take longest."""
    for reading in SELF:
        part = less if reading == RECOMMENDED else 4 * less
        for deep, shallow in PAIRS:
            if part == less or shallow < deep < 8:
                yield from selves(reading, deep, shallow, ALL, {2: 100, 4: 60, 6: 30, 8: 12}[deep] // part)
        for features, (deep, shallow) in product(FEATURES[:5], FEWER):
            if part == less or shallow == 2 and deep < 6:
                yield from selves(reading, deep, shallow, features, (30 if deep == 6 else 100) // part)


def early() -> Iterator[Task]:
    """All positions of at most three discs, without random moves."""
    places = [format_moves(columns) for discs in range(4) for columns in all_openings(discs)]
    for reading, depth, start in product(SELF, DEPTHS, places):
        if depth < 8 or reading == RECOMMENDED:
            labels = {"reading": "".join(reading), "depth": depth}
            yield Ask({"A": f"kang-h1:{depth}{reading.both}{reading.own}"}, start, labels=labels)


def moves(played: Rows, count: int) -> Iterator[Task]:
    """Each move of some games at equal depth, timed, in all readings."""
    for depth, reading in product((4, 6), SELF):
        for line in played.moves[played.setting == f"{ALL} {depth} {depth}"][:count]:
            for ply in range(len(line)):
                labels = {"reading": "".join(reading), "depth": depth, "third": 3 * ply // len(line)}
                yield Ask({"A": reading.h1(depth)}, line[:ply], timed=True, labels=labels)


def won(rows: Rows, *by: str) -> Rows:
    """Return the numbers of games won by A, won by B, and played."""
    return rows.assign(A=rows.A_points == 1, B=rows.B_points == 1, games=1).groupby([*by])[["A", "B", "games"]].sum()


def views(rows: Rows) -> list[Rows]:
    """Return what was won, by setting: in the recommended reading, the others, and where one side always starts."""
    own = rows[rows.reading == RECOMMENDED.rival]
    parts = [own, *(part for name, part in rows.groupby("reading") if name != RECOMMENDED.rival)]
    return [won(part, "setting") for part in (*parts, own[own["first"] == "A"], own[own["first"] == "B"])]


def between(one: Range, other: Range) -> Range:
    """Return by how much one share is above another, with the interval of this difference (Newcombe)."""
    gain = one.value - other.value
    low, high = hypot(one.value - one.low, other.high - other.value), hypot(one.high - one.value, other.value - other.low)
    return Range(gain, gain - low, gain + high)
