"""Scores in words."""

from __future__ import annotations

from bot.engine.solver import Solved

DISCS = 21
"""Each side's."""


def explain(told: Solved, ply: int) -> str:
    """'wins with the 3rd disc from the end, in 11 plies': what is proven for the side to move after ``ply`` discs."""
    if told.exact:
        return _exact(told.lower, ply)
    if told.lower > 0:
        return "wins"
    if told.upper < 0:
        return "loses"
    if told.lower == 0:
        return "draws or wins"
    if told.upper == 0:
        return "draws or loses"
    return "is open"


def plies_to_end(score: int, ply: int) -> int:
    """How many discs are played until the game ends, the last one included, if both sides play best."""
    if score > 0:
        return 2 * (DISCS + 1 - score - ply // 2) - 1
    if score < 0:
        return 2 * (DISCS + 1 + score - (ply + 1) // 2)
    return 2 * DISCS - ply


def _exact(score: int, ply: int) -> str:
    if score == 0:
        return "draws"
    plies = plies_to_end(score, ply)
    which = "the last disc" if abs(score) == 1 else f"the {_ordinal(abs(score))} disc from the end"
    when = f"in {plies} {'ply' if plies == 1 else 'plies'}"
    return f"wins with {which}, {when}" if score > 0 else f"loses to {which}, {when}"


def _ordinal(number: int) -> str:
    ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
