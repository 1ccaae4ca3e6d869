"""The exact solver: null-window alpha-beta to the end of the game, on the field's score scale.

The scale: 0 is a draw, +n a win of the side to move and -n a loss, n = 22 less the discs that the winner will have
played. A win with the disc played at ply p is therefore worth 21 - p // 2.

The contract of ``search``, fail-soft: a result r <= alpha says value <= r, a result r >= beta says value >= r.

What each piece of knowledge gained (nodes on the field's sets, each left out by itself) stands beside it.
"""

from __future__ import annotations

from numpy import int64, uint8
from numpy.typing import NDArray

from bot.engine.kernels.bits import (
    BOTTOM,
    FULL,
    four,
    playable_cells,
    popcount,
    winning_cells,
)
from bot.engine.kernels.bounds import first_has_odd_threat, second_follows_up
from bot.engine.kernels.jit import kernel

ABORTED = 1000
"""Returned by a search that was told to stop; nothing was stored on the way out."""

NODES, NODE_LIMIT = 0, 1
SCRATCH = 16
"""Words a ply needs to order its moves: seven ratings, seven cells."""
WORST = -100

CENTRE = 256
THREAT = 1024
"""Move ordering in units of one history count: a step towards the centre, a winning cell. Centre and threats lead,
history decides among equals until it knows much better: 4x fewer nodes than history on equal terms."""

KEY_BITS = 49
KEY_MASK = (1 << KEY_BITS) - 1
TAG_MASK = (1 << 45) - 1
MULTIPLIER = 0x1B4_C9F3_1D8E5  # odd: multiplication by it modulo 2^49 loses nothing
OFFSET = 64


@kernel(inline=True)
def win_at(ply: int) -> int:
    """The winner's score when he makes four with the disc played at ``ply``."""
    return 21 - ply // 2


@kernel(inline=True)
def scatter(current: int, mask: int) -> int:
    """The position's key, seven bits a column, scattered one-to-one over 49 bits.

    The table's index is the top bits and the tag the low 45, which together tell every position apart.
    """
    return ((current + mask + BOTTOM) * MULTIPLIER) & KEY_MASK


@kernel("i8(i8,i8,i8,i8,i8,i8,i8,i8[::1],i8[::1],i8[::1],i8[::1],u1[::1],u1[::1])")
def search(
    current: int,
    mask: int,
    ply: int,
    alpha: int,
    beta: int,
    danger: int,
    shift: int,
    table: NDArray[int64],
    history: NDArray[int64],
    scratch: NDArray[int64],
    counters: NDArray[int64],
    stop: NDArray[uint8],
    alarm: NDArray[uint8],
) -> int:
    """The value of an unfinished position whose side to move cannot win at once, within the contract; or ABORTED.

    ``danger`` holds the other side's winning cells (handed down: the parent has just counted them), ``shift`` is 49
    less the log2 of the table's used length. ``history`` has 49 counters a ply, ``scratch`` SCRATCH words a ply.
    """
    counters[NODES] += 1
    playable = playable_cells(mask)
    possible = playable
    forced = possible & danger
    if forced:
        if forced & (forced - 1):
            return -win_at(ply + 1)
        possible = forced
    possible &= ~(danger >> 1)  # never below a cell where the other side wins
    if possible == 0:
        return -win_at(ply + 1)
    if ply >= 40:
        return 0
    lower = -win_at(ply + 3)  # every move left survives the next one
    if lower >= beta:
        return lower
    upper = win_at(ply + 2)  # no win at once
    if upper <= alpha:
        return upper
    alpha, beta = max(alpha, lower), min(beta, upper)

    opponent = current ^ mask
    first_moves = ply & 1 == 0
    if first_moves:
        if alpha >= -3:
            upper = second_follows_up(current, opponent, mask, playable)
            if upper <= alpha:
                return upper
            beta = min(beta, upper)
    elif alpha >= -2 and forced == 0:
        upper = -first_has_odd_threat(current, mask, playable, danger)
        if upper <= alpha:
            return upper
        beta = min(beta, upper)
    # Without an open line nobody wins. (3 % to 5 %.)
    empty = FULL ^ mask
    if alpha >= 0 and not four(current | empty):
        return 0
    if beta <= 0 and not four(opponent | empty):
        return 0

    key = scatter(current, mask)
    tag = key & TAG_MASK
    index = key >> shift
    entry = table[index]
    lower, upper = -OFFSET, OFFSET - 1
    if entry >> 16 == tag and entry != 0:
        lower, upper = (entry & 255) - OFFSET, ((entry >> 8) & 255) - OFFSET
        if lower >= beta:
            return int(lower)
        if upper <= alpha:
            return int(upper)
        alpha, beta = max(alpha, lower), min(beta, upper)
    if stop[0] | alarm[0] or counters[NODES] > counters[NODE_LIMIT]:
        return ABORTED

    # Rate the moves; some of them settle the node before any is searched.
    ratings = ply * SCRATCH
    counts = ply * 49
    moves = 0
    rest = possible
    while rest:
        cell = rest & -rest
        rest ^= cell
        after = mask | cell
        mine = winning_cells(current | cell, after)
        next_playable = playable_cells(after)
        now = mine & next_playable
        if danger & next_playable == 0 and (now & (now - 1) or now & (mine >> 1)):
            return win_at(ply + 2)  # two wins, beside or above each other, against one answer (15 % to 20 %)
        child = scatter(opponent, after)
        child_entry = table[child >> shift]
        if child_entry >> 16 == child & TAG_MASK and child_entry != 0:
            known = OFFSET - ((child_entry >> 8) & 255)  # less the child's upper bound
            if known >= beta:
                return int(known)  # enhanced transposition cutoff (8 % to 14 %)
        # The bounds once more, one ply ahead (1.12x to 1.17x fewer nodes).
        if first_moves:
            if beta <= 2 and now == 0:
                known = first_has_odd_threat(opponent, after, next_playable, mine)
                if known >= beta:
                    return known
        elif beta <= 3:
            known = -second_follows_up(opponent, current | cell, after, next_playable)
            if known >= beta:
                return known
        # A threat above a cell where the other side wins will never be played: it counts for nothing.
        rating = THREAT * popcount(mine & ~(danger << 1)) + history[counts + popcount(cell - 1)]
        place = moves
        while place > 0 and scratch[ratings + place - 1] < rating:
            scratch[ratings + place] = scratch[ratings + place - 1]
            scratch[ratings + 7 + place] = scratch[ratings + 6 + place]
            place -= 1
        scratch[ratings + place] = rating
        scratch[ratings + 7 + place] = cell
        moves += 1

    best = WORST
    searched_from = alpha
    for number in range(moves):
        cell = scratch[ratings + 7 + number]
        after = mask | cell
        value = -search(
            opponent,
            after,
            ply + 1,
            -beta,
            -alpha,
            winning_cells(current | cell, after),
            shift,
            table,
            history,
            scratch,
            counters,
            stop,
            alarm,
        )
        if value == -ABORTED:
            return ABORTED
        if value > best:
            best = value
            alpha = max(alpha, value)
            if value >= beta:
                # Rewarding cutoffs by the first move too would feed the order with itself (2.5x more nodes early).
                if number > 0:
                    history[counts + popcount(cell - 1)] += 1
                for earlier in range(number):
                    history[counts + popcount(scratch[ratings + 7 + earlier] - 1)] -= 1
                break
    if best >= beta:
        lower = max(lower, best)
    elif best <= searched_from:
        upper = min(upper, best)
    else:
        lower = upper = best
    table[index] = tag << 16 | (upper + OFFSET) << 8 | (lower + OFFSET)
    return best


@kernel()
def reset_history(history: NDArray[int64]) -> None:
    """Forget all counts: only the preference for the centre is left. Keeping them over roots costs 10 % to 19 %."""
    for index in range(len(history)):
        column = index % 49 // 7
        history[index] = -CENTRE * abs(3 - column)


@kernel()
def narrow(
    current: int,
    mask: int,
    bounds: NDArray[int64],
    guess: int,
    shift: int,
    table: NDArray[int64],
    history: NDArray[int64],
    scratch: NDArray[int64],
    counters: NDArray[int64],
    stop: NDArray[uint8],
    alarm: NDArray[uint8],
) -> bool:
    """Close ``bounds`` (lower, upper: proven) around the value by null windows; False when told to stop.

    The first window asks whether the value is above ``guess``; each further one steps outward from what is known,
    since the value is most often near (2 % to 5 % fewer nodes than halving).
    """
    ply = popcount(mask)
    danger = winning_cells(current ^ mask, mask)
    beta = min(max(guess + 1, bounds[0] + 1), bounds[1])
    while bounds[0] < bounds[1]:
        value = search(
            current, mask, ply, beta - 1, beta, danger, shift, table, history, scratch, counters, stop, alarm
        )
        if value == ABORTED:
            return False
        if value >= beta:
            bounds[0] = max(bounds[0], min(value, bounds[1]))
            beta = bounds[0] + 1
        else:
            bounds[1] = min(bounds[1], max(value, bounds[0]))
            beta = bounds[1]
    return True
