"""Rules of a paper's search as data: evaluation, values of finished games, column order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.agents.kernels import rules as layout
from bot.game.board import COLUMNS, ROWS, STRIDE, Board

LEFT_TO_RIGHT = (0, 1, 2, 3, 4, 5, 6)
CENTRE_RIGHT_FIRST = (3, 4, 2, 5, 1, 6, 0)
CENTRE_LEFT_FIRST = (3, 2, 4, 1, 5, 0, 6)

TIES = {
    "lowest": LEFT_TO_RIGHT,
    "highest": tuple(reversed(LEFT_TO_RIGHT)),
    "centre": CENTRE_LEFT_FIRST,
    "random": LEFT_TO_RIGHT,
}
"""Orders of the columns, of which the first of equal ones is played; "random" plays any of them."""

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
    """Values of finished games, from the maximiser's view."""

    won: int
    lost: int
    won_per_ply: int = 0
    """Added for each ply of remaining depth."""
    lost_per_ply: int = 0
    add_leaf_value: bool = False
    """Whether the leaf value is added to the value of a won or lost game."""
    draw_is_leaf: bool = True
    """Whether a full board has its leaf value instead of 0."""


@dataclass(frozen=True)
class Covered:
    """Weights of the discs that lie in open windows of at least ``least`` own discs; each disc counts once."""

    least: int
    own: int
    other: int
    """Subtracted, for the opponent's discs."""


@dataclass(frozen=True)
class Linear:
    """Weights of open windows by the owner's discs in them (0..4), and of cells; the opponent's are subtracted."""

    own: Sequence[int] = FLAT
    other: Sequence[int] = FLAT
    squares: Sequence[Sequence[int]] | None = None
    """Six rows of seven weights 0..15, row 0 (the bottom) first."""
    offset: int = 0
    covered: Covered | None = None


@dataclass(frozen=True)
class Schee:
    """van der Schee 2014's score, as published or as intended."""

    intended: bool = False


@dataclass(frozen=True)
class KangFeatures:
    """Kang 2019's Heuristic-1 with some of its four features."""

    features: frozenset[int] = frozenset({1, 2, 3, 4})
    open_three: int = 100_000_000


Evaluation = Linear | Schee | KangFeatures


def make_rules(
    evaluation: Evaluation,
    ends: Ends,
    order: Sequence[int] = LEFT_TO_RIGHT,
    *,
    prune: bool = True,
    blind: bool = False,
) -> NDArray[np.int64]:
    """Return the rules array that the kernels read, int64; `bot.agents.kernels.rules` describes its layout."""
    rules = np.zeros(layout.LENGTH, dtype=np.int64)
    rules[layout.PRUNE] = prune
    rules[layout.BLIND] = blind
    rules[layout.ORDER : layout.ORDER + COLUMNS] = order
    rules[layout.WON], rules[layout.LOST] = ends.won, ends.lost
    rules[layout.WON_PER_PLY], rules[layout.LOST_PER_PLY] = ends.won_per_ply, ends.lost_per_ply
    rules[layout.END_ADDS], rules[layout.DRAW_IS_LEAF] = ends.add_leaf_value, ends.draw_is_leaf
    _set_evaluation(rules, evaluation)
    return rules


def with_order(rules: NDArray[np.int64], order: Sequence[int]) -> NDArray[np.int64]:
    """Return a copy of ``rules`` that searches the columns in another order."""
    changed: NDArray[np.int64] = rules.copy()
    changed[layout.ORDER : layout.ORDER + COLUMNS] = order
    return changed


def _set_evaluation(rules: NDArray[np.int64], evaluation: Evaluation) -> None:
    if isinstance(evaluation, Schee):
        rules[layout.EVALUATION] = layout.SCHEE
        rules[layout.INTENDED] = evaluation.intended
    elif isinstance(evaluation, KangFeatures):
        rules[layout.EVALUATION] = layout.KANG_FEATURES
        rules[layout.FEATURES] = sum(1 << (feature - 1) for feature in evaluation.features)
        rules[layout.OPEN_THREE] = evaluation.open_three
    else:
        rules[layout.EVALUATION] = layout.WINDOWS
        rules[layout.OWN_WINDOWS : layout.OWN_WINDOWS + 5] = evaluation.own
        rules[layout.OTHER_WINDOWS : layout.OTHER_WINDOWS + 5] = evaluation.other
        rules[layout.USES_WINDOWS] = any(evaluation.own) or any(evaluation.other)
        rules[layout.OFFSET] = evaluation.offset
        if evaluation.covered is not None:
            least, own, other = evaluation.covered.least, evaluation.covered.own, evaluation.covered.other
            rules[layout.COVERED : layout.COVERED + 3] = least, own, other
        if evaluation.squares is not None:
            rules[layout.SQUARES : layout.SQUARES + 4] = _bit_boards(evaluation.squares)


def _bit_boards(squares: Sequence[Sequence[int]]) -> list[int]:
    cells = [(column * STRIDE + row, squares[row][column]) for row in range(ROWS) for column in range(COLUMNS)]
    return [sum(1 << cell for cell, weight in cells if weight >> bit & 1) for bit in range(4)]


def static_value(rules: NDArray[np.int64], board: Board) -> int:
    """Return the leaf value of ``board`` with the side to move as the maximiser."""
    from bot.agents.kernels.evaluation import evaluate

    return int(evaluate(board.current, board.opponent, 1, rules))
