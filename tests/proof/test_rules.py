"""The rules of play, 15 to 20: both implementations agree, and each rule decides in its positions."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from bot.game import Board, parse_moves
from bot.proof import check
from bot.proof.builder.finder import order_of
from bot.proof.diagram import BITS, REASONS, mirror_order, ranks_of, step
from tests.engine.positions import sample

FROM_A = bytes(range(42))
"""Prefers columns from a to g."""


def shuffled(seed: int) -> bytes:
    order = list(range(42))
    random.Random(seed).shuffle(order)
    return bytes(order)


def in_order(diagram: list[int]) -> Callable[[int], list[int]]:
    """Return the function by which check.py reads a diagram."""
    return lambda cells: [cell for cell in diagram if cell & cells]


def test_both_implementations_play_the_same_cell():
    rules = set()
    for number, board in enumerate(sample(1_500, 0, 40)):
        order = shuffled(number)
        column, rule = step(board, order)
        rules.add(rule)
        ordered = in_order([check.CELLS[cell] for cell in order])
        assert check.choice((board.current, board.opponent), ordered).bit_length() // 7 == column
    assert rules >= {15, 16, 17, 18, 20}


@pytest.mark.parametrize(
    ("moves", "rule", "column"),
    [
        ("414141", 15, 3),
        ("41414", 16, 3),
        ("4556", 20, 0),
        ("4152", 18, 5),
        ("321563454421531357361132551", 19, 6),
    ],
)
def test_each_rule_decides_in_its_positions(moves, rule, column):
    assert step(Board.from_moves(parse_moves(moves)), FROM_A) == (column, rule)
    assert rule in REASONS


def test_nothing_is_played_below_a_cell_where_the_opponent_wins():
    """b3 is filled in the opponent's row a3 c3 d3 only if we play b2; the diagram prefers b2."""
    for number, board in enumerate(sample(400, 12, 36, seed=2)):
        threats = check.completing(board.opponent) & ~board.mask
        column, rule = step(board, shuffled(number))
        cell = (board.mask + check.BOTTOM) & check.BOARD & 127 << 7 * column
        below = cell & threats >> 1
        playable = (board.mask + check.BOTTOM) & check.BOARD
        if below and rule not in (15, 16):
            assert playable & ~(threats >> 1) == 0, "only where no other cell is left"


def test_a_mirrored_diagram_plays_the_mirrored_move():
    for number, board in enumerate(sample(300, 0, 40, seed=3)):
        order = shuffled(number)
        assert step(board.mirror(), mirror_order(order))[0] == 6 - step(board, order)[0]
        assert mirror_order(mirror_order(order)) == order


def test_ranks_and_orders_convert_into_each_other():
    for seed in range(20):
        order = shuffled(seed)
        assert order_of(ranks_of(order)) == order
    assert [1 << bit for bit in BITS] == check.CELLS
    assert len(np.unique(ranks_of(FROM_A))) == 43
