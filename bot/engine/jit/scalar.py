"""Threats of one direction after another, without vector registers: for the submission to Kaggle."""

from __future__ import annotations

from bot.engine.jit.bits import FULL
from bot.engine.jit.compiling import kernel


@kernel(inline=True)
def _gaps(discs: int, step: int) -> int:
    """Return the cells that complete four along ``step``: beside three in a row, or the gap in two plus one."""
    left = (discs << step) & (discs << 2 * step)
    right = (discs >> step) & (discs >> 2 * step)
    return (left & ((discs << 3 * step) | (discs >> step))) | (right & ((discs >> 3 * step) | (discs << step)))


@kernel(inline=True)
def winning_cells(discs: int, mask: int) -> int:
    """Return the empty cells, playable now or later, where one more disc makes four."""
    above_three = (discs << 1) & (discs << 2) & (discs << 3)
    return (above_three | _gaps(discs, 7) | _gaps(discs, 6) | _gaps(discs, 8)) & (FULL ^ mask)
