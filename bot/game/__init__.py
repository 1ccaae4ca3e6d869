"""The rules of Connect Four: board, notation. No input or output, no numba."""

from bot.game.board import COLUMNS, ROWS, Board
from bot.game.columns import CENTRE_FIRST
from bot.game.notation import format_moves, parse_moves

__all__ = ["CENTRE_FIRST", "COLUMNS", "ROWS", "Board", "format_moves", "parse_moves"]
