"""The static evaluation: what the 69 windows of four cells and the parity of threats promise.

Boards are two 49-bit integers as in ``bot.game.board``; values are the side to move's view.
"""

from __future__ import annotations

from bot.engine.kernels.bits import BOTTOM, EVEN_ROWS, FULL, ODD_ROWS, popcount, winning_cells
from bot.engine.kernels.jit import kernel

TOP = BOTTOM << 5

# Fitted by logistic regression to the exact results of 36,000 positions of 14 to 24 discs (a unit is a sixteenth of
# a logit); they foretell the winner of four in five unseen ones.
FIRST_ODD, FIRST_EVEN = 40, 13  # columns with a useful threat of the first player, on odd or even rows
SECOND_ODD, SECOND_EVEN = 12, 25  # the same for the second player
ONE_DISC, TWO_DISCS = 2, 5  # windows; those of three discs are the threats themselves


@kernel()
def window_score(discs: int, free: int, one: int, two: int, three: int) -> int:
    """Sum over the windows within ``free``: ``one``, ``two`` or ``three`` for as many ``discs`` in it.

    A window is named by its first cell, so that one shift looks at all windows of a direction at once; the
    discs in each are counted by a full adder on whole boards.
    """
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
    mine = window_score(current, FULL & ~other, one, two, three)
    return mine - window_score(other, FULL & ~current, one, two, three)


@kernel()
def upwards(cells: int) -> int:
    """The cells and all cells above them."""
    cells |= (cells << 1) & ~BOTTOM & FULL
    cells |= (cells << 2) & ~(BOTTOM * 3) & FULL
    return cells | (cells << 4) & (BOTTOM * 48)


@kernel()
def columns_with(cells: int) -> int:
    """How many columns hold any of the cells."""
    return popcount(upwards(cells) & TOP)


@kernel()
def evaluate(current: int, mask: int, ply: int) -> int:
    """The search's evaluation of a quiet position: threats that will come to bear, and open windows.

    When the columns fill up, the first player gets the odd rows and the second the even rows (Allis 1988, section
    3.3): a threat on one's own parity wins in the end, unless the other side's lies below it. What is above such a
    threat will never be filled, so windows through those cells are worth nothing.
    """
    first, second = (current, current ^ mask) if ply & 1 == 0 else (current ^ mask, current)
    first_cells, second_cells = winning_cells(first, mask), winning_cells(second, mask)
    odd, even = first_cells & ODD_ROWS, second_cells & EVEN_ROWS
    # A cell above a threat is one step above the threat's column upwards; bits that leave a column fall on row 7.
    above_odd, above_even = (upwards(odd) << 1) & FULL, (upwards(even) << 1) & FULL
    odd, even = odd & ~above_even, even & ~above_odd
    above_first, above_second = (upwards(first_cells) << 1) & FULL, (upwards(second_cells) << 1) & FULL
    value = FIRST_ODD * columns_with(odd) - SECOND_EVEN * columns_with(even)
    value += FIRST_EVEN * columns_with(first_cells & EVEN_ROWS & ~above_second)
    value -= SECOND_ODD * columns_with(second_cells & ODD_ROWS & ~above_first)
    alive = FULL & ~((upwards(odd | even) << 1) & FULL) | mask
    value += window_score(first, alive & ~second, ONE_DISC, TWO_DISCS, 0)
    value -= window_score(second, alive & ~first, ONE_DISC, TWO_DISCS, 0)
    return value if ply & 1 == 0 else -value
