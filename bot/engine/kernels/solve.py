"""The exact solver: null-window alpha-beta to the end of the game, on the field's score scale (`bot.engine.score`).

A win with the disc played after ``ply`` discs scores 21 - ply // 2.

The contract of ``search``, fail-soft: a result r < beta means value <= r, a result r >= beta means value >= r.

A node of the search is a *quiet* position: its side to move cannot win at once, has no threat to block, and has at
least two moves that do not lose at once. Every move is followed by all replies that are forced (`_play_out`), so each
child is quiet too, or its value is settled.

Arrays
------
table : int64, one dimension, at least ``workspace[INDEX_MASK] + 1`` words, which is a power of two
    Transposition table, see `bot.engine.kernels.table`.
workspace : int64, one dimension, ``WORKSPACE_WORDS`` words
    Words 0 to 4 are ``NODES`` .. ``UPPER`` below. From ``HISTORY``: the history heuristic, 42 plies of 49 counters, one
    for each bit of the board. From ``MOVES``: the move lists, 42 plies of seven moves of eight words, one cache line
    each, ``RATING`` .. ``SIGN`` below.
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
from bot.engine.kernels.keys import position_key
from bot.engine.kernels.switches import (
    ENHANCED_CUTOFF,
    FIRST_CUTOFF_UNREWARDED,
    FOLLOW_UP_BOUND,
    HISTORY_ORDER,
    LATE_WIN_BOUND,
    ODD_THREAT_BOUND,
    OUTWARD_WINDOWS,
    PREFETCH,
    SINGLE_MOVE_FORCED,
    USELESS_THREATS_EXCLUDED,
)
from bot.engine.kernels.table import bucket_of, lower_of, prefetch, probe, store, upper_of
from bot.kernels import bits, scalar
from bot.kernels.bits import FULL, four, playable_cells, popcount
from bot.kernels.jit import kernel
from bot.kernels.vectors import pointer

winning_cells = bits.winning_cells if switches.VECTOR_DIRECTIONS else scalar.winning_cells

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
MOVES = HISTORY + 42 * 49
"""First word of the move lists, ``LIST_WORDS`` for each ply."""
RATING, CELL, CURRENT, MASK, THREATS, KEY, PLY, SIGN = range(8)
"""Words of a move: its rating; its cell (one bit); then the quiet position that follows it: discs of the side to move,
all discs, winning cells of the other side, key, ply, and 1 where the same side is to move there as before, else -1."""
MOVE_WORDS = 8
LIST_WORDS = 7 * MOVE_WORDS
WORKSPACE_WORDS = MOVES + 42 * LIST_WORDS

CENTRE = 256
THREAT = 1024 if switches.THREAT_ORDER else 0
"""Move ordering in units of one history count: ``CENTRE`` for each step towards the centre, ``THREAT`` for each winning
cell. Centre and threats lead; history decides among equals until its counts are large."""
SEARCHED = -(1 << 40)
"""Rating of a move that has been searched, below every other."""
SETTLED = -1
"""What `_play_out` returns as the ply of a position whose value it found."""
UNBOUNDED = 30
"""Beyond every score: a bound that says nothing."""

Words = NDArray[int64]
Flag = NDArray[uint8]
_Quiet = tuple[int, int, int, int, int]
_WORDS, _FLAG = types.CPointer(types.int64), types.CPointer(types.uint8)  # type: ignore[no-untyped-call]
_SEARCH: Any = types.int64(*[types.int64] * 6, _WORDS, _WORDS, _FLAG, _FLAG)


@kernel(inline=True)
def win_at(ply: int) -> int:
    """Return the winner's score when the disc played after ``ply`` discs completes four."""
    return 21 - (ply >> 1)


@kernel(inline=True)
def _static_bound(discs: int, mask: int, ply: int, playable: int, threats: int, beta: int) -> int:
    """Return an upper bound of the side to move's score, at least ``beta`` where none below it is known.

    ``discs`` and ``threats`` are the other side's discs and winning cells.
    """
    bound = beta
    if ply & 1 == 0:
        if FOLLOW_UP_BOUND and beta >= -2:
            bound = second_follows_up(discs ^ mask, discs, mask, playable, threats)
    elif ODD_THREAT_BOUND and beta >= -1:
        bound = -first_has_odd_threat(discs ^ mask, mask, playable, threats)
    return bound


@kernel(inline=True)
def _play_out(discs: int, mask: int, ply: int, sign: int, beta: int, is_bounded: bool) -> _Quiet:
    """Play the forced replies after a move; return the quiet position that follows, or its value.

    ``discs`` belong to the side that has just moved, and the other side cannot win at once. ``sign`` is 1 where that
    other side is the one whose value is asked and compared with ``beta``, else -1. A reply is forced where it blocks a
    four, or where every other one lets the opponent win. Unless ``is_bounded``, only exact values settle a position.

    Returns (discs of the side that moved last, all discs, its winning cells, ply, sign) for a quiet position and
    (value, 0, 0, SETTLED, 0) for a settled one. A settled value below ``beta`` is a bound from above, another one a
    bound from below.
    """
    while True:
        threats = winning_cells(discs, mask)
        playable = playable_cells(mask)
        forced = playable & threats
        if forced:
            if (forced & (forced - 1)) | (forced & (threats >> 1)):  # two threats, beside or above each other
                return -sign * win_at(ply + 1), 0, 0, SETTLED, 0
        else:
            limit = beta if sign > 0 else 1 - beta
            bound = _static_bound(discs, mask, ply, playable, threats, limit) if is_bounded else UNBOUNDED
            if bound < limit:
                return sign * bound, 0, 0, SETTLED, 0
            forced = playable & ~(threats >> 1)  # never below a cell where the other side wins
            if forced == 0:
                return -sign * win_at(ply + 1), 0, 0, SETTLED, 0
            if not SINGLE_MOVE_FORCED or forced & (forced - 1):
                break
        if ply >= 40:
            break
        discs ^= mask
        discs |= forced
        mask |= forced
        ply += 1
        sign = -sign
    if ply >= 40:  # two cells are left, and neither side can win there
        return 0, 0, 0, SETTLED, 0
    return discs, mask, threats, ply, sign


@kernel(inline=True)
def _rate(workspace: Words, ply: int, cell: int, threats: int) -> int:
    """Return how early a move should be searched: threats made, distance from the centre, and history."""
    bit = popcount(cell - 1)
    rating = workspace[HISTORY + ply * 49 + bit] if HISTORY_ORDER else -CENTRE * abs(3 - bit // 7)
    return rating + THREAT * popcount(threats)


@kernel(inline=True)
def _next_move(workspace: Words, start: int, end: int) -> int:
    """Return the place of the unsearched move with the highest rating."""
    best = start
    for place in range(start + MOVE_WORDS, end, MOVE_WORDS):
        if workspace[place + RATING] > workspace[best + RATING]:
            best = place
    return best


@kernel(inline=True)
def _learn(workspace: Words, ply: int, start: int, end: int, chosen: int, number: int) -> None:
    """Update the history after a cutoff by the move at ``chosen``, the ``number``-th (from 0) that was searched.

    Rewarding cutoffs by the first move too would only confirm the order (2.5 times as many nodes in early positions).
    """
    counts = HISTORY + ply * 49
    if number or not FIRST_CUTOFF_UNREWARDED:
        workspace[counts + popcount(workspace[chosen + CELL] - 1)] += 1
    for place in range(start, end, MOVE_WORDS):
        if workspace[place + RATING] == SEARCHED and place != chosen:
            workspace[counts + popcount(workspace[place + CELL] - 1)] -= 1


@kernel(_SEARCH)
def search(
    current: int,
    mask: int,
    ply: int,
    beta: int,
    threats: int,
    key: int,
    table: Words,
    workspace: Words,
    stop: Flag,
    alarm: Flag,
) -> int:
    """Return whether the value of a quiet position is at least ``beta`` as a bound within the contract, or ABORTED.

    ``threats`` are the other side's winning cells, ``key`` is the position's key; the caller has computed both already.
    The arrays are passed as pointers; the module describes their layout.
    """
    # Bounds at sight.
    lower, upper = -win_at(ply + 3), win_at(ply + 2)
    if lower >= beta:
        return lower
    if upper < beta:
        return upper

    # The table.
    nodes = workspace[NODES]
    workspace[NODES] = nodes + 1
    index_mask = workspace[INDEX_MASK]
    bucket = bucket_of(key, index_mask)
    entry = probe(table, bucket, key)
    if entry:
        lower, upper = lower_of(entry), upper_of(entry)
        if lower >= beta:
            return lower
        if upper < beta:
            return upper
    if stop[0] | alarm[0] or nodes >= workspace[NODE_LIMIT]:
        return ABORTED

    # Play every move and its forced replies; some settle the node before any is searched.
    start = MOVES + ply * LIST_WORDS
    end = start
    best = -ABORTED
    rest = playable_cells(mask) & ~(threats >> 1)
    while rest:
        cell = rest & -rest
        rest ^= cell
        discs, after, mine, child_ply, sign = _play_out(current | cell, mask | cell, ply + 1, -1, beta, True)
        if child_ply == SETTLED:
            best = max(best, discs)
            if best >= beta:
                return best
            continue
        child_key = position_key(discs ^ after, after, child_ply)
        if PREFETCH:
            prefetch(table, bucket_of(child_key, index_mask))
        useful = winning_cells(current | cell, mask | cell)
        if USELESS_THREATS_EXCLUDED:  # above a winning cell of the other side
            useful &= ~(threats << 1)
        workspace[end + RATING] = _rate(workspace, ply, cell, useful)
        workspace[end + CELL] = cell
        workspace[end + CURRENT] = discs ^ after
        workspace[end + MASK] = after
        workspace[end + THREATS] = mine
        workspace[end + KEY] = child_key
        workspace[end + PLY] = child_ply
        workspace[end + SIGN] = sign
        end += MOVE_WORDS

    # No move left wins by a double threat, so no win comes before the third one.
    if LATE_WIN_BOUND:
        upper = min(upper, max(win_at(ply + 4), best))
        if upper < beta:
            return upper

    # Enhanced transposition cutoff: a child's entry may settle the node.
    if ENHANCED_CUTOFF:
        for place in range(start, end, MOVE_WORDS):
            child_key = workspace[place + KEY]
            entry = probe(table, bucket_of(child_key, index_mask), child_key)
            if entry:
                bound = -upper_of(entry) if workspace[place + SIGN] < 0 else lower_of(entry)
                if bound >= beta:
                    return bound

    # Search the moves.
    for number in range((end - start) // MOVE_WORDS):
        place = _next_move(workspace, start, end)
        sign = workspace[place + SIGN]
        value = sign * search(
            workspace[place + CURRENT],
            workspace[place + MASK],
            workspace[place + PLY],
            beta if sign > 0 else 1 - beta,
            workspace[place + THREATS],
            workspace[place + KEY],
            table,
            workspace,
            stop,
            alarm,
        )
        if abs(value) == ABORTED:
            return ABORTED
        workspace[place + RATING] = SEARCHED
        if value > best:
            best = value
            if value >= beta:
                _learn(workspace, ply, start, end, place, number)
                break
    if best >= beta:
        lower = max(lower, best)
    else:
        upper = min(upper, best)
    store(table, bucket, key, lower, upper, workspace[NODES] - nodes)
    return best


@kernel(inline=True)
def _reset_history(workspace: Words, from_ply: int) -> None:
    """Reset all counters to the preference for the centre. Keeping them from root to root costs 10 % to 19 %."""
    for ply in range(from_ply, 42):
        for column in range(7):
            start = HISTORY + ply * 49 + column * 7
            for row in range(7):
                workspace[start + row] = -CENTRE * abs(3 - column)


@kernel(inline=True)
def _close(workspace: Words, score: int) -> int:
    workspace[LOWER] = workspace[UPPER] = score
    return CLOSED


@kernel(inline=True)
def _turned(sign: int, lower: int, upper: int) -> tuple[int, int]:
    """Return bounds in the other side's view where ``sign`` is -1."""
    if sign > 0:
        return lower, upper
    return -upper, -lower


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
    if mode & RESUME == 0:
        workspace[NODES] = 0
    ply = popcount(mask)
    opponent = current ^ mask
    if four(opponent) or four(current) or mask == FULL:
        return OVER
    if winning_cells(current, mask) & playable_cells(mask):
        return _close(workspace, win_at(ply))
    discs, mask, threats, ply, sign = _play_out(opponent, mask, ply, 1, 0, False)
    if ply == SETTLED:
        return _close(workspace, discs)
    current = discs ^ mask

    # From here on in the view of the side to move in the quiet position; the workspace's bounds are the root's.
    if mode & KEEP == 0 and mode & RESUME == 0:
        table[: workspace[INDEX_MASK] + 1] = 0
    if mode & RESUME:
        lowest, highest = _turned(sign, workspace[LOWER], workspace[UPPER])
    else:
        _reset_history(workspace, ply)
        bound = _static_bound(discs, mask, ply, playable_cells(mask), threats, UNBOUNDED)
        lowest = -win_at(ply + 3)
        highest = max(lowest, min(win_at(ply + 2), bound))
    low, high = _turned(sign, low, high)
    lower, upper = min(max(lowest, low), highest), max(min(highest, high), lowest)
    key = position_key(current, mask, ply)
    beta = min(max(sign * guess + 1, lower + 1), upper)
    status = CLOSED
    while lower < upper:
        value = search(
            current, mask, ply, beta, threats, key, pointer(table), pointer(workspace), pointer(stop), pointer(alarm)
        )
        if value == ABORTED:
            status = CUT_OFF
            break
        if value >= beta:
            lower = max(lower, min(value, upper))
            beta = lower + 1 if OUTWARD_WINDOWS else lower + (upper - lower + 1) // 2
            lowest = max(lowest, min(value, highest))
        else:
            upper = min(upper, max(value, lower))
            beta = upper if OUTWARD_WINDOWS else lower + (upper - lower + 1) // 2
            highest = min(highest, max(value, lowest))
    workspace[LOWER], workspace[UPPER] = _turned(sign, lowest, highest)
    return status
