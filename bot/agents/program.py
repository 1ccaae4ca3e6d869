"""A published program as data: its leaf values, the values of finished games, and the order of the columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.agents.kernels.rules import INFINITY
from bot.errors import UsageError
from bot.game.board import COLUMNS, STRIDE

LEFT_TO_RIGHT = tuple(range(COLUMNS))
FLAT = (0, 0, 0, 0, 0)
WINDOW_MATRIX = (
    (3, 4, 5, 7, 5, 4, 3),
    (4, 6, 8, 10, 8, 6, 4),
    (5, 8, 11, 13, 11, 8, 5),
    (5, 8, 11, 13, 11, 8, 5),
    (4, 6, 8, 10, 8, 6, 4),
    (3, 4, 5, 7, 5, 4, 3),
)
"""Number of the 69 windows through each cell, row 0 first (Tommy 2017, Figure 5; Kang 2019, Heuristic-2)."""


@dataclass(frozen=True)
class Ends:
    """Values of finished games, from the maximiser's view, in the order of the rules."""

    won: int
    lost: int
    won_per_ply: int = 0
    """Added for each ply of remaining depth."""
    lost_per_ply: int = 0
    add_leaf_value: bool = False
    """Whether the leaf value is added to the value of a won or lost game."""
    draw_is_leaf: bool = True
    """Whether a full board has its leaf value instead of 0."""
    one_sided: bool = False
    """Whether only the maximiser's nodes test for four in a row, of either side."""

    def __post_init__(self) -> None:
        """Raise UsageError for values beyond the search's window."""
        if max(abs(self.won), abs(self.lost)) > INFINITY:
            raise UsageError("A finished game counts too much for the search.", f"Write at most {INFINITY:,}.")


@dataclass(frozen=True)
class Program:
    """What distinguishes one program's search from another's."""

    evaluate: Any
    """The kernel of the leaf values, of the type `bot.agents.kernels.search.Evaluate`."""
    ends: Ends
    options: Sequence[int] = ()
    """The evaluation's own numbers, which it reads in the rules from OPTIONS on."""
    order: Sequence[int] = LEFT_TO_RIGHT
    """The columns in the order of search; at the root the first of equal ones is played."""
    inner: Sequence[int] = ()
    """The order below the root, if another one: it changes the work, but neither values nor moves."""
    prune: bool = True
    """False: plain minimax."""
    mirror: bool = True
    """Whether a position and its mirror image share an entry of the table."""
    leaves_too: bool = False
    """Whether leaves are looked up in the table and stored there as well."""
    bound: int = INFINITY
    """Half width of the root's window."""

    @cached_property
    def rules(self) -> NDArray[np.int64]:
        """The rules array that the kernels read, int64; `bot.agents.kernels.rules` describes its layout."""
        switches = self.prune, self.mirror, self.leaves_too
        orders = *(self.inner or self.order), *self.order
        return np.array([*switches, *orders, *astuple(self.ends), *self.options], dtype=np.int64)


def linear(
    own: Sequence[int] = FLAT,
    other: Sequence[int] = FLAT,
    squares: Sequence[Sequence[int]] = (),
    offset: int = 0,
) -> tuple[int, ...]:
    """Return the options of the linear evaluation, `bot.papers.windows.linear_value`.

    ``own`` and ``other`` weigh the open windows of either side by the owner's discs in them (0..4), ``squares`` the
    cells (six rows of seven weights 0..15, row 0 at the bottom); the opponent's are subtracted.
    """
    boards = [0] * 4
    for row, weights in enumerate(squares):
        for column, weight in enumerate(weights):
            for bit in range(4):
                boards[bit] |= (weight >> bit & 1) << column * STRIDE + row
    return (*own, *other, *boards, offset, int(any(own) or any(other)))
