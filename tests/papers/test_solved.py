"""The positions in which studies ask, pinned, because committed results stand on them; and their exact scores."""

from __future__ import annotations

import hashlib

from bot.game import format_moves
from bot.papers.solved import PUBLIC, exact_scores, keeps_outcome, openings, read_positions, solved, solved_scores
from tests.papers.public_set import SEED, draw_positions


def pin(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def test_the_positions_are_those_of_the_committed_results():
    assert pin(" ".join(openings(4))) == "5679a57fb4fa2ac51478" and openings(2, 5) == openings(2)[::5]
    assert pin(PUBLIC.read_text()) == "0d1f602a5ebb174fe8ce"
    every = [*read_positions()]
    assert draw_positions(40, SEED) == every[:40]
    assert solved(3, 4, 32) == [format_moves(columns) for columns in every if 4 <= len(columns) <= 32][::3]


def test_exact_scores_are_those_of_the_set_of_the_book_and_of_the_solver():
    every = [*read_positions()]
    for columns in (every[0], every[35], (3, 3)):
        assert exact_scores(columns) == solved_scores(columns)


def test_a_column_keeps_the_outcome_if_it_still_wins_draws_or_loses_however_late():
    """Of seven scores: the best, a later win, a draw, a loss; a column that is full keeps nothing."""
    for columns, scores in [*read_positions().items()][:200]:
        best = max(score for score in scores if score is not None)
        alike = [score is not None and (score > 0, score < 0) == (best > 0, best < 0) for score in scores]
        assert [keeps_outcome(format_moves(columns), column) for column in range(1, 8)] == alike
