"""Alpha-beta with memory: the inner loop of the timed search.

A *horizon* is the ply at which lines are cut off; all lines of one search share it. Values are the side to move's
view: beyond ``WIN`` they are proven, ``WIN`` plus the field's score (22 minus the discs that the winner will have
played), or the negative of it; below ``WIN`` they are the evaluation's units.

Each node looks two plies ahead without searching: it knows the win of the side to move and the loss of a side that
meets two threats at once. A proven value is therefore exact: any faster win would lie within the horizon too.

A table entry is one integer: 29 bits of key, value, horizon, bound and column. The key is multiplied by an odd
number, which loses nothing, so 20 bits of index and the 29 stored bits are the whole 49-bit position.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.engine.kernels.evaluate import evaluate
from bot.kernels.bits import BOTTOM, column_of, mirror, playable_cells, popcount, winning_cells
from bot.kernels.jit import kernel

Ints = NDArray[np.int64]
Flag = NDArray[np.uint8]

WIN = 10_000
INFINITY = 20_000
LAST_HORIZON = 40  # looking two plies ahead from here reaches the 42nd disc

TABLE_BITS = 20
TABLE_SIZE = 1 << TABLE_BITS
LOWER, UPPER, EXACT = 1, 2, 3
NO_COLUMN = 7
_CHECK_BITS = 49 - TABLE_BITS
_CHECK = (1 << _CHECK_BITS) - 1
_SCRAMBLE = 0x1C8A3F5D2B6E5  # odd, so a bijection modulo 2**49
_KEYS = (1 << 49) - 1
_OFFSET = 1 << 15

# The search's workspace, one integer array: counters, the move list of each ply, the history of each side's cells.
NODES, LEAVES = 0, 1
_MOVES = 8
_HISTORY = _MOVES + 43 * 16
WORK_SIZE = _HISTORY + 2 * 64


@kernel()
def win_score(ply: int) -> int:
    """The value for a side that wins with the disc after ``ply`` discs."""
    return WIN + 21 - ply // 2


@kernel()
def scramble(current: int, mask: int) -> tuple[int, bool]:
    """The key of a position or of its mirror image, whichever is smaller, scrambled; and whether it is the mirror's."""
    key = current + mask + BOTTOM
    mirrored = mirror(key)
    flipped = mirrored < key
    if flipped:
        key = mirrored
    return (key * _SCRAMBLE) & _KEYS, flipped


@kernel()
def entry_value(entry: int) -> int:
    """The value kept in a table entry."""
    return (entry >> 11 & 0xFFFF) - _OFFSET


@kernel()
def entry_column(entry: int, flipped: bool) -> int:
    """The column kept in a table entry, or NO_COLUMN, as the board stands that is looked up."""
    column = entry & 7
    return 6 - column if flipped and column != NO_COLUMN else column


@kernel("int64(int64, int64, int64[::1])")
def table_column(current: int, mask: int, table: Ints) -> int:
    """The column that the table holds for a position, or NO_COLUMN."""
    key, flipped = scramble(current, mask)
    entry = int(table[key >> _CHECK_BITS])
    return entry_column(entry, flipped) if entry >> 27 == key & _CHECK and entry & 63 << 5 else NO_COLUMN


@kernel()
def usable_bound(entry: int, horizon: int) -> int:
    """What the entry's value is worth at this horizon: LOWER, UPPER, EXACT or 0.

    Values of another horizon do not count, but a proven win stays a lower bound, and a proven loss an upper one.
    """
    bound = entry >> 3 & 3
    seen = entry >> 5 & 63
    if seen == horizon:
        return bound
    if seen > horizon:
        return 0
    value = entry_value(entry)
    if value > WIN:
        return bound & LOWER
    return bound & UPPER if value < -WIN else 0


@kernel()
def order_moves(current: int, mask: int, ply: int, moves: int, first: int, work: Ints) -> int:
    """Write the bits of ``moves`` into the ply's list, the most promising first; returns how many.

    The table's column ``first`` (or NO_COLUMN) leads; then count the threats that a move makes, and its cell's history.
    """
    start = _MOVES + 16 * ply
    history = _HISTORY + 64 * (ply & 1)
    count = 0
    while moves:
        move = moves & -moves
        moves ^= move
        cell = popcount(move - 1)
        promise = 16 * popcount(winning_cells(current | move, mask | move)) + work[history + cell]
        if cell // 7 == first:
            promise = 1 << 40
        place = start + count
        while place > start and work[place + 7] < promise:
            work[place] = work[place - 1]
            work[place + 8] = work[place + 7]
            place -= 1
        work[place] = move
        work[place + 8] = promise
        count += 1
    return count


@kernel()
def reward(ply: int, cut: int, work: Ints) -> None:
    """The history heuristic: the move that cut gains, those tried before it in vain lose."""
    start = _MOVES + 16 * ply
    history = _HISTORY + 64 * (ply & 1)
    for place in range(start, start + cut):
        work[history + popcount(work[place] - 1)] -= 1
    work[history + popcount(work[start + cut] - 1)] += cut


@kernel("int64(int64, int64, int64, int64, int64, int64, int64[::1], int64[::1], uint8[::1], uint8[::1])")
def search(
    current: int,
    mask: int,
    ply: int,
    alpha: int,
    beta: int,
    horizon: int,
    table: Ints,
    work: Ints,
    stop: Flag,
    deadline: Flag,
) -> int:
    """The value of an unfinished position as seen at ``horizon``, fail-soft.

    With v the exact value and r the returned one: r <= alpha implies v <= r; r >= beta implies v >= r; otherwise
    r == v. As soon as ``stop[0]`` or ``deadline[0]`` is set, the answer is void and the table is left alone.
    """
    if stop[0] | deadline[0]:
        return 0
    work[NODES] += 1
    playable = playable_cells(mask)
    if winning_cells(current, mask) & playable:
        return win_score(ply)
    threats = winning_cells(current ^ mask, mask)
    forced = threats & playable
    moves = (forced if forced else playable) & ~(threats >> 1)
    if (moves == 0 and playable) or forced & (forced - 1):
        return -win_score(ply + 1)
    if ply >= LAST_HORIZON:
        return 0
    if ply >= horizon:
        work[LEAVES] += 1
        return evaluate(current, mask, ply)

    # No win can come before three plies from here, no loss before four.
    most, least = win_score(ply + 2), -win_score(ply + 3)
    if alpha >= most:
        return most
    if beta <= least:
        return least

    key, flipped = scramble(current, mask)
    slot = key >> _CHECK_BITS
    entry = int(table[slot])
    first = NO_COLUMN
    if entry >> 27 == key & _CHECK:
        bound, value, first = usable_bound(entry, horizon), entry_value(entry), entry_column(entry, flipped)
        if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
            return value

    best, best_column, floor = -INFINITY, NO_COLUMN, alpha
    count = order_moves(current, mask, ply, moves, first, work)
    for number in range(count):
        move = int(work[_MOVES + 16 * ply + number])
        child, below = current ^ mask, mask | move
        top = beta if number == 0 else floor + 1  # the first move with the full window, the rest must beat it
        value = -search(child, below, ply + 1, -top, -floor, horizon, table, work, stop, deadline)
        if top <= value < beta:
            value = -search(child, below, ply + 1, -beta, -floor, horizon, table, work, stop, deadline)
        if stop[0] | deadline[0]:
            return 0
        if value > best:
            best = value
            if value > floor:
                floor, best_column = value, column_of(move)
                if value >= beta:
                    reward(ply, number, work)
                    break
    bound = UPPER if best <= alpha else LOWER if best >= beta else EXACT
    column = first if best_column == NO_COLUMN else best_column  # nothing better known: keep the table's old one
    if flipped and column != NO_COLUMN:
        column = 6 - column
    table[slot] = (key & _CHECK) << 27 | (best + _OFFSET) << 11 | horizon << 5 | bound << 3 | column
    return best
