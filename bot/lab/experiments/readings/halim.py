"""Halim: every reading of the evaluation scored against the whole 8 x 8 table, with half of it held out.

The cells are halved like a chessboard's. The reading that explains one half best is chosen there and scored on the
other half, which had no part in the choice; then the halves change places.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from bot.lab.experiments.base import Cell, Experiment, Results, markdown_table
from bot.lab.experiments.halim import RECOMMENDED, Table, draw_table, outcome, published, totals
from bot.lab.experiments.plots import BLUE, SKY
from bot.lab.experiments.readings.halim_games import cells_of, name_of, tasks, work

SHUFFLES = 1000
"""Shuffled tables of the permutation test."""
SHOWN = 8
HALVES = ("even", "odd")
"""The halves of the table, by the sum of both depths."""


@dataclass(frozen=True)
class Played:
    """A reading, and its results by cell."""

    name: str
    games: Table

    def half(self, parity: int) -> Table:
        """Return the results of one half of the table: the sum of both depths is even (0) or odd (1)."""
        return {cell: game for cell, game in self.games.items() if sum(cell) % 2 == parity}


def agreement(games: Table, table: Table) -> tuple[int, int]:
    """Return the number of cells with the table's result, and with its result and length."""
    return (
        sum(table[cell][0] == game[0] for cell, game in games.items()),
        sum(table[cell] == game for cell, game in games.items()),
    )


def score(games: Table) -> int:
    """Return what a reading explains: one point for each equal result, another one for equal length."""
    return sum(agreement(games, published()))


def played(results: Results) -> list[Played]:
    """Return all readings, the one that explains the table best first; equal ones in the order of the list."""
    found = [
        Played(
            name_of(task["reading"]),
            {cell: outcome(game) for cell, game in zip(cells_of(task), result["moves"], strict=True)},
        )
        for task, result in results
    ]
    return sorted(found, key=lambda reading: -score(reading.games))


def best_tenth(results: Results) -> list[Played]:
    """Return the tenth of the readings that explain the table best, at least one."""
    ranked = played(results)
    return ranked[: max(1, len(ranked) // 10)]


def chosen_by(ranked: list[Played], parity: int) -> Played:
    """Return the reading that explains one half of the table best."""
    return max(ranked, key=lambda reading: score(reading.half(parity)))


def by_chance(ranked: list[Played]) -> tuple[int, float]:
    """Return the most equal results of a reading, and how often chance does as well.

    The published results are shuffled over the cells, and the best reading of all is sought again each time.
    """
    cells = list(ranked[0].games)
    ours = np.array(sorted({tuple(ord(reading.games[cell][0]) for cell in cells) for reading in ranked}))
    theirs = [ord(published()[cell][0]) for cell in cells]
    found, rng = int((ours == theirs).sum(axis=1).max()), random.Random(0)
    reached = 0
    for _ in range(SHUFFLES):
        rng.shuffle(theirs)
        reached += int((ours == theirs).sum(axis=1).max()) >= found
    return found, (reached + 1) / (SHUFFLES + 1)


def unexplained(ranked: list[Played]) -> tuple[list[str], list[str]]:
    """Return the cells whose result, and those whose result and length, no reading gives."""
    winner, whole = [], []
    for cell in ranked[0].games:
        found = {reading.games[cell] for reading in ranked}
        if published()[cell][0] not in {game[0] for game in found}:
            winner.append(_place(cell))
        if published()[cell] not in found:
            whole.append(_place(cell))
    return winner, whole


def _place(cell: tuple[int, int]) -> str:
    return f"{cell[0]}/{cell[1]} {published()[cell]}"


def cells(results: Results) -> list[Cell]:
    """Return the agreement of the best reading with its range over all, the held-out halves, and the best table."""
    ranked = played(results)
    best, size = ranked[0], len(ranked[0].games)
    counted = [agreement(reading.games, published()) for reading in ranked]
    table = []
    for place, what in enumerate(("equal results", "equal results and lengths")):
        counts = [count[place] for count in counted]
        bounds = (float(min(counts)), float(max(counts)))
        basis = f"range over {len(ranked)} readings"
        table.append(Cell("best reading", what, size, counted[0][place], bounds, 0, basis=basis))
        for parity, half in enumerate(HALVES):
            held = agreement(chosen_by(ranked, parity).half(1 - parity), published())
            row = f"reading chosen by the {half} half, on the other half"
            other = len(best.half(1 - parity))
            table.append(Cell(row, what, other, held[place], digits=0, basis=f"{other} held-out cells"))
    return table + [
        Cell(f"opponent depth {opponent}", f"system depth {system}", published()[opponent, system], game, basis="best")
        for (opponent, system), game in sorted(best.games.items())
    ]


def notes(results: Results) -> list[str]:
    """Return the best readings, the held-out halves, the range over all, and what no reading explains."""
    ranked = played(results)
    shown = ranked[:SHOWN] + [reading for reading in ranked[SHOWN:] if reading.name == RECOMMENDED]
    winners = [agreement(reading.games, published())[0] for reading in ranked]
    size = len(ranked[0].games)
    always = sum(published()[cell][0] == "W" for cell in ranked[0].games)
    best, chance = by_chance(ranked)
    no_winner, no_cell = unexplained(ranked)
    header = [
        "reading: `halim:DEPTH,...`",
        "cells equal in result",
        "W / L / D",
        "wins by system's depth",
        "W7 in row 1",
    ]
    return [
        f"{len(ranked)} readings, each scored on {size} cells by equal results plus equal results and lengths. The"
        " best, and the recommended reading; in brackets the cells that are equal in length too:\n\n"
        + markdown_table([_row(reading) for reading in shown], header),
        "Held out: the reading that explains one half of the cells best, scored on the other half.\n\n"
        + markdown_table(_held_out(ranked), ["chosen by", "reading", "there", "on the held-out half"]),
        f"Over all readings {min(winners)} to {max(winners)} results are equal (median {median(winners):g}); a system"
        f" that always wins would have {always}. If the published results are shuffled over the cells, the best of all"
        f" readings explains {best} or more in {chance:.1%} of {SHUFFLES} shuffles.",
        "Cells (opponent's depth/system's depth) whose result no reading gives: "
        + (", ".join(no_winner) or "none")
        + f". Cells whose result and length no reading gives: {len(no_cell)} of {size}"
        + (f" ({', '.join(no_cell)})." if no_cell else "."),
    ]


def _row(reading: Played) -> list[object]:
    total, (winners, whole) = totals(reading.games), agreement(reading.games, published())
    depths = sorted({system for _, system in reading.games})
    return [
        f"`{reading.name}`" if reading.name else "recommended",
        f"{winners} ({whole})",
        f"{total['wins']:.0f} / {total['losses']:.0f} / {total['draws']:.0f}",
        " ".join(f"{total[f'wins at depth {depth}']:.0f}" for depth in depths),
        sum(reading.games[1, depth] == "W7" for depth in depths),
    ]


def _held_out(ranked: list[Played]) -> list[list[object]]:
    rows: list[list[object]] = []
    for parity, half in enumerate(HALVES):
        reading = chosen_by(ranked, parity)
        parts = [(reading.half(part), agreement(reading.half(part), published())) for part in (parity, 1 - parity)]
        shown = [f"{winners} ({whole}) of {len(games)}" for games, (winners, whole) in parts]
        rows.append([f"{half} half", f"`{reading.name}`" if reading.name else "recommended", *shown])
    return rows


def draw(figure: Any, results: Results) -> None:
    """Draw the best reading's table, and how many results each reading explains."""
    ranked = played(results)
    axes = figure.subplots(1, 3)
    draw_table(axes[0], published(), "Published")
    draw_table(axes[1], ranked[0].games, "Best reading")
    winners = [agreement(reading.games, published())[0] for reading in ranked]
    bins = [count - 0.5 for count in range(min(winners), max(winners) + 2)]
    axes[2].hist(winners, bins=bins, color=SKY, edgecolor="black", label="all readings")
    axes[2].axvline(winners[0], color=BLUE, linestyle="--", label="best reading")
    axes[2].set(title="Agreement", xlabel=f"equal results (of {len(ranked[0].games)})", ylabel="readings")
    axes[2].legend(loc="upper left")


EXPERIMENT = Experiment(
    "readings-halim",
    "Halim: all readings of the evaluation against the whole table",
    "Halim, Judianto, Lukas, Widjaja, Table 1",
    tasks,
    work,
    cells,
    notes,
    draw,
)
