"""Best-first building: complete and proven strategies, for both promises."""

from __future__ import annotations

import pytest

from bot.errors import UsageError
from bot.game import Board, parse_moves
from bot.proof.builder.best_first import BestFirst
from bot.proof.builder.builder import Builder
from bot.proof.builder.finder import Finder
from bot.proof.format import FIRST_LEAF
from bot.proof.positions import key_of
from tests.proof.parts import HELD, WON, built, fast_verdict, part_of, plain_verdict


@pytest.mark.parametrize(("moves", "must_win"), [(WON[0], True), (WON[1], True), (HELD, False)])
def test_a_built_strategy_is_proven(moves, must_win):
    best_first, root = built(moves, must_win=must_win)
    part = part_of(best_first.builder, root)
    assert fast_verdict(part)
    if moves == WON[1]:
        assert plain_verdict(part)


def test_the_cost_counts_every_position_at_least_once():
    best_first, root = built(WON[0])
    assert best_first.costs[root] >= len(part_of(best_first.builder, root).claim.entries) > 1


def test_what_was_found_for_one_root_serves_the_next():
    best_first, root = built(WON[0])
    entries = dict(best_first.builder.entries)
    best_first.solve(root)
    assert best_first.builder.entries == entries


def test_a_branch_changes_to_a_move_that_became_cheaper():
    """Two columns in one position: the one in use grows costly, the other is complete."""
    best_first = BestFirst(Builder(Finder(draw_fails=True)))
    root = key_of(Board.from_moves(parse_moves(WON[0])))
    builder = best_first.builder
    columns = [column for column in range(7) if builder.replies(root, column)][:2]
    builder.good_columns = {root: columns}.__getitem__  # type: ignore[assignment]
    row = builder.add_diagram(bytes(range(42)))
    for child in builder.replies(root, columns[1]):
        builder.entries[child] = FIRST_LEAF + row
    for child in builder.replies(root, columns[0]):
        best_first.costs.setdefault(child, 1_000.0 if builder.entries.get(child, 0) < FIRST_LEAF else 1.0)
    builder.entries[root] = columns[0]
    best_first.costs[root] = 1.0
    for child in builder.replies(root, columns[1]):
        best_first._parents[child].add(root)
        best_first.extend(child)
    assert builder.entries[root] == columns[1]
    assert root in best_first.complete


def test_a_lost_position_is_rejected():
    with pytest.raises(UsageError, match="cannot be kept"):
        built("1423523432224", must_win=False)
