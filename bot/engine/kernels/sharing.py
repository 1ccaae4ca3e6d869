"""What several threads on one position tell each other: which moves they are searching, and what they have settled.

Each thread solves the position with windows of its own, and all have one table (`bot.engine.team`).

**Claims.** In early plies a thread claims the position after a move while it searches it, and leaves the moves that
another has claimed for last. A claim is a word behind the table, and only a hint: where two keys meet, or two threads
claim at once, work is done twice or a move is searched later, and no result changes. (Idea: ABDADA, J.-C. Weill 1996,
in the simple form of T. Kerrigan.)

**Path.** A thread keeps the nodes between the root and its own. Before each further move it looks whether another
thread has settled one of them, and goes back there at once. Two threads visit 1.14 times the nodes of one on
`Test_L1_R3` 1-20 and on `Test_L1_R2` 1-60; without it 1.24 and 1.25 times (commit ee9f8a81).
"""

from __future__ import annotations

from bot.engine.jit.arrays import Words
from bot.engine.jit.compiling import kernel
from bot.engine.kernels.moves import SEARCHED, next_move
from bot.engine.kernels.table import bucket_of, lower_of, probe, upper_of
from bot.engine.kernels.workspace import INDEX_MASK, KEY, PATH, RATING

CLAIMS = 1 << 10
"""Words behind the table that hold the keys of the positions under search."""
DEFERRED = SEARCHED >> 1
"""Rating of a move that another thread is searching: below every other but ``SEARCHED``."""
UNSETTLED = 1000
"""Returned in place of a bound where the table does not settle a node; beyond every score."""


@kernel(inline=True)
def _place_of_claim(key: int, index_mask: int) -> int:
    return index_mask + 1 + ((key >> 20) & (CLAIMS - 1))  # bits that choose no bucket of a 4 MB table


@kernel("i8(CPointer(i8),i8,i8,i8)", inline=True)
def _settled_bound(table: Words, key: int, beta: int, index_mask: int) -> int:
    """Return the bound with which the table settles the node for this ``beta``, or ``UNSETTLED``."""
    entry = probe(table, bucket_of(key, index_mask), key)
    if entry:
        if lower_of(entry) >= beta:
            return lower_of(entry)
        if upper_of(entry) < beta:
            return upper_of(entry)
    return UNSETTLED


@kernel("b1(CPointer(i8),CPointer(i8),i8,i8)")
def is_superseded(table: Words, workspace: Words, key: int, beta: int) -> bool:
    """Return whether the node with this key, or one of the path, is settled by now: the work below it is in vain."""
    index_mask = workspace[INDEX_MASK]
    if _settled_bound(table, key, beta, index_mask) != UNSETTLED:
        return True
    for word in range(PATH + 1, PATH + 1 + 2 * workspace[PATH], 2):
        if _settled_bound(table, workspace[word], workspace[word + 1], index_mask) != UNSETTLED:
            return True
    return False


@kernel("i8(CPointer(i8),CPointer(i8),i8,i8,i8,i8,i8)")
def begin_move(table: Words, workspace: Words, start: int, end: int, place: int, key: int, beta: int) -> int:
    """Return the place of the best unsearched move that no other thread is searching, and claim it.

    ``place`` is that of the best unsearched move, ``key`` that of the node, which is added to the path.
    """
    index_mask = workspace[INDEX_MASK]
    length = workspace[PATH]
    workspace[PATH + 1 + 2 * length] = key
    workspace[PATH + 2 + 2 * length] = beta
    workspace[PATH] = length + 1
    while workspace[place + RATING] > DEFERRED:
        claimed: int = table[_place_of_claim(workspace[place + KEY], index_mask)]
        if claimed != workspace[place + KEY]:
            break
        workspace[place + RATING] = DEFERRED
        place = next_move(workspace, start, end)
    table[_place_of_claim(workspace[place + KEY], index_mask)] = workspace[place + KEY]
    return place


@kernel("i8(CPointer(i8),CPointer(i8),i8,i8,i8)")
def end_move(table: Words, workspace: Words, place: int, key: int, beta: int) -> int:
    """End the claim of the move at ``place``, and take the node off the path.

    Returns the bound with which another thread has settled the node meanwhile, or ``UNSETTLED``.
    """
    index_mask = workspace[INDEX_MASK]
    workspace[PATH] -= 1
    table[_place_of_claim(workspace[place + KEY], index_mask)] = 0
    return _settled_bound(table, key, beta, index_mask)
