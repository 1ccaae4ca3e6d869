"""The solver's transposition table: buckets of two entries, each a bound from below and one from above.

A table is an int64 array whose used part is a power of two of words, at least two. An entry is one word::

    63              16 15     12 11      6 5       0
    [ 48 bits of key ][  work  ][  upper  ][  lower  ]       0: empty

The bounds have ``OFFSET`` added. ``work`` is half the binary logarithm of the nodes that proved them. The key's low
bits choose the bucket. The first entry of a bucket is the one with more work behind it, the second the latest of the
others. Since an entry is one word, threads may share a table: none is ever half written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy import int64
from numpy.typing import NDArray

from bot.engine.jit.compiling import kernel

Words = NDArray[int64]

OFFSET = 32
"""Added to the bounds in an entry, so that they are not negative."""
_KEY = ~0xFFFF
_WORK_SHIFT = 12
_MOST_WORK = 15


@intrinsic
def _prefetch(_context: Any, table: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        address = builder.bitcast(builder.gep(arguments[0], [arguments[1]]), ir.IntType(8).as_pointer())
        word = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address.type, word, word, word])
        function = builder.module.declare_intrinsic("llvm.prefetch", [address.type], kind)
        builder.call(function, [address, ir.Constant(word, 0), ir.Constant(word, 3), ir.Constant(word, 1)])
        return context.get_dummy_value()

    return types.void(table, index), generate


@intrinsic
def _leading_zeros(_context: Any, number: Any) -> Any:  # noqa: ARG001
    def generate(_typing: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        integer = ir.IntType(64)
        kind = ir.FunctionType(integer, [integer, ir.IntType(1)])
        function = builder.module.declare_intrinsic("llvm.ctlz", [integer], kind)
        return builder.call(function, [arguments[0], ir.Constant(ir.IntType(1), 0)])

    return types.int64(types.int64), generate


def _prefetch_in_python(_table: Words, _index: int) -> None:
    """Do nothing: plain Python has no processor cache to fill."""


def _leading_zeros_in_python(number: int) -> int:
    return 64 - int(number).bit_length()


_PLAIN = numba.config.DISABLE_JIT  # type: ignore[attr-defined]
prefetch: Callable[[Words, int], None] = _prefetch_in_python if _PLAIN else _prefetch  # type: ignore
"""Fetch an entry into the processor's cache."""
leading_zeros: Callable[[int], int] = _leading_zeros_in_python if _PLAIN else _leading_zeros  # type: ignore
"""The zero bits above the highest one of 64."""


@kernel(inline=True)
def bucket_of(key: int, index_mask: int) -> int:
    """Return the index of the first entry of the key's bucket."""
    return key & index_mask & ~1


@kernel(inline=True)
def probe(table: Words, bucket: int, key: int) -> int:
    """Return the position's entry, or 0."""
    entry: int = table[bucket]
    if (entry ^ key) & _KEY == 0:
        return entry
    entry = table[bucket + 1]
    if (entry ^ key) & _KEY == 0:
        return entry
    return 0


@kernel(inline=True)
def lower_of(entry: int) -> int:
    """Return an entry's bound from below."""
    return (entry & 63) - OFFSET


@kernel(inline=True)
def upper_of(entry: int) -> int:
    """Return an entry's bound from above."""
    return ((entry >> 6) & 63) - OFFSET


@kernel(inline=True)
def store(table: Words, bucket: int, key: int, lower: int, upper: int, nodes: int) -> None:
    """Store the bounds that a search of ``nodes`` nodes proved; an entry with more work stays in the bucket."""
    work = min((64 - leading_zeros(nodes)) >> 1, _MOST_WORK)
    entry = (key & _KEY) | work << _WORK_SHIFT | (upper + OFFSET) << 6 | (lower + OFFSET)
    first: int = table[bucket]
    if (first ^ key) & _KEY == 0:
        table[bucket] = entry
    elif (first >> _WORK_SHIFT) & _MOST_WORK <= work:
        table[bucket + 1] = first
        table[bucket] = entry
    else:
        table[bucket + 1] = entry
