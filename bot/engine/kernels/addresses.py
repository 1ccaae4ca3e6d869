"""Arrays by the address of their items: a call from Python hands over an integer in less time than an array.

The caller keeps the array alive during the call.

Without the compiler (NUMBA_DISABLE_JIT=1) all functions return the array itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba import types
from numba.extending import intrinsic, overload
from numpy import int64, uint8
from numpy.typing import NDArray

_PLAIN = numba.config.DISABLE_JIT  # type: ignore[attr-defined]


def address(array: NDArray[Any]) -> int:
    """Return the address of an array's first item, in Python and in kernels."""
    at: int = array if _PLAIN else array.ctypes.data  # type: ignore[assignment]
    return at


@overload(address, inline="always")
def _address_in_kernels(array: Any) -> Any:  # noqa: ARG001
    def in_kernels(array: Any) -> Any:
        return int64(array.ctypes.data)

    return in_kernels


def _items_at(kind: Any) -> Any:
    """Return the function that makes a pointer to items of this type of an address."""

    @intrinsic
    def items_at(_context: Any, at: Any) -> Any:  # noqa: ARG001
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

        return types.CPointer(kind)(types.int64), generate  # type: ignore[no-untyped-call]

    return items_at


def _itself(array: Any) -> Any:
    return array


words_at: Callable[[int], NDArray[int64]] = _itself if _PLAIN else _items_at(types.int64)
"""Returns a pointer to the int64 items at an address; only in kernels."""
bytes_at: Callable[[int], NDArray[uint8]] = _itself if _PLAIN else _items_at(types.uint8)
"""Returns a pointer to the uint8 items at an address; only in kernels."""
