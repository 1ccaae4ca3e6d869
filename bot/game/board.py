"""The board as two 49-bit integers.

Bit ``column * 7 + row`` is a cell, row 0 at the bottom; the seventh bit of each column stays empty, so that shifts
never carry a line from one column into the next::

    row   .  13 20 27 34 41 48      always empty
     5    5 12 19 26 33 40 47
     4    4 11 18 25 32 39 46
     3    3 10 17 24 31 38 45
     2    2  9 16 23 30 37 44
     1    1  8 15 22 29 36 43
     0    0  7 14 21 28 35 42
          1  2  3  4  5  6  7
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.errors import BoardError

COLUMNS = 7
ROWS = 6
CELLS = COLUMNS * ROWS
STRIDE = ROWS + 1
DIRECTIONS = (1, STRIDE, STRIDE - 1, STRIDE + 1)
"""Bit distances between neighbours: vertical, horizontal, falling diagonal, rising diagonal."""

_COLUMN_BITS = (1 << ROWS) - 1
_FULL = sum(_COLUMN_BITS << (column * STRIDE) for column in range(COLUMNS))

Grid = Sequence[Sequence[int]]


def four_cells(discs: int) -> int:
    """Return all cells of ``discs`` that stand in some four in a row (0 when there is none)."""
    cells = 0
    for step in DIRECTIONS:
        pairs = discs & (discs >> step)
        starts = pairs & (pairs >> (2 * step))
        cells |= starts | starts << step | starts << 2 * step | starts << 3 * step
    return cells


def has_four(discs: int) -> bool:
    """Return whether ``discs`` hold four in a row."""
    # Written out instead of a loop over DIRECTIONS, because simulations call this millions of times.
    pairs = discs & discs >> 1
    if pairs & pairs >> 2:
        return True
    pairs = discs & discs >> STRIDE
    if pairs & pairs >> 2 * STRIDE:
        return True
    pairs = discs & discs >> STRIDE - 1
    if pairs & pairs >> 2 * (STRIDE - 1):
        return True
    pairs = discs & discs >> STRIDE + 1
    return pairs & pairs >> 2 * (STRIDE + 1) != 0


def completing_cells(discs: int, mask: int) -> int:
    """Return the cells outside ``mask``, playable now or later, where one more disc makes four of ``discs``."""
    cells = (discs << 1) & (discs << 2) & (discs << 3)
    for step in DIRECTIONS[1:]:
        above = (discs << step) & (discs << 2 * step)
        below = (discs >> step) & (discs >> 2 * step)
        cells |= above & (discs << 3 * step | discs >> step) | below & (discs << step | discs >> 3 * step)
    return cells & ~mask & _FULL


def playable_cells(mask: int) -> int:
    """Return the lowest empty cell of every column with room; ``mask`` holds all discs."""
    return (mask + _BOTTOM) & _FULL


@dataclass(frozen=True, slots=True)
class Board:
    """A position: ``current`` holds the discs of the side to move, ``mask`` all discs.

    Immutable and hashable. The first player moves at even plies.
    """

    current: int = 0
    mask: int = 0

    @classmethod
    def from_moves(cls, columns: Iterable[int]) -> Board:
        """Return the position after ``columns`` (0..6) in order of play.

        Raises BoardError at a column that is full or out of range, or at a move after the game's end.
        """
        board = cls()
        for number, column in enumerate(columns, start=1):
            if board.is_over:
                raise BoardError(
                    f"Move {number} comes after the game has ended.", "Leave out this move and all after it."
                )
            board = board.play(column)
        return board

    @classmethod
    def from_grid(cls, grid: Grid, to_move: int = 1) -> Board:
        """Return the position of a 6 x 7 list of rows, row 0 on top, cells 1, -1 or 0; ``to_move`` is 1 or -1.

        Raises BoardError where the grid cannot arise in a game with that side to move.
        """
        if len(grid) != ROWS or any(len(row) != COLUMNS for row in grid):
            raise BoardError(f"The board is not {ROWS} rows of {COLUMNS} cells.")
        current = mask = 0
        for column in range(COLUMNS):
            for row in range(ROWS):
                cell = grid[ROWS - 1 - row][column]
                if cell not in (-1, 0, 1):
                    raise BoardError(f"The board contains {cell!r}; its cells must be -1, 0 or 1.")
                if cell == 0:
                    continue
                bit = 1 << (column * STRIDE + row)
                if row and not mask & (bit >> 1):
                    raise BoardError(f"A disc in column {column + 1} floats above an empty cell.")
                mask |= bit
                if cell == to_move:
                    current |= bit
        board = cls(current, mask)
        board.validate()
        return board

    def to_grid(self, to_move: int = 1) -> list[list[int]]:
        """Return the 6 x 7 list of rows, row 0 on top; discs of the side to move are ``to_move`` (1 or -1)."""
        grid = [[0] * COLUMNS for _ in range(ROWS)]
        for column in range(COLUMNS):
            for row in range(ROWS):
                bit = 1 << (column * STRIDE + row)
                if self.mask & bit:
                    grid[ROWS - 1 - row][column] = to_move if self.current & bit else -to_move
        return grid

    def validate(self) -> None:
        """Raise BoardError when discs, counts or fours prove that no game leads here.

        Whether an order of moves exists is not searched for.
        """
        if self.mask & ~_FULL or self.current & ~self.mask or self.mask & (self.mask + _BOTTOM):
            raise BoardError("The board has discs outside its columns.")
        ahead = self.opponent.bit_count() - self.current.bit_count()
        if ahead not in (0, 1):
            mine, theirs = self.current.bit_count(), self.opponent.bit_count()
            raise BoardError(f"The disc counts do not fit: {mine} of the side to move, {theirs} of the other side.")
        if four_cells(self.current):
            both = " both sides have" if four_cells(self.opponent) else " the side to move already has"
            raise BoardError(f"The board is impossible:{both} four in a row.")
        if four_cells(self.opponent) and not any(four_cells(rest) == 0 for rest in self._without_last()):
            raise BoardError("The board is impossible: no single last disc completes all its fours.")

    def _without_last(self) -> list[int]:
        """Return the discs of the side that moved last, without each of the discs that it may have played last."""
        tops = (self.mask + _BOTTOM) >> 1 & self.opponent
        return [self.opponent ^ (1 << bit) for bit in range(CELLS + COLUMNS) if tops >> bit & 1]

    @property
    def opponent(self) -> int:
        """The discs of the side that moved last."""
        return self.current ^ self.mask

    @property
    def ply(self) -> int:
        """Discs played so far, 0..42."""
        return self.mask.bit_count()

    def can_play(self, column: int) -> bool:
        """Return whether ``column`` is 0..6 and has room; does not check whether the game is over."""
        return 0 <= column < COLUMNS and not self.mask >> (column * STRIDE + ROWS - 1) & 1

    def legal_columns(self) -> tuple[int, ...]:
        """Return the columns with room, left to right; after a win there are none."""
        if self.has_winner:
            return ()
        tops = self.mask >> ROWS - 1
        return tuple([column for column in range(COLUMNS) if not tops >> column * STRIDE & 1])

    def play(self, column: int) -> Board:
        """Return the position after a disc in ``column``; raises BoardError when it is full or not 0..6."""
        if not 0 <= column < COLUMNS:
            raise BoardError(f"There is no column {column + 1}.", "Columns are 1 to 7, or a to g.")
        mask = self.mask
        if mask >> (column * STRIDE + ROWS - 1) & 1:
            raise BoardError(f"Column {column + 1} is full.")
        return Board(self.current ^ mask, mask | (mask + (1 << (column * STRIDE))))

    def mirror(self) -> Board:
        """Return the position reflected left to right."""
        return Board(_mirror_bits(self.current), _mirror_bits(self.mask))

    @property
    def winning_cells(self) -> int:
        """The cells of the four (or fours) just completed, 0 when there is none."""
        return four_cells(self.opponent)

    @property
    def has_winner(self) -> bool:
        """Whether the side that moved last has four in a row."""
        return has_four(self.opponent)

    @property
    def is_full(self) -> bool:
        """Whether all 42 cells are taken."""
        return self.mask == _FULL

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by four in a row or a full board."""
        return self.is_full or self.has_winner

    def wins_with(self, column: int) -> bool:
        """Return whether a disc of the side to move in ``column`` makes four."""
        if not self.can_play(column):
            return False
        return has_four(self.current | ((self.mask + (1 << (column * STRIDE))) & ~self.mask))


_BOTTOM = sum(1 << (column * STRIDE) for column in range(COLUMNS))
_LEFT = (1 << STRIDE) - 1
"""All bits of the leftmost column."""


def _mirror_bits(bits: int) -> int:
    return (
        (bits & _LEFT) << 6 * STRIDE
        | (bits & _LEFT << STRIDE) << 4 * STRIDE
        | (bits & _LEFT << 2 * STRIDE) << 2 * STRIDE
        | bits & _LEFT << 3 * STRIDE
        | (bits & _LEFT << 4 * STRIDE) >> 2 * STRIDE
        | (bits & _LEFT << 5 * STRIDE) >> 4 * STRIDE
        | (bits & _LEFT << 6 * STRIDE) >> 6 * STRIDE
    )
