"""The plot of the comparison of search algorithms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.lab.experiments.algorithms_tables import (
    BUDGETS,
    DEPTHS,
    DFPN,
    NAMES,
    PROOF,
    PROOF_REFERENCE,
    PROVERS,
    REFERENCE,
    UCT,
    Choice,
    Ratio,
    choices,
    proof_ratio,
    work_ratio,
)
from bot.lab.experiments.base import Results

LEAVES = BUDGETS["leaves"]
STYLES = {
    "minimax": ("#7F7F7F", "v"),
    "alpha-beta": ("#000000", "o"),
    "PVS": ("#56B4E9", "s"),
    "alpha-beta + table": ("#E69F00", "D"),
    "NegaScout + table": ("#009E73", "^"),
    "MTD(f)": ("#0072B2", "P"),
    "SSS*": ("#D55E00", "*"),
    "BNS, value": ("#CC79A7", "X"),
    UCT: ("#882255", "h"),
    DFPN: ("#882255", "<"),
}
"""Colour and marker of each algorithm that is drawn, from Okabe and Ito's palette, which colour-blind readers can tell
apart. DUAL* and the second row of BNS are in the tables only: they lie on others."""


def draw(figure: Any, results: Results) -> None:
    """Draw leaves by depth, choices at equal leaves, and nodes of a proof by ply, with 95 % intervals."""
    work, accuracy, proofs = figure.subplots(1, 3)
    plies = sorted({task["ply"] for task, _ in results if task["kind"] == PROOF})
    for number, name in enumerate(STYLES):
        if name in NAMES[:-1] and name != REFERENCE:
            _draw_ratios(work, name, [(depth, work_ratio(results, name, "leaves", depth)) for depth in DEPTHS])
        if name in NAMES:
            _draw_choices(accuracy, name, [choices(results, name, "leaves", each) for each in LEAVES], number)
        if name in PROVERS and name != PROOF_REFERENCE:
            _draw_ratios(proofs, name, [(ply, proof_ratio(results, name, "nodes", ply)) for ply in plies])
    for axes in (work, proofs):
        axes.axhline(1, color="grey", linewidth=0.8)
    work.set(
        title="Leaves for the same value", xlabel="depth (plies)", ylabel=f"relative to {REFERENCE}", xticks=DEPTHS
    )
    accuracy.set(title="Decisive positions", xlabel="leaves per move", ylabel="share of moves that keep the outcome")
    accuracy.set(xscale="log")
    proofs.set(title="Nodes of a proof", xlabel="ply", ylabel=f"relative to {PROOF_REFERENCE}", xticks=plies)
    drawn = [axes.get_legend_handles_labels() for axes in (work, accuracy, proofs)]
    labelled = {label: handle for handles, labels in drawn for handle, label in zip(handles, labels, strict=True)}
    names = [name for name in STYLES if name in labelled]
    figure.legend([labelled[name] for name in names], names, loc="outside lower center", ncols=5)


def _draw_choices(axes: Any, name: str, found: list[Choice], number: int) -> None:
    """Draw the share that keeps the outcome; each algorithm is shifted a little, so that intervals do not overlap."""
    shares = [choice.share for choice in found]
    errors = [[choice.share - choice.interval[0] for choice in found], [c.interval[1] - c.share for c in found]]
    _errorbar(axes, name, [leaves * 1.06 ** (number - 4) for leaves in LEAVES], shares, errors)


def _draw_ratios(axes: Any, name: str, points: list[tuple[int, Ratio | None]]) -> None:
    """Draw one algorithm's ratios with their intervals, on a logarithmic axis."""
    known = [(place, ratio) for place, ratio in points if ratio is not None]
    if known:
        values = [ratio.value for _, ratio in known]
        errors = [[ratio.value - ratio.low for _, ratio in known], [ratio.high - ratio.value for _, ratio in known]]
        _errorbar(axes, name, [place for place, _ in known], values, errors)
        axes.set(yscale="log")


def _errorbar(axes: Any, name: str, places: Sequence[float], values: list[float], errors: list[list[float]]) -> None:
    colour, marker = STYLES[name]
    axes.errorbar(
        places, values, yerr=errors, label=name, color=colour, marker=marker, markersize=5, linewidth=1, capsize=2
    )
