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

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bot.errors import BoardError, FullColumnError
from bot.game.notation import parse_moves

COLUMNS = 7
ROWS = 6
CELLS = COLUMNS * ROWS
STRIDE = ROWS + 1
DIRECTIONS = (1, STRIDE, STRIDE - 1, STRIDE + 1)
"""Bit distances between neighbours: vertical, horizontal, falling diagonal, rising diagonal."""

BOTTOM = sum(1 << (column * STRIDE) for column in range(COLUMNS))
"""The lowest cell of every column."""
FULL = BOTTOM * ((1 << ROWS) - 1)
"""All 42 cells."""

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
    for step in DIRECTIONS:
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


def completing_cells(discs: int, mask: int) -> int:
    """Return the cells outside ``mask``, playable now or later, where one more disc makes four of ``discs``."""
    cells = (discs << 1) & (discs << 2) & (discs << 3)
    for step in DIRECTIONS[1:]:
        above = (discs << step) & (discs << 2 * step)
        below = (discs >> step) & (discs >> 2 * step)
        cells |= above & (discs << 3 * step | discs >> step) | below & (discs << step | discs >> 3 * step)
    return cells & ~mask & FULL


def playable_cells(mask: int) -> int:
    """Return the lowest empty cell of every column with room; ``mask`` holds all discs."""
    return (mask + BOTTOM) & FULL


def bits(cells: int) -> Iterator[int]:
    """Yield the single bits of ``cells``, left to right."""
    while cells:
        yield cells & -cells
        cells &= cells - 1


@dataclass(frozen=True, slots=True)
class Board:
    """A position: ``current`` holds the discs of the side to move, ``mask`` all discs.

    Immutable and hashable. The first player moves at even plies.
    """

    current: int = 0
    mask: int = 0

    def __post_init__(self) -> None:
        try:
            self.current & self.mask
        except TypeError:
            raise BoardError("A board is made of two integers.", _MAKERS) from None

    @classmethod
    def from_moves(cls, columns: str | Iterable[int]) -> Board:
        """Return the position after ``columns`` in order of play: numbers 0..6, or text with 1-7 or a-g.

        Raises BoardError at a column that is full or out of range, or at a move after the game's end.

        Examples
        --------
        >>> Board.from_moves("4453").ply
        4
        >>> Board.from_moves("4453") == Board.from_moves([3, 3, 4, 2])
        True
        """
        if isinstance(columns, str):
            columns = parse_moves(columns)
        elif not isinstance(columns, Iterable):
            raise BoardError(f"{columns!r} is not a sequence of moves.", _MAKERS)
        board = cls()
        for number, column in enumerate(columns, start=1):
            if board.is_over:
                raise BoardError(f"Move {number} comes after the game has ended.", _LEAVE_OUT)
            try:
                board = board.play(column)
            except FullColumnError as error:
                raise FullColumnError(f"Move {number} is not legal: {error.message}", _LEAVE_OUT) from None
        return board

    @classmethod
    def from_grid(cls, grid: Grid, to_move: int = 1) -> Board:
        """Return the position of a 6 x 7 list of rows, row 0 on top, cells 1, -1 or 0; ``to_move`` is 1 or -1.

        Raises BoardError where the grid cannot arise in a game with that side to move.
        """
        try:
            has_size = len(grid) == ROWS and all(len(row) == COLUMNS for row in grid)
        except TypeError:
            has_size = False
        if not has_size:
            raise BoardError(f"The board is not {ROWS} rows of {COLUMNS} cells.", "Give the top row first.")
        current = mask = 0
        for row, column, bit in _PLACES:
            cell = grid[row][column]
            if not _is_cell(cell):
                raise BoardError(
                    f"The board contains {cell!r:.60}; its cells must be -1, 0 or 1.", "Use 0 for an empty cell."
                )
            if cell == 0:
                continue
            if bit >> 1 & FULL & ~mask:
                raise BoardError(
                    f"A disc in column {column + 1} floats above an empty cell.", "Give the top row first."
                )
            mask |= bit
            if cell == to_move:
                current |= bit
        board = cls(current, mask)
        board.validate()
        return board

    @classmethod
    def from_text(cls, text: str) -> Board:
        """Return the printed position: six lines of seven cells, X the first player, O the second, a dot for empty.

        Blanks between cells, empty lines and a line of column names are ignored, so `print` and this function are
        inverse to each other. Raises BoardError where the text is no position of a game.

        Examples
        --------
        >>> board = Board.from_moves("4453")
        >>> Board.from_text(str(board)) == board
        True
        """
        if not isinstance(text, str):
            raise BoardError(f"{text!r} is not a printed board.", _MAKERS)
        rows = ["".join(line.split()).upper() for line in text.splitlines()]
        rows = [row for row in rows if row and row not in ("1234567", "ABCDEFG")]
        cells = "".join(rows)
        unknown = [cell for cell in cells if cell not in _SYMBOLS]
        if unknown:
            raise BoardError(
                f"{unknown[0]!r} is not a cell of a printed board.", "Write X, O and a dot for an empty cell."
            )
        to_move = 1 if cells.count("X") == cells.count("O") else -1
        return cls.from_grid([list(map(_SYMBOLS.__getitem__, row)) for row in rows], to_move)

    def to_grid(self, to_move: int = 1) -> list[list[int]]:
        """Return the 6 x 7 list of rows, row 0 on top; discs of the side to move are ``to_move`` (1 or -1)."""
        grid = [[0] * COLUMNS for _ in range(ROWS)]
        for row, column, bit in _PLACES:
            if self.mask & bit:
                grid[row][column] = to_move if self.current & bit else -to_move
        return grid

    def validate(self) -> None:
        """Raise BoardError when discs, counts or fours prove that no game leads here.

        Whether an order of moves exists is not searched for.
        """
        if self.mask & ~FULL or self.current & ~self.mask or self.mask & (self.mask + BOTTOM):
            raise BoardError("The board has discs outside its columns.", _MAKERS)
        ahead = self.opponent.bit_count() - self.current.bit_count()
        if ahead not in (0, 1):
            mine, theirs = self.current.bit_count(), self.opponent.bit_count()
            raise BoardError(
                f"The disc counts do not fit: {mine} of the side to move, {theirs} of the other side.",
                "The side to move has as many discs as the other side, or one fewer.",
            )
        if has_four(self.current):
            both = " both sides have" if self.has_winner else " the side to move already has"
            raise BoardError(f"The board is impossible:{both} four in a row.", _CHECK_DISCS)
        last = bits((self.mask + BOTTOM) >> 1 & self.opponent)
        if self.has_winner and all(has_four(self.opponent ^ disc) for disc in last):
            raise BoardError("The board is impossible: no single last disc completes all its fours.", _CHECK_DISCS)

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
        """Return the position after a disc in ``column``; raises BoardError when it is full or not 0..6.

        Whether the game is over is not checked: see `is_over`.
        """
        mask = self.mask
        try:
            if not 0 <= column < COLUMNS:
                raise BoardError(f"There is no column {column!r}.", _NUMBERS)
            if mask >> (column * STRIDE + ROWS - 1) & 1:
                raise FullColumnError(f"Column {column + 1} is full.", "Choose a column with room.")
            return Board(self.current ^ mask, mask | (mask + (1 << (column * STRIDE))))
        except (TypeError, ValueError):  # ValueError: an array of several numbers
            raise BoardError(f"{column!r} is not the number of a column.", _NUMBERS) from None

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
    def winner(self) -> int | None:
        """1 where the first player has four in a row, 2 where the second has, None otherwise."""
        if not self.has_winner:
            return None
        return 1 if self.ply % 2 else 2

    @property
    def is_full(self) -> bool:
        """Whether all 42 cells are taken."""
        return self.mask == FULL

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by four in a row or a full board."""
        return self.is_full or self.has_winner

    def __str__(self) -> str:
        """Return the board as text: X the first player, O the second, column numbers below."""
        first = 1 if self.ply % 2 == 0 else -1
        lines = [" ".join(map(".XO".__getitem__, row)) for row in self.to_grid(first)]  # -1 is the last character
        return "\n".join([*lines, "1 2 3 4 5 6 7"])

    def wins_with(self, column: int) -> bool:
        """Return whether a disc of the side to move in ``column`` makes four."""
        return self.can_play(column) and has_four(self.current | ((self.mask + (1 << (column * STRIDE))) & ~self.mask))


def _is_cell(value: object) -> bool:
    try:
        return value in (-1, 0, 1)
    except (TypeError, ValueError):  # such as an array of several numbers
        return False


_MAKERS = "Use Board.from_moves, Board.from_grid or Board.from_text."
_LEAVE_OUT = "Leave out this move and all after it."
_CHECK_DISCS = "Check the discs and whose move it is."
_NUMBERS = "In Python the columns are the integers 0 to 6; a text of moves has 1 to 7 or a to g."
_SYMBOLS = {".": 0, "X": 1, "O": -1}
_PLACES = [(ROWS - 1 - row, column, 1 << column * STRIDE + row) for column in range(COLUMNS) for row in range(ROWS)]
"""Row and column of each cell in a grid, and its bit; each column from the bottom up."""
_LEFT = (1 << STRIDE) - 1
"""All bits of the leftmost column."""


def _mirror_bits(bits: int) -> int:
    mirrored = 0
    for _column in range(COLUMNS):
        mirrored = mirrored << STRIDE | bits & _LEFT
        bits >>= STRIDE
    return mirrored
