"""Two kinds of plot, each for one question: lines with intervals over a label, and what every reading gives.

The colours are those of Okabe and Ito (2008), which colour-blind readers can tell apart; markers and numbers repeat
what they say. Text stays text, so that the files are small and a reader can search them.
"""

from __future__ import annotations

import math
import re
from itertools import cycle
from pathlib import Path
from typing import Any

from bot.lab.experiments.compare import Frames, estimate_of, runs_of
from bot.lab.experiments.frame import Frame
from bot.lab.experiments.paper import Paper, Plot, all_runs, all_tables
from bot.lab.experiments.printed import measured_cells

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "os^DvPX<>"
STYLE = {
    "font.size": 11,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#DDDDDD",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "bot",
}


def draw(paper: Paper, frames: Frames, out: Path) -> list[str]:
    """Draw the plots of a source whose runs were made; return them as links of Markdown. None without matplotlib."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        return []
    kinds = {"lines": _lines, "strip": _strip}
    drawn = []
    for number, plot in enumerate(paper.plot, start=1):
        (run,) = runs_of(plot)
        if run not in frames:
            continue
        with rc_context(STYLE):
            figure = Figure(figsize=(9, 4.5), layout="constrained")
            kinds[plot.kind](figure, plot, frames[run].where(plot.where))
            figure.suptitle(plot.title)
            name = f"{paper.name}-{number}.svg"
            figure.savefig(out / name, metadata={"Date": None})
        _round(out / name)
        drawn.append(f"![{plot.title}]({name})")
    return drawn


def _round(path: Path) -> None:
    """Shorten the coordinates of a picture to one decimal: a third of its size."""
    text = path.read_text(encoding="utf-8")
    text = re.sub('="[^"]*"', lambda attribute: re.sub(r"(\d+\.\d)\d+", r"\1", attribute[0]), text)
    path.write_text(text, encoding="utf-8")


def _lines(figure: Any, plot: Plot, frame: Frame) -> None:
    """Draw each series over the label ``x``, with its interval."""
    axes = figure.subplots()
    for (legend, expression), colour, marker in zip(plot.series.items(), cycle(COLOURS), cycle(MARKERS)):
        points = []
        for row, part in frame.groups([plot.x]):
            found = estimate_of(part, expression, plot.unit)
            if math.isfinite(found.value):
                points.append((row[plot.x], found))
        places, estimates = [place for place, _ in points], [each for _, each in points]
        errors = [[each.value - each.low for each in estimates], [each.high - each.value for each in estimates]]
        values = [each.value for each in estimates]
        axes.errorbar(places, values, errors, color=colour, marker=marker, capsize=2, linewidth=1.2, label=legend)
    axes.set(xlabel=plot.x, ylabel=plot.y, yscale="log" if plot.log else "linear")
    axes.legend()


def _strip(figure: Any, plot: Plot, frame: Frame) -> None:
    """Draw what every reading gives, for each column of a printed table, beside the printed value."""
    table, axes = all_tables()[plot.table], figure.subplots()
    labels = plot.readings or all_runs()[table.run].readings
    readings = [part for _, part in frame.groups([label for label in frame.labels if label in labels])]
    points: dict[str, set[float]] = {}  # equal values are drawn once
    printed: dict[str, float] = {}
    for part in readings:
        for cell in measured_cells(table, part):
            name = f"{cell.head}, {cell.row[0][1]}"
            if isinstance(cell.measured, float) and isinstance(cell.printed, float):
                points.setdefault(name, set()).add(cell.measured)
                printed[name] = cell.printed
    for place, (name, values) in enumerate(points.items()):
        axes.plot([place] * len(values), sorted(values), "_", color=COLOURS[0], markersize=14)
        axes.plot(place, printed[name], "D", color=COLOURS[1])
    axes.set(xticks=range(len(points)), xticklabels=list(points), ylabel=plot.y)
    axes.legend(axes.lines[:2], ["a reading", "printed"])
