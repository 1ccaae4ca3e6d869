"""The exact solver: null-window alpha-beta to the end of the game, on the field's score scale.

The scale: 0 is a draw, +n a win of the side to move and -n a loss, n = 22 less the discs that the winner will have
played. A win with the disc played at ply p is therefore worth 21 - p // 2.

The contract of ``search``, fail-soft: a result r < beta says value <= r, a result r >= beta says value >= r.

What each piece of knowledge gains: `python -m bot bench techniques`.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numpy import int64, uint8
from numpy.typing import NDArray

from bot.engine.kernels.bounds import first_has_odd_threat, second_follows_up
from bot.engine.kernels.keys import key_of
from bot.kernels.bits import FULL, four, playable_cells, popcount, winning_cells
from bot.kernels.jit import kernel
from bot.kernels.vectors import covered, pointer

ABORTED = 1000
"""Returned by a search that was told to stop; nothing was stored on the way out."""
CLOSED, CUT_OFF, OVER = 0, 1, 2
"""What ``narrow`` says: the bounds have met; it was told to stop before; the game is over already."""
KEEP, RESUME = 1, 2
"""What ``narrow`` is told: the table holds what it found on neighbours; go on where it stopped on this position."""

NODES, NODE_LIMIT, INDEX_MASK, LOWER, UPPER = 0, 1, 2, 3, 4
"""The first words of the memory: how many nodes, how many at most, the table's used length less one, proven bounds."""
HISTORY = 8
"""Then 49 counters a ply."""
LISTS = HISTORY + 42 * 49
"""Then 24 words a ply for its moves: up to seven ratings, cells, and winning cells after the move."""
MEMORY_WORDS = LISTS + 42 * 24

CENTRE = 256
THREAT = 1024
"""Move ordering in units of one history count: a step towards the centre, a winning cell. Centre and threats lead,
history decides among equals until it knows much better."""

TAG = ~0xFFF
"""An entry: 52 bits of the key, then upper and lower bound, six bits each, plus OFFSET."""
OFFSET = 32

Words = NDArray[int64]
Flag = NDArray[uint8]
_WORDS, _FLAG = types.CPointer(types.int64), types.CPointer(types.uint8)  # type: ignore[no-untyped-call]
_SEARCH: Any = types.int64(*[types.int64] * 5, _WORDS, _WORDS, _FLAG, _FLAG)


@kernel(inline=True)
def win_at(ply: int) -> int:
    """The winner's score when he makes four with the disc played at ``ply``."""
    return 21 - (ply >> 1)


@kernel(_SEARCH)
def search(
    current: int, mask: int, ply: int, beta: int, danger: int, table: Words, memory: Words, stop: Flag, alarm: Flag
) -> int:
    """Whether the value is at least ``beta``, within the contract; or ABORTED.

    The position is unfinished, and its side to move cannot win at once. ``danger`` holds the other side's winning cells
    (handed down: the parent has just counted them). The arrays are pointers: see the layout above.
    """
    memory[NODES] += 1
    sign = 1  # 1: values are the mover's at the call; -1: the other side's, an odd number of forced moves later
    playable = playable_cells(mask)
    forced = playable & danger
    while forced:  # one reply only: no node of its own, no entry in the table
        if (forced & (forced - 1)) | (forced & (danger >> 1)):
            return -sign * win_at(ply + 1)
        if ply >= 40:
            return 0
        discs = current | forced
        current ^= mask
        mask |= forced
        danger = winning_cells(discs, mask)
        ply += 1
        beta = 1 - beta
        sign = -sign
        playable = playable_cells(mask)
        forced = playable & danger
        memory[NODES] += 1
        if forced == 0:  # as with every other move, one ply earlier
            if ply & 1 == 0:
                if beta >= -2:
                    bound = second_follows_up(current, current ^ mask, mask, playable, danger)
                    if bound < beta:
                        return sign * bound
            elif beta >= -1:
                bound = -first_has_odd_threat(current, mask, playable, danger)
                if bound < beta:
                    return sign * bound
    possible = playable & ~(danger >> 1)  # never below a cell where the other side wins
    if possible == 0:
        return -sign * win_at(ply + 1)
    if ply >= 40:
        return 0
    lower = -win_at(ply + 3)  # every move left survives the next one
    if lower >= beta:
        return sign * lower
    upper = win_at(ply + 2)  # no win at once
    if upper < beta:
        return sign * upper
    opponent = current ^ mask
    empty = FULL ^ mask
    my_live = covered(current | empty)
    their_live = covered(opponent | empty)

    key = key_of(current & my_live, opponent & their_live, mask)
    index, tag = key & memory[INDEX_MASK], key & TAG
    entry: int = table[index]
    if entry & TAG == tag:
        lower, upper = (entry & 63) - OFFSET, ((entry >> 6) & 63) - OFFSET
        if lower >= beta:
            return sign * lower
        if upper < beta:
            return sign * upper
    if stop[0] | alarm[0] or memory[NODES] > memory[NODE_LIMIT]:
        return ABORTED

    # Rate the moves; some of them settle the node before any is searched.
    first_moves = ply & 1 == 0
    counts = HISTORY + ply * 49
    list_start = LISTS + ply * 24
    list_end = list_start
    rest = possible
    while rest:
        cell = rest & -rest
        rest ^= cell
        discs, after = current | cell, mask | cell
        mine = winning_cells(discs, after)
        next_playable = playable_cells(after)
        now = mine & next_playable
        if now:
            if (now & (now - 1)) | (now & (mine >> 1)):
                return sign * win_at(ply + 2)  # two wins, beside or above each other, against one answer
        elif next_playable & ~(mine >> 1) == 0:
            return sign * win_at(ply + 2)  # a win above every answer
        # The bounds one ply ahead.
        if first_moves:
            if beta <= 2:
                bound = first_has_odd_threat(opponent, after, next_playable, mine)
                if bound >= beta:
                    return sign * bound
        elif beta <= 3:
            bound = -second_follows_up(opponent, discs, after, next_playable, mine)
            if bound >= beta:
                return sign * bound
        # Enhanced transposition cutoff.
        child = key_of(opponent & covered(opponent | (empty ^ cell)), discs & my_live, after)
        entry = table[child & memory[INDEX_MASK]]
        if entry & TAG == child & TAG:
            bound = OFFSET - ((entry >> 6) & 63)  # less the child's upper bound
            if bound >= beta:
                return sign * bound
        # A threat above a cell where the other side wins will never be played: it counts for nothing.
        rating = THREAT * popcount(mine & ~(danger << 1)) + memory[counts + popcount(cell - 1)]
        place = list_end
        while place > list_start and memory[place - 1] < rating:
            memory[place] = memory[place - 1]
            memory[place + 8] = memory[place + 7]
            memory[place + 16] = memory[place + 15]
            place -= 1
        memory[place] = rating
        memory[place + 8] = cell
        memory[place + 16] = mine
        list_end += 1
    if upper > win_at(ply + 4):  # no move wins by its second threat, seen above
        upper = win_at(ply + 4)
        if upper < beta:
            return sign * upper

    best = -ABORTED
    for place in range(list_start, list_end):
        cell = memory[place + 8]
        value = -search(opponent, mask | cell, ply + 1, 1 - beta, memory[place + 16], table, memory, stop, alarm)
        if value == -ABORTED:
            return ABORTED
        if value > best:
            best = value
            if value >= beta:
                # Rewarding cutoffs by the first move too would feed the order with itself (2.5x more nodes early).
                if place > list_start:
                    memory[counts + popcount(cell - 1)] += 1
                for earlier in range(list_start, place):
                    memory[counts + popcount(memory[earlier + 8] - 1)] -= 1
                break
    if best >= beta:
        lower = max(lower, best)
    else:
        upper = min(upper, best)
    table[index] = tag | (upper + OFFSET) << 6 | (lower + OFFSET)
    return sign * best


@kernel(inline=True)
def _reset_history(memory: Words, from_ply: int) -> None:
    """Forget all counts: only the preference for the centre is left. Keeping them over roots costs 10 % to 19 %."""
    for ply in range(from_ply, 42):
        for column in range(7):
            start = HISTORY + ply * 49 + column * 7
            for row in range(7):
                memory[start + row] = -CENTRE * abs(3 - column)


@kernel(inline=True)
def _at_sight(current: int, mask: int, memory: Words) -> int:
    """Set the bounds that one look proves; OVER, or CLOSED when they have met, or CUT_OFF."""
    opponent = current ^ mask
    if four(opponent) or four(current) or mask == FULL:
        return OVER
    ply = popcount(mask)
    playable = playable_cells(mask)
    if winning_cells(current, mask) & playable:
        memory[LOWER] = memory[UPPER] = win_at(ply)
    elif ply == 41:
        memory[LOWER] = memory[UPPER] = 0
    else:
        memory[LOWER], memory[UPPER] = -win_at(ply + 1), win_at(ply + 2)
        danger = winning_cells(opponent, mask)
        bound = memory[UPPER]
        if ply & 1 == 0:
            bound = second_follows_up(current, opponent, mask, playable, danger)
        elif danger & playable == 0:
            bound = -first_has_odd_threat(current, mask, playable, danger)
        memory[UPPER] = max(memory[LOWER], min(memory[UPPER], bound))
    return CLOSED if memory[LOWER] == memory[UPPER] else CUT_OFF


@kernel("i8(i8,i8,i8,i8,i8,i8,i8[::1],i8[::1],u1[::1],u1[::1])")
def narrow(
    current: int,
    mask: int,
    guess: int,
    low: int,
    high: int,
    mode: int,
    table: Words,
    memory: Words,
    stop: Flag,
    alarm: Flag,
) -> int:
    """Close memory's bounds around the value by null windows; CLOSED, CUT_OFF or OVER.

    The first window asks whether the value is above ``guess``; each further one steps outward from what is known,
    since the value is most often near. Nothing is asked below ``low`` or above ``high``, so the bounds need not meet
    there: -1 and 1 are content with the sign.
    """
    ply = popcount(mask)
    if mode & RESUME == 0:
        memory[NODES] = 0
        outlook = _at_sight(current, mask, memory)
        if mode & KEEP == 0:
            table[: memory[INDEX_MASK] + 1] = 0
        if outlook != CUT_OFF:
            return outlook
        _reset_history(memory, ply)
    lowest, highest = memory[LOWER], memory[UPPER]
    lower, upper = min(max(lowest, low), highest), max(min(highest, high), lowest)
    danger = winning_cells(current ^ mask, mask)
    beta = min(max(guess + 1, lower + 1), upper)
    while lower < upper:
        value = search(current, mask, ply, beta, danger, pointer(table), pointer(memory), pointer(stop), pointer(alarm))
        if value == ABORTED:
            return CUT_OFF
        if value >= beta:
            lower = max(lower, min(value, upper))
            beta = lower + 1
            memory[LOWER] = max(memory[LOWER], min(value, highest))
        else:
            upper = min(upper, max(value, lower))
            beta = upper
            memory[UPPER] = min(memory[UPPER], max(value, lowest))
    return CLOSED
