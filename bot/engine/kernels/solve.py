"""The exact solver: null-window alpha-beta to the end of the game, on the field's score scale (`bot.engine.score`).

A win with the disc played after ``ply`` discs scores 21 - ply // 2.

The contract of ``search``, fail-soft: a result r < beta means value <= r, a result r >= beta means value >= r.

Arrays
------
table : int64, one dimension, at least ``workspace[INDEX_MASK] + 1`` words, which is a power of two
    Transposition table, always replaced. An entry holds 52 bits of the key, then six bits each for the upper and the
    lower bound, both plus ``OFFSET``; 0 is an empty entry. The key's low bits are the index.
workspace : int64, one dimension, ``WORKSPACE_WORDS`` words
    Words 0 to 4 are ``NODES`` .. ``UPPER`` below. From ``HISTORY``: the history heuristic, 42 plies of 49 counters, one
    for each bit of the board. From ``LISTS``: the move lists, 42 plies of 24 words: eight ratings, eight cells (one bit
    each), eight sets of the winning cells after the move; up to seven of each eight are used.
stop, alarm : uint8, one item each
    The caller's and the timer's flag; the search ends soon after either is nonzero.

``python -m bot bench techniques`` measures what each technique gains (`bot.engine.kernels.switches`).
"""

from __future__ import annotations

from typing import Any

from numba import types
from numpy import int64, uint8
from numpy.typing import NDArray

from bot.engine.kernels import switches
from bot.engine.kernels.bounds import first_has_odd_threat, second_follows_up
from bot.engine.kernels.keys import key_of
from bot.engine.kernels.switches import (
    DOUBLE_THREATS,
    ENHANCED_CUTOFF,
    FIRST_CUTOFF_UNREWARDED,
    FOLLOW_UP_BOUND,
    FORCED_MOVE_CHAIN,
    HISTORY_ORDER,
    LATE_WIN_BOUND,
    LIVING_DISCS_KEY,
    ODD_THREAT_BOUND,
    OUTWARD_WINDOWS,
    USELESS_THREATS_EXCLUDED,
)
from bot.kernels import bits, scalar, vectors
from bot.kernels.bits import FULL, four, playable_cells, popcount
from bot.kernels.jit import kernel
from bot.kernels.vectors import pointer

winning_cells = bits.winning_cells if switches.VECTOR_DIRECTIONS else scalar.winning_cells
covered = vectors.covered if switches.VECTOR_DIRECTIONS else scalar.covered

ABORTED = 1000
"""Result of a search that was stopped; it stored nothing on the way out."""
CLOSED, CUT_OFF, OVER = 0, 1, 2
"""Results of ``solve``: the bounds have met within the window; it was stopped before; the game is over already."""
KEEP, RESUME = 1, 2
"""Modes of ``solve``: use the table that neighbouring positions left; continue where it stopped on this position."""

NODES, NODE_LIMIT, INDEX_MASK, LOWER, UPPER = 0, 1, 2, 3, 4
"""First words of the workspace: nodes visited, most nodes, used length of the table less one, the proven bounds."""
HISTORY = 8
"""First word of the history counters, 49 for each ply."""
LISTS = HISTORY + 42 * 49
"""First word of the move lists, 24 words for each ply."""
WORKSPACE_WORDS = LISTS + 42 * 24

CENTRE = 256
THREAT = 1024 if switches.THREAT_ORDER else 0
"""Move ordering in units of one history count: ``CENTRE`` for each step towards the centre, ``THREAT`` for each winning
cell. Centre and threats lead; history decides among equals until its counts are large."""

TAG = ~0xFFF
"""The bits of a table entry that hold the key."""
OFFSET = 32
"""Added to the bounds in a table entry, so that they are not negative."""

Words = NDArray[int64]
Flag = NDArray[uint8]
_WORDS, _FLAG = types.CPointer(types.int64), types.CPointer(types.uint8)  # type: ignore[no-untyped-call]
_SEARCH: Any = types.int64(*[types.int64] * 5, _WORDS, _WORDS, _FLAG, _FLAG)


@kernel(inline=True)
def win_at(ply: int) -> int:
    """Return the winner's score when the disc played after ``ply`` discs completes four."""
    return 21 - (ply >> 1)


@kernel(_SEARCH)
def search(
    current: int,
    mask: int,
    ply: int,
    beta: int,
    threats: int,
    table: Words,
    workspace: Words,
    stop: Flag,
    alarm: Flag,
) -> int:
    """Return whether the value is at least ``beta`` as a bound within the contract, or ABORTED.

    The position is unfinished, and its side to move cannot win at once. ``threats`` are the other side's winning cells,
    which the caller has computed already. The arrays are passed as pointers; the module describes their layout.
    """
    workspace[NODES] += 1
    sign = 1  # 1: values are in the view of the side to move at the call; -1: of the other side
    playable = playable_cells(mask)
    forced = playable & threats
    if forced and not FORCED_MOVE_CHAIN:
        if forced & (forced - 1):
            return -win_at(ply + 1)
        playable = forced
    while FORCED_MOVE_CHAIN and forced:  # one reply only: no node of its own, no entry in the table
        if (forced & (forced - 1)) | (forced & (threats >> 1)):
            return -sign * win_at(ply + 1)
        if ply >= 40:
            return 0
        discs = current | forced
        current ^= mask
        mask |= forced
        threats = winning_cells(discs, mask)
        ply += 1
        beta = 1 - beta
        sign = -sign
        playable = playable_cells(mask)
        forced = playable & threats
        workspace[NODES] += 1
        if forced == 0:  # as with every other move, one ply earlier
            if ply & 1 == 0:
                if FOLLOW_UP_BOUND and beta >= -2:
                    bound = second_follows_up(current, current ^ mask, mask, playable, threats)
                    if bound < beta:
                        return sign * bound
            elif ODD_THREAT_BOUND and beta >= -1:
                bound = -first_has_odd_threat(current, mask, playable, threats)
                if bound < beta:
                    return sign * bound
    possible = playable & ~(threats >> 1)  # never below a cell where the other side wins
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
    my_live = covered(current | empty) if LIVING_DISCS_KEY else FULL
    their_live = covered(opponent | empty) if LIVING_DISCS_KEY else FULL

    key = key_of(current & my_live, opponent & their_live, mask)
    index, tag = key & workspace[INDEX_MASK], key & TAG
    entry: int = table[index]
    if entry & TAG == tag:
        lower, upper = (entry & 63) - OFFSET, ((entry >> 6) & 63) - OFFSET
        if lower >= beta:
            return sign * lower
        if upper < beta:
            return sign * upper
    if stop[0] | alarm[0] or workspace[NODES] > workspace[NODE_LIMIT]:
        return ABORTED

    # Rate the moves; some settle the node before any is searched.
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
        if DOUBLE_THREATS and now:
            if (now & (now - 1)) | (now & (mine >> 1)):
                return sign * win_at(ply + 2)  # two wins, beside or above each other, against one answer
        elif DOUBLE_THREATS and next_playable & ~(mine >> 1) == 0:
            return sign * win_at(ply + 2)  # a win above every answer
        # The bounds one ply ahead.
        if first_moves:
            if ODD_THREAT_BOUND and beta <= 2:
                bound = first_has_odd_threat(opponent, after, next_playable, mine)
                if bound >= beta:
                    return sign * bound
        elif FOLLOW_UP_BOUND and beta <= 3:
            bound = -second_follows_up(opponent, discs, after, next_playable, mine)
            if bound >= beta:
                return sign * bound
        # Enhanced transposition cutoff.
        if ENHANCED_CUTOFF:
            their_live_after = covered(opponent | (empty ^ cell)) if LIVING_DISCS_KEY else FULL
            child = key_of(opponent & their_live_after, discs & my_live, after)
            entry = table[child & workspace[INDEX_MASK]]
            if entry & TAG == child & TAG:
                bound = OFFSET - ((entry >> 6) & 63)  # minus the child's upper bound
                if bound >= beta:
                    return sign * bound
        # A threat above a cell where the other side wins will never be played, so it does not count.
        useful = mine & ~(threats << 1) if USELESS_THREATS_EXCLUDED else mine
        bit = popcount(cell - 1)
        rating = workspace[counts + bit] if HISTORY_ORDER else -CENTRE * abs(3 - bit // 7)
        rating += THREAT * popcount(useful)
        place = list_end
        while place > list_start and workspace[place - 1] < rating:
            workspace[place] = workspace[place - 1]
            workspace[place + 8] = workspace[place + 7]
            workspace[place + 16] = workspace[place + 15]
            place -= 1
        workspace[place] = rating
        workspace[place + 8] = cell
        workspace[place + 16] = mine
        list_end += 1
    if DOUBLE_THREATS and LATE_WIN_BOUND and upper > win_at(ply + 4):  # no move wins by its second threat, seen above
        upper = win_at(ply + 4)
        if upper < beta:
            return sign * upper

    best = -ABORTED
    for place in range(list_start, list_end):
        cell = workspace[place + 8]
        value = -search(opponent, mask | cell, ply + 1, 1 - beta, workspace[place + 16], table, workspace, stop, alarm)
        if value == -ABORTED:
            return ABORTED
        if value > best:
            best = value
            if value >= beta:
                # Rewarding cutoffs by the first move too would only confirm the order (2.5x more nodes early).
                if place > list_start or not FIRST_CUTOFF_UNREWARDED:
                    workspace[counts + popcount(cell - 1)] += 1
                for earlier in range(list_start, place):
                    workspace[counts + popcount(workspace[earlier + 8] - 1)] -= 1
                break
    if best >= beta:
        lower = max(lower, best)
    else:
        upper = min(upper, best)
    table[index] = tag | (upper + OFFSET) << 6 | (lower + OFFSET)
    return sign * best


@kernel(inline=True)
def _reset_history(workspace: Words, from_ply: int) -> None:
    """Reset all counters to the preference for the centre. Keeping them from root to root costs 10 % to 19 %."""
    for ply in range(from_ply, 42):
        for column in range(7):
            start = HISTORY + ply * 49 + column * 7
            for row in range(7):
                workspace[start + row] = -CENTRE * abs(3 - column)


@kernel(inline=True)
def _static_bounds(current: int, mask: int, workspace: Words) -> int:
    """Set the bounds that need no search; return OVER, CLOSED where they have met, or CUT_OFF."""
    opponent = current ^ mask
    if four(opponent) or four(current) or mask == FULL:
        return OVER
    ply = popcount(mask)
    playable = playable_cells(mask)
    if winning_cells(current, mask) & playable:
        workspace[LOWER] = workspace[UPPER] = win_at(ply)
    elif ply == 41:
        workspace[LOWER] = workspace[UPPER] = 0
    else:
        workspace[LOWER], workspace[UPPER] = -win_at(ply + 1), win_at(ply + 2)
        threats = winning_cells(opponent, mask)
        bound = workspace[UPPER]
        if FOLLOW_UP_BOUND and ply & 1 == 0:
            bound = second_follows_up(current, opponent, mask, playable, threats)
        elif ODD_THREAT_BOUND and ply & 1 and threats & playable == 0:
            bound = -first_has_odd_threat(current, mask, playable, threats)
        workspace[UPPER] = max(workspace[LOWER], min(workspace[UPPER], bound))
    return CLOSED if workspace[LOWER] == workspace[UPPER] else CUT_OFF


@kernel("i8(i8,i8,i8,i8,i8,i8,i8[::1],i8[::1],u1[::1],u1[::1])")
def solve(
    current: int,
    mask: int,
    guess: int,
    low: int,
    high: int,
    mode: int,
    table: Words,
    workspace: Words,
    stop: Flag,
    alarm: Flag,
) -> int:
    """Close the workspace's bounds around the value by null windows; return CLOSED, CUT_OFF or OVER.

    The first window tests whether the value is above ``guess``; each further one steps outward from the last result,
    because the value is most often near. No window lies below ``low`` or above ``high``, so the bounds need not meet
    outside: -1 and 1 prove the outcome only. ``mode`` is 0 or a sum of KEEP and RESUME.
    """
    ply = popcount(mask)
    if mode & RESUME == 0:
        workspace[NODES] = 0
        status = _static_bounds(current, mask, workspace)
        if mode & KEEP == 0:
            table[: workspace[INDEX_MASK] + 1] = 0
        if status != CUT_OFF:
            return status
        _reset_history(workspace, ply)
    lowest, highest = workspace[LOWER], workspace[UPPER]
    lower, upper = min(max(lowest, low), highest), max(min(highest, high), lowest)
    threats = winning_cells(current ^ mask, mask)
    beta = min(max(guess + 1, lower + 1), upper)
    while lower < upper:
        value = search(
            current, mask, ply, beta, threats, pointer(table), pointer(workspace), pointer(stop), pointer(alarm)
        )
        if value == ABORTED:
            return CUT_OFF
        if value >= beta:
            lower = max(lower, min(value, upper))
            beta = lower + 1 if OUTWARD_WINDOWS else lower + (upper - lower + 1) // 2
            workspace[LOWER] = max(workspace[LOWER], min(value, highest))
        else:
            upper = min(upper, max(value, lower))
            beta = upper if OUTWARD_WINDOWS else lower + (upper - lower + 1) // 2
            workspace[UPPER] = min(workspace[UPPER], max(value, lowest))
    return CLOSED
