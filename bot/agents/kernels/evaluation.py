"""Leaf values of all papers, from the maximiser's view; the module that sets an evaluation's options cites its paper.

Boards are int64 bitboards with bit ``column * 7 + row``. ``rules`` is the array of `bot.agents.kernels.rules`.
"""

from __future__ import annotations

from numpy import int64
from numpy.typing import NDArray

from bot.agents.kernels.rules import (
    COVERED,
    EVALUATION,
    FEATURES,
    INTENDED,
    KANG_FEATURES,
    OFFSET,
    OPEN_THREE,
    OTHER_WINDOWS,
    OWN_WINDOWS,
    SCHEE,
    SQUARES,
    USES_WINDOWS,
    VIEW,
)
from bot.agents.kernels.windows import DIRECTIONS, FALLING, VERTICAL, by_count, free_windows, window_counts
from bot.engine.jit.bits import BOTTOM, FULL, popcount
from bot.engine.jit.compiling import kernel

Rules = NDArray[int64]

ROW_BITS = tuple(sum(BOTTOM << row for row in range(6) if row >> bit & 1) for bit in range(3))
"""The cells whose row number has bit 0, 1, 2 set: three population counts give a sum of row numbers."""
OUTER, NEXT, INNER, CENTRE = (
    sum(0b111111 << column * 7 for column in columns) for columns in ((0, 6), (1, 5), (2, 4), (3,))
)


@kernel()
def weighted_windows(mine: int, theirs: int, rules: Rules, first: int) -> int:
    """Return the weighted number of windows without a disc of ``theirs``; ``rules[first + n]`` weighs n own discs."""
    none, one, two, three, four = window_counts(mine, theirs)
    total: int = rules[first] * none + rules[first + 1] * one + rules[first + 2] * two
    total += rules[first + 3] * three + rules[first + 4] * four
    return total


@kernel()
def weighted_squares(discs: int, rules: Rules) -> int:
    """Return the sum of the cell weights under ``discs``."""
    return (
        popcount(discs & rules[SQUARES])
        + 2 * popcount(discs & rules[SQUARES + 1])
        + 4 * popcount(discs & rules[SQUARES + 2])
        + 8 * popcount(discs & rules[SQUARES + 3])
    )


@kernel()
def row_sum(cells: int) -> int:
    """Return the sum of the row numbers (0 at the bottom) of all ``cells``."""
    return popcount(cells & ROW_BITS[0]) + 2 * popcount(cells & ROW_BITS[1]) + 4 * popcount(cells & ROW_BITS[2])


@kernel()
def schee_score(mine: int, theirs: int, intended: int) -> int:
    """Return one side's score after van der Schee 2014 (bot/lab/README.md#van-der-schee-evaluation).

    Each open window counts its own discs times 6 less the mean row of its empty cells. As published, the cell recorded
    as the threat of three discs is the last one of the window instead of the empty one, and an error of operator
    precedence makes stacked threats a penalty. A window of four own discs counts 0 (the published program divides by
    zero there).
    """
    total = threats = 0
    for step, starts in DIRECTIONS:
        free = free_windows(theirs, step, starts)
        one, two, three, _ = by_count(mine, free, step)
        window = one | two | three
        while window:
            start = window & -window
            window ^= start
            empty = (start | start << step | start << 2 * step | start << 3 * step) & ~mine
            holes: int = popcount(empty)
            total += (4 - holes) * (6 - row_sum(empty) // holes)
        if intended:
            threats |= (three | three << step | three << 2 * step | three << 3 * step) & ~mine
        elif step == FALLING:  # the program scans it from the lower right end: its last cell is the first one here
            threats |= three
        else:
            threats |= three << 3 * step
    stacked = threats & threats << 1 & FULL
    return total + (600 if intended else 6) * popcount(stacked) - 100 * row_sum(stacked)


@kernel()
def connected_value(mine: int, mask: int, features: int, open_three: int) -> int:
    """Return one side's features 2 and 3 of Kang 2019's Heuristic-1 (bot/lab/README.md#kang-heuristic-1).

    Feature 2: runs of three, and runs of two with a gap and a third disc. Feature 3: the other runs of two. Bit n - 1
    of ``features`` switches feature n on.
    """
    total = 0
    playable = (mask + BOTTOM) & FULL
    empty = FULL & ~mask
    for step, _ in DIRECTIONS:
        pair = mine & mine >> step
        three = pair & mine >> 2 * step & ~(mine << step) & ~(mine >> 3 * step)
        two = pair & ~(mine << step) & ~(mine >> 2 * step)
        if features & 2:
            below, above = playable << step, playable >> 3 * step
            total += open_three * popcount(three & below & above) + 900_000 * popcount(three & (below ^ above))
            gap = two & ((empty >> 2 * step & mine >> 3 * step) | (empty << step & mine << 2 * step))
            total += 900_000 * popcount(gap)
            two &= ~gap
        if features & 4:
            # In a column every empty cell becomes playable in turn; elsewhere a cell must be supported now.
            room = empty if step == VERTICAL else playable
            below, above = room << step, room >> 2 * step
            total += 50_000 * popcount(two & below & above)
            downward, upward = two & below & ~above, two & above & ~below
            for distance in range(2, 6):
                downward &= room << distance * step
                upward &= room >> (distance + 1) * step
                total += 10_000 * (popcount(downward) + popcount(upward))
    return total


@kernel()
def lone_value(mine: int) -> int:
    """Return one side's feature 4 of Heuristic-1: discs without a neighbour of their colour, weighted by column."""
    near = mine << 1 | mine >> 1 | mine << 6 | mine >> 6 | mine << 7 | mine >> 7 | mine << 8 | mine >> 8
    lone = mine & ~near
    return (
        200 * popcount(lone & CENTRE)
        + 120 * popcount(lone & INNER)
        + 70 * popcount(lone & NEXT)
        + 40 * popcount(lone & OUTER)
    )


@kernel()
def kang_value(mine: int, theirs: int, features: int, open_three: int) -> int:
    """Return Kang 2019's Heuristic-1 without feature 1: four in a row ends the game, which the search sees itself."""
    mask = mine | theirs
    total = 0
    if features & 6:
        total += connected_value(mine, mask, features, open_three) - connected_value(theirs, mask, features, open_three)
    if features & 8:
        total += lone_value(mine) - lone_value(theirs)
    return total


@kernel()
def covered_discs(mine: int, theirs: int, least: int) -> int:
    """Return the number of own discs that lie in open windows of at least ``least`` (1..3) own discs."""
    discs = 0
    for step, starts in DIRECTIONS:
        one, two, three, four = by_count(mine, free_windows(theirs, step, starts), step)
        chosen = three | four
        if least <= 2:
            chosen |= two
        if least == 1:
            chosen |= one
        discs |= chosen | chosen << step | chosen << 2 * step | chosen << 3 * step
    return popcount(discs & mine)


@kernel()
def linear_value(mine: int, theirs: int, rules: Rules) -> int:
    """Return the weighted windows and cells of one side less those of the other."""
    total: int = rules[OFFSET] + weighted_squares(mine, rules) - weighted_squares(theirs, rules)
    if rules[USES_WINDOWS]:
        total += weighted_windows(mine, theirs, rules, OWN_WINDOWS)
        total -= weighted_windows(theirs, mine, rules, OTHER_WINDOWS)
    if rules[COVERED]:
        total += rules[COVERED + 1] * covered_discs(mine, theirs, rules[COVERED])
        total -= rules[COVERED + 2] * covered_discs(theirs, mine, rules[COVERED])
    return total


@kernel()
def evaluate(mine: int, theirs: int, side: int, rules: Rules) -> int:
    """Return the leaf value; ``mine`` are the maximiser's discs, ``side`` is +1 at the maximiser's nodes, else -1."""
    if rules[EVALUATION] == SCHEE:
        intended = rules[INTENDED]
        value = schee_score(mine, theirs, intended) - schee_score(theirs, mine, intended)
        # As published, the value is that of the side to move at the leaf, but is used as the maximiser's.
        return value if intended or side > 0 else -value
    if rules[EVALUATION] == KANG_FEATURES:
        return kang_value(mine, theirs, rules[FEATURES], rules[OPEN_THREE])
    if (rules[VIEW] == 1 and side < 0) or (rules[VIEW] == 2 and side > 0):
        return -linear_value(theirs, mine, rules)
    return linear_value(mine, theirs, rules)
