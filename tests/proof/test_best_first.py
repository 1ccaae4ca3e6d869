"""Best-first building: complete and proven strategies, for both promises, also from the record of an earlier build."""

from __future__ import annotations

import pytest

from bot.errors import UsageError
from bot.game import Board, parse_moves
from bot.proof.builder.best_first import BestFirst
from bot.proof.builder.builder import Builder
from bot.proof.builder.finder import Finder
from bot.proof.positions import key_of
from bot.proof.strategy import Branch, Leaf
from tests.proof.parts import HELD, WON, fast_verdict, part_of, plain_verdict


def built(moves: str, *, must_win: bool) -> tuple[BestFirst, int]:
    root = key_of(Board.from_moves(parse_moves(moves)))
    best_first = BestFirst(Builder(Finder(draw_fails=must_win), quick=200, thorough=200))
    best_first.grow([root])
    return best_first, root


@pytest.mark.parametrize(("moves", "must_win"), [(WON[0], True), (WON[1], True), (HELD, False)])
def test_a_built_strategy_is_proven(moves, must_win):
    best_first, root = built(moves, must_win=must_win)
    part = part_of(best_first.builder, root)
    assert fast_verdict(part)
    if moves == WON[1]:
        assert plain_verdict(part)


def test_the_cost_counts_every_position_at_least_once():
    best_first, root = built(WON[0], must_win=True)
    assert best_first.costs[root] >= best_first.builder.strategy.size > 1


def test_an_earlier_build_is_taken_over():
    best_first, root = built(WON[0], must_win=True)
    entries = dict(best_first.builder.strategy.entries)
    again = BestFirst(Builder(Finder(draw_fails=True), quick=0, thorough=0))
    for order in best_first.builder.orders:
        again.builder.add_diagram(order)
    again.builder.strategy.entries.update(entries)
    again.grow([root])
    assert again.builder.strategy.entries == entries
    assert again.costs[root] == best_first.costs[root]


def test_a_branch_changes_to_a_move_that_became_cheaper():
    """Two columns in one position: the one in use grows costly, the other is complete."""
    best_first = BestFirst(Builder(Finder(draw_fails=True)))
    root = key_of(Board.from_moves(parse_moves(WON[0])))
    builder = best_first.builder
    columns = [column for column in range(7) if builder.strategy.replies(root, column)][:2]
    builder._good[root] = columns
    builder.set_entry(root, Branch(columns[0]))
    number = builder.add_diagram(bytes(range(42)))
    cheap = set(builder.strategy.replies(root, columns[1]))
    for child in cheap:
        builder.set_entry(child, Leaf(number))
        best_first.extend(child)
    for child in builder.strategy.replies(root, columns[0]):
        best_first.costs.setdefault(child, 1_000.0)
    best_first.extend(root)
    assert builder.strategy.entries[root] == Branch(columns[1])
    assert root in best_first.complete


def test_a_lost_position_is_rejected():
    with pytest.raises(UsageError, match="cannot be kept"):
        built("1423523432224", must_win=False)
