"""Positions for measurements: random ones by seed, or those of a file."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from bot.errors import BoardError, UsageError
from bot.game import Board, parse_moves
from bot.lab.positions import random_position, read_lines

LAST_PLY = 41
"""The latest ply of an unfinished position."""
WAKING = parse_moves("1643164664443333222243266725")
"""A late position that every solver solves at once: it brings code and arrays back into the caches before the clock
starts."""


@dataclass(frozen=True, slots=True)
class BenchPosition:
    """An unfinished position, the moves that lead to it, and its exact score where a file contains it."""

    columns: tuple[int, ...]
    board: Board
    score: int | None = None


def random_positions(ply: int, count: int, seed: int | str) -> list[BenchPosition]:
    """Return ``count`` random positions of ``ply`` discs, the same for the same seed on every machine."""
    chance = random.Random(f"positions/{seed}/{ply}")
    games = [random_position(ply, chance) for _ in range(count)]
    return [BenchPosition(columns, Board.from_moves(columns)) for columns in games]


def read_positions(path: Path, limit: int | None = None) -> list[BenchPosition]:
    """Return the first ``limit`` positions of a file; each line holds moves, a space and the exact score.

    The score is optional. Text after it, empty lines and lines that begin with # are ignored.
    Raises UsageError, with the line's number, where a line is not such a position, or a finished one.
    """
    return read_lines(path, _position, "Write one a line: moves, a space, the exact score.", limit)


def _position(line: str, where: str) -> BenchPosition:
    moves, *rest = line.split(" ")
    rest = [word for word in rest if word]
    try:
        columns = parse_moves(moves)
        board = Board.from_moves(columns)
        score = int(rest[0]) if rest else None
    except BoardError as error:
        raise UsageError(f"{where}: {error.message}", error.hint) from None
    except ValueError:
        raise UsageError(f"{where}: {rest[0]!r} is not a score.", "Write moves, a space, the exact score.") from None
    if board.is_over:
        raise UsageError(f"{where}: The game is over in this position.", "Leave it out.")
    return BenchPosition(columns, board, score)
