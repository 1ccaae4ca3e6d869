"""The moves of one node of the exact search: listed with the quiet positions that follow them, then looked up.

``table`` and ``workspace`` are laid out as `bot.engine.kernels.solve` describes; ``index_mask`` is the used length of
the table less one.
"""

from __future__ import annotations

from numpy import int64
from numpy.typing import NDArray

from bot.engine.jit.bits import playable_cells, winning_cells
from bot.engine.jit.compiling import kernel
from bot.engine.kernels.ordering import (
    CELL,
    CURRENT,
    KEY,
    LIST_WORDS,
    MASK,
    MOVE_WORDS,
    MOVES,
    PLY,
    RATING,
    SEARCHED,
    SIGN,
    THREATS,
)
from bot.engine.kernels.quiet import SETTLED, play_out
from bot.engine.kernels.table import (
    MIRROR_PLIES,
    bucket_of,
    lower_of,
    mirror_key,
    position_key,
    prefetch,
    probe,
    upper_of,
)

Words = NDArray[int64]

BEYOND = 1000
"""Beyond every score."""


@kernel(inline=True)
def turned(sign: int, lower: int, upper: int) -> tuple[int, int]:
    """Return bounds in the other side's view where ``sign`` is -1."""
    if sign > 0:
        return lower, upper
    return -upper, -lower


@kernel(inline=True)
def share_keys_of_images(workspace: Words, start: int, end: int) -> None:
    """Give each listed move the key that its position shares with its mirror image, where it is early enough."""
    for place in range(start, end, MOVE_WORDS):
        if workspace[place + PLY] < MIRROR_PLIES:
            image = mirror_key(workspace[place + CURRENT], workspace[place + MASK])
            workspace[place + KEY] = min(workspace[place + KEY], image)


@kernel(inline=True)
def list_moves(
    current: int, mask: int, ply: int, beta: int, threats: int, table: Words, index_mask: int, workspace: Words
) -> tuple[int, int]:
    """Play every move and its forced replies, and list those that lead to quiet positions, not yet rated.

    In place of its rating, each holds the threats that it makes. Returns the end of the list and the best value of the
    others; the first one of at least ``beta`` ends the work.
    """
    end = MOVES + ply * LIST_WORDS
    best = -BEYOND
    rest = playable_cells(mask) & ~(threats >> 1)
    while rest and best < beta:
        cell = rest & -rest
        rest ^= cell
        made = winning_cells(current | cell, mask | cell)
        discs, after, mine, child_ply, sign = play_out(current | cell, mask | cell, made, ply + 1, -1, beta, True)
        if child_ply == SETTLED:
            best = max(best, discs)
            continue
        key = position_key(discs ^ after, after)
        prefetch(table, bucket_of(key, index_mask))
        workspace[end + RATING] = made & ~(threats << 1)  # a threat above a winning cell of the other side is useless
        workspace[end + CELL] = cell
        workspace[end + CURRENT] = discs ^ after
        workspace[end + MASK] = after
        workspace[end + THREATS] = mine
        workspace[end + KEY] = key
        workspace[end + PLY] = child_ply
        workspace[end + SIGN] = sign
        end += MOVE_WORDS
    if ply < MIRROR_PLIES - 1:  # in a loop of its own, where it does not slow down late plies
        share_keys_of_images(workspace, MOVES + ply * LIST_WORDS, end)
    return end, best


@kernel(inline=True)
def look_up_moves(
    table: Words, index_mask: int, workspace: Words, start: int, end: int, beta: int, best: int
) -> tuple[int, int]:
    """Let the table settle or refute listed moves (enhanced transposition cutoff).

    Returns the number of moves that are left to search and the best value known; one of at least ``beta`` ends the
    work.
    """
    left = (end - start) // MOVE_WORDS
    for place in range(start, end, MOVE_WORDS):
        key = workspace[place + KEY]
        entry = probe(table, bucket_of(key, index_mask), key)
        if entry:
            least, most = turned(workspace[place + SIGN], lower_of(entry), upper_of(entry))
            if least >= beta:
                return left, least
            if most < beta:
                best = max(best, most)
                workspace[place + RATING] = SEARCHED
                left -= 1
    return left, best
