"""The 69 windows of four cells, counted for one direction at a time with bit operations.

Boards are int64 with bit ``column * 7 + row`` (see bot.engine.jit.bits). A set of windows is a board of their first
cells: the left-most cell of a window, the lowest one of a vertical window.
"""

from __future__ import annotations

from bot.engine.jit.bits import STRIDE, popcount
from bot.engine.jit.compiling import kernel

VERTICAL, HORIZONTAL, FALLING, RISING = 1, STRIDE, STRIDE - 1, STRIDE + 1


def _cells(columns: range, rows: range) -> int:
    return sum(1 << (column * STRIDE + row) for column in columns for row in rows)


DIRECTIONS = (
    (VERTICAL, _cells(range(7), range(3))),
    (HORIZONTAL, _cells(range(4), range(6))),
    (FALLING, _cells(range(4), range(3, 6))),
    (RISING, _cells(range(4), range(3))),
)
"""For each direction: the step between neighbours, and the first cells of its windows (21 + 24 + 12 + 12 = 69)."""


@kernel()
def by_count(mine: int, free: int, step: int) -> tuple[int, int, int, int]:
    """Return those of the windows ``free`` that hold exactly one, two, three and four discs of ``mine``.

    The four cells of all windows are added at once, bit by bit, as a full adder does.
    """
    first, second, third, fourth = mine, mine >> step, mine >> 2 * step, mine >> 3 * step
    odd_left, pair_left = first ^ second, first & second
    odd_right, pair_right = third ^ fourth, third & fourth
    ones = odd_left ^ odd_right
    twos = pair_left ^ pair_right ^ (odd_left & odd_right)
    return free & ones & ~twos, free & twos & ~ones, free & ones & twos, free & pair_left & pair_right


@kernel()
def free_windows(theirs: int, step: int, starts: int) -> int:
    """Return the windows of one direction, out of ``starts``, that hold no disc of ``theirs``."""
    return starts & ~(theirs | theirs >> step | theirs >> 2 * step | theirs >> 3 * step)


@kernel()
def window_counts(mine: int, theirs: int) -> tuple[int, int, int, int, int]:
    """Return how many windows without a disc of ``theirs`` hold 0, 1, 2, 3 and 4 discs of ``mine``."""
    free_total = one = two = three = four = 0
    for step, starts in DIRECTIONS:
        free = free_windows(theirs, step, starts)
        ones, twos, threes, fours = by_count(mine, free, step)
        free_total += popcount(free)
        one += popcount(ones)
        two += popcount(twos)
        three += popcount(threes)
        four += popcount(fours)
    return free_total - one - two - three - four, one, two, three, four
