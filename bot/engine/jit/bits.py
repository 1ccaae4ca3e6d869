"""Bitboard helpers of all kernels: signed 64-bit integers of which 49 bits are used, never negative.

Bit ``column * 7 + row``, row 0 at the bottom; the seventh bit of each column stays empty (see bot.game.board)::

     6 13 20 27 34 41 48      always empty
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42

Signed integers throughout: mixing int64 with uint64 would turn everything into floating point.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import intrinsic

from bot.engine.jit.compiling import kernel
from bot.engine.jit.vectors import completions, fours

STRIDE = 7
BITS = 7 * STRIDE
BOTTOM = sum(1 << (column * STRIDE) for column in range(7))
FULL = BOTTOM * 0b111111
TOP = BOTTOM << 5
ODD_ROWS = BOTTOM * 0b010101
"""Rows 1, 3 and 5 counted from 1, where a threat of the first player wins by zugzwang."""
EVEN_ROWS = BOTTOM * 0b101010
"""Rows 2, 4 and 6 counted from 1, where a threat of the second player wins by zugzwang."""


@intrinsic
def _ctpop(_context: Any, bits: Any) -> Any:  # noqa: ARG001
    """Compile to the machine instruction that counts bits."""

    def generate(_typing: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


popcount: Callable[[int], int] = _ctpop  # type: ignore[assignment]
"""Returns the number of set bits; only in kernels."""


@kernel("b1(i8)", inline=True)
def four(discs: int) -> bool:
    """Return whether ``discs`` hold four in a row."""
    return fours(discs) != 0


@kernel("i8(i8,i8)", inline=True)
def winning_cells(discs: int, mask: int) -> int:
    """Return the empty cells, playable now or later, where one more disc makes four."""
    return completions(discs) & (FULL ^ mask)


@kernel("i8(i8)", inline=True)
def playable_cells(mask: int) -> int:
    """Return the lowest empty cell of every column with room."""
    return (mask + BOTTOM) & FULL


@kernel("i8(i8)", inline=True)
def win_at(ply: int) -> int:
    """Return the winner's score when the disc played after ``ply`` discs completes four."""
    return 21 - (ply >> 1)


@kernel("i8(i8)", inline=True)
def mirror(bits: int) -> int:
    """Return the board reflected left to right: columns 0-6, 1-5 and 2-4 swapped."""
    column = 0x7F
    return (
        (bits & column) << 42
        | (bits >> 42) & column
        | (bits & column << 7) << 28
        | (bits >> 28) & column << 7
        | (bits & column << 14) << 14
        | (bits >> 14) & column << 14
        | bits & column << 21
    )


@kernel("i8(i8)", inline=True)
def bit_number(cell: int) -> int:
    """Return the number 0..48 of a single bit."""
    return popcount(cell - 1)


@kernel("i8(i8,i8)", inline=True)
def first_cell(cells: int, preferred: int) -> int:
    """Return the lowest of ``cells`` that is ``preferred``, or else the lowest of all."""
    choice = cells & preferred
    if choice == 0:
        choice = cells
    return choice & -choice


@kernel("i8(i8)", inline=True)
def column_of(cell: int) -> int:
    """Return the column 0..6 of a single bit."""
    return bit_number(cell) // STRIDE
