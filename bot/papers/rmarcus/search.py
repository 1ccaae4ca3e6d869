"""The web AI of rmarcus.info as compiled from its C source of 23 December 2014, see bot/papers/rmarcus/notes.md.

The computer is the maximiser at the root. Its move ordering is inverted, equal moves are in the order in which the C
library's smoothsort leaves them, and its table returns values without regard to whether they are bounds. All three
influence which move is played, so all three are reproduced.
"""

from __future__ import annotations

from numba import types

from bot.agents.kernels.arrays import Counters, Rules
from bot.agents.kernels.rules import INFINITY, LEAVES
from bot.agents.kernels.search import PAIR, TABLE_SEARCH, Evaluate, is_stopped, landing
from bot.engine.jit.arrays import Flag, Words
from bot.engine.jit.bits import FULL, STRIDE, four
from bot.engine.jit.compiling import kernel

WON = 1000
BINS, ENTRIES = 32_000, 10
"""Bins of the table, and entries of a bin."""
HASH_START = 14695981039346656037 - (1 << 64)
HASH_FACTOR = 1099511628211
LOW_WORD = 0xFFFFFFFF
Bins = Words
"""The table, shape (BINS, 1 + 2 * ENTRIES): a count, then pairs of board and value."""

LEONARDO = (1, 1, 3, 5, 9, 15, 25)
"""Sizes of smoothsort's heaps, by their Leonardo number."""

Items = Words
"""Items to be sorted: key * 8 + column; the sort compares the keys only."""


@kernel()
def static_value(mine: int, theirs: int, evaluate: Evaluate, rules: Rules) -> int:
    """Return the value for the computer; a full board is tested first, so four in a row by the 42nd disc counts 0."""
    if mine | theirs == FULL:
        return 0
    if four(mine):
        return WON
    if four(theirs):
        return -WON
    return evaluate(mine, theirs, 1, rules)


@kernel()
def sift(items: Items, head: int, order: int) -> None:
    """Sink the root of one heap, of Leonardo number ``order``, to its place."""
    while order > 1:
        right = head - 1
        left = right - LEONARDO[order - 2]
        is_left = items[left] >> 3 >= items[right] >> 3
        child = left if is_left else right
        if items[head] >> 3 >= items[child] >> 3:
            break
        items[head], items[child] = items[child], items[head]
        head = child
        order -= 1 if is_left else 2


@kernel()
def trinkle(items: Items, heaps: Items, last: int, head: int) -> None:
    """Sink the item at ``head``, the root of the heap ``last``, to its place among the roots, and then in its heap."""
    while last > 0:
        stepson = head - LEONARDO[heaps[last]]
        if items[stepson] >> 3 <= items[head] >> 3:
            break
        items[head], items[stepson] = items[stepson], items[head]
        head = stepson
        last -= 1
    sift(items, head, heaps[last])


@kernel("void(int64[::1], int64[::1], int64)")
def smoothsort(items: Items, heaps: Items, count: int) -> None:
    """Sort the first ``count`` items ascending by key; equal keys end in the order of the C library's sort.

    It leaves out what the library does to save comparisons: with at most seven items no order depends on it. ``heaps``
    (shape (7,)) is workspace, for the heaps' Leonardo numbers.
    """
    last = 0
    heaps[0] = 1
    for head in range(count - 1):
        order = heaps[last]
        if last > 0 and heaps[last - 1] == order + 1:  # with the next item as root, both become one heap
            last -= 1
            heaps[last] += 1
        else:
            trinkle(items, heaps, last, head)
            last += 1
            heaps[last] = 0 if order == 1 else 1
    trinkle(items, heaps, last, count - 1)
    for head in range(count - 1, 0, -1):
        order = heaps[last] - 2
        if order < 0:  # a heap of one item, which is in its place
            last -= 1
        else:  # without its root the heap becomes two
            heaps[last] = order + 1
            trinkle(items, heaps, last, head - 1 - LEONARDO[order])
            last += 1
            heaps[last] = order
            trinkle(items, heaps, last, head - 1)


@kernel()
def bin_of(mine: int, theirs: int) -> int:
    """Return the table's bin: the low word of a hash like FNV-1a over the cells, column by column, modulo the bins.

    A cell counts -1 when empty, 1 for the human and 2 for the computer.
    """
    hashed = HASH_START
    for column in range(7):
        for row in range(6):
            bit = 1 << column * STRIDE + row
            cell = -1
            if mine & bit:
                cell = 2
            elif theirs & bit:
                cell = 1
            hashed = (hashed ^ cell) * HASH_FACTOR
    return (hashed & LOW_WORD) % BINS


@kernel()
def find(table: Bins, bin_number: int, board: int) -> int:
    """Return the first place of ``board`` in its bin, or -1."""
    for entry in range(table[bin_number, 0]):
        if table[bin_number, 1 + 2 * entry] == board:
            return entry
    return -1


@kernel()
def store(table: Bins, bin_number: int, board: int, value: int) -> None:
    """Append an entry to the bin, even if the board is there already; a full bin stays as it is."""
    entry = table[bin_number, 0]
    if entry < ENTRIES:
        table[bin_number, 1 + 2 * entry] = board
        table[bin_number, 2 + 2 * entry] = value
        table[bin_number, 0] = entry + 1


@kernel()
def after(mine: int, theirs: int, disc: int, side: int) -> tuple[int, int]:
    """Return the computer's and the human's discs after ``side`` has played ``disc``."""
    return (mine | disc, theirs) if side > 0 else (mine, theirs | disc)


@kernel()
def sorted_children(
    mine: int, theirs: int, side: int, evaluate: Evaluate, rules: Rules, items: Items, heaps: Items
) -> int:
    """Fill ``items`` with the columns, the mover's worst static value first; return their number."""
    count = 0
    for column in range(7):
        disc = landing(mine | theirs, column)
        if disc != 0:
            child_mine, child_theirs = after(mine, theirs, disc, side)
            items[count] = side * static_value(child_mine, child_theirs, evaluate, rules) * 8 + column
            count += 1
    smoothsort(items, heaps, count)
    return count


@kernel(PAIR(*TABLE_SEARCH[:-1], types.int64[:, ::1], TABLE_SEARCH[-1]))
def web_search(
    mine: int,
    theirs: int,
    side: int,
    depth: int,
    alpha: int,
    beta: int,
    evaluate: Evaluate,
    rules: Rules,
    counters: Counters,
    table: Bins,
    scratch: Words,
    stop: Flag,
) -> tuple[int, int]:
    """Return the computer's value and the column; ``mine`` are the computer's discs, ``side`` is 1 when it moves.

    ``table`` has shape (BINS, 1 + 2 * ENTRIES): a count, then pairs of board and value. ``scratch`` has shape
    (depth + 1, 7). Both are int64.
    """
    if is_stopped(counters, stop):
        return 0, -1
    if depth == 0 or mine | theirs == FULL or four(mine) or four(theirs):
        counters[LEAVES] += 1
        return static_value(mine, theirs, evaluate, rules), -1
    items = scratch[depth]
    best, chosen = -side * INFINITY, -1
    for place in range(sorted_children(mine, theirs, side, evaluate, rules, items, scratch[0])):
        column = items[place] & 7
        disc = landing(mine | theirs, column)
        child_mine, child_theirs = after(mine, theirs, disc, side)
        board = child_mine + (child_mine | child_theirs)
        bin_number = bin_of(child_mine, child_theirs)
        entry = find(table, bin_number, board)
        if entry >= 0:
            value = table[bin_number, 2 + 2 * entry]
        elif depth == 1:  # a leaf: its static value is the sort key
            if is_stopped(counters, stop):
                break
            counters[LEAVES] += 1
            value = side * (items[place] >> 3)
        else:
            value, _ = web_search(
                child_mine, child_theirs, -side, depth - 1, alpha, beta, evaluate, rules, counters, table, scratch, stop
            )
        store(table, bin_number, board, value)
        if side > 0:
            if value >= beta:
                return value, column
            alpha = max(alpha, value)
        else:
            if value <= alpha:
                return value, column
            beta = min(beta, value)
        if side * value > side * best:
            best, chosen = value, column
    return best, chosen
