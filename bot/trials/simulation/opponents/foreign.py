"""The type of a foreign bot: a name, a description, and a function from a plain grid to a column."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Cells = NDArray[np.int8]
"""Shape (6, 7), row 0 on top: 1 the student's discs, -1 the bot's, 0 empty. The bot is to move."""
Integers = NDArray[np.int64]
ROWS, COLUMNS = 6, 7
BOT, STUDENT = -1, 1


@dataclass(frozen=True, slots=True)
class ForeignBot:
    """A bot at the server, independent of the engine."""

    name: str
    description: str
    """One sentence: how it chooses."""
    is_deterministic: bool
    """Whether equal positions always get equal answers."""
    answer: Callable[[Cells, int, int], int]
    """``answer(cells, last, seed)``: a legal column 0..6. ``last`` is the student's last column, -1 before the first;
    ``seed`` is a non-negative integer that decides every random choice. Equal arguments give equal answers."""
