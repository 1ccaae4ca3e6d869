"""Copies of vectors in compiled code."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from bot.kernels.jit import kernel


@kernel(inline=True)
def copy_into(target: NDArray[Any], source: NDArray[Any]) -> None:
    """Copy a vector into another one of the same length.

    Numba's own assignment of slices takes 5 s longer to compile in each process, for the text of its error.
    """
    for place in range(len(source)):
        target[place] = source[place]
