"""The exact solver: null-window alpha-beta to the end of the game, on the field's score scale (`bot.engine.score`).

A win with the disc played after ``ply`` discs scores 21 - ply // 2.

The contract of ``search``, fail-soft: a result r < beta means value <= r, a result r >= beta means value >= r.

A node of the search is a quiet position (`bot.engine.kernels.quiet`). Every move is followed by all replies that are
forced, so each child is quiet too, or its value is settled.

Arrays
------
table : int64, one dimension, at least ``workspace[INDEX_MASK] + 1`` words, which is a power of two
    Transposition table, see `bot.engine.kernels.table`.
workspace : int64, one dimension, made by ``new_workspace``
    See `bot.engine.kernels.workspace`.
stop, alarm : uint8, one item each
    The caller's and the timer's flag; the search ends soon after either is nonzero.

What was tried without gain: tests/bench/README.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numpy import int64

from bot.engine.jit.addresses import bytes_at, calls, code_address, words_at
from bot.engine.jit.arrays import Flag, Words
from bot.engine.jit.bits import FULL, four, playable_cells, popcount, win_at, winning_cells
from bot.engine.jit.compiling import kernel
from bot.engine.kernels.bounds import NONE, static_bound
from bot.engine.kernels.moves import (
    SEARCHED,
    learn,
    list_moves,
    look_up_moves,
    next_move,
    rate_moves,
    reset_history,
)
from bot.engine.kernels.quiet import SETTLED, play_out, turned
from bot.engine.kernels.table import (
    bucket_of,
    first_mask,
    grown,
    lower_of,
    nodes_until_growth,
    probe,
    shared_key,
    store,
    upper_of,
)
from bot.engine.kernels.workspace import (
    CHECK_AT,
    CURRENT,
    INDEX_MASK,
    KEY,
    LIST_WORDS,
    LOWER,
    MASK,
    MOVE_WORDS,
    MOVES,
    NODE_LIMIT,
    NODES,
    PLY,
    RATING,
    SEARCH_AT,
    SIGN,
    THREATS,
    UPPER,
    USED_MASK,
    WORKSPACE_WORDS,
)

ABORTED = 1000
"""Result of a search that was stopped or whose table must grow; the nodes left open store nothing."""
CLOSED, STOPPED, OVER = 0, 1, 2
"""Results of ``solve``: the bounds have met within the window; stopped before they met; the game is over already."""
KEEP, RESUME = 1, 2
"""Modes of ``solve``: use the table that neighbouring positions left; continue where it stopped on this position."""

SolveResult = tuple[int, int, int, int]
"""What ``solve`` returns: CLOSED, STOPPED or OVER, the proven bounds, and the nodes visited."""
_WORDS, _FLAG = types.CPointer(types.int64), types.CPointer(types.uint8)  # type: ignore[no-untyped-call]
_SEARCH: Any = types.int64(*[types.int64] * 6, _WORDS, _WORDS, _FLAG, _FLAG)
_search, _search_on = calls(_SEARCH, by_address=True), calls(_SEARCH)


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
    """Return a bound that tells whether a quiet position's value is at least ``beta`` (see the module), or ABORTED.

    ``threats`` are the other side's winning cells, ``key`` is the position's key; the caller has computed both already.
    The arrays are passed as pointers; the module describes their layout.
    """
    # In a quiet position neither side wins with its next disc: the mover after ply + 2 discs at the earliest, the other
    # after ply + 3.
    lower, upper = -win_at(ply + 3), win_at(ply + 2)
    if lower >= beta:
        return lower
    if upper < beta:
        return upper

    # The table.
    nodes = workspace[NODES]
    workspace[NODES] = nodes + 1
    index_mask = workspace[USED_MASK]
    bucket = bucket_of(key, index_mask)
    entry = probe(table, bucket, key)
    if entry:
        lower, upper = lower_of(entry), upper_of(entry)
        if lower >= beta:
            return lower
        if upper < beta:
            return upper
    if stop[0] | alarm[0] or nodes >= workspace[CHECK_AT]:
        return ABORTED

    # Some moves settle the node before any is searched.
    start = MOVES + ply * LIST_WORDS
    end, best = list_moves(current, mask, ply, beta, threats, table, index_mask, workspace)
    if best >= beta:
        return best
    # Rating takes about as long as the table's entries take to arrive in the cache, so it comes first.
    if end > start + MOVE_WORDS:
        rate_moves(workspace, start, end, current, mask, ply, beta)
    left, place, best = look_up_moves(table, index_mask, workspace, start, end, beta, best)
    if best >= beta:
        return best

    for number in range(left):
        if number:
            place = next_move(workspace, start, end)
        sign = workspace[place + SIGN]
        child_beta = beta if sign > 0 else 1 - beta
        move = workspace[place + CURRENT], workspace[place + MASK], workspace[place + PLY]
        known = workspace[place + THREATS], workspace[place + KEY]
        value = sign * _search_on((*move, child_beta, *known, table, workspace, stop, alarm))
        if abs(value) == ABORTED:
            return ABORTED
        workspace[place + RATING] = SEARCHED
        if value > best:
            best = value
            if value >= beta:
                learn(workspace, ply, start, end, place, number)
                break
    if best >= beta:
        lower = max(lower, best)
    else:
        upper = min(upper, best)
    store(table, bucket, key, lower, upper, workspace[NODES] - nodes)
    return best


def new_workspace(table_words: int, most_nodes: int) -> Words:
    """Return a workspace for a table of this length."""
    workspace = np.zeros(WORKSPACE_WORDS, dtype=int64)
    workspace[[INDEX_MASK, NODE_LIMIT, SEARCH_AT]] = table_words - 1, most_nodes, code_address(search)
    return workspace


@kernel(inline=True)
def _close(workspace: Words, score: int) -> SolveResult:
    workspace[LOWER] = workspace[UPPER] = score
    return CLOSED, score, score, 0


@kernel(inline=True)
def _begin(table: Words, workspace: Words, ply: int, mode: int) -> None:
    """Prepare table and counters for a search, which a position that is settled at sight does not need."""
    if mode & RESUME == 0:
        reset_history(workspace, ply)
        if mode & KEEP == 0 or workspace[USED_MASK] == 0:
            workspace[USED_MASK] = first_mask(workspace[INDEX_MASK])
            for place in range(workspace[USED_MASK] + 1):
                table[place] = 0
    workspace[CHECK_AT] = nodes_until_growth(workspace[USED_MASK], workspace[INDEX_MASK], workspace[NODE_LIMIT])


@kernel(inline=True)
def _grow_unless_over_limit(table: Words, workspace: Words) -> bool:
    """Let the part of the table in use grow; return False where the search has visited its most nodes instead."""
    if workspace[NODES] > workspace[NODE_LIMIT]:
        return False
    used = grown(table, workspace[USED_MASK], workspace[INDEX_MASK])
    workspace[USED_MASK] = used
    workspace[CHECK_AT] = nodes_until_growth(used, workspace[INDEX_MASK], workspace[NODE_LIMIT])
    return True


@kernel("UniTuple(i8,4)(i8,i8,i8,i8,i8,i8,i8,i8,i8,i8)")
def solve(
    current: int,
    mask: int,
    guess: int,
    asked_low: int,
    asked_high: int,
    mode: int,
    table_at: int,
    workspace_at: int,
    stop_at: int,
    alarm_at: int,
) -> SolveResult:
    """Close the workspace's bounds around the value by null windows; return a status, the bounds and the nodes.

    The first window tests whether the value for the side to move in the quiet position is above ``guess``, turned to
    its view; each further one steps outward from the last result, because the value is most often near. No window lies
    below ``asked_low`` or above ``asked_high``, so the bounds need not meet outside: -1 and 1 prove the outcome only.
    ``mode`` is 0 or a sum of KEEP and RESUME. The arrays are passed by their addresses
    (`bot.engine.jit.addresses`).
    """
    table, workspace, stop, alarm = words_at(table_at), words_at(workspace_at), bytes_at(stop_at), bytes_at(alarm_at)
    if mode & RESUME == 0:
        workspace[NODES] = 0
    ply = popcount(mask)
    opponent = current ^ mask
    if four(opponent) or four(current) or mask == FULL:
        return OVER, 0, 0, 0
    if winning_cells(current, mask) & playable_cells(mask):
        return _close(workspace, win_at(ply))
    # Only exact values settle a position here, so the 0 for ``beta`` is not used.
    discs, mask, threats, ply, sign = play_out(opponent, mask, winning_cells(opponent, mask), ply, 1, 0, False)
    if ply == SETTLED:
        return _close(workspace, discs)  # which holds the value
    current = discs ^ mask

    # From here on in the view of the side to move in the quiet position; the workspace's bounds are the root's. The
    # value lies within the proven bounds; windows are asked while those that are open, proven and asked for, differ.
    if mode & RESUME:
        proven_low, proven_high = turned(sign, workspace[LOWER], workspace[UPPER])
    else:
        bound = static_bound(discs, mask, ply, playable_cells(mask), threats, NONE)
        proven_low = -win_at(ply + 3)
        proven_high = max(proven_low, min(win_at(ply + 2), bound))
    asked_low, asked_high = turned(sign, asked_low, asked_high)
    open_low = min(max(proven_low, asked_low), proven_high)
    open_high = max(min(proven_high, asked_high), proven_low)
    if open_low < open_high:
        _begin(table, workspace, ply, mode)
    key = shared_key(current, mask, ply)
    beta = min(max(sign * guess + 1, open_low + 1), open_high)
    status = CLOSED
    while open_low < open_high:
        workspace[LOWER], workspace[UPPER] = turned(sign, proven_low, proven_high)  # another thread shows them
        value = _search((workspace[SEARCH_AT], current, mask, ply, beta, threats, key, table, workspace, stop, alarm))
        if value == ABORTED:
            if not (stop[0] | alarm[0]) and _grow_unless_over_limit(table, workspace):
                continue  # the table has what the search had proven
            status = STOPPED
            break
        if value >= beta:
            open_low = max(open_low, min(value, open_high))
            beta = open_low + 1
            proven_low = max(proven_low, min(value, proven_high))
        else:
            open_high = min(open_high, max(value, open_low))
            beta = open_high
            proven_high = min(proven_high, max(value, proven_low))
    proven_low, proven_high = turned(sign, proven_low, proven_high)
    workspace[LOWER], workspace[UPPER] = proven_low, proven_high
    return status, int(proven_low), int(proven_high), int(workspace[NODES])
