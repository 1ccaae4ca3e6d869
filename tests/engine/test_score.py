"""What a score means: the score at a game's end, distances, words, bounds."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine import score
from bot.engine.score import (
    Bounds,
    Solved,
    explain,
    finished_score,
    interval,
    label,
    moves_to_end,
    plies_to_end,
    sentence,
    winning_score,
)
from bot.game import Board, parse_moves

DRAW = "257771314744647214154617633623313656555222"


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        pytest.param("1212121", -18, id="the first player wins with disc 7"),
        pytest.param("12121262", -18, id="the second player wins with disc 8"),
        pytest.param(DRAW, 0, id="a full board"),
    ],
)
def test_a_finished_board_scores_22_minus_the_winners_discs(moves: str, expected: int) -> None:
    board = Board.from_moves(parse_moves(moves))
    assert board.is_over
    assert finished_score(board) == expected
    assert not board.has_winner or winning_score(board.ply - 1) == 22 - (board.ply + 1) // 2 == -expected


@given(st.integers(0, 41), st.integers(0, 20))
def test_the_distance_agrees_with_the_score_at_the_end(ply: int, moves: int) -> None:
    """The winner makes its last disc ``moves`` moves after the next one."""
    last = ply + 2 * moves
    if last < 42:
        won = winning_score(last)
        assert plies_to_end(won, ply) == last + 1 - ply
        assert moves_to_end(won, ply) == moves + 1
    if last + 1 < 42:
        lost = -winning_score(last + 1)
        assert plies_to_end(lost, ply) == last + 2 - ply
        assert moves_to_end(lost, ply) == moves + 1


@pytest.mark.parametrize(
    ("bounds", "ply", "words", "short"),
    [
        ((3, 3), 10, "wins in 14 moves", "win in 14"),
        ((18, 18), 6, "wins in 1 move", "win in 1"),
        ((-17, -17), 7, "loses in 1 move", "loss in 1"),
        ((1, 1), 0, "wins in 21 moves", "win in 21"),
        ((-1, -1), 1, "loses in 20 moves", "loss in 20"),
        ((-12, -12), 1, "loses in 9 moves", "loss in 9"),
        ((2, 2), 0, "wins in 20 moves", "win in 20"),
        ((0, 0), 5, "draws", "draw"),
        ((1, 5), 5, "wins", "win"),
        ((-4, -1), 5, "loses", "loss"),
        ((0, 5), 5, "draws or wins", "draw or better"),
        ((-5, 0), 5, "draws or loses", "draw or worse"),
        ((-5, 5), 5, "not solved", "open"),
    ],
)
def test_scores_in_words(bounds: tuple[int, int], ply: int, words: str, short: str) -> None:
    assert explain(Bounds(*bounds), ply) == words
    assert label(Bounds(*bounds), ply) == short


def test_whole_sentences() -> None:
    assert sentence(Bounds.of(1), 0, "X") == "X to move wins in 21 moves."
    assert sentence(Bounds(0, 5), 5, "O") == "O to move draws or wins."
    assert sentence(Bounds(-12, 20), 2, "X") == ("Not solved: the score lies between -12 and +20.")


@pytest.mark.parametrize(
    ("bounds", "text"), [((3, 3), "+3"), ((-3, -3), "-3"), ((0, 0), "0"), ((-2, 5), "-2..+5"), ((0, 5), "+0..+5")]
)
def test_scores_as_numbers(bounds: tuple[int, int], text: str) -> None:
    assert interval(Bounds(*bounds)) == text


@given(st.integers(-21, 21), st.integers(-21, 21))
def test_bounds_know_score_and_outcome_and_turn_round(one: int, other: int) -> None:
    lower, upper = sorted((one, other))
    bounds = Bounds(lower, upper)
    assert bounds.exact == (bounds.score is not None) == (lower == upper)
    outcomes = {score.sign(number) for number in range(lower, upper + 1)}
    assert bounds.outcome == (outcomes.pop() if len(outcomes) == 1 else None)
    assert -bounds == Bounds(-upper, -lower)
    turned = -bounds
    assert -turned == bounds


def test_the_other_sides_view_keeps_the_work() -> None:
    assert -Solved(2, 3, nodes=5, seconds=0.5) == Solved(-3, -2, nodes=5, seconds=0.5)


def test_the_examples_in_the_docstrings() -> None:
    assert doctest.testmod(score).failed == 0
