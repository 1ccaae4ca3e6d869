"""Play by a diagram: the rules of README.md in plain Python, and the rule that decided each move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.game import Board
from bot.game.board import COLUMNS, ROWS, STRIDE, completing_cells, playable_cells

REASONS = (
    "it makes four in a row",
    "it blocks the opponent's four in a row",
    "every other column lets the opponent win above it",
    "it makes two threats at once",
    "every other column gives away a threat of our own, or is lower on the list",
    "it is the playable cell that comes first on the list",
)
"""The reason for a move, at the index of its rule less 15."""


@dataclass(frozen=True, slots=True)
class Step:
    """A diagram's move and the rule that left only this cell (20: the list decided)."""

    column: int
    rule: int

    @property
    def reason(self) -> str:
        """The rule in words."""
        return REASONS[self.rule - 15]


def mirror_order(order: bytes) -> bytes:
    """Return the diagram reflected left to right."""
    return bytes((COLUMNS - 1 - cell // ROWS) * ROWS + cell % ROWS for cell in order)


def bit_of(cell: int) -> int:
    """Return the bit of a cell numbered column * 6 + row."""
    return 1 << (cell // ROWS * STRIDE + cell % ROWS)


def step(board: Board, order: Sequence[int]) -> Step:
    """Return the move of the diagram ``order`` (42 cells, most urgent first) for the side to move of ``board``."""
    bit, rule = chosen(board.current, board.opponent, [bit_of(cell) for cell in order])
    return Step((bit.bit_length() - 1) // STRIDE, rule)


def chosen(ours: int, theirs: int, bits: Sequence[int]) -> tuple[int, int]:
    """Return the bit that a diagram plays, and the rule that decided; ``bits``: the diagram's cells as bits."""
    mask = ours | theirs
    playable = playable_cells(mask)
    wins, threats = completing_cells(ours, mask), completing_cells(theirs, mask)
    if playable & wins:
        return _first(bits, playable & wins), 15
    if playable & threats:
        return _first(bits, playable & threats), 16
    cells = playable & ~(threats >> 1) or playable
    if cells != playable and cells & cells - 1 == 0:
        return cells, 17
    double = sum(bit for bit in bits if bit & cells and _is_double(ours | bit, mask | bit))
    if double:
        return _first(bits, double), 18
    patient = cells & ~(wins >> 1) or cells
    return _first(bits, patient), 19 if patient != cells and patient & patient - 1 == 0 else 20


def _is_double(ours: int, mask: int) -> bool:
    """Return whether there are two immediate wins, or one with another directly above it."""
    wins = completing_cells(ours, mask)
    now = wins & playable_cells(mask)
    return bool(now & now - 1 or now & wins >> 1)


def _first(bits: Sequence[int], cells: int) -> int:
    return next(bit for bit in bits if bit & cells)
