"""All four directions of the board at once in one vector register: 1.2 times the speed of one after another.

The instructions are written for LLVM by hand, because it does not find them by itself. On a processor without such
registers LLVM splits each instruction into two or four. Without the compiler (NUMBA_DISABLE_JIT=1) the same functions
are plain Python.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

STEPS = (1, 7, 6, 8)
"""Bit distances of neighbours: upwards, to the right, down to the right, up to the right."""
_INTEGER = ir.IntType(64)
_INDEX = ir.IntType(32)
_VECTOR = ir.VectorType(_INTEGER, 4)


class _Directions:
    """Shifts of a board by multiples of the four steps, as instructions."""

    def __init__(self, builder: Any, board: Any) -> None:
        self._builder = builder
        nothing = ir.Constant(_VECTOR, ir.Undefined)
        single = builder.insert_element(nothing, board, ir.Constant(_INDEX, 0))
        self.board = builder.shuffle_vector(single, nothing, ir.Constant(ir.VectorType(_INDEX, 4), [0] * 4))

    def back(self, boards: Any, times: int) -> Any:
        """Return the boards with every cell moved ``times`` steps towards the origin."""
        return self._builder.lshr(boards, ir.Constant(_VECTOR, [times * step for step in STEPS]))

    def forth(self, boards: Any, times: int) -> Any:
        """Return the boards with every cell moved ``times`` steps away from the origin."""
        return self._builder.shl(boards, ir.Constant(_VECTOR, [times * step for step in STEPS]))

    def union(self, boards: Any) -> Any:
        """Return the cells that are set in any direction."""
        builder, nothing = self._builder, ir.Constant(_VECTOR, ir.Undefined)
        swapped = builder.shuffle_vector(boards, nothing, ir.Constant(ir.VectorType(_INDEX, 4), [2, 3, 0, 1]))
        halves = builder.or_(boards, swapped)
        first, second = (builder.extract_element(halves, ir.Constant(_INDEX, index)) for index in (0, 1))
        return builder.or_(first, second)


class _Shifts:
    """The same shifts in plain Python: a list of four boards."""

    def __init__(self, board: int) -> None:
        self.board = [board] * 4

    def back(self, boards: list[int], times: int) -> list[int]:
        return [board >> times * step for board, step in zip(boards, STEPS, strict=True)]

    def forth(self, boards: list[int], times: int) -> list[int]:
        return [board << times * step for board, step in zip(boards, STEPS, strict=True)]

    def and_(self, left: list[int], right: list[int]) -> list[int]:
        return [one & other for one, other in zip(left, right, strict=True)]

    def or_(self, left: list[int], right: list[int]) -> list[int]:
        return [one | other for one, other in zip(left, right, strict=True)]

    def union(self, boards: list[int]) -> int:
        return reduce(or_, boards)


def _start_of_fours(to: Any, both: Any) -> Any:
    """Return the first cells of all fours, by direction."""
    pairs = both.and_(to.board, to.back(to.board, 1))
    return both.and_(pairs, to.back(pairs, 2))


def _fours(to: Any, both: Any) -> Any:
    return to.union(_start_of_fours(to, both))


def _covered(to: Any, both: Any) -> Any:
    starts = _start_of_fours(to, both)
    pairs = both.or_(starts, to.forth(starts, 1))
    return to.union(both.or_(pairs, to.forth(pairs, 2)))


def _completions(to: Any, both: Any) -> Any:
    """Return cells beside three in a row or in the gap of two plus one; vertically only above three: no disc floats."""
    next_up, next_down = to.forth(to.board, 1), to.back(to.board, 1)
    two_below = both.and_(next_up, to.forth(to.board, 2))
    two_above = both.and_(next_down, to.back(to.board, 2))
    upper = both.and_(two_below, both.or_(to.forth(to.board, 3), next_down))
    lower = both.and_(two_above, both.or_(to.back(to.board, 3), next_up))
    return to.union(both.or_(upper, lower))


def _compiled(rule: Callable[[Any, Any], Any]) -> Any:
    """Return the rule as an intrinsic, or as a Python function where nothing is compiled."""
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]

        def in_python(board: int) -> int:
            to = _Shifts(int(board))
            return int(rule(to, to))

        return in_python

    @intrinsic
    def instructions(_context: Any, board: Any) -> Any:  # noqa: ARG001
        def generate(_typing: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return rule(_Directions(builder, arguments[0]), builder)

        return types.int64(types.int64), generate

    return instructions


fours: Callable[[int], int] = _compiled(_fours)
"""Returns the first cells of all fours among the discs; nonzero where there is one."""
covered: Callable[[int], int] = _compiled(_covered)
"""Returns the discs that stand in a four."""
completions: Callable[[int], int] = _compiled(_completions)
"""Returns the cells, empty or not, that make a four together with three of the discs."""


def _lines_of(to: Any, both: Any, discs: Any) -> Any:
    """Return, by direction, the cells of the fours within ``to.board`` that hold at least one of ``discs.board``."""
    starts = _start_of_fours(to, both)
    pairs = both.or_(discs.board, discs.back(discs.board, 1))
    starts = both.and_(starts, both.or_(pairs, discs.back(pairs, 2)))
    pairs = both.or_(starts, to.forth(starts, 1))
    return both.or_(pairs, to.forth(pairs, 2))


def _compiled_lines() -> Any:
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]

        def in_python(discs: int, room: int) -> tuple[int, ...]:
            to = _Shifts(int(room))
            return tuple(_lines_of(to, to, _Shifts(int(discs))))

        return in_python

    @intrinsic
    def instructions(_context: Any, discs: Any, room: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            to, of = _Directions(builder, arguments[1]), _Directions(builder, arguments[0])
            found = _lines_of(to, builder, of)
            boards = [builder.extract_element(found, ir.Constant(_INDEX, index)) for index in range(4)]
            return context.make_tuple(builder, signature.return_type, boards)

        return types.UniTuple(types.int64, 4)(discs, room), generate  # type: ignore[no-untyped-call]

    return instructions


lines_of: Callable[[int, int], tuple[int, int, int, int]] = _compiled_lines()
"""Returns, for each direction, the cells of all fours within ``room`` that hold at least one of ``discs``."""


def _pointer() -> Any:
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return lambda array: array

    @intrinsic
    def pointer(_context: Any, array: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            from numba.np.arrayobj import make_array

            return make_array(signature.args[0])(context, builder, arguments[0]).data  # type: ignore[no-untyped-call]

        return types.CPointer(array.dtype)(array), generate  # type: ignore[no-untyped-call]

    return pointer


pointer: Callable[[Any], Any] = _pointer()
"""Returns the address of an array's items: a recursion passes it on in one word, the array itself takes seven."""
