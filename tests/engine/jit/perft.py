"""Perft: the number of games of a given length, which checks the bitboards' move generation and rules."""

from __future__ import annotations

from bot.engine.jit.bits import BOTTOM, FULL, four
from bot.engine.jit.compiling import kernel


@kernel("int64(int64, int64, int64)")
def perft(current: int, mask: int, depth: int) -> int:
    """Return the number of games of exactly ``depth`` further plies; a finished game has no further plies."""
    if depth == 0:
        return 1
    other = current ^ mask
    if four(other):
        return 0
    count = 0
    moves = (mask + BOTTOM) & FULL
    while moves:
        move = moves & -moves
        moves ^= move
        count += perft(other, mask | move, depth - 1)
    return count
