"""Arrays by the address of their items, and kernels by that of their machine code.

A call from Python hands over an integer in less time than an array; the caller keeps the array alive. A kernel that is
called by its address is compiled once: otherwise its machine code is optimised again in each one that calls it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from bot.engine.jit.arrays import Flag, Words


def address(array: NDArray[Any]) -> int:
    """Return the address of an array's first item."""
    return array.ctypes.data


def _items_at(kind: Any) -> Any:
    """Return the function that turns an address into a pointer to items of this type."""

    @intrinsic
    def items_at(_context: Any, at: Any) -> Any:  # noqa: ARG001
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

        return types.CPointer(kind)(types.int64), generate  # type: ignore[no-untyped-call]

    return items_at


words_at: Callable[[int], Words] = _items_at(types.int64)
"""Returns a pointer to the int64 items at an address; only in kernels."""
bytes_at: Callable[[int], Flag] = _items_at(types.uint8)
"""Returns a pointer to the uint8 items at an address; only in kernels."""


def code_address(compiled: Any) -> int:
    """Return the address of the machine code of a kernel with one signature."""
    (only,) = compiled.overloads.values()
    at: int = only.library.get_pointer_to_function(only.fndesc.llvm_func_name)
    return at


def calls(signature: Any, *, by_address: bool = False) -> Callable[..., Any]:
    """Return a function with which kernels call one of this ``signature``, which must raise nothing.

    It takes a tuple of arguments. A kernel calls itself with it; ``by_address`` it calls the one whose address comes
    first in the tuple. Where a kernel calls itself by its name, numba infers all its types twice.
    """
    given = (types.int64, *signature.args) if by_address else signature.args

    @intrinsic
    def call(_context: Any, _arguments: Any) -> Any:
        def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            each = [builder.extract_value(arguments[0], place) for place in range(len(given))]
            result, kinds = signature.return_type, signature.args
            called = builder.function
            if by_address:
                kind = context.call_conv.get_function_type(result, kinds)
                called = builder.inttoptr(each.pop(0), kind.as_pointer())
            return context.call_conv.call_function(builder, called, result, kinds, each)[1]

        return signature.return_type(types.Tuple(given)), generate  # type: ignore[no-untyped-call]

    return call
