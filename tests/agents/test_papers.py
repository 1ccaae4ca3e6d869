"""Halim, Kang and EDAP01: the shared search against plain minimax, and the details of each paper."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.agents.family import make_paper_agent
from bot.agents.paper import PaperAgent
from bot.agents.papers import halim, kang
from bot.engine.agent import Limit
from bot.game import Board
from tests.agents import reference
from tests.engine.positions import boards, sample

UNLIMITED = Limit(hard_s=math.inf)
WINS = {
    "tommy-ab": lambda _grid, winner, _depth: winner * math.inf,
    "halim": lambda _grid, winner, depth: winner * (halim.DOMINANT + depth),
    "kang": lambda _grid, winner, _depth: winner * kang.WIN,
}


def child_values(board: Board, depth: int, leaf: reference.Leaf, won: Any) -> dict[int, float]:
    grid, _ = reference.grid_of(board)
    legal = board.legal_columns()
    return {x: reference.minimax(reference.played(grid, x, 1), -1, depth - 1, leaf, won) for x in legal}


def sample_value(grid: reference.Grid, side: int) -> int:
    return 138 + reference.squares(grid, side)


@pytest.mark.parametrize(
    ("name", "leaf", "won", "order"),
    [
        ("tommy-ab", reference.tommy, WINS["tommy-ab"], (3, 4, 2, 5, 1, 6, 0)),
        ("tommy-mtdf", reference.tommy, WINS["tommy-ab"], (3, 4, 2, 5, 1, 6, 0)),
        ("halim", reference.halim, WINS["halim"], range(7)),
        ("kang-h1", reference.kang({1, 2, 3, 4}), WINS["kang"], range(7)),
        ("kang-h2", reference.squares, WINS["kang"], range(7)),
        ("edap01-intended", None, None, (3, 2, 4, 1, 5, 0, 6)),
    ],
)
@settings(max_examples=15, deadline=None)
@given(board=boards(6), depth=st.integers(1, 3))
def test_value_and_column_are_those_of_plain_minimax(
    name: str, leaf: reference.Leaf | None, won: Any, order: range, board: Board, depth: int
) -> None:
    if leaf is None:
        grid, _ = reference.grid_of(board)
        values: dict[int, float] = {
            x: reference.minimax(
                reference.played(grid, x, 1),
                -1,
                depth - 1,
                reference.edap01,
                lambda grid, winner, left: reference.edap01(grid, 0) + winner * left,
                0,
            )
            for x in board.legal_columns()
        }
    else:
        values = child_values(board, depth, leaf, won)
    decision = make_paper_agent(f"{name}:{depth}").choose(board, UNLIMITED)
    assert decision.score == max(values.values())
    if name != "tommy-mtdf":
        assert decision.column == max((x for x in order if x in values), key=lambda x: values[x])
    assert values[decision.column] == max(values.values())


@settings(max_examples=15, deadline=None)
@given(board=boards(6), depth=st.integers(1, 3))
def test_the_online_sample_counts_levels_from_the_root(board: Board, depth: int) -> None:
    values = child_values(
        board, depth, sample_value, lambda _grid, won, left: 255 - (depth - left) if won > 0 else depth - left
    )
    decision = make_paper_agent(f"kang-sample:{depth}").choose(board, UNLIMITED)
    assert (decision.score, decision.column) == (max(values.values()), max(values, key=lambda x: values[x]))


def test_the_online_sample_prunes_nothing() -> None:
    decision = make_paper_agent("kang-sample:4").choose(Board(), UNLIMITED)
    assert (decision.leaves, decision.nodes) == (7**4, sum(7**level for level in range(5)))


@settings(max_examples=15, deadline=None)
@given(board=boards(6), depth=st.integers(1, 4))
def test_kangs_programs_play_the_same_with_and_without_pruning(board: Board, depth: int) -> None:
    for family in ("kang-h1", "kang-h2", "kang-sample"):
        pruned, plain = (
            make_paper_agent(f"{family}:{depth},prune={prune}").choose(board, UNLIMITED) for prune in (1, 0)
        )
        assert (pruned.column, pruned.score) == (plain.column, plain.score)
        assert (pruned.nodes or 0) <= (plain.nodes or 0)


@settings(max_examples=20, deadline=None)
@given(board=boards(6), depth=st.integers(1, 4))
def test_edap01_as_published_overlooks_its_own_fours(board: Board, depth: int) -> None:
    grid, _ = reference.grid_of(board)
    assert make_paper_agent(f"edap01:{depth}").choose(board, UNLIMITED).column == reference.edap01_as_published(
        grid, depth
    )


def test_halim_breaks_ties_only_among_truly_equal_columns() -> None:
    for board in sample(6, 2, 24):
        values = child_values(board, 3, reference.halim, WINS["halim"])
        best = {x for x, value in values.items() if value == max(values.values())}
        seen = {make_paper_agent("halim:3,ties=random", seed).choose(board, UNLIMITED).column for seed in range(12)}
        assert seen <= best
        assert make_paper_agent("halim:3").choose(board, UNLIMITED).column == min(best)
    mirrored = {
        make_paper_agent("halim:1,ties=random", seed).choose(Board.from_moves([3, 3, 3, 3, 3, 3]), UNLIMITED).column
        for seed in range(20)
    }
    assert len(mirrored) > 1, "a symmetrical board has equal columns"


def test_halims_order_below_the_root_and_pruning_change_the_work_but_not_the_move() -> None:
    for board in sample(12, 2, 24):
        usual, whole = (
            make_paper_agent(name).choose(board, UNLIMITED) for name in ("halim:4", "halim:4,search=minimax")
        )
        left = PaperAgent("", 4, replace(make_paper_agent("halim:4").program, inner=())).choose(board, UNLIMITED)
        assert (usual.column, usual.score) == (whole.column, whole.score) == (left.column, left.score)
        assert (usual.leaves or 0) < (whole.leaves or 0)


def test_halims_time_limit_ends_between_depths() -> None:
    decision = make_paper_agent("halim:20,think=0.02").choose(Board(), UNLIMITED)
    assert decision.depth is not None and 1 < decision.depth < 20


@settings(max_examples=15, deadline=None)
@given(board=boards(8), depth=st.integers(1, 3))
def test_halims_literal_win_adds_1000_to_the_other_terms(board: Board, depth: int) -> None:
    def won(grid: reference.Grid, winner: int, _depth: int) -> int:
        return reference.halim(grid, 0) + 1000 * winner

    values = child_values(board, depth, reference.halim, won)
    decision = make_paper_agent(f"halim:{depth},ends=added").choose(board, UNLIMITED)
    assert (decision.score, decision.column) == (max(values.values()), max(values, key=lambda x: values[x]))


def test_kangs_random_move_is_one_of_the_two_best_at_every_third_own_move() -> None:
    for board in sample(12, 0, 20, seed=3):
        values = child_values(board, 2, reference.kang({1, 2, 3, 4}), WINS["kang"])
        ranked = sorted(values, key=lambda x: -values[x])
        seen = {make_paper_agent("kang-h1:2,random=3", seed).choose(board, UNLIMITED).column for seed in range(12)}
        own_move = board.ply // 2 + 1
        assert seen == set(ranked[:2] if own_move % 3 == 0 else ranked[:1])


def test_kangs_random_move_can_count_both_sides_discs() -> None:
    board = Board.from_moves([3, 3])
    choices = {
        make_paper_agent("kang-h2:2,random=3,plies=1", seed).choose(board, UNLIMITED).column for seed in range(12)
    }
    assert len(choices) == 2


def test_single_features_still_see_a_finished_game() -> None:
    winning = Board.from_moves([0, 1, 0, 1, 0, 1])
    for feature in "1234":
        decision = make_paper_agent(f"kang-h1:2,features={feature}").choose(winning, UNLIMITED)
        assert (decision.column, decision.score) == (0, kang.WIN)
