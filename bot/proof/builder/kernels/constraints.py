"""Find a diagram by constraint solving: which cells must precede which others, so that every line keeps its promise.

A diagram matters only through the order of cells that are candidates at the same time. The search keeps a partial order
of the cells and the positions that it leads to. In each of them, one of the *good* candidates, those that the exact
solver allows, must precede all other candidates. Where only one can, it follows; where several can, one is chosen. A
position where none can is a conflict. The reasons of every relation are kept, as the set of choices that led to it, so
the search returns directly to the last choice that took part in a conflict; if none took part, no diagram exists.
"""

from __future__ import annotations

import numpy as np

from bot.engine.jit.arrays import Words
from bot.engine.jit.bits import bit_number, popcount
from bot.engine.jit.compiling import kernel
from bot.proof.builder.kernels.partial_order import (
    BEFORE,
    BLAMED,
    CANDIDATES,
    CHOSEN_AT,
    CONFLICTS,
    DECIDED,
    FULL_TABLE,
    INCOMPLETE,
    LAST,
    LEVEL,
    LEVELS,
    NO_CONFLICT,
    OTHERS,
    PARENT,
    POSITIONS,
    SLOT,
    SPENT,
    UNDECIDED,
    ZERO,
    Work,
    copy_into,
    decide,
    possible,
    reason_of,
    start,
)

IMPOSSIBLE, FOUND, OPEN = 0, 1, 2
"""Results: no diagram exists, one was found, the limits were met."""


@kernel()
def seed_random(seed: int) -> None:
    """Seed the random numbers of these kernels."""
    np.random.seed(seed)


@kernel()
def preferred(cells: int, candidates: int, guide: Words, work: Work) -> int:
    """Return the one of ``cells`` that needs the fewest new relations to precede all candidates; ties by ``guide``."""
    best, least = 0, 1 << 30
    while cells:
        cell = cells & -cells
        cells ^= cell
        number = bit_number(cell)
        value = 64 * popcount(candidates & ~work.below[number] & ~cell) + guide[number]
        if value < least:
            least, best = value, cell
    return best


@kernel()
def choose(index: int, cells: int, guide: Words, work: Work) -> int:
    """Choose one of several ``cells`` in a position; return the reason of a conflict."""
    level = work.counts[LEVEL]
    cell = preferred(cells, work.positions[index, CANDIDATES], guide, work)
    if level >= LEVELS:
        work.counts[INCOMPLETE] = 1
        return decide(index, cell, LAST, work)
    copy_into(work.saved_above[level], work.above)
    copy_into(work.saved_below[level], work.below)
    for first in range(len(work.why)):
        copy_into(work.saved_why[level, first], work.why[first])
    work.choices[level, BEFORE] = work.counts[POSITIONS]
    work.choices[level, CHOSEN_AT] = index
    work.choices[level, OTHERS] = cells & ~cell
    work.choices[level, BLAMED] = 0
    work.counts[LEVEL] = level + 1
    return decide(index, cell, 1 << level, work)


@kernel()
def return_to(level: int, work: Work) -> None:
    """Restore what was known before the choice number ``level``."""
    copy_into(work.above, work.saved_above[level])
    copy_into(work.below, work.saved_below[level])
    for first in range(len(work.why)):
        copy_into(work.why[first], work.saved_why[level, first])
    work.counts[LEVEL] = level
    work.counts[POSITIONS] = work.choices[level, BEFORE]
    for index in range(work.counts[POSITIONS]):
        if work.positions[index, DECIDED] > level:
            work.positions[index, DECIDED] = UNDECIDED


@kernel()
def change_choice(conflict: int, guide: Words, work: Work) -> tuple[int, int]:
    """Change the last choice that took part in a conflict; return where, and the reason of the next conflict.

    The place is -1 if no choice is left to change.
    """
    while conflict:
        level = LEVELS - 1
        while conflict >> level & 1 == 0:
            level -= 1
        return_to(level, work)
        work.choices[level, BLAMED] |= conflict ^ 1 << level
        index, cells = work.choices[level, CHOSEN_AT], work.choices[level, OTHERS]
        reason = work.choices[level, BLAMED] | reason_of(index, work)
        if cells:
            cell = preferred(cells, work.positions[index, CANDIDATES], guide, work)
            work.choices[level, OTHERS] = cells & ~cell
            if cells & ~cell:
                work.counts[LEVEL] = level + 1
                reason = 1 << level
            return index, decide(index, cell, reason, work)
        work.weights[work.positions[index, SLOT]] += 1.0
        conflict = reason
    return -1, 0


@kernel()
def propagate(work: Work) -> tuple[int, int]:
    """Decide every position where only one move is possible; return the last position and the reason of a conflict.

    Without a conflict, the position is the one to choose a move in, or -1 if all are decided.
    """
    while True:
        changed, chosen, highest, index = False, -1, -1.0, ZERO
        while index < work.counts[POSITIONS]:
            if work.positions[index, DECIDED] == UNDECIDED:
                cells = possible(index, work)
                if cells & (cells - 1) == 0:
                    reason = reason_of(index, work)
                    conflict = decide(index, cells, reason, work) if cells else reason
                    if conflict != NO_CONFLICT:
                        return index, conflict
                    changed = True
                elif not changed:
                    weight = 1.0 + work.weights[work.positions[index, SLOT]]
                    value = weight / popcount(cells) * (0.9 + 0.1 * np.random.random())
                    if value > highest:
                        highest, chosen = value, index
            index += 1
        if not changed:
            return chosen, NO_CONFLICT


@kernel()
def find_order(ours: int, mask: int, limit: int, conflicts: int, guide: Words, work: Work, ranks: Words) -> int:
    """Search for an order of the cells that keeps the promise; return IMPOSSIBLE, FOUND or OPEN.

    ``ours`` and ``mask`` are our discs and all discs of a position in which we are to move. The search ends after
    ``limit`` positions or ``conflicts`` conflicts. ``guide`` (shape (49,)) breaks ties, smallest first; ``ranks`` (the
    same) receives the order, not as consecutive numbers.
    """
    counts = work.counts
    conflict, index = start(ours, mask, work), -1
    while counts[SPENT] <= limit and counts[CONFLICTS] <= conflicts and counts[FULL_TABLE] == 0:
        if conflict == NO_CONFLICT:
            index, conflict = propagate(work)
            if conflict == NO_CONFLICT:
                if index < 0:
                    for number in range(49):
                        ranks[number] = 64 * popcount(work.above[number]) + guide[number]
                    return FOUND
                conflict = choose(index, possible(index, work), guide, work)
            continue
        counts[CONFLICTS] += 1
        if index >= 0:
            work.weights[work.positions[index, SLOT]] += 1.0
            parent = work.positions[index, PARENT]
            if parent >= 0:
                work.weights[work.positions[parent, SLOT]] += 0.5
        index, conflict = change_choice(conflict, guide, work)
        if index < 0:
            return OPEN if counts[INCOMPLETE] else IMPOSSIBLE
    return OPEN
