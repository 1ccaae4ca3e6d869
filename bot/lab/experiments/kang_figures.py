"""Kang 2019, Figures 12 and 13: nodes and time of each move of Heuristic-1, also at depths without a figure.

bot/lab/README.md#kang-experiments describes the experiments.
"""

from __future__ import annotations

from typing import Any

from bot.lab.experiments.base import Cell, Experiment, Results, Task, markdown_table
from bot.lab.experiments.inference import Estimate, average, correlation, middle
from bot.lab.experiments.kang import RANDOM
from bot.lab.experiments.plots import POINTS, error_bars
from bot.lab.experiments.records import Record, different, games_of, pairing_json, play

FIGURES = {4: 12, 6: 13}
"""The paper's figures by depth."""
GAMES = {2: 40, 4: 40, 6: 40, 8: 10}
QUICK_GAMES = {2: 4, 4: 4, 6: 4}
ROWS = (("nodes", "nodes", 1, "mean"), ("seconds", "milliseconds", 1000, "median"))
FEWEST = 3
"""Games that must reach a move for its mean to be shown."""


def tasks(quick: bool, seed: int) -> list[Task]:
    """Return the games of H1 against itself."""
    return [
        {"depth": depth, "games": [_game(depth, f"{seed}/{number}")]}
        for depth, count in (QUICK_GAMES if quick else GAMES).items()
        for number in range(count)
    ]


def _game(depth: int, seed: str) -> dict[str, Any]:
    name = f"kang-h1:{depth},{RANDOM}"
    return pairing_json(name, name, seed)


def depths_of(results: Results) -> list[int]:
    """Return the depths that were played."""
    return sorted({task["depth"] for task, _ in results})


def games_at(results: Results, depth: int) -> list[Record]:
    """Return the different games of one depth."""
    return [played for _, played in different(games_of(results, depth=depth))]


def by_move(results: Results, depth: int, key: str) -> list[Estimate]:
    """Return, for each move, the mean nodes or the median time over the games that reach it, while there are enough.

    Means of times would suffer from other load on the machine.
    """
    games = games_at(results, depth)
    longest = max(len(game["moves"]) for game in games)
    columns = [[game[key][ply] for game in games if ply < len(game["moves"])] for ply in range(longest)]
    typical = middle if key == "seconds" else average
    return [typical(column) for column in columns if len(column) >= min(FEWEST, len(games))]


def fall(results: Results, depth: int) -> Estimate:
    """Return the correlation of the mean nodes of a move with its number."""
    nodes = [found.value for found in by_move(results, depth, "nodes")]
    return correlation(list(range(len(nodes))), nodes)


def together(results: Results, depth: int) -> Estimate:
    """Return the correlation of the mean nodes of a move with its median time."""
    nodes, seconds = ([found.value for found in by_move(results, depth, key)] for key in ("nodes", "seconds"))
    return correlation(nodes, seconds)


def first_move(results: Results, depth: int) -> tuple[int, int]:
    """Return the nodes of the first move with pruning, and those of the whole tree at the same depth."""
    nodes = games_at(results, depth)[0]["nodes"][0]
    return int(nodes), sum(7**level for level in range(depth + 1))


def cells(results: Results) -> list[Cell]:
    """Return mean nodes and median milliseconds of each move; the paper prints charts without numbers."""
    table = []
    for depth in depths_of(results):
        basis = f"{len(games_at(results, depth))} different games"
        nodes, seconds = by_move(results, depth, "nodes"), by_move(results, depth, "seconds")
        for move, (count, time_s) in enumerate(zip(nodes, seconds, strict=True), start=1):
            row, bounds = f"depth {depth}, move {move}", (1000 * time_s.low, 1000 * time_s.high)
            table.append(Cell(row, "nodes", None, count.value, count.interval, 0, basis=basis))
            table.append(Cell(row, "milliseconds", None, 1000 * time_s.value, bounds, 3, basis=basis))
    return table


def notes(results: Results) -> list[str]:
    """Return the correlations by depth, and the gain by pruning."""
    rows = []
    for depth in depths_of(results):
        down, both, (pruned, whole) = fall(results, depth), together(results, depth), first_move(results, depth)
        bounds = [f"{found.value:+.2f} ({found.low:+.2f} to {found.high:+.2f})" for found in (down, both)]
        rows.append([depth, FIGURES.get(depth, "-"), *bounds, f"{pruned:,}", f"{whole:,}", f"{pruned / whole:.2%}"])
    header = ["depth", "figure", "nodes with move number", "nodes with time", "nodes of the first move"]
    return [
        "Correlations over the moves of a game (over the different games: mean nodes, median time), and what pruning"
        " leaves of the tree at the first move:\n\n" + markdown_table(rows, [*header, "whole tree", "share searched"])
    ]


def draw(figure: Any, results: Results) -> None:
    """Draw Figures 12 and 13: nodes and time by move."""
    shown = [depth for depth in FIGURES if depth in depths_of(results)]
    axes = figure.subplots(2, len(shown), sharex=True, squeeze=False)
    for place, depth in enumerate(shown):
        for row, (key, unit, scale, what) in enumerate(ROWS):
            found = by_move(results, depth, key)
            values = [scale * estimate.value for estimate in found]
            errors = [[scale * length for length in side] for side in error_bars([e.value for e in found], found)]
            plot = axes[row][place]
            style = {**POINTS[row], "markersize": 4, "capsize": 2}
            plot.errorbar(range(1, len(found) + 1), values, errors, **style, label=f"{what}, 95 % interval")
            plot.set(ylabel=f"{unit} per move", ylim=(0, None))
            plot.legend(loc="upper right")
        axes[0][place].set(title=f"Figure {FIGURES[depth]}: Heuristic-1, depth {depth}")
        axes[1][place].set(xlabel="move (plies)")


EXPERIMENT = Experiment(
    "kang-figures",
    "Kang 2019, Figures 12 and 13: nodes and time per move",
    "Kang, Wang, Hu 2019, Figures 12 and 13",
    tasks,
    play,
    cells,
    notes,
    draw,
)
