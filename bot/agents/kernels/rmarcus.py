"""The web AI of rmarcus.info as compiled from its C source of 23 December 2014, see bot/lab/README.md#rmarcus-web-ai.

The computer is the maximiser at the root. Its move ordering is inverted, equal moves are in the order in which the C
library's smoothsort leaves them, and its table returns values without regard to whether they are bounds. All three
influence which move is played, so all three are reproduced.
"""

from __future__ import annotations

from numba import types
from numpy import int64
from numpy.typing import NDArray

from bot.agents.kernels.rules import ABORT, HITS, INFINITY, LEAVES
from bot.agents.kernels.search import PAIR, TABLE_SEARCH, Counters, Evaluate, Flag, Rules, is_stopped, landing
from bot.engine.jit.bits import FULL, STRIDE, four, popcount
from bot.engine.jit.compiling import kernel

WON = 1000
BINS, ENTRIES = 32_000, 10
"""Bins of the table, and entries of a bin."""
HASH_START = 14695981039346656037 - (1 << 64)
HASH_FACTOR = 1099511628211
LOW_WORD = 0xFFFFFFFF
Table = NDArray[int64]
Scratch = NDArray[int64]

LEONARDO = (1, 1, 3, 5, 9, 15, 25)
"""Sizes of smoothsort's heaps, by their Leonardo number."""

Items = NDArray[int64]
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
def key_at(items: Items, place: int) -> int:
    """Return the sort key of the item at ``place``."""
    key: int = items[place] >> 3
    return key


@kernel()
def trailing_zeros(bits: int) -> int:
    """Return the number of zeros below the lowest set bit of ``bits``, which is not 0."""
    return popcount((bits & -bits) - 1)


@kernel()
def rotate(items: Items, path: Items, length: int) -> None:
    """Move the first item of the path to its end, and each other item one place forward."""
    item = items[path[0]]
    for place in range(length - 1):
        items[path[place]] = items[path[place + 1]]
    items[path[length - 1]] = item


@kernel()
def sift(items: Items, path: Items, head: int, order: int) -> None:
    """Sink the root of one heap, of Leonardo number ``order``, to its place."""
    key = key_at(items, head)
    path[0] = head
    length = 1
    while order > 1:
        right = head - 1
        left = head - 1 - LEONARDO[order - 2]
        left_key, right_key = key_at(items, left), key_at(items, right)
        if key >= left_key and key >= right_key:
            break
        if left_key >= right_key:
            head, order = left, order - 1
        else:
            head, order = right, order - 2
        path[length] = head
        length += 1
    rotate(items, path, length)


@kernel()
def trinkle(items: Items, path: Items, head: int, heaps: int, order: int, trusted: bool) -> None:
    """Order the roots of the heaps, then sink the item that arrived at the last root visited.

    ``heaps`` has one bit for each Leonardo number in use, shifted so that bit 0 stands for ``order``. ``trusted``: the
    heap at ``head`` is already in order.
    """
    key = key_at(items, head)
    path[0] = head
    length = 1
    while heaps != 1:
        stepson = head - LEONARDO[order]
        stepson_key = key_at(items, stepson)
        if stepson_key <= key:
            break
        if not trusted and order > 1:
            right = head - 1
            left = head - 1 - LEONARDO[order - 2]
            if key_at(items, right) >= stepson_key or key_at(items, left) >= stepson_key:
                break
        path[length] = stepson
        length += 1
        head = stepson
        shift = trailing_zeros(heaps - 1)
        heaps >>= shift
        order += shift
        trusted = False
    if not trusted:
        rotate(items, path, length)
        sift(items, path, head, order)


@kernel()
def smoothsort(items: Items, path: Items, count: int) -> None:
    """Sort the first ``count`` items ascending by key; equal keys end in the order of the C library's sort."""
    head, heaps, order = 0, 1, 1
    while head < count - 1:
        if heaps & 3 == 3:
            sift(items, path, head, order)
            heaps >>= 2
            order += 2
        else:
            if LEONARDO[order - 1] >= count - 1 - head:
                trinkle(items, path, head, heaps, order, False)
            else:
                sift(items, path, head, order)
            if order == 1:
                heaps <<= 1
                order = 0
            else:
                heaps <<= order - 1
                order = 1
        heaps |= 1
        head += 1
    trinkle(items, path, head, heaps, order, False)
    while order != 1 or heaps != 1:
        if order <= 1:
            shift = trailing_zeros(heaps - 1)
            heaps >>= shift
            order += shift
        else:
            order -= 2
            heaps = (heaps << 2 ^ 7) >> 1
            trinkle(items, path, head - LEONARDO[order] - 1, heaps, order + 1, True)
            heaps = heaps << 1 | 1
            trinkle(items, path, head - 1, heaps, order, True)
        head -= 1


@kernel()
def bin_of(mine: int, theirs: int) -> int:
    """Return the table's bin: the low word of a hash like FNV-1a over the cells, column by column, modulo the bins.

    A cell counts -1 when empty, 1 for the human and 2 for the computer.
    """
    hashed = HASH_START
    for column in range(7):
        for row in range(6):
            bit = 1 << column * STRIDE + row
            cell = 2 if mine & bit else (1 if theirs & bit else -1)
            hashed = (hashed ^ cell) * HASH_FACTOR
    return (hashed & LOW_WORD) % BINS


@kernel()
def find(table: Table, bin_number: int, board: int) -> int:
    """Return the first place of ``board`` in its bin, or -1."""
    for entry in range(table[bin_number, 0]):
        if table[bin_number, 1 + 2 * entry] == board:
            return entry
    return -1


@kernel()
def store(table: Table, bin_number: int, board: int, value: int) -> None:
    """Append an entry to the bin, even if the board is there already; a full bin stays as it is."""
    entry = table[bin_number, 0]
    if entry < ENTRIES:
        table[bin_number, 1 + 2 * entry] = board
        table[bin_number, 2 + 2 * entry] = value
        table[bin_number, 0] = entry + 1


@kernel()
def sorted_children(
    mine: int, theirs: int, side: int, evaluate: Evaluate, rules: Rules, items: Items, path: Items
) -> int:
    """Fill ``items`` with the columns, the mover's worst static value first; return their number."""
    count = 0
    for column in range(7):
        disc = landing(mine | theirs, column)
        if disc != 0:
            child = (mine | disc, theirs) if side > 0 else (mine, theirs | disc)
            moved = child[0] if side > 0 else child[1]
            if child[0] | child[1] == FULL:
                value = 0
            elif four(moved):  # the other side has no four, or there would be no children
                value = side * WON
            else:
                value = evaluate(child[0], child[1], 1, rules)
            items[count] = side * value * 8 + column
            count += 1
    smoothsort(items, path, count)
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
    table: Table,
    scratch: Scratch,
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
        child_mine, child_theirs = (mine | disc, theirs) if side > 0 else (mine, theirs | disc)
        board = child_mine + (child_mine | child_theirs)
        bin_number = bin_of(child_mine, child_theirs)
        entry = find(table, bin_number, board)
        if entry >= 0:
            counters[HITS] += 1
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
            if counters[ABORT] != 0:
                break
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
