"""The plot of a study, and the specification curve that several studies use.

The colours are those of Okabe and Ito (2008), which colour-blind readers can tell apart. Text stays text, so that the
files are small and a reader can search them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bot.lab.arena.statistics import Estimate

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
STYLE = {
    "font.size": 11,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": "#DDDDDD",
    "svg.fonttype": "none",
    "svg.hashsalt": "bot",
}


def drawn(path: Path, title: str, draw: Callable[[Any], None]) -> str:
    """Draw a plot into a file; return a link to it in Markdown, or nothing without matplotlib."""
    try:
        from matplotlib import cycler, rc_context
        from matplotlib.figure import Figure
    except ImportError:
        return ""
    with rc_context({**STYLE, "axes.prop_cycle": cycler(color=COLOURS)}):
        figure = Figure(figsize=(9, 4.5), layout="constrained")
        draw(figure.subplots())
        figure.suptitle(title)
        figure.savefig(path, metadata={"Date": None})
    # Coordinates with one decimal: a third of the size.
    text = path.read_text(encoding="utf-8")
    text = re.sub('="[^"]*"', lambda attribute: re.sub(r"(\d+\.\d)\d+", r"\1", attribute[0]), text)
    path.write_text(text, encoding="utf-8")
    return f"![{title}]({path.name})"


def line(axes: Any, places: Sequence[float], estimates: Sequence[Estimate], label: str) -> None:
    """Draw estimates with their intervals over places."""
    values = [each.value for each in estimates]
    errors = [[each.value - each.low for each in estimates], [each.high - each.value for each in estimates]]
    axes.errorbar(places, values, errors, marker="o", capsize=2, linewidth=1.2, label=label)


def specification_curve(axes: Any, estimates: Sequence[Estimate], label: str) -> None:
    """Draw the estimate of every reading with its interval, the lowest first."""
    ordered = sorted(estimates, key=lambda each: each.value)
    places = range(len(ordered))
    axes.fill_between(places, [each.low for each in ordered], [each.high for each in ordered], alpha=0.25, linewidth=0)
    axes.plot(places, [each.value for each in ordered], linewidth=1.5, label=label)
