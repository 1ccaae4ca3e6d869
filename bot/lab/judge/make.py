"""Making a set of judged positions: drawing them by seed, and solving all their columns."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence

from bot.game import Board
from bot.lab.arena.workers import run_tasks
from bot.lab.positions import FIRST_PLY, PLIES, Judged, Scores, mirror_key, random_position

SKILLED_DEPTH = 4
"""Depth in plies of the minimax that makes half of the moves of every other game."""


def draw_positions(count: int, seed: int) -> list[tuple[int, ...]]:
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

    found: dict[tuple[int, int], tuple[int, ...]] = {}
    for number in range(count):
        chance = random.Random(f"judge/{seed}/{number}")
        skilled = number // PLIES % 2 == 1
        while len(found) == number:
            columns = random_position(FIRST_PLY + number % PLIES, chance, choices)
            board = Board.from_moves(columns)
            if len(board.legal_columns()) > 1:
                found.setdefault(mirror_key(board), columns)
    return list(found.values())


def solve_positions(moves: Iterable[tuple[int, ...]], workers: int = 1) -> Iterator[Judged]:
    """Solve all columns of each position and yield them in the order of completion."""
    for columns, scores in run_tasks(_column_scores, moves, workers=workers):
        yield Judged(columns, scores)


def _column_scores(columns: tuple[int, ...]) -> Scores:
    from bot.engine.perfect import shipped_book
    from bot.engine.solver import Solver

    board, book = Board.from_moves(columns), shipped_book()
    known = None if book is None else book.column_scores(board)
    return tuple(Solver().column_scores(board) if known is None else known)
