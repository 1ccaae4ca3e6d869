"""Making a set of judged positions: drawing them by seed, and writing them with their scores (`bot.lab.exact`)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path

from bot.game import Board
from bot.lab.positions import FIRST_PLY, PLIES, Columns, Judged, mirror_key, random_position
from bot.lab.store import usable

SKILLED_DEPTH = 4
"""Depth in plies of the minimax that makes half of the moves of every other game."""


def draw_positions(count: int, seed: int) -> list[Columns]:
    """Return the moves of ``count`` positions, no two of which are equal or mirror images; equal seeds give equal sets.

    The plies from FIRST_PLY to LAST_PLY come in turn, so that all have equal shares. In every other round all moves
    are random; in the rounds between, half of them are a minimax's.
    """
    from bot.engine.deadline import Deadline
    from bot.engine.minimax import Minimax

    def choices(board: Board) -> Sequence[int]:
        if skilled and chance.random() < 0.5:
            return Minimax.best_columns(board, SKILLED_DEPTH, Deadline.never())[1]
        return board.legal_columns()

    found: dict[frozenset[Board], Columns] = {}
    for number in range(count):
        chance = random.Random(f"judge/{seed}/{number}")
        skilled = number // PLIES % 2 == 1
        while len(found) == number:
            columns = random_position(FIRST_PLY + number % PLIES, chance, choices)
            board = Board.from_moves(columns)
            if len(board.legal_columns()) > 1:
                found.setdefault(mirror_key(board), columns)
    return list(found.values())


def write_positions(path: Path, positions: Iterable[Judged], about: str) -> None:
    """Write a set, with ``about`` as a comment; raise UsageError where the file cannot be written."""
    lines = [f"# {about}", *(position.as_line() for position in positions)]
    with usable(path):
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
