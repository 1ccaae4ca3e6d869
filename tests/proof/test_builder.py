"""The parts of a strategy: positions, good moves, known and new diagrams, shared ones."""

from __future__ import annotations

import math

import pytest

from bot.game import Board, parse_moves
from bot.proof.builder.builder import Builder
from bot.proof.builder.finder import Finder
from bot.proof.builder.sharing import share_diagrams
from bot.proof.format import FIRST_LEAF
from bot.proof.positions import board_of, key_of, mirrored, plain_key, replies_to
from tests.engine.positions import sample
from tests.proof.parts import HELD, WON, built, fast_verdict, part_of


def test_keys_are_shared_by_mirror_images_and_lead_back_to_the_board():
    for board in sample(300, 0, 40):
        key = plain_key(board)
        assert board_of(key) == board
        assert mirrored(key) == plain_key(board.mirror())
        assert key_of(board) == key_of(board.mirror()) == min(key, mirrored(key))


def test_replies_are_all_legal_moves_of_the_opponent():
    for board in sample(100, 4, 30):
        column = board.legal_columns()[0]
        after = board.play(column)
        expected = [] if after.is_over else [after.play(reply) for reply in after.legal_columns()]
        found = replies_to(plain_key(board), column)
        assert set(found) == {key_of(reply) for reply in expected if not reply.is_over}
        assert len(found) == len(set(found))


def test_good_columns_keep_the_promise():
    from bot.engine.solver import Solver

    solver = Solver()
    for must_win in (True, False):
        finder = Finder(draw_fails=must_win)
        for board in sample(60, 14, 36, seed=5):
            scores = solver.column_scores(board)
            good = [column for column, score in enumerate(scores) if score is not None and score >= int(must_win)]
            if any(board.wins_with(column) for column in range(7)):
                good = [column for column in range(7) if board.wins_with(column)]
            assert finder.good_columns(board) == good


def test_a_position_is_searched_again_only_with_a_larger_budget():
    builder = Builder(Finder(draw_fails=True))
    keys = [key_of(Board.from_moves(parse_moves(moves))) for moves in WON]
    assert [builder.leaf(key, 2_000) for key in keys] == [False, False]
    efforts = dict(builder.tried)
    assert all(effort >= 2_000 for effort in efforts.values())
    assert [builder.leaf(key, 2_000) for key in keys] == [False, False] and builder.tried == efforts
    assert builder.leaf(keys[1], 1_000_000)


def test_a_position_that_has_no_diagram_is_not_searched_again():
    builder = Builder(Finder(draw_fails=True))
    impossible = next(
        key
        for key in (key_of(board) for board in sample(60, 36, 37, seed=9))
        if not builder.leaf(key, 1_000_000) and builder.tried[key] == math.inf
    )
    assert not builder.leaf(impossible, 1 << 60)


def test_a_known_diagram_is_tried_before_a_search():
    builder = Builder(Finder(draw_fails=True))
    one, other = (key_of(Board.from_moves(parse_moves(moves))) for moves in WON)
    assert builder.leaf(one, 1_000_000)
    known = len(builder.orders)
    assert builder.leaf(one, 0)
    if builder.leaf(other, 0):
        assert len(builder.orders) == known


def used(builder: Builder, root: int) -> set[int]:
    """Return the diagrams of the leaves that a strategy needs."""
    return {(entry - FIRST_LEAF) // 2 for entry in part_of(builder, root).claim.entries if entry >= FIRST_LEAF}


@pytest.mark.parametrize(("moves", "must_win"), [(WON[1], True), (HELD, False)])
def test_shared_diagrams_keep_the_proof(moves, must_win):
    best_first, root = built(moves, must_win=must_win)
    builder = best_first.builder
    leaves = [key for key, entry in builder.entries.items() if entry >= FIRST_LEAF]
    common = min(used(builder, root))
    copy = builder.add_diagram(builder.orders[common])
    for key in [key for key in leaves if builder.entries[key] == FIRST_LEAF + 2 * common][::2]:
        builder.entries[key] = FIRST_LEAF + copy
    before = used(builder, root)
    share_diagrams(builder, [root])
    left = used(builder, root)
    assert left < before
    assert fast_verdict(part_of(builder, root))
    share_diagrams(builder, [root])
    assert used(builder, root) == left
