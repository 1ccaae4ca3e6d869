"""Depth-first proof-number search: is a game won, or at least drawn, for the side that asks?

A. Nagai: Df-pn algorithm for searching AND/OR trees and its applications. Thesis, University of Tokyo (2002), in
its negamax form with phi and delta; proof numbers: L. V. Allis, M. van der Meulen, H. J. van den Herik:
Proof-number search. Artificial Intelligence 66 (1994).

phi is the least number of leaves still to be proven for the claim of the side to move to hold, delta the same for it
to fail. The claims of the two sides are each other's opposites. A game of Connect Four cannot return to a position, so
that numbers from different paths can share the table: rows of key, phi, delta.
"""

from __future__ import annotations

from bot.agents.kernels.rules import ABORT, ORDER, PASSES
from bot.agents.kernels.search import Counters, Flag, Rules, is_stopped, landing
from bot.agents.kernels.table import KEY, Table, claim, slot_of, table_key
from bot.engine.jit.bits import FULL, four
from bot.engine.jit.compiling import kernel

PHI, DELTA = 1, 2
PROVEN = 1 << 30
"""A number that cannot be reached any more: the claim is refuted."""


@kernel()
def child_numbers(current: int, other: int, disc: int, side: int, draw_counts: int, table: Table) -> tuple[int, int]:
    """Return phi and delta, in the view of the side to move there, of the position after ``disc``.

    ``draw_counts`` is 1 where the asking side (``side`` 1) claims at least a draw, 0 where it claims a win.
    """
    if four(current | disc):
        return PROVEN, 0
    if current | other | disc == FULL:
        holds = draw_counts if side < 0 else 1 - draw_counts  # for the side that would move next
        return (0, PROVEN) if holds else (PROVEN, 0)
    slot = slot_of(table, table_key(other, current | disc, 0, -side, 1))
    if table[slot, KEY] == 0:
        return 1, 1
    return table[slot, PHI], table[slot, DELTA]


@kernel("void(int64, int64, int64, int64, int64, int64, int64[::1], int64[::1], int64[:, ::1], uint8[::1])")
def multiple_iterative_deepening(
    current: int,
    other: int,
    side: int,
    phi_limit: int,
    delta_limit: int,
    draw_counts: int,
    rules: Rules,
    counters: Counters,
    table: Table,
    stop: Flag,
) -> None:
    """Expand the most promising leaves below a node until its phi or delta reaches its limit; store both (MID)."""
    if is_stopped(counters, stop):
        return
    slot = claim(table, table_key(current, other, 0, side, 1))
    if slot < 0:  # without memory the search would not end
        counters[ABORT] = 1
        return
    while counters[ABORT] == 0:
        phi = second = PROVEN
        delta = chosen_phi = chosen = 0
        for place in range(ORDER, ORDER + 7):
            disc = landing(current | other, rules[place])
            if disc == 0:
                continue
            child_phi, child_delta = child_numbers(current, other, disc, side, draw_counts, table)
            delta = min(PROVEN, delta + child_phi)
            if child_delta < phi:
                second, phi, chosen, chosen_phi = phi, child_delta, disc, child_phi
            elif child_delta < second:
                second = child_delta
        if phi >= phi_limit or delta >= delta_limit:
            table[slot, PHI], table[slot, DELTA] = phi, delta
            return
        multiple_iterative_deepening(
            other,
            current | chosen,
            -side,
            min(PROVEN, delta_limit + chosen_phi - delta),
            min(phi_limit, second + 1),
            draw_counts,
            rules,
            counters,
            table,
            stop,
        )


@kernel()
def claim_holds(
    current: int, other: int, draw_counts: int, rules: Rules, counters: Counters, table: Table, stop: Flag
) -> bool:
    """Return whether the side to move wins, or with ``draw_counts`` at least draws; ``table`` is empty at first."""
    counters[PASSES] += 1
    multiple_iterative_deepening(current, other, 1, PROVEN, PROVEN, draw_counts, rules, counters, table, stop)
    slot = slot_of(table, table_key(current, other, 0, 1, 1))
    return bool(table[slot, PHI] == 0)
