"""Minimax in plain Python with the evaluations of three publications, close to the papers' text.

Positions and moves are a `Board`'s, which the kernels do not use; leaf values are read from its cells. What the papers
differ in (leaf values, values of finished games, order of the columns) is a `Program`. At 2d4e2a94 it had the
evaluations of all publications; leaf values and moves were recorded from it then (`papers/leaf_values.txt`,
`papers/moves.txt`, `papers/test_sources.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.game import Board

Windows = list[list[int]]
"""The four cells of each window: 1 for the maximiser's disc, -1 for the minimiser's, or 0."""
WINDOWS = [
    [(x + step * dx, y + step * dy) for step in range(4)]
    for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1))
    for x in range(7)
    for y in range(6)
    if 0 <= x + 3 * dx < 7 and y + 3 * dy < 6
]


def weighed(own: Sequence[int], other: Sequence[int]) -> Callable[[Windows], int]:
    """Weigh the windows without a disc of the other side by their own discs, 0 to 4; the minimiser's are subtracted."""

    def value(found: Windows) -> int:
        return sum(own[four.count(1)] for four in found if -1 not in four) - sum(
            other[four.count(-1)] for four in found if 1 not in four
        )

    return value


halim = weighed(range(1, 1000, 200), range(0, 500, 100))
"""x1 + 200 x2 - 100 x3: x1 counts the own windows, x2 and x3 the discs in them."""


def squares(found: Windows) -> int:
    """Return Kang's second heuristic: each disc counts the windows through its cell."""
    return sum(map(sum, found))


@dataclass(frozen=True)
class Program:
    """What distinguishes one program's minimax from another's."""

    leaf: Callable[[Windows], float]
    won: Callable[[Board, int, int], float]
    """Value of a finished game from the position, the winner (1: the maximiser) and the plies left."""
    drawn: int | None = None
    """Value of a full board; None: its leaf value."""


HALIM = Program(halim, lambda _board, who, left: who * (10_000_000 + left))
KANG = Program(squares, lambda _board, who, _left: who * 10_000_000_000)


def minimax(board: Board, side: int, left: int, program: Program) -> float:
    """Return the value for the maximiser, ``left`` plies deep; ``side`` is to move."""
    if board.has_winner:
        return program.won(board, -side, left)
    if board.is_full and program.drawn is not None:
        return program.drawn
    if board.is_full or left == 0:
        grid = board.to_grid(side)[::-1]
        return program.leaf([[grid[y][x] for x, y in window] for window in WINDOWS])
    values = [minimax(board.play(x), -side, left - 1, program) for x in board.legal_columns()]
    return max(values) if side > 0 else min(values)


def column_values(board: Board, depth: int, program: Program) -> dict[int, float]:
    """Return each legal column's value for the side to move."""
    return {x: minimax(board.play(x), -1, depth - 1, program) for x in board.legal_columns()}
