"""Plain depth-limited minimax with alpha-beta, as the course's own bot plays: no table, no extension of the depth.

Values are in the view of the side to move: ``WIN`` plus the field's score for a win within the depth, the negative of
that for a loss, 0 for a full board, otherwise the 69 windows with 1, 10 and 100 for one, two and three discs.
"""

from __future__ import annotations

from bot.engine.jit.arrays import Flag, Words
from bot.engine.jit.bits import four, playable_cells, win_at
from bot.engine.jit.compiling import kernel
from bot.engine.kernels.evaluate import windows
from bot.game.columns import CENTRE_FIRST

WIN = 10_000


@kernel("int64(int64, int64, int64, int64, int64, int64, int64[::1], uint8[::1], uint8[::1])")
def minimax(
    current: int,
    mask: int,
    ply: int,
    depth: int,
    alpha: int,
    beta: int,
    nodes: Words,
    stop: Flag,
    deadline: Flag,
) -> int:
    """Return the value ``depth`` plies deep, fail-soft; void once a flag is set.

    ``nodes`` (int64, one item) counts the positions visited; ``stop`` and ``deadline`` (uint8, one item each) end the
    search when nonzero.
    """
    if stop[0] | deadline[0]:
        return 0
    nodes[0] += 1
    other = current ^ mask
    if four(other):
        return -(WIN + win_at(ply - 1))
    if ply == 42:
        return 0
    if depth == 0:
        return windows(current, mask, 1, 10, 100)
    best = -2 * WIN
    for column in CENTRE_FIRST:
        move = playable_cells(mask) & (63 << 7 * column)
        if move == 0:
            continue
        value = -minimax(other, mask | move, ply + 1, depth - 1, -beta, -max(alpha, best), nodes, stop, deadline)
        if value > best:
            best = value
            if best >= beta:
                break
    return best
