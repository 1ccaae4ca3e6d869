"""The arrays that kernels of several rooms take."""

from __future__ import annotations

from numpy import int64, uint8
from numpy.typing import NDArray

Words = NDArray[int64]
"""A table, a workspace or a list of numbers."""
Flag = NDArray[uint8]
"""One item; the search that polls it ends soon after it is nonzero."""
