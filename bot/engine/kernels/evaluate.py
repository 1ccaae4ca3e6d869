"""The static evaluation: what the 69 windows of four cells and the parity of threats promise.

Boards are two 49-bit integers as in ``bot.game.board``; values are the side to move's view.
"""

from __future__ import annotations

from bot.engine.kernels.bits import EVEN_ROWS, FULL, ODD_ROWS, popcount, winning_cells
from bot.engine.kernels.jit import kernel


@kernel()
def window_score(discs: int, other: int, one: int, two: int, three: int) -> int:
    """Sum over the windows free of ``other``: ``one``, ``two`` or ``three`` for as many ``discs`` in it.

    A window is named by its first cell, so that one shift looks at all windows of a direction at once; the
    discs in each are counted by a full adder on whole boards.
    """
    free = FULL & ~other
    total = 0
    for step in (1, 6, 7, 8):
        window = free & (free >> step) & (free >> 2 * step) & (free >> 3 * step)
        a, b, c, d = discs, discs >> step, discs >> 2 * step, discs >> 3 * step
        low = a ^ b ^ c ^ d
        high = (a & b) ^ (c & d) ^ ((a ^ b) & (c ^ d))
        total += one * popcount(window & low & ~high)
        total += two * popcount(window & high & ~low)
        total += three * popcount(window & high & low)
    return total


@kernel()
def windows(current: int, mask: int, one: int, two: int, three: int) -> int:
    """The windows of the side to move less those of the other side."""
    other = current ^ mask
    return window_score(current, other, one, two, three) - window_score(other, current, one, two, three)


@kernel()
def evaluate(current: int, mask: int, ply: int) -> int:
    """The search's evaluation of a quiet position: open windows, and threats that the parity of rows favours.

    With the columns filled up, the first player gets the odd rows and the second the even rows, so a threat on one's
    own parity is worth a win unless something upsets the order (Allis 1988, section 3.3).
    """
    other = current ^ mask
    mine, theirs = winning_cells(current, mask), winning_cells(other, mask)
    my_rows, their_rows = (ODD_ROWS, EVEN_ROWS) if ply & 1 == 0 else (EVEN_ROWS, ODD_ROWS)
    value = 40 * (popcount(mine & my_rows) - popcount(theirs & their_rows))
    value += 10 * (popcount(mine) - popcount(theirs))
    return value + windows(current, mask, 1, 4, 0)
