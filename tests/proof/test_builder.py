"""Building: strategies are proven, counts are exact, a killed build resumes."""

from __future__ import annotations

import numpy as np
import pytest

from bot.errors import UsageError
from bot.game import Board
from bot.proof.builder.builder import Builder, OverBudgetError
from bot.proof.builder.finder import Finder
from bot.proof.builder.record import Record
from bot.proof.positions import board_of, key_of, mirrored, plain_key, replies_to
from bot.proof.strategy import Branch, Leaf, Strategy
from tests.engine.positions import sample
from tests.proof.parts import WON, built, fast_verdict, part_of, reachable


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


def test_releasing_everything_leaves_nothing_in_use():
    builder, root = built(WON[0])
    strategy = builder.strategy
    size = strategy.size
    assert strategy.exclusive(root) == size - 1
    strategy.release([root])
    assert strategy.size == 0
    strategy.acquire([root])
    assert strategy.size == size == len(reachable(strategy, root))


def test_a_trial_that_grows_too_large_is_given_up():
    builder = Builder(Finder(draw_fails=True), quick=0, thorough=0)
    with pytest.raises(OverBudgetError):
        builder.solve(built(WON[0])[1], 5)


def test_a_killed_build_resumes_where_its_record_ends(tmp_path):
    path = tmp_path / "build.record"
    lines: list[str] = []
    whole = Builder(Finder(draw_fails=True), log=lines.append, quick=2_000, thorough=2_000)
    root = key_of(Board.from_moves([3, 3, 3, 3, 3, 3, 2, 1]))
    whole.grow([root])
    path.write_text("\n".join(lines[:200]) + "\n" + lines[200][:3])  # the last line was torn
    again = Builder(Finder(draw_fails=True), quick=2_000, thorough=2_000)
    assert Record(path).replay(again) == 200
    assert again.strategy.entries.keys() < whole.strategy.entries.keys()
    assert again.orders == whole.orders[: len(again.orders)] != []
    again.grow([root])
    assert fast_verdict(part_of(again, root))


@pytest.mark.parametrize("line", ["X 1", "L 5 1 0", "B", "D zz", "B 7 x"])
def test_a_damaged_record_is_rejected(tmp_path, line):
    path = tmp_path / "build.record"
    path.write_text(f"D {bytes(42).hex()}\n{line}\n")
    with pytest.raises(UsageError, match="Line 2"):
        Record(path).replay(Builder(Finder(draw_fails=True)))


def test_changing_a_branch_keeps_positions_that_others_need():
    strategy = Strategy()
    strategy.entries = {1: Branch(0), 2: Leaf(0), 3: Leaf(1), 4: Leaf(2)}
    strategy._replies = {(1, 0): (2, 3), (1, 1): (3, 4)}
    strategy.acquire([1])
    assert set(strategy.references) == {1, 2, 3}
    strategy.change(1, Branch(1))
    assert set(strategy.references) == {1, 3, 4}
    assert np.unique(list(strategy.references.values())).tolist() == [1]
