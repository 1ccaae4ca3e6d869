"""The tables of the comparison of search algorithms: work for the same value, choices for the same work, proofs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

from bot.agents.algorithms.catalogue import ALGORITHMS
from bot.engine.score import sign
from bot.lab.arena.statistics import CONFIDENCE, wilson
from bot.lab.experiments.base import Cell, Results, markdown_table

VALUE, PROOF = "value", "proof"
"""Kinds of task: search to a depth, and prove the outcome."""
UCT, DFPN = "UCT", "df-pn"
NAMES = (*(algorithm.name for algorithm in ALGORITHMS), UCT)
"""Algorithms that choose a column."""
PROVERS = (*(algorithm.name for algorithm in ALGORITHMS if algorithm.name != "minimax"), DFPN)
"""Algorithms that prove outcomes."""
REFERENCE, PROOF_REFERENCE = "alpha-beta", "alpha-beta + table"
"""Algorithms whose work counts 1."""
WORK = ("leaves", "nodes", "seconds")
DEPTHS, PLY_DEPTH = (2, 4, 6, 8), 8
"""Depths of the tables in plies, and that of the table by ply."""
BUDGETS: dict[str, tuple[float, ...]] = {
    "leaves": (100, 1_000, 10_000, 30_000),
    "nodes": (100, 1_000, 10_000, 30_000),
    "seconds": (0.0001, 0.001),
}
"""Equal work of a move."""
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ratio:
    """A geometric mean of ratios, and its 95 % interval."""

    value: float
    low: float
    high: float
    count: int

    def __str__(self) -> str:
        return f"{self.value:.3g} ({self.low:.3g} to {self.high:.3g})"


def geometric(ratios: Iterable[float]) -> Ratio | None:
    """Return the geometric mean of positive ratios; None for fewer than two."""
    logarithms = [math.log(ratio) for ratio in ratios]
    if len(logarithms) < 2:
        return None
    mean, half = fmean(logarithms), CONFIDENCE * stdev(logarithms) / len(logarithms) ** 0.5
    return Ratio(math.exp(mean), math.exp(mean - half), math.exp(mean + half), len(logarithms))


def at_depth(result: dict[str, Any], name: str, depth: int) -> Row | None:
    """Return an algorithm's search to ``depth``; None where it was not searched."""
    rows: list[Row] = result["searches"][name]
    return next((row for row in rows if row["depth"] == depth), None)


def work_ratio(results: Results, name: str, what: str, depth: int, ply: int | None = None) -> Ratio | None:
    """Return an algorithm's work for the value at ``depth``, for one of the reference, over the same positions.

    None where it did not search a tenth of the reference's positions: those that it reached are the easy ones.
    """
    ratios, missing = [], 0
    for task, result in results:
        if task["kind"] == VALUE and ply in (None, task["ply"]):
            own, other = (at_depth(result, each, depth) for each in (name, REFERENCE))
            missing += other is not None and own is None
            if own and other and own[what] > 0 and other[what] > 0:
                ratios.append(own[what] / other[what])
    return None if 9 * missing > len(ratios) else geometric(ratios)


def proof_ratio(results: Results, name: str, what: str, ply: int | None = None) -> Ratio | None:
    """Return an algorithm's work for the outcome, for one of the reference, over the positions that both proved."""
    ratios = []
    for task, result in results:
        if task["kind"] == PROOF and ply in (None, task["ply"]):
            own, other = (result["searches"].get(each) for each in (name, PROOF_REFERENCE))
            if own and other and own[what] > 0 and other[what] > 0:
                ratios.append(own[what] / other[what])
    return geometric(ratios)


def within(rows: Sequence[Row], what: str, budget: float, *, deepens: bool) -> Row:
    """Return the last search that the budget pays for, at least the first. One that deepens pays for all depths."""
    spent, last = 0.0, rows[0]
    for row in rows:
        spent = spent + row[what] if deepens else row[what]
        if spent > budget:
            break
        last = row
    return last


@dataclass(frozen=True, slots=True)
class Choice:
    """The choices of an algorithm with a budget."""

    kept: int
    """Moves that keep the outcome."""
    positions: int
    depth: float | None
    """Mean depth, plies."""

    @property
    def share(self) -> float:
        return self.kept / max(1, self.positions)

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.kept, self.positions)


def choices(results: Results, name: str, what: str, budget: float) -> Choice:
    """Return an algorithm's choices within a budget in the decisive positions: some column gives the outcome away."""
    kept, depths = [], []
    for task, result in results:
        if task["kind"] != VALUE:
            continue
        outcomes = [None if score is None else sign(score) for score in result["scores"]]
        known = [outcome for outcome in outcomes if outcome is not None]
        if min(known) == max(known):
            continue
        row = within(result["searches"][name], what, budget, deepens=name != UCT)
        kept.append(outcomes[row["column"]] == max(known))
        if row["depth"] is not None:
            depths.append(row["depth"])
    return Choice(sum(kept), len(kept), fmean(depths) if depths else None)


def cells(results: Results) -> list[Cell]:
    """Return the work for the same value and outcome, and the choices for the same work."""
    found = []
    plies = sorted({task["ply"] for task, _ in results if task["kind"] == VALUE})
    places = [(f"depth {depth}", depth, None) for depth in DEPTHS]
    places += [(f"depth {PLY_DEPTH}, ply {ply}", PLY_DEPTH, ply) for ply in plies]
    for name in NAMES[:-1]:
        for what in WORK:
            for label, depth, ply in places:
                ratio = work_ratio(results, name, what, depth, ply)
                if ratio is not None:
                    found.append(_ratio_cell(name, f"{what} for one of {REFERENCE}, {label}", ratio))
    for name in NAMES:
        for what, budgets in BUDGETS.items():
            for budget in budgets:
                choice = choices(results, name, what, budget)
                label = f"{budget:g} {what}"
                found.append(Cell(name, f"outcome kept, {label}", None, choice.share, choice.interval, digits=3))
                found.append(Cell(name, f"mean depth, {label}", None, choice.depth))
    plies = sorted({task["ply"] for task, _ in results if task["kind"] == PROOF})
    for name in PROVERS:
        for what in ("nodes", "seconds"):
            for ply in (None, *plies):
                ratio = proof_ratio(results, name, what, ply)
                if ratio is not None:
                    label = "outcome" if ply is None else f"outcome, ply {ply}"
                    found.append(_ratio_cell(name, f"{what} for one of {PROOF_REFERENCE}, {label}", ratio))
    return found


def _ratio_cell(name: str, column: str, ratio: Ratio) -> Cell:
    return Cell(name, column, None, ratio.value, (ratio.low, ratio.high), digits=3)


def notes(results: Results) -> list[str]:
    """Return the tables of the page, each with a sentence that explains it."""
    proofs = [result["searches"] for task, result in results if task["kind"] == PROOF]
    solved = sum(searches[DFPN] is not None for searches in proofs)
    equal = disagreements(results)
    return [
        f"Work for the same value, relative to `{REFERENCE}` without a table: geometric mean over the same positions"
        " and its 95 % interval. All algorithms use Tommy's evaluation, wins and column order; those with a table get"
        " a new one for each depth. MTD(f) and BNS begin at the value of the depth two plies before.",
        *(f"{what.capitalize()}:\n\n{work_table(results, what)}" for what in WORK),
        f"Values and columns differ from those of `{REFERENCE}` in {equal} of the searches to the same depth.",
        "Choices for the same work in decisive positions: share of moves that keep the outcome, 95 % interval, and mean"
        " depth. All depths up to the last one are paid for; UCT has no depth.",
        *(choice_table(results, what) for what in BUDGETS),
        f"Work for a proof of the outcome, relative to `{PROOF_REFERENCE}`; all proofs agree with the exact solver."
        f" {DFPN} proved {solved} of {len(proofs)} positions with its table. Searches without a table were left out at"
        " early plies.",
        proof_table(results),
    ]


def disagreements(results: Results) -> int:
    """Return how many searches differ from the reference of the same position and depth in value or column."""
    count = 0
    for task, result in results:
        for name in NAMES[:-1] if task["kind"] == VALUE else ():
            for row in result["searches"][name]:
                other = at_depth(result, REFERENCE, row["depth"])
                same_value = other is None or row["value"] in (None, other["value"])
                count += not same_value or (other is not None and row["column"] != other["column"])
    return count


def work_table(results: Results, what: str) -> str:
    """Return the relative work by algorithm and depth."""
    rows = []
    for name in NAMES[:-1]:
        ratios = [work_ratio(results, name, what, depth) for depth in DEPTHS]
        rows.append([name, *("-" if ratio is None else str(ratio) for ratio in ratios)])
    return markdown_table(rows, [what, *(f"depth {depth}" for depth in DEPTHS)])


def choice_table(results: Results, what: str) -> str:
    """Return the share of moves that keep the outcome by algorithm and budget."""
    rows = []
    for name in NAMES:
        found = [choices(results, name, what, budget) for budget in BUDGETS[what]]
        rows.append([name, *map(_choice, found)])
    heads = [f"{1000 * budget:g} ms" if what == "seconds" else f"{budget:,} {what}" for budget in BUDGETS[what]]
    return markdown_table(rows, ["", *heads])


def _choice(choice: Choice) -> str:
    low, high = choice.interval
    depth = "" if choice.depth is None else f", depth {choice.depth:.1f}"
    return f"{choice.share:.3f} ({low:.3f} to {high:.3f}){depth}"


def proof_table(results: Results) -> str:
    """Return the relative work of a proof by algorithm and ply."""
    plies = sorted({task["ply"] for task, _ in results if task["kind"] == PROOF})
    rows = []
    for name in PROVERS:
        ratios = [proof_ratio(results, name, "nodes", ply) for ply in (None, *plies)]
        ratios.append(proof_ratio(results, name, "seconds"))
        rows.append([name, *("-" if ratio is None else str(ratio) for ratio in ratios)])
    return markdown_table(rows, ["", "nodes, all plies", *(f"ply {ply}" for ply in plies), "seconds, all plies"])
