"""The plot of the comparison of search algorithms."""

from __future__ import annotations

from typing import Any

from bot.lab.experiments.algorithms_tables import (
    BUDGETS,
    DEPTHS,
    NAMES,
    PROOF,
    PROVERS,
    REFERENCE,
    choices,
    proof_ratio,
    work_ratio,
)
from bot.lab.experiments.base import Results

COLOURS = ("#000000", "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7")
"""Okabe and Ito's colours, which colour-blind readers can tell apart; markers repeat the distinction."""
MARKERS = "osD^vP*Xhd<>"


def draw(figure: Any, results: Results) -> None:
    """Draw leaves by depth, choices at equal leaves, and nodes of a proof by ply, with 95 % intervals."""
    work, accuracy, proofs = figure.subplots(1, 3)
    styles = {
        name: {"color": COLOURS[number % len(COLOURS)], "marker": MARKERS[number % len(MARKERS)], "capsize": 2}
        for number, name in enumerate(dict.fromkeys((*NAMES, *PROVERS)))
    }
    for name in NAMES[:-1]:
        if name != REFERENCE:
            points = [(depth, work_ratio(results, name, "leaves", depth)) for depth in DEPTHS]
            _draw_ratios(work, name, points, styles[name])
    work.axhline(1, color="grey", linewidth=0.8)
    work.set(title="Leaves for the same value", xlabel="depth (plies)", ylabel=f"relative to {REFERENCE}")
    for name in NAMES:
        found = [choices(results, name, "leaves", budget) for budget in BUDGETS["leaves"]]
        shares = [choice.share for choice in found]
        errors = [[choice.share - choice.interval[0] for choice in found], _above(found)]
        accuracy.errorbar(BUDGETS["leaves"], shares, yerr=errors, label=name, markersize=4, linewidth=1, **styles[name])
    accuracy.set(title="Choices in decisive positions", xlabel="leaves per move", ylabel="share that keeps the outcome")
    accuracy.set(xscale="log")
    plies = sorted({task["ply"] for task, _ in results if task["kind"] == PROOF})
    for name in PROVERS:
        _draw_ratios(proofs, name, [(ply, proof_ratio(results, name, "nodes", ply)) for ply in plies], styles[name])
    proofs.set(title="Nodes for a proof of the outcome", xlabel="ply", ylabel="relative to alpha-beta + table")
    labelled = {
        label: handle
        for axes in (work, accuracy, proofs)
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(labelled.values(), labelled.keys(), loc="outside lower center", ncols=6, fontsize="small")


def _above(found: list[Any]) -> list[float]:
    return [choice.interval[1] - choice.share for choice in found]


def _draw_ratios(axes: Any, name: str, points: list[tuple[int, Any]], style: dict[str, Any]) -> None:
    """Draw one algorithm's ratios with their intervals, on a logarithmic axis."""
    known = [(place, ratio) for place, ratio in points if ratio is not None]
    if not known:
        return
    values = [ratio.value for _, ratio in known]
    errors = [[ratio.value - ratio.low for _, ratio in known], [ratio.high - ratio.value for _, ratio in known]]
    places = [place for place, _ in known]
    axes.errorbar(places, values, yerr=errors, label=name, markersize=4, linewidth=1, **style)
    axes.set(yscale="log")
