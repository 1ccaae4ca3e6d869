"""The 69 windows of four cells, counted for one direction at a time with bit operations, and the linear evaluation.

Boards are int64 with bit ``column * 7 + row`` (see bot.engine.jit.bits). A set of windows is a board of their first
cells: the left-most cell of a window, the lowest one of a vertical window.
"""

from __future__ import annotations

from bot.agents.kernels.arrays import Rules
from bot.agents.kernels.rules import OPTIONS
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


# Options of the linear evaluation; `bot.agents.program.linear` fills them. Others may follow from LINEAR_END on.
OWN_WINDOWS = OPTIONS
"""First of five weights: the maximiser's open windows with 0, 1, 2, 3, 4 own discs."""
OTHER_WINDOWS = OPTIONS + 5
"""The same for the minimiser's open windows, subtracted."""
SQUARES = OPTIONS + 10
"""First of four bitboards: the cells whose weight has bit 0, 1, 2, 3 set; a disc counts its cell's weight."""
OFFSET = OPTIONS + 14
"""Constant added to every leaf value."""
USES_WINDOWS = OPTIONS + 15
"""0: all window weights are 0, so the windows are not counted."""
LINEAR_END = OPTIONS + 16


@kernel()
def weighted_windows(mine: int, theirs: int, rules: Rules, first: int) -> int:
    """Return the weighted number of windows without a disc of ``theirs``; ``rules[first + n]`` weighs n own discs."""
    total, counts = 0, window_counts(mine, theirs)
    for held in range(5):
        total += rules[first + held] * counts[held]
    return total


@kernel()
def weighted_squares(discs: int, rules: Rules) -> int:
    """Return the sum of the cell weights under ``discs``."""
    total = 0
    for bit in range(4):
        total += popcount(discs & rules[SQUARES + bit]) << bit
    return total


@kernel()
def linear_value(mine: int, theirs: int, _side: int, rules: Rules) -> int:
    """Return the weighted windows and cells of the maximiser less those of the minimiser."""
    total: int = rules[OFFSET] + weighted_squares(mine, rules) - weighted_squares(theirs, rules)
    if rules[USES_WINDOWS]:
        total += weighted_windows(mine, theirs, rules, OWN_WINDOWS)
        total -= weighted_windows(theirs, mine, rules, OTHER_WINDOWS)
    return total
