"""Alpha-beta with a transposition table: the inner loop of the timed search.

A *horizon* is the ply at which lines are cut off; all lines of one search share it. Values are in the view of the side
to move: beyond ``WIN`` they are proven, ``WIN`` plus the field's score (`bot.engine.score`) or the negative of that
sum; below ``WIN`` they are in the evaluation's units.

Each node sees two plies ahead without searching: the win of the side to move, and the loss of a side that meets two
threats at once. A proven value is therefore exact: any faster win would lie within the horizon too.

Arrays
------
table : int64, one dimension, ``TABLE_SIZE`` words
    Transposition table, always replaced. An entry holds, from its lowest bit: the column (3 bits), the bound (2), the
    horizon (6), the value plus an offset (16), the key's lower 29 bits; 0 is an empty entry. The key is the position
    multiplied by an odd number, which loses nothing, so the 20 bits of the index and the 29 stored bits are the whole
    49-bit position.
workspace : int64, one dimension, ``WORKSPACE_WORDS`` words
    Words 0 and 1 are the counters ``NODES`` and ``LEAVES``, words 2 and 3 the counts ``MOST_NODES`` and ``MOST_LEAVES``
    at which the search sets ``deadline`` itself; 0 is no maximum. From ``_MOVES``: the move lists, 43 plies of 16
    words, eight moves (one bit each) and their eight ratings. From ``_HISTORY``: the history heuristic, 64 counters for
    the cells of each side.
stop, deadline : uint8, one item each
    The caller's flag and that of timer and counters; the search ends soon after either is nonzero.
"""

from __future__ import annotations

from typing import Any

from numba import types

from bot.engine.jit.addresses import address, bytes_at, calls, words_at
from bot.engine.jit.arrays import Words
from bot.engine.jit.bits import BOTTOM, bit_number, column_of, mirror, playable_cells, popcount, win_at, winning_cells
from bot.engine.jit.compiling import kernel
from bot.engine.kernels.evaluate import evaluate

__all__ = ["address"]

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

NODES, LEAVES, MOST_NODES, MOST_LEAVES = range(4)
_MOVES = 8
_HISTORY = _MOVES + 43 * 16
WORKSPACE_WORDS = _HISTORY + 2 * 64


@kernel("Tuple((i8,b1))(i8,i8)", inline=True)
def scramble(current: int, mask: int) -> tuple[int, bool]:
    """Return the scrambled smaller key of the position and its mirror image, and whether it is the mirror image's."""
    key = current + mask + BOTTOM
    mirrored = mirror(key)
    flipped = mirrored < key
    if flipped:
        key = mirrored
    return (key * _SCRAMBLE) & _KEYS, flipped


@kernel(inline=True)
def entry_value(entry: int) -> int:
    """Return the value in a table entry."""
    return (entry >> 11 & 0xFFFF) - _OFFSET


@kernel("i8(i8,b1)", inline=True)
def turned(column: int, flipped: bool) -> int:
    """Return a column of the position as the stored image's, or the reverse; ``flipped``: that is the mirror image."""
    if flipped and column != NO_COLUMN:
        return 6 - column
    return column


def table_column(current: int, mask: int, table: Words) -> int:
    """Return the column that the table holds for a position, or NO_COLUMN; not compiled, since no kernel asks."""
    key, flipped = scramble(current, mask)
    entry = int(table[key >> _CHECK_BITS])
    if entry >> 27 != key & _CHECK or entry & 63 << 5 == 0:
        return NO_COLUMN
    return turned(entry & 7, flipped)


@kernel("i8(i8,i8)", inline=True)
def usable_bound(entry: int, horizon: int) -> int:
    """Return which bound the entry's value is at this horizon: LOWER, UPPER, EXACT or 0 (none).

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
    if value < -WIN:
        return bound & UPPER
    return 0


@kernel("i8(i8,i8,i8,i8,i8,i8)", inline=True)
def order_moves(current: int, mask: int, ply: int, moves: int, first: int, workspace_at: int) -> int:
    """Write the bits of ``moves`` into the ply's list, the most promising first, and return their number.

    The table's column ``first`` (or NO_COLUMN) leads; the rest are ordered by the threats that a move makes and by the
    history of its cell.
    """
    workspace = words_at(workspace_at)
    start = _MOVES + 16 * ply
    history = _HISTORY + 64 * (ply & 1)
    count = 0
    while moves:
        move = moves & -moves
        moves ^= move
        cell = bit_number(move)
        promise = 16 * popcount(winning_cells(current | move, mask | move)) + workspace[history + cell]
        if cell // 7 == first:
            promise = 1 << 40
        place = start + count
        while place > start and workspace[place + 7] < promise:
            workspace[place] = workspace[place - 1]
            workspace[place + 8] = workspace[place + 7]
            place -= 1
        workspace[place] = move
        workspace[place + 8] = promise
        count += 1
    return count


@kernel(inline=True)
def reward(ply: int, cut: int, workspace: Words) -> None:
    """Update the history heuristic: raise the move that caused the cutoff, lower those searched before it."""
    start = _MOVES + 16 * ply
    history = _HISTORY + 64 * (ply & 1)
    for place in range(start, start + cut):
        workspace[history + bit_number(workspace[place])] -= 1
    workspace[history + bit_number(workspace[start + cut])] += cut


_SEARCH: Any = types.int64(*[types.int64] * 10)
_search = calls(_SEARCH)


@kernel(_SEARCH)
def search(
    current: int,
    mask: int,
    ply: int,
    alpha: int,
    beta: int,
    horizon: int,
    table_at: int,
    workspace_at: int,
    stop_at: int,
    deadline_at: int,
) -> int:
    """Return the value of an unfinished position with all lines cut off at ``horizon``, fail-soft.

    With v the exact value and r the returned one: r <= alpha implies v <= r; r >= beta implies v >= r; otherwise
    r == v. After ``stop[0]`` or ``deadline[0]`` is set, the result is void and the table is not changed. The arrays
    are passed by their addresses, which a recursion hands on in one word each.
    """
    table, workspace = words_at(table_at), words_at(workspace_at)
    stop, deadline = bytes_at(stop_at), bytes_at(deadline_at)
    if stop[0] | deadline[0]:
        return 0
    if 0 < workspace[MOST_NODES] <= workspace[NODES]:
        deadline[0] = 1
        return 0
    workspace[NODES] += 1
    playable = playable_cells(mask)
    if winning_cells(current, mask) & playable:
        return WIN + win_at(ply)
    threats = winning_cells(current ^ mask, mask)
    forced = threats & playable
    moves = forced if forced else playable
    moves &= ~(threats >> 1)
    has_two_threats = forced & (forced - 1) != 0
    if has_two_threats or (playable and not moves):
        return -WIN - win_at(ply + 1)
    if ply >= LAST_HORIZON:
        return 0
    if ply >= horizon:
        if 0 < workspace[MOST_LEAVES] <= workspace[LEAVES]:
            deadline[0] = 1
            return 0
        workspace[LEAVES] += 1
        return evaluate(current, mask, ply)

    # No win can come before three plies from here, no loss before four.
    most, least = WIN + win_at(ply + 2), -WIN - win_at(ply + 3)
    if alpha >= most:
        return most
    if beta <= least:
        return least

    key, flipped = scramble(current, mask)
    slot = key >> _CHECK_BITS
    entry = int(table[slot])
    first = NO_COLUMN
    if entry >> 27 == key & _CHECK:
        bound, value, first = usable_bound(entry, horizon), entry_value(entry), turned(entry & 7, flipped)
        if bound == EXACT:
            return value
        if bound == LOWER and value >= beta:
            return value
        if bound == UPPER and value <= alpha:
            return value

    best, best_column, floor = -INFINITY, NO_COLUMN, alpha
    count = order_moves(current, mask, ply, moves, first, workspace_at)
    for number in range(count):
        move = int(workspace[_MOVES + 16 * ply + number])
        child, below = current ^ mask, mask | move
        top = beta if number == 0 else floor + 1  # the first move with the full window, the rest must beat it
        arrays = table_at, workspace_at, stop_at, deadline_at
        value = -_search((child, below, ply + 1, -top, -floor, horizon, *arrays))
        if top <= value < beta:
            value = -_search((child, below, ply + 1, -beta, -floor, horizon, *arrays))
        if stop[0] | deadline[0]:
            return 0
        if value > best:
            best = value
            if value > floor:
                floor, best_column = value, column_of(move)
                if value >= beta:
                    reward(ply, number, workspace)
                    break
    bound = EXACT
    if best <= alpha:
        bound = UPPER
    elif best >= beta:
        bound = LOWER
    column = first if best_column == NO_COLUMN else best_column  # no better one known: keep the table's
    stored = (best + _OFFSET) << 11 | horizon << 5 | bound << 3 | turned(column, flipped)
    table[slot] = (key & _CHECK) << 27 | stored
    return best
