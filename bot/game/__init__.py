"""The rules of Connect Four: board, notation, games. No input or output, no numba."""

from bot.game.board import COLUMNS, ROWS, Board
from bot.game.columns import CENTRE_FIRST
from bot.game.notation import format_moves, parse_moves
from bot.game.played import PlayedGame

__all__ = ["CENTRE_FIRST", "COLUMNS", "ROWS", "Board", "PlayedGame", "format_moves", "parse_moves"]
