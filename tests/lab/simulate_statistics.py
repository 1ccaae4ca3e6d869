"""Error rates of the laboratory's intervals and tests: ``python -m tests.lab.simulate_statistics --samples 1000``.

Samples are drawn from processes whose true numbers are known from their construction. A row of the printed table
summarises settings that differ in one number only, such as the true share: the lowest and the highest rate found.
Bold: outside what is asked. Seeds are fixed, so a run repeats itself.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bot.lab.arena.statistics import Estimate
from bot.lab.replication.findings import Finding, above, below, crosses, pool, readings_above
from bot.lab.replication.statistics import mean, ratio, same_counts, share
from bot.lab.replication.tables import ComparedTable

Array = NDArray[np.float64]
Random = np.random.Generator
Draw = Callable[[Random, float, int], Array]
"""Draws a sample: (random, true mean, size)."""
ASKED = {"coverage": (0.93, 0.97), "size": (0.0, 0.065), "power": (0.0, 1.0)}
"""Lowest and highest rate that is asked of each kind of row."""
SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)
SEED = 1
DRAWN = 0.15
"""Share of drawn games."""
GAMES = (4, 25)
"""Least and greatest number of games of a reading."""


@dataclass(frozen=True)
class Setting:
    """A process to draw from, and what is asked of a sample: for each row (kind, text) whether it is so."""

    name: str
    trial: Callable[[Random], dict[tuple[str, str], bool]]


def covers(found: Estimate, truth: float) -> bool:
    """Return whether an interval includes the true number, with room for the rounding of sums."""
    return found.low - 1e-12 <= truth <= found.high + 1e-12


def decides(found: Finding) -> bool:
    """Return whether a finding has taken a side."""
    return found.verdict != "undecided"


def games(random: Random, truth: float, size: int, drawn: float = 0.0) -> Array:
    """Return the points of games."""
    found, won = random.random(size), truth - drawn / 2
    return (found < won) + 0.5 * ((found >= won) & (found < won + drawn))


def games_with_draws(random: Random, truth: float, size: int) -> Array:
    """Return the points of games of which some are drawn."""
    return games(random, truth, size, DRAWN)


def alike(random: Random, truth: float, size: int) -> Array:
    """Return the mean points of pairs of games from openings, some of which are easy and some hard."""
    chances = random.beta(2 * truth, 2 * (1 - truth), (size, 1))
    return np.asarray((random.random((size, 2)) < chances).mean(axis=1))


def opposed(random: Random, truth: float, size: int) -> Array:
    """Return the mean points of pairs of games from openings that favour the side that moves first."""
    favour = 0.8 * min(truth, 1 - truth)
    return (games(random, truth + favour, size) + games(random, truth - favour, size)) / 2


def differences(random: Random, truth: float, size: int) -> Array:
    """Return by how much the points of one game differ from those of another."""
    return games(random, 0.5 + truth / 2, size, DRAWN) - games(random, 0.5 - truth / 2, size, DRAWN)


def normal(random: Random, truth: float, size: int) -> Array:
    """Return normal numbers."""
    return random.normal(truth, 0.5, size)


def gamma(random: Random, truth: float, size: int) -> Array:
    """Return numbers of skewness 1."""
    return random.gamma(4, 0.25, size) - 1 + truth


def exponential(random: Random, truth: float, size: int) -> Array:
    """Return numbers of skewness 2."""
    return random.exponential(1, size) - 1 + truth


def shares() -> Iterator[Setting]:
    """Shares of games, and of pairs of games from openings."""
    kinds: dict[str, Draw] = {
        "no draws": games,
        f"{DRAWN:.0%} drawn": games_with_draws,
        "pairs, alike": alike,
        "pairs, opposed": opposed,
    }
    for kind, draw in kinds.items():
        for size in (50, 100, 200):
            for truth in SHARES:

                def trial(random: Random, draw: Draw = draw, size: int = size, truth: float = truth, kind: str = kind):
                    found = share(draw(random, truth, size), "games")
                    return {
                        ("coverage", f"share, {kind}, n = {size}"): covers(found, truth),
                        ("size", f"above: share, {kind}"): decides(above(found, truth, "", "")),
                    }

                yield Setting(f"{truth:g} of {size}", trial)


def means() -> Iterator[Setting]:
    """Means of sessions (8), of readings (40) and of openings (568)."""
    for draw in (normal, gamma, exponential):
        for size in (8, 40, 568):

            def trial(random: Random, draw: Draw = draw, size: int = size):
                found = mean(draw(random, 0.0, size), "sessions")
                return {
                    ("coverage", f"mean, {draw.__name__}"): covers(found, 0),
                    ("size", f"below: mean, {draw.__name__}"): decides(below(found, 0, "", "")),
                }

            yield Setting(f"n = {size}", trial)


def ratios() -> Iterator[Setting]:
    """Ratios of two programs' work in the same positions: log-normal, and correlated.

    ``spread`` is the standard deviation of the logarithm for one program, ``power`` times that for the other.
    """
    for spread, power in ((0.7, 1.0), (1.0, 1.0), (1.0, 0.7)):
        truth = 0.3 * math.exp(spread**2 * (power**2 - 1) / 2)
        for size in (100, 200, 568):

            def trial(random: Random, size: int = size, spread: float = spread, power: float = power, truth=truth):
                one, other = random.normal(size=(2, size))
                work, theirs = 0.3 * np.exp(power * spread * (0.8 * one + 0.6 * other)), np.exp(spread * one)
                found = ratio(work, theirs, "positions")
                text = f"ratio, log-normal work, sigma {power * spread:g} and {spread:g}"
                return {
                    ("coverage", text): covers(found, truth),
                    ("size", f"below: {text}"): decides(below(found, truth, "", "")),
                }

            yield Setting(f"n = {size}", trial)


DEPTHS = ((0.24, 0.02, 0.74), (0.60, 0.02, 0.38), (0.76, 0.02, 0.22), (0.81, 0.01, 0.18))
FEATURES = tuple((won, 1 - won) for won in (0.48, 0.40, 0.48, 0.40, 0.54, 0.60, 0.80))
FIRSTS = tuple((won, 0.98 - won, 0.02) for won in (0.02, 0.1, 0.2, 0.3, 0.4, 0.4, 0.5, 0.5) for _ in range(2))
TABLES = {"4 x 3 of 100": (DEPTHS, 100), "7 x 2 of 50": (FEATURES, 50), "16 x 3 of 10": (FIRSTS, 10)}
"""Cells times outcomes and printed games of three tables like those of Kang: true shares, games in a printed cell."""


def tables() -> Iterator[Setting]:
    """Tables of counts whose cells have the same true shares."""
    for name, (cells, rounds) in TABLES.items():
        for ours in (4, 12, 400):

            def trial(
                random: Random,
                name: str = name,
                cells: Sequence[Sequence[float]] = cells,
                rounds: int = rounds,
                ours: int = ours,
            ):
                one, other = (random.multinomial(size, cells).astype(np.float64) for size in (rounds, ours))
                return {("size", f"same_counts, {name}"): same_counts(one, other) < 0.05}

            yield Setting(f"{ours} games a cell", trial)


def bold_marks() -> Iterator[Setting]:
    """Bold marks in a table: any in a table whose cells have the same true shares as the printed ones."""
    for name, (cells, rounds) in TABLES.items():
        for ours in (12, 400):

            def trial(
                random: Random,
                name: str = name,
                cells: Sequence[Sequence[float]] = cells,
                rounds: int = rounds,
                ours: int = ours,
            ):
                truths = [cell[0] for cell in cells]
                printed = [f"{games(random, truth, rounds).mean():g}" for truth in truths]
                found = [share(games(random, truth, ours), "games") for truth in truths]
                table = ComparedTable(pd.DataFrame({"": printed}), pd.DataFrame({"": found}), rounds=rounds)
                return {("size", f"any bold mark, {name}"): not all(table.compared())}

            yield Setting(f"{ours} games a cell", trial)


Readings = Callable[[Random, int], Array]
"""Draws the readings' true numbers, as distances from the bound: (random, number of readings)."""


def at_bound(_random: Random, count: int) -> Array:
    """Return readings that all lie at the bound."""
    return np.zeros(count)


def apart(random: Random, count: int) -> Array:
    """Return readings that lie up to 0.3 beside the bound."""
    return random.uniform(-0.3, 0.3, count)


def one_side(_random: Random, count: int) -> Array:
    """Return readings that all lie above the bound."""
    return np.full(count, 0.1)


def one_far(_random: Random, count: int) -> Array:
    """Return readings of which one lies far above the bound, the others at it: hardest for the test of crossing."""
    return np.append(np.zeros(count - 1), 0.4)


def both_sides(_random: Random, count: int) -> Array:
    """Return readings of which half lie above the bound and half below."""
    return np.resize([0.1, -0.1], count)


def estimates(random: Random, draw: Draw, distances: Array) -> list[Estimate]:
    """Return the readings' estimates: shares beside 0.5, or means beside 0."""
    sizes = random.integers(GAMES[0], GAMES[1] + 1, len(distances))
    if draw in (games, games_with_draws):
        return [share(draw(random, 0.5 + each, size), "games") for each, size in zip(distances, sizes, strict=True)]
    return [mean(draw(random, each, size), "pairs") for each, size in zip(distances, sizes, strict=True)]


def readings() -> Iterator[Setting]:
    """Readings that are judged together."""
    kinds: dict[str, Draw] = {
        "shares": games,
        f"shares, {DRAWN:.0%} drawn": games_with_draws,
        "differences": differences,
        "normal": normal,
    }
    for kind, draw in kinds.items():
        bound = 0.5 if kind.startswith("share") else 0.0
        for truths in (at_bound, apart, one_side, one_far, both_sides):
            for count in (2, 24, 192):

                def trial(
                    random: Random,
                    kind: str = kind,
                    draw: Draw = draw,
                    bound: float = bound,
                    truths: Readings = truths,
                    count: int = count,
                ):
                    distances = truths(random, count)
                    found = estimates(random, draw, distances)
                    truth = bound + float(distances.mean())
                    rows = {("coverage", f"pool, {kind}, {truths.__name__}"): covers(pool(found), truth)}
                    row = "power" if truths in (both_sides, apart) else "size"
                    rows[row, f"crosses, {kind}, {truths.__name__}"] = crosses(found, bound)
                    together = readings_above(found, bound, "", "", exist=count)
                    if truths is at_bound:
                        rows["size", f"readings_above, {kind}"] = decides(together)
                    if truths is one_side:
                        rows["power", f"readings_above, {kind}, one_side"] = together.verdict == "supported"
                    return rows

                if truths in (at_bound, both_sides) or draw in (games, differences):
                    yield Setting(f"{count} readings", trial)


PARTS = {shares: 10, means: 10, ratios: 10, tables: 2, bold_marks: 1, readings: 2}
"""Parts of the table; what is quick draws more samples than are asked for."""


def rates(samples: int, parts: Sequence[str]) -> dict[tuple[str, str], list[tuple[float, str]]]:
    """Return, for each row, the rate and the name of each of its settings."""
    found: dict[tuple[str, str], list[tuple[float, str]]] = defaultdict(list)
    for part, factor in PARTS.items():
        for number, setting in enumerate(part() if part.__name__ in parts else ()):
            random, counts = np.random.default_rng([SEED, number]), dict[tuple[str, str], int]()
            for _ in range(factor * samples):
                for row, is_so in setting.trial(random).items():
                    counts[row] = counts.get(row, 0) + is_so
            for row, count in counts.items():
                found[row].append((count / (factor * samples), setting.name))
    return found


def shown(kind: str, rate: float, setting: str) -> str:
    """Return a rate and its setting, bold where it is outside what is asked."""
    low, high = ASKED[kind]
    return f"{rate:.3f} ({setting})" if low <= rate <= high else f"**{rate:.3f}** ({setting})"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1000, help="samples of each setting")
    parser.add_argument("parts", nargs="*", help="parts of the table, such as shares; default: all")
    options = parser.parse_args()
    found = rates(options.samples, options.parts or [part.__name__ for part in PARTS])
    for kind, (low, high) in ASKED.items():
        print(f"\n| {kind} ({low:g} to {high:g}) | lowest | highest |\n| --- | --- | --- |")
        for (row_kind, text), settings in found.items():
            if row_kind == kind:
                print(f"| {text} | {shown(kind, *min(settings))} | {shown(kind, *max(settings))} |")


if __name__ == "__main__":
    main()
