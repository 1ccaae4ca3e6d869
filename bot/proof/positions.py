"""Positions of a proof as numbers: each position and its mirror image share one key."""

from __future__ import annotations

from bot.game import Board
from bot.game.board import COLUMNS, STRIDE

_BOTTOM = sum(1 << (column * STRIDE) for column in range(COLUMNS))
_COLUMN = (1 << STRIDE) - 1


def mirrored(key: int) -> int:
    """Return the key of the position reflected left to right (not the smaller of both)."""
    flipped = 0
    for _ in range(COLUMNS):
        flipped = flipped << STRIDE | key & _COLUMN
        key >>= STRIDE
    return flipped


def plain_key(board: Board) -> int:
    """Return the position's number: in each column, the discs of the side to move as bits below a leading 1."""
    return board.current + board.mask + _BOTTOM


def key_of(board: Board) -> int:
    """Return the smaller of the numbers of the position and its mirror image."""
    key = plain_key(board)
    return min(key, mirrored(key))


def board_of(key: int) -> Board:
    """Return the position with this number."""
    current = mask = 0
    for column in range(COLUMNS):
        bits = key >> (column * STRIDE) & _COLUMN
        filled = (1 << (bits.bit_length() - 1)) - 1
        mask |= filled << (column * STRIDE)
        current |= (bits & filled) << (column * STRIDE)
    return Board(current, mask)
