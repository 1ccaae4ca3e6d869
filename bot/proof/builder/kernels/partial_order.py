"""The state of a search for a diagram: a partial order of the cells, and the positions that it leads to.

The reason of a relation, or of a position, is the set of choices because of which it holds or is reached, one bit each.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from bot.engine.jit.arrays import Flag, Words
from bot.engine.jit.bits import BOTTOM, FULL, bit_number, playable_cells, popcount, winning_cells
from bot.engine.jit.compiling import kernel
from bot.proof.builder.kernels.oracle import good_cells
from bot.proof.kernels.rules import candidates

POSITIONS, LEVEL, SPENT, CONFLICTS, INCOMPLETE, FULL_TABLE, DRAW_FAILS = range(7)
"""Words of `Work.counts`: positions known, choices made, positions visited, conflicts, whether a choice was not
recorded, whether the table of positions is full, and whether a draw breaks the promise."""
OURS, MASK, CANDIDATES, GOOD, REASON, DECIDED, SLOT, PARENT = range(8)
"""Columns of `Work.positions`. DECIDED is the number of choices made before our move there was decided."""
UNDECIDED = 99
TABLE = 1 << 16
SLOTS = 1 << 17
LEVELS = 62
"""Choices that can be recorded: one bit of a reason each."""
BEFORE, CHOSEN_AT, OTHERS, BLAMED = range(4)
"""Columns of `Work.choices`: positions known before the choice, the position where it was made, the cells not chosen
yet, and the earlier choices that took part in the conflicts of those that were."""
LAST: Any = int64(1 << (LEVELS - 1))
ZERO: Any = int64(0)
ONE: Any = int64(1)
NO_PARENT: Any = int64(-1)
"""Like the other constants that are arguments here, these are numpy's numbers: for plain ones numba would compile a
version of the kernel each, 42 s in place of 28 s for the whole room."""
ORACLE_FROM = 12
"""First ply at which the exact solver is asked; before, it is slow."""
ORACLE_COST = 20
"""Cost of asking the exact solver from ply 16 on, in positions visited; twice as high for each ply before."""
NO_CONFLICT = -1
STACK = 4096


class Work(NamedTuple):
    """The memory of a search; reused for other positions."""

    counts: Words
    positions: Words
    slots: Words
    """Index of a position by hash; stale where another position is found there."""
    weights: NDArray[float64]
    """Conflicts met at a position, by hash; positions with many are decided first."""
    above: Words
    """By cell (a bit's number): the cells that precede it."""
    below: Words
    why: Words
    """By two cells: the choices because of which the first precedes the second."""
    saved_above: Words
    saved_below: Words
    saved_why: Words
    choices: Words
    stack: Words
    known: Words
    """Cache, table, workspace and flag of the exact solver (see `good_cells`)."""
    table: Words
    memory: Words
    flag: Flag


def new_work(known: Words, table: Words, memory: Words, flag: Flag) -> Work:
    """Return the memory of a search, with that of the exact solver."""
    shapes = [(8,), (TABLE, 8), (SLOTS,), (SLOTS,), (49,), (49,), (49, 49)]
    shapes += [(LEVELS, 49), (LEVELS, 49), (LEVELS, 49, 49), (LEVELS, 4), (STACK, 2)]
    arrays = [np.zeros(shape, np.float64 if place == 3 else np.int64) for place, shape in enumerate(shapes)]
    return Work(*arrays, known, table, memory, flag)  # type: ignore[arg-type, call-arg]


@kernel(inline=True)
def copy_into(target: Words, source: Words) -> None:
    """Copy a vector. Numba's assignment of slices takes 10 s longer to compile in all, for the text of its error."""
    for place in range(len(source)):
        target[place] = source[place]


@kernel()
def relate(first: int, second: int, reason: int, work: Work) -> None:
    """Put cell number ``first`` before ``second``, with all that follows from it."""
    above, below, why = work.above, work.below, work.why
    if above[second] >> first & 1:
        return
    upper, lower = above[first] | 1 << first, below[second] | 1 << second
    while upper:
        cell = upper & -upper
        upper ^= cell
        high = bit_number(cell)
        because = reason if high == first else reason | why[high, first]
        new = lower & ~below[high]
        below[high] |= lower
        while new:
            other = new & -new
            new ^= other
            low = bit_number(other)
            why[high, low] = because if low == second else because | why[second, low]
            above[low] |= cell


@kernel()
def add_replies(ours: int, mask: int, top: int, work: Work) -> int:
    """Put the positions after all replies on the stack; return its new height, or -1 where the promise is broken.

    ``ours`` and ``mask`` include our last disc; it did not win.
    """
    replies = playable_cells(mask)
    if replies & winning_cells(ours ^ mask, mask) or (replies == 0 and work.counts[DRAW_FAILS]):
        return -1
    while replies:
        reply = replies & -replies
        replies ^= reply
        if mask | reply == FULL:
            if work.counts[DRAW_FAILS]:
                return -1
            continue
        if top >= STACK:
            work.counts[FULL_TABLE] = 1
            return -1
        work.stack[top, 0] = ours
        work.stack[top, 1] = mask | reply
        top += 1
    return top


@kernel()
def visit(top: int, reason: int, parent: int, work: Work) -> int:
    """Add the positions on the stack, and those that follow without a decision; return the reason of a conflict.

    ``reason``: the choices because of which the positions are reached.
    """
    counts, positions, stack = work.counts, work.positions, work.stack
    while top:
        top -= 1
        ours, mask = stack[top, 0], stack[top, 1]
        slot = (((ours + mask + BOTTOM) * 0x1E3779B97F4A7C15) >> 40) & (SLOTS - 1)
        index, count = work.slots[slot], counts[POSITIONS]
        if index < count and positions[index, OURS] == ours and positions[index, MASK] == mask:
            continue
        cells, rule = candidates(ours, mask)
        if rule == 15 or (rule == 18 and cells & (winning_cells(ours ^ mask, mask) >> 1) == 0):
            continue  # the opponent cannot stop a double threat
        if rule == 16 and cells & (cells - 1):
            return reason
        counts[SPENT] += 1
        if count >= TABLE:
            counts[FULL_TABLE] = 1
            return reason
        good, ply = cells, popcount(mask)
        if cells & (cells - 1) and ply >= ORACLE_FROM:
            counts[SPENT] += ORACLE_COST << max(0, 16 - ply)
            good &= good_cells(ours, mask, counts[DRAW_FAILS], work.known, work.table, work.memory, work.flag)
            if good == 0:
                return reason
        counts[POSITIONS] = count + 1
        work.slots[slot] = count
        positions[count, OURS], positions[count, MASK] = ours, mask
        positions[count, CANDIDATES], positions[count, GOOD] = cells, good
        positions[count, REASON], positions[count, DECIDED] = reason, UNDECIDED
        positions[count, SLOT], positions[count, PARENT] = slot, parent
        if cells & (cells - 1) == 0:
            positions[count, DECIDED] = counts[LEVEL]
            top = add_replies(ours | cells, mask | cells, top, work)
            if top < 0:
                return reason
    return NO_CONFLICT


@kernel()
def possible(index: int, work: Work) -> int:
    """Return the good candidates of a position that no other candidate precedes."""
    candidates, left, found = work.positions[index, CANDIDATES], work.positions[index, GOOD], 0
    while left:
        cell = left & -left
        left ^= cell
        if work.above[bit_number(cell)] & candidates == 0:
            found |= cell
    return found


@kernel()
def reason_of(index: int, work: Work) -> int:
    """Return the choices because of which a position is reached and only its `possible` cells can be played."""
    candidates = work.positions[index, CANDIDATES]
    reason: int = work.positions[index, REASON]
    left = work.positions[index, GOOD] & ~possible(index, work)
    while left:
        cell = left & -left
        left ^= cell
        low = bit_number(cell)
        upper, least, fewest = work.above[low] & candidates, 0, LEVELS + 1
        while upper:
            other = upper & -upper
            upper ^= other
            because = work.why[bit_number(other), low]
            count = popcount(because & ~reason)
            if count < fewest:
                fewest, least = count, because
        reason |= least
    return reason


@kernel()
def decide(index: int, cell: int, reason: int, work: Work) -> int:
    """Play ``cell`` in a position: put it before the other candidates. Return the reason of a conflict."""
    positions = work.positions
    first, others, path = bit_number(cell), positions[index, CANDIDATES] & ~cell, positions[index, REASON]
    while others:
        other = others & -others
        others ^= other
        second = bit_number(other)
        relate(first, second, reason, work)
        path |= work.why[first, second]
    positions[index, DECIDED] = work.counts[LEVEL]
    top = add_replies(positions[index, OURS] | cell, positions[index, MASK] | cell, ZERO, work)
    conflict: int = path if top < 0 else visit(top, path, index, work)
    return conflict


@kernel()
def start(ours: int, mask: int, work: Work) -> int:
    """Forget the last search and visit its first position; return the reason of a conflict."""
    draw_fails = work.counts[DRAW_FAILS]
    work.counts[:] = 0
    work.counts[DRAW_FAILS] = draw_fails
    work.above[:] = 0
    work.below[:] = 0
    work.stack[0, 0] = ours
    work.stack[0, 1] = mask
    return visit(ONE, ZERO, NO_PARENT, work)
