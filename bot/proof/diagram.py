"""Play by a diagram: the rules of README.md in plain Python, and the rule that decided each move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.game import Board
from bot.game.board import COLUMNS, ROWS, STRIDE, completing_cells

REASONS = (
    "it makes four in a row",
    "it blocks the opponent's four in a row",
    "every other column lets the opponent win above it",
    "it makes two threats at once",
    "every other column gives away a threat of our own, or is lower on the list",
    "it is the playable cell that comes first on the list",
)
"""The reason for a move, at the index of its rule less 1."""


@dataclass(frozen=True, slots=True)
class Step:
    """A diagram's move and the rule that left only this cell (6: the list decided)."""

    column: int
    rule: int

    @property
    def reason(self) -> str:
        """The rule in words."""
        return REASONS[self.rule - 1]


def mirror_order(order: bytes) -> bytes:
    """Return the diagram reflected left to right."""
    return bytes((COLUMNS - 1 - cell // ROWS) * ROWS + cell % ROWS for cell in order)


def bit_of(cell: int) -> int:
    """Return the bit of a cell numbered column * 6 + row."""
    return 1 << (cell // ROWS * STRIDE + cell % ROWS)


def step(board: Board, order: Sequence[int]) -> Step:
    """Return the move of the diagram ``order`` (42 cells, most urgent first) for the side to move of ``board``."""
    playable = _playable(board.mask)
    wins = completing_cells(board.current, board.mask)
    threats = completing_cells(board.opponent, board.mask)
    if playable & wins:
        return _first(order, playable & wins, 1)
    if playable & threats:
        return _first(order, playable & threats, 2)
    cells = playable & ~(threats >> 1) or playable
    if cells != playable and cells & cells - 1 == 0:
        return _first(order, cells, 3)
    double = sum(bit for bit in map(bit_of, order) if bit & cells and _is_double(board, bit))
    if double:
        return _first(order, double, 4)
    patient = cells & ~(wins >> 1) or cells
    if patient != cells and patient & patient - 1 == 0:
        return _first(order, patient, 5)
    return _first(order, patient, 6)


def _playable(mask: int) -> int:
    return sum(1 << column * STRIDE + (mask >> column * STRIDE & 63).bit_count() for column in range(7)) & ~_ABOVE


_ABOVE = sum(1 << column * STRIDE + ROWS for column in range(COLUMNS))


def _is_double(board: Board, bit: int) -> bool:
    """Return whether a disc on ``bit`` makes two immediate wins, or one with another directly above it."""
    wins = completing_cells(board.current | bit, board.mask | bit)
    now = wins & _playable(board.mask | bit)
    return bool(now & now - 1 or now & wins >> 1)


def _first(order: Sequence[int], cells: int, rule: int) -> Step:
    cell = next(cell for cell in order if bit_of(cell) & cells)
    return Step(cell // ROWS, rule)
