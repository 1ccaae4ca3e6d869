"""The seven first moves by the exact solver: what the EDAP01 report states of the game itself."""

from __future__ import annotations

from typing import Any

from bot.game import Board
from bot.lab.experiments.base import Cell, Experiment, Results, Task
from bot.lab.experiments.plots import BLUE, ORANGE

COLUMNS = "abcdefg"


def tasks(_quick: bool, _seed: int) -> list[Task]:
    """Return the only task."""
    return [{"position": ""}]


def work(_task: Task) -> dict[str, Any]:
    """Return the exact score of each first move, for the first player."""
    from bot.engine.book.lookup import Book

    return {"scores": Book.load().column_scores(Board())}


def scores(results: Results) -> dict[str, int]:
    """Return the scores by column."""
    return dict(zip(COLUMNS, results[0][1]["scores"], strict=True))


def cells(results: Results) -> list[Cell]:
    """Return the exact score of each first move."""
    return [
        Cell(f"column {name}", "score", None, score, digits=0, basis="exact") for name, score in scores(results).items()
    ]


def notes(_results: Results) -> list[str]:
    """Return what a score is."""
    return ["Exact scores for the first player: +n a win with its n-th disc from the end, 0 a draw, -n a loss."]


def draw(figure: Any, results: Results) -> None:
    """Draw the score of each first move."""
    axes, found = figure.subplots(), scores(results)
    colours = [BLUE if score > 0 else ORANGE for score in found.values()]
    bars = axes.bar(list(found), list(found.values()), color=colours, edgecolor="black")
    axes.bar_label(bars, fmt="%+d")
    axes.axhline(0, color="black", linewidth=1)
    axes.set(title="Exact scores of the seven first moves", xlabel="first move (column)", ylabel="score (discs)")


EXPERIMENT = Experiment(
    "openings",
    "The seven first moves, solved",
    "EDAP01 report 2021, statements on the game; this project's solver",
    tasks,
    work,
    cells,
    notes,
    draw,
)
