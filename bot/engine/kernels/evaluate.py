"""The static evaluation: the 69 windows of four cells, and threats weighted by their parity.

Boards are two 49-bit integers as in ``bot.game.board``; values are the side to move's view.
"""

from __future__ import annotations

from bot.engine.jit.bits import BOTTOM, EVEN_ROWS, FULL, ODD_ROWS, TOP, popcount, winning_cells
from bot.engine.jit.compiling import kernel

SECOND_ROW = BOTTOM << 1
D3 = 1 << 23

# Fitted by logistic regression to exact results of positions of 14 to 24 discs, and rounded (commit 9409fd0). A unit
# is a sixteenth of a logit.
FIRST_ODD, FIRST_EVEN = 41, 13  # columns with a useful threat of the first player, on odd or even rows
SECOND_ODD, SECOND_EVEN = 17, 19  # the same for the second player
ONE_DISC, TWO_DISCS = 2, 4  # open windows; those of three discs are the threats themselves
FIRST_ONE, FIRST_TWO = 4, 14  # added for the first player's windows that only lack cells of odd rows
SECOND_ONE, SECOND_TWO = 5, 12  # added for the second player's windows that only lack cells of the second row
MIDDLE = 8  # the third cell of the middle column


@kernel("i8(i8,i8,i8,i8,i8)")
def window_score(discs: int, free: int, one: int, two: int, three: int) -> int:
    """Return the sum over the windows within ``free``: ``one``, ``two`` or ``three`` by the number of ``discs`` in it.

    A window is represented by its first cell, so that one shift covers all windows of a direction; the discs in each
    are counted by a full adder on whole boards.
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


@kernel(inline=True)
def windows(current: int, mask: int, one: int, two: int, three: int) -> int:
    """Return the window score of the side to move minus that of the other side."""
    other = current ^ mask
    mine = window_score(current, FULL & ~other, one, two, three)
    return mine - window_score(other, FULL & ~current, one, two, three)


@kernel("i8(i8)", inline=True)
def upwards(cells: int) -> int:
    """Return the cells and all cells above them."""
    cells |= (cells << 1) & ~BOTTOM & FULL
    cells |= (cells << 2) & ~(BOTTOM * 0b11) & FULL
    return cells | (cells << 4) & (BOTTOM * 0b110000)


@kernel(inline=True)
def above(cells: int) -> int:
    """Return the cells above any of the cells."""
    return (upwards(cells) << 1) & FULL


@kernel(inline=True)
def columns_with(cells: int) -> int:
    """Return how many columns hold any of the cells."""
    return popcount(upwards(cells) & TOP)


@kernel("i8(i8,i8,i8)")
def evaluate(current: int, mask: int, ply: int) -> int:
    """Return the evaluation of a quiet position for the side to move: threats, and windows that may become threats.

    When the columns fill up, the first player gets the odd rows and the second the even rows (Allis 1988, section
    3.3): a threat of a side's own parity wins in the end, unless one of the other side lies below it. A threat above
    an opponent's earlier one has no value. The cells above a threat that wins will never be filled, so windows through
    them count nothing; windows that lack only cells of a side's own parity count most.
    """
    is_first = ply & 1 == 0
    first, second = current, current ^ mask
    if not is_first:
        first, second = second, first
    first_threats, second_threats = winning_cells(first, mask), winning_cells(second, mask)
    odd, even = first_threats & ODD_ROWS, second_threats & EVEN_ROWS
    first_odd, second_even = odd & ~above(even), even & ~above(odd)
    first_even = first_threats & EVEN_ROWS & ~above(second_threats)
    second_odd = second_threats & ODD_ROWS & ~above(first_threats)
    waiting = FULL & ~mask & ~above(first_odd | second_even)
    value = FIRST_ODD * columns_with(first_odd) - SECOND_ODD * columns_with(second_odd)
    value += FIRST_EVEN * columns_with(first_even) - SECOND_EVEN * columns_with(second_even)
    value += window_score(first, first | waiting, ONE_DISC, TWO_DISCS, 0)
    value -= window_score(second, second | waiting, ONE_DISC, TWO_DISCS, 0)
    value += window_score(first, first | (waiting & ODD_ROWS), FIRST_ONE, FIRST_TWO, 0)
    value -= window_score(second, second | (waiting & SECOND_ROW), SECOND_ONE, SECOND_TWO, 0)
    if first & D3:
        value += MIDDLE
    elif second & D3:
        value -= MIDDLE
    return value if is_first else -value
