"""Scores in words and numbers, distances, and what bounds know."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.score import (
    Bounds,
    explain,
    interval,
    label,
    moves_to_end,
    plies_to_end,
    sentence,
    winning_score,
)


@given(st.integers(0, 40), st.integers(0, 20))
def test_a_score_tells_how_many_discs_are_left(ply, moves):
    """The winner's last disc follows after ``moves`` others of its own."""
    won, lost = ply + 2 * moves, ply + 2 * moves + 1
    if lost < 42:
        assert plies_to_end(winning_score(won), ply) == won + 1 - ply
        assert plies_to_end(-winning_score(lost), ply) == lost + 1 - ply
        assert moves_to_end(winning_score(won), ply) == moves_to_end(-winning_score(lost), ply) == moves + 1
    assert plies_to_end(0, ply) == 42 - ply


IN_WORDS = """\
 3  3 10 | wins in 14 moves  | win in 14      | +3
18 18  6 | wins in 1 move    | win in 1       | +18
-1 -1  1 | loses in 20 moves | loss in 20     | -1
 0  0  5 | draws             | draw           | 0
 1  5  5 | wins              | win            | +1..+5
-4 -1  5 | loses             | loss           | -4..-1
 0  5  5 | draws or wins     | draw or better | +0..+5
-5  0  5 | draws or loses    | draw or worse  | -5..+0
-5  5  5 | not solved        | open           | -5..+5"""
"""Bounds and ply, and how they are put."""


@pytest.mark.parametrize("line", IN_WORDS.splitlines())
def test_scores_in_words(line):
    numbers, *texts = (each.strip() for each in line.split("|"))
    lower, upper, ply = map(int, numbers.split())
    known = Bounds(lower, upper)
    assert [explain(known, ply), label(known, ply), interval(known)] == texts
    assert sentence(known, ply, "X") in (f"X to move {texts[0]}.", "Not solved: the score lies between -5 and +5.")
