"""Kang 2019, Tables 6 to 9 and Figures 12 and 13: 100 games for each cell, also by starting player.

bot/lab/README.md#kang-experiments describes the experiments.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from statistics import mean
from typing import Any

import numpy as np

from bot.lab.arena.games import Pairing, play_pairing
from bot.lab.arena.match import Record
from bot.lab.arena.statistics import wilson
from bot.lab.experiments.base import Cell, Experiment, Results, Task, markdown_table

GAMES = 100
QUICK_GAMES = 10
BLOCK = 10
"""Games in one task."""
RANDOM = "random=3"
"""The paper's "random move = 3", counted in the agent's own moves."""

DEPTHS = (2, 4, 6, 8)
TABLE_6_WINS = {
    2: ((0.5, 0.5), (0.5, 0.3), (0.9, 0.1), (0.8, 0.2)),
    4: ((0.2, 0.7), (0.5, 0.4), (0.6, 0.4), (0.7, 0.3)),
    6: ((0.1, 0.9), (0.4, 0.6), (0.5, 0.5), (0.5, 0.3)),
    8: ((0.0, 1.0), (0.3, 0.7), (0.2, 0.8), (0.4, 0.4)),
}
"""By the second player's depth, then the first's: shares of games won by the first and by the second."""
TABLE_7_WINS = {"1": 0.48, "2": 0.40, "3": 0.48, "4": 0.40}
TABLE_8_WINS = {"1+2": 0.54, "1+2+3": 0.60, "1+2+3+4": 0.80}
TABLE_9_WINS = {2: (0.24, 0.76), 4: (0.60, 0.39), 6: (0.76, 0.22), 8: (0.81, 0.19)}
VARIANTS = {"open three 900,000": "open=900000", "random move by both sides' discs": "plies=1"}
"""Other readings of Table 9, with the agent's option."""


def _games(cell: str, one: str, other: str, alternate: bool, quick: bool, seed: int) -> list[Task]:
    """Return the tasks of one cell: blocks of ten games of ``one`` against ``other``."""
    return [
        {"cell": cell, "one": one, "other": other, "alternate": alternate, "block": block, "seed": seed}
        for block in range((QUICK_GAMES if quick else GAMES) // BLOCK)
    ]


def work(task: Task) -> dict[str, Any]:
    """Play ten games, started in turn or all by ``one``; return the points of ``one`` by starting player."""
    started: list[float] = []
    replied: list[float] = []
    for number in range(BLOCK):
        swap = task["alternate"] and number % 2 == 1
        names = (task["other"], task["one"]) if swap else (task["one"], task["other"])
        seed = f"{task['seed']}/{task['cell']}/{task['block']}/{number}"
        result = play_pairing(Pairing(*names, seed)).result
        (replied if swap else started).append(1 - result if swap else result)
    return {"started": started, "replied": replied}


def record(results: Results, cell: str, part: str = "") -> Record:
    """Return the record of ``one`` over all games of a cell, or over the part "started" or "replied"."""
    total = Record()
    for task, result in results:
        if task["cell"] == cell:
            for points in result[part] if part else result["started"] + result["replied"]:
                total = total.plus(points)
    return total


def _wins(row: str, column: str, published: float | None, won: int, games: int) -> Cell:
    return Cell(row, column, published, won / games, wilson(won, games))


def table_6_tasks(quick: bool, seed: int) -> list[Task]:
    """Return the games of all pairs of depths; the first H1 always starts."""
    tasks = []
    for second, first in product(DEPTHS, DEPTHS):
        names = (f"kang-h1:{first},{RANDOM}", f"kang-h1:{second},{RANDOM}")
        tasks += _games(f"{first}-{second}", *names, False, quick, seed)
    return tasks


def table_6_cells(results: Results) -> list[Cell]:
    """Return two shares for each pair of depths."""
    cells = []
    for second, first in product(DEPTHS, DEPTHS):
        published = TABLE_6_WINS[second][DEPTHS.index(first)]
        games = record(results, f"{first}-{second}")
        row = f"first depth {first}, second depth {second}"
        cells.append(_wins(row, "first wins", published[0], games.won, games.games))
        cells.append(_wins(row, "second wins", published[1], games.lost, games.games))
    return cells


def table_6_notes(results: Results) -> list[str]:
    """Return the table in the paper's form, and the test of its claim that the deeper search wins."""
    rows = []
    for second in DEPTHS:
        records = [record(results, f"{first}-{second}") for first in DEPTHS]
        shares = [f"{games.won / games.games:.2f}, {games.lost / games.games:.2f}" for games in records]
        rows.append([second, *shares])
    deeper = []
    for first, second in product(DEPTHS, DEPTHS):
        games = record(results, f"{first}-{second}")
        if first != second:
            deeper.append(games.score if first > second else 1 - games.score)
    return [
        markdown_table(rows, ["second \\ first", *DEPTHS]),
        f"The deeper search scores {mean(deeper):.2f} points per game, averaged over both orders of moving first"
        f" (published: {_published_deeper():.2f}). The first H1 always starts, so the two halves of the table show the"
        " results by starting player.",
    ]


def _published_deeper() -> float:
    points = []
    for first, second in product(DEPTHS, DEPTHS):
        won, lost = TABLE_6_WINS[second][DEPTHS.index(first)]
        if first != second:
            score = won + (1 - won - lost) / 2
            points.append(score if first > second else 1 - score)
    return mean(points)


def _against_h2(features: str, depth: int, option: str = "") -> tuple[str, str]:
    extra = f",{option}" if option else ""
    plies = ",plies=1" if option == "plies=1" else ""
    return f"kang-h1:{depth},features={features},{RANDOM}{extra}", f"kang-h2:{depth},{RANDOM}{plies}"


def subset_tasks(wins: dict[str, float], quick: bool, seed: int) -> list[Task]:
    """Return the games of subsets of features against H2 at depth 4."""
    return [task for features in wins for task in _games(f"F{features}", *_against_h2(features, 4), True, quick, seed)]


def subset_cells(wins: dict[str, float], results: Results) -> list[Cell]:
    """Return H1's share of wins, in total and by starting player."""
    return [cell for features, share in wins.items() for cell in _split(results, f"F{features}", (share, None))]


def _split(results: Results, cell: str, published: tuple[float, float | None]) -> list[Cell]:
    total = record(results, cell)
    cells = [_wins(cell, "H1 wins", published[0], total.won, total.games)]
    cells.append(_wins(cell, "H2 wins", published[1], total.lost, total.games))
    for part, words in (("started", "H1 wins when it starts"), ("replied", "H1 wins when it replies")):
        games = record(results, cell, part)
        cells.append(_wins(cell, words, None, games.won, games.games))
    return cells


def table_9_tasks(quick: bool, seed: int) -> list[Task]:
    """Return the games of H1 against H2 at equal depth; unless quick, also for other readings of the text."""
    tasks = []
    for depth in DEPTHS:
        tasks += _games(f"depth {depth}", *_against_h2("1+2+3+4", depth), True, quick, seed)
    if not quick:
        for (label, option), depth in product(VARIANTS.items(), DEPTHS):
            tasks += _games(f"{label}, depth {depth}", *_against_h2("1+2+3+4", depth, option), True, quick, seed)
    return tasks


def table_9_cells(results: Results) -> list[Cell]:
    """Return the shares of both, and H1's by starting player."""
    return [cell for depth, shares in TABLE_9_WINS.items() for cell in _split(results, f"depth {depth}", shares)]


def table_9_notes(results: Results) -> list[str]:
    """Return the results of the other readings."""
    rows = []
    for label, depth in product(VARIANTS, DEPTHS):
        games = record(results, f"{label}, depth {depth}")
        if games.games:
            rows.append([label, depth, f"{games.won / games.games:.2f}", f"{games.lost / games.games:.2f}"])
    notes = ["The paper does not state who starts; here the sides start in turn."]
    return notes + (
        ["Other readings:\n\n" + markdown_table(rows, ["reading", "depth", "H1 wins", "H2 wins"])] if rows else []
    )


def subset_notes(_results: Results) -> list[str]:
    """Return what the paper leaves open."""
    return [
        "The paper states neither who starts nor how many rounds were played; here the sides start in turn, and the"
        " intervals follow from the number of games. Feature 1 is part of the search: a finished game is always"
        " recognised."
    ]


def draw_bars(figure: Any, results: Results, cells: Callable[[Results], list[Cell]], column: str) -> None:
    """Draw published and measured shares side by side."""
    chosen = [cell for cell in cells(results) if cell.column == column and cell.published is not None]
    axes = figure.subplots()
    places = np.arange(len(chosen))
    measured = [float(cell.measured or 0) for cell in chosen]
    errors = [
        [max(0.0, share - cell.interval[0]), max(0.0, cell.interval[1] - share)]
        for share, cell in zip(measured, chosen, strict=True)
        if cell.interval is not None
    ]
    axes.bar(places - 0.2, [cell.published for cell in chosen], 0.4, label="published")
    axes.bar(places + 0.2, measured, 0.4, yerr=np.array(errors).T, capsize=3, label="measured, 95 %")
    slanted = {"rotation": 45, "ha": "right", "fontsize": "small"} if len(chosen) > 6 else {}
    axes.set_xticks(places, [cell.row for cell in chosen], **slanted)
    axes.set(ylabel=column, ylim=(0, 1))
    axes.legend()


def figure_tasks(quick: bool, seed: int) -> list[Task]:
    """Return the games of H1 against itself at depths 4 and 6."""
    return [{"depth": depth, "game": game, "seed": seed} for depth in (4, 6) for game in range(4 if quick else 40)]


def figure_work(task: Task) -> dict[str, Any]:
    """Play one game; return nodes and seconds of each move."""
    name = f"kang-h1:{task['depth']},{RANDOM}"
    played = play_pairing(Pairing(name, name, f"{task['seed']}/{task['game']}"))
    return {"nodes": list(played.nodes), "seconds": list(played.seconds)}


def by_ply(results: Results, depth: int, key: str) -> list[float]:
    """Return, for each ply, the mean of ``key`` over the games that reach it."""
    games = [result[key] for task, result in results if task["depth"] == depth]
    return [mean(game[ply] for game in games if ply < len(game)) for ply in range(max(map(len, games)))]


def figure_cells(results: Results) -> list[Cell]:
    """Return mean nodes and milliseconds of each move; the paper prints charts without numbers."""
    cells = []
    for depth in (4, 6):
        nodes, seconds = by_ply(results, depth, "nodes"), by_ply(results, depth, "seconds")
        for ply, (count, time_s) in enumerate(zip(nodes, seconds, strict=True), start=1):
            cells.append(Cell(f"depth {depth}, move {ply}", "nodes", None, count, digits=0))
            cells.append(Cell(f"depth {depth}, move {ply}", "milliseconds", None, 1000 * time_s, digits=3))
    return cells


def figure_notes(results: Results) -> list[str]:
    """Return the tests of the two claims that the charts support."""
    lines = []
    for depth in (4, 6):
        nodes, seconds = by_ply(results, depth, "nodes"), by_ply(results, depth, "seconds")
        fall = np.corrcoef(range(len(nodes)), nodes)[0, 1]
        together = np.corrcoef(nodes, seconds)[0, 1]
        lines.append(
            f"Depth {depth}: the correlation of nodes with the move number is {fall:+.2f} (the paper: nodes fall),"
            f" of nodes with time {together:+.2f} (the paper: they rise and fall together)."
        )
    return lines


def draw_figures(figure: Any, results: Results) -> None:
    """Draw Figures 12 and 13: nodes and time by move."""
    for axes, depth, number in zip(figure.subplots(1, 2), (4, 6), (12, 13), strict=True):
        nodes, seconds = by_ply(results, depth, "nodes"), by_ply(results, depth, "seconds")
        moves = range(1, len(nodes) + 1)
        axes.plot(moves, nodes, "o-", color="tab:blue", label="nodes")
        axes.set(title=f"Figure {number}: depth {depth}", xlabel="move", ylabel="nodes")
        times = axes.twinx()
        times.plot(moves, [1000 * second for second in seconds], "x-", color="tab:red", label="ms")
        times.set_ylabel("milliseconds")


def _subset_experiment(number: int, title: str, wins: dict[str, float]) -> Experiment:
    cells = partial(subset_cells, wins)
    return Experiment(
        f"kang-table{number}",
        f"Kang 2019, Table {number}: {title}",
        f"Kang, Wang, Hu 2019, Table {number}",
        partial(subset_tasks, wins),
        work,
        cells,
        subset_notes,
        partial(draw_bars, cells=cells, column="H1 wins"),
    )


TABLE_6 = Experiment(
    "kang-table6",
    "Kang 2019, Table 6: Heuristic-1 against itself at depths 2 to 8",
    "Kang, Wang, Hu 2019, Table 6",
    table_6_tasks,
    work,
    table_6_cells,
    table_6_notes,
    partial(draw_bars, cells=table_6_cells, column="first wins"),
)
TABLE_7 = _subset_experiment(7, "one feature against Heuristic-2 at depth 4", TABLE_7_WINS)
TABLE_8 = _subset_experiment(8, "several features against Heuristic-2 at depth 4", TABLE_8_WINS)
TABLE_9 = Experiment(
    "kang-table9",
    "Kang 2019, Table 9: Heuristic-1 against Heuristic-2",
    "Kang, Wang, Hu 2019, Table 9",
    table_9_tasks,
    work,
    table_9_cells,
    table_9_notes,
    partial(draw_bars, cells=table_9_cells, column="H1 wins"),
)
FIGURES = Experiment(
    "kang-figures",
    "Kang 2019, Figures 12 and 13: nodes and time per move",
    "Kang, Wang, Hu 2019, Figures 12 and 13",
    figure_tasks,
    figure_work,
    figure_cells,
    figure_notes,
    draw_figures,
)
