"""Halim: every reading of the evaluation scored against the 8 x 8 table, with a part held out.

All readings play the training cells, opponent's depth 1 to 5 and system's depth 1 to 6. Those that explain them best,
and the recommended one, play the other 34 cells too, which have no part in the choice.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from bot.lab.experiments.base import Cell, Experiment, Results, Task, markdown_table
from bot.lab.experiments.halim import DEPTHS, RECOMMENDED, Table, draw_table, outcome, published, totals
from bot.lab.experiments.plots import BLUE, SKY
from bot.lab.experiments.readings.halim_games import (
    FINALISTS,
    QUICK_FINALISTS,
    cells_of,
    is_training,
    name_of,
    tasks,
    work,
)

SHUFFLES = 1000
"""Shuffled tables of the permutation test."""
SHOWN = 8
TRAINING, HELD_OUT = "training", "held out"


@dataclass(frozen=True)
class Played:
    """A reading, and its results by cell; the held-out cells are missing unless it is a finalist."""

    name: str
    games: Table

    def part(self, name: str) -> Table:
        """Return the results of the training part or of the part that is held out."""
        return {cell: game for cell, game in self.games.items() if is_training(*cell) == (name == TRAINING)}

    @property
    def is_finalist(self) -> bool:
        return len(self.games) == len(published())


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
    """Return all readings, the one that explains the training cells best first; equal ones in the order of the list."""
    games: dict[str, Table] = {}
    for task, result in results:
        moves = zip(cells_of(task["part"]), result["moves"], strict=True)
        games.setdefault(name_of(task["reading"]), {}).update({cell: outcome(game) for cell, game in moves})
    return sorted((Played(*found) for found in games.items()), key=lambda reading: -score(reading.part(TRAINING)))


def finalists(results: Results) -> list[Played]:
    """Return the readings that played the whole table, the one that explains the training cells best first."""
    return [reading for reading in played(results) if reading.is_finalist]


def more(results: Results, quick: bool, _seed: int) -> list[Task]:
    """Return the held-out cells of the readings that explain the training cells best, and of the recommended one."""
    chosen = {reading.name for reading in played(results)[: QUICK_FINALISTS if quick else FINALISTS]} | {RECOMMENDED}
    return [{**task, "part": HELD_OUT} for task, _ in results if name_of(task["reading"]) in chosen]


def by_chance(ranked: list[Played]) -> tuple[int, float]:
    """Return the most equal results of a reading in the training cells, and how often chance does as well.

    The published results are shuffled over these cells, and the best reading of all is sought again each time.
    """
    cells = cells_of(TRAINING)
    ours = np.array(sorted({tuple(ord(reading.games[cell][0]) for cell in cells) for reading in ranked}))
    theirs = [ord(published()[cell][0]) for cell in cells]
    found, rng = int((ours == theirs).sum(axis=1).max()), random.Random(0)
    reached = 0
    for _ in range(SHUFFLES):
        rng.shuffle(theirs)
        reached += int((ours == theirs).sum(axis=1).max()) >= found
    return found, (reached + 1) / (SHUFFLES + 1)


def unexplained(ranked: list[Played]) -> tuple[list[str], list[str]]:
    """Return the cells whose result, and those whose result and length, no reading that played them gives."""
    winner, whole = [], []
    for cell in published():
        found = {reading.games[cell] for reading in ranked if cell in reading.games}
        if published()[cell][0] not in {game[0] for game in found}:
            winner.append(_place(cell))
        if published()[cell] not in found:
            whole.append(_place(cell))
    return winner, whole


def _place(cell: tuple[int, int]) -> str:
    return f"{cell[0]}/{cell[1]} {published()[cell]}"


def cells(results: Results) -> list[Cell]:
    """Return the agreement of the chosen reading by part, its range over all readings, and its table."""
    ranked, final = played(results), finalists(results)
    best = final[0]
    table = []
    for part, readings in ((TRAINING, ranked), (HELD_OUT, final)):
        size = len(cells_of(part))
        counted = [agreement(reading.part(part), published()) for reading in readings]
        mine = agreement(best.part(part), published())
        for place, what in enumerate(("equal results", "equal results and lengths")):
            counts = [count[place] for count in counted]
            bounds = (float(min(counts)), float(max(counts)))
            basis = f"chosen reading, and range over {len(readings)} readings"
            table.append(Cell(f"{part} cells", what, size, mine[place], bounds, 0, basis=basis))
    after = max(final, key=lambda reading: score(reading.games))
    for place, what in enumerate(("equal results", "equal results and lengths")):
        found = agreement(after.games, published())[place]
        row = f"best of the whole table, after the fact: {after.name or 'recommended'}"
        table.append(Cell("all cells", what, len(published()), found, digits=0, basis=row))
    return table + [
        Cell(
            f"opponent depth {opponent}", f"system depth {system}", published()[opponent, system], game, basis="chosen"
        )
        for (opponent, system), game in sorted(best.games.items())
    ]


def notes(results: Results) -> list[str]:
    """Return the best readings, the held-out part, the range over all, and what no reading explains."""
    ranked, final = played(results), finalists(results)
    after = sorted(final, key=lambda reading: -score(reading.games))
    usual = [reading for reading in final if reading.name == RECOMMENDED]
    header = ["reading: `halim:DEPTH,...`", "training (of 30)", "held out (of 34)", "all (of 64)", "W / L / D"]
    header += ["wins by system's depth 1 to 8", "W7 in row 1"]
    winners = [agreement(reading.part(TRAINING), published())[0] for reading in ranked]
    tied = [reading for reading in final if score(reading.part(TRAINING)) == score(final[0].part(TRAINING))]
    held = [agreement(reading.part(HELD_OUT), published())[0] for reading in tied]
    always = [sum(published()[cell][0] == "W" for cell in cells_of(part)) for part in (TRAINING, HELD_OUT)]
    best, chance = by_chance(ranked)
    no_winner, no_cell = unexplained(ranked)
    return [
        f"{len(ranked)} readings, scored on 30 training cells (opponent's depth 1 to 5, system's depth 1 to 6) by equal"
        f" results plus equal results and lengths; {len(final)} of them played the other 34 cells, which had no part in"
        " the choice. Equal results, in brackets those of equal length too. The readings that explain the training"
        " cells best, and the recommended one:\n\n"
        + markdown_table([_row(reading) for reading in final[:SHOWN] + usual], header),
        f"{len(tied)} readings explain the training cells equally well; on the held-out cells they have"
        f" {min(held)} to {max(held)} equal results. Over all readings the training cells have {min(winners)} to"
        f" {max(winners)} equal results (median {median(winners):g}). A system that always wins would have"
        f" {always[0]} of the training cells and {always[1]} of the held-out ones. If the published results are"
        f" shuffled over the training cells, the best of all readings explains {best} or more in {chance:.1%} of"
        f" {SHUFFLES} shuffles.",
        "The readings that explain the whole table best, chosen after the fact:\n\n"
        + markdown_table([_row(reading) for reading in after[:SHOWN]], header),
        "Cells (opponent's depth/system's depth) whose result no reading gives that played them: "
        + (", ".join(no_winner) or "none")
        + f". Cells whose result and length none gives: {len(no_cell)} of 64"
        + (f" ({', '.join(no_cell)})." if no_cell else "."),
    ]


def _row(reading: Played) -> list[object]:
    total = totals(reading.games)
    parts = [agreement(games, published()) for games in (reading.part(TRAINING), reading.part(HELD_OUT), reading.games)]
    return [
        f"`{reading.name}`" if reading.name else "recommended",
        *(f"{winners} ({whole})" for winners, whole in parts),
        f"{total['wins']:.0f} / {total['losses']:.0f} / {total['draws']:.0f}",
        " ".join(f"{total[f'wins at depth {depth}']:.0f}" for depth in DEPTHS),
        sum(reading.games[1, depth] == "W7" for depth in DEPTHS),
    ]


def draw(figure: Any, results: Results) -> None:
    """Draw the table of the reading that explains most, and how many results each reading explains."""
    ranked, final = played(results), finalists(results)
    after = max(final, key=lambda reading: score(reading.games))
    axes = figure.subplots(1, 3)
    draw_table(axes[0], published(), "Published")
    draw_table(axes[1], after.games, "Best reading of the whole table")
    winners = [agreement(reading.part(TRAINING), published())[0] for reading in ranked]
    bins = [count - 0.5 for count in range(min(winners), max(winners) + 2)]
    axes[2].hist(winners, bins=bins, color=SKY, edgecolor="black", label=f"{len(ranked)} readings")
    chosen = winners[ranked.index(final[0])]
    axes[2].axvline(chosen, color=BLUE, linestyle="--", label="chosen by the training cells")
    axes[2].set(title="Training cells", xlabel="equal results (of 30)", ylabel="readings")
    axes[2].set_ylim(0, 1.35 * max(winners.count(count) for count in set(winners)))
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
    more,
)
