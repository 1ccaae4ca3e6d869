"""The look of all plots: colours that colour-blind readers can tell apart, markers, intervals, and text sizes.

The colours are those of Okabe and Ito (2008). No information is in a colour alone: markers, hatches or labels repeat
it. Sizes are chosen for the width at which a README shows a picture, about 800 pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bot.lab.experiments.inference import Estimate

BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, RED, PURPLE = (
    "#000000",
    "#E69F00",
    "#56B4E9",
    "#009E73",
    "#F0E442",
    "#0072B2",
    "#D55E00",
    "#CC79A7",
)
COLOURS = (BLUE, RED, GREEN, PURPLE, ORANGE, SKY, BLACK)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
POINTS: tuple[dict[str, Any], ...] = tuple(
    {"color": colour, "marker": marker, "capsize": 3, "linewidth": 1.5}
    for colour, marker in zip((*COLOURS, *COLOURS[:2]), MARKERS, strict=True)
)
"""Keyword arguments of `errorbar` for each series of a plot."""
PUBLISHED_BAR: dict[str, Any] = {"color": "white", "edgecolor": BLACK, "hatch": "//", "label": "published"}
MEASURED_BAR: dict[str, Any] = {"color": SKY, "edgecolor": BLACK, "capsize": 3}
SIZE = (10, 5)
"""Inches; at 80 dots per inch, the width of a README."""
STYLE = {
    "font.size": 11,
    "axes.titlesize": 12,
    "axes.labelsize": 11,
    "legend.fontsize": 9,
    "xtick.labelsize": 10,
    "ytick.labelsize": 10,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#DDDDDD",
    "axes.spines.top": False,
    "axes.spines.right": False,
    # Text instead of outlines: the files are small, and a reader can search them.
    "svg.fonttype": "none",
}
"""Settings of matplotlib while a plot is drawn."""


def error_bars(values: Sequence[float], estimates: Iterable[Estimate | None]) -> list[list[float]]:
    """Return the lengths of the error bars below and above the values; 0 where there is no interval."""
    below, above = [], []
    for value, estimate in zip(values, estimates, strict=True):
        known = estimate is not None and estimate.size > 1
        below.append(max(0.0, value - estimate.low) if known and estimate is not None else 0.0)
        above.append(max(0.0, estimate.high - value) if known and estimate is not None else 0.0)
    return [below, above]


def cell_bars(cells: Iterable[Any]) -> tuple[list[float], list[list[float]]]:
    """Return the measured values of cells, and the lengths of their error bars."""
    values, below, above = [], [], []
    for cell in cells:
        value = float(cell.measured or 0)
        low, high = cell.interval or (value, value)
        values.append(value)
        below.append(max(0.0, value - low))
        above.append(max(0.0, high - value))
    return values, [below, above]
