"""The review of a game: verdicts from scores and from bounds, against a plain solver."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bot.engine.agent import Stop
from bot.engine.analysis import Analyst
from bot.engine.perfect import shipped_book
from bot.engine.review import judge, judge_bounds, review
from bot.engine.score import Bounds, finished_score
from bot.errors import BoardError
from bot.game import Board, parse_moves
from tests.engine.reference_solve import columns_of, solve

DRAW = "257771314744647214154617633623313656555222"


@pytest.mark.parametrize(
    ("best", "played", "kind", "words"),
    [
        (5, 0, "blunder", "gave the win away: now a draw"),
        (5, -2, "blunder", "gave the win away: now lost"),
        (0, -2, "blunder", "gave the draw away: now lost"),
        (5, 3, "slower", "slower win, by 2 moves"),
        (-3, -4, "sooner", "sooner loss, by 1 move"),
        (-3, -3, "best", "best, but every move loses here"),
        (0, 0, "best", "best"),
    ],
)
def test_verdicts_from_exact_scores(best: int, played: int, kind: str, words: str) -> None:
    verdict = judge(best, played)
    assert (verdict.kind, verdict.text, verdict.grave) == (kind, words, kind == "blunder")


@pytest.mark.parametrize(
    ("best", "played", "kind"),
    [
        pytest.param((1, 5), (-3, 0), "blunder", id="a win, and at most a draw"),
        pytest.param((1, 5), (1, 4), "kept", id="both win, distances unknown"),
        pytest.param((4, 5), (1, 3), "slower", id="both win, the played one later"),
        pytest.param((-2, -1), (-5, -3), "sooner", id="both lose, the played one sooner"),
        pytest.param((0, 0), (0, 3), "best", id="at least as good as the best"),
        pytest.param((1, 5), (-3, 4), None, id="the played one may lose"),
        pytest.param((-1, 5), (-3, -2), None, id="the best may lose too"),
    ],
)
def test_verdicts_from_bounds(best: tuple[int, int], played: tuple[int, int], kind: str | None) -> None:
    verdict = judge_bounds(Bounds(*best), Bounds(*played))
    assert (None if verdict is None else verdict.kind) == kind


def test_a_review_has_the_scores_of_a_plain_solver_and_their_verdicts() -> None:
    columns = parse_moves(DRAW)
    reviewed = review(columns, Analyst(shipped_book()), deadline_s=600.0)
    boards = [Board.from_moves(columns[:ply]) for ply in range(len(columns) + 1)]
    for ply in range(30, 42):
        first = 1 if ply % 2 == 0 else -1
        assert reviewed.positions[ply] == solve(columns_of(boards[ply].to_grid(), first))
    assert reviewed.positions[-1] == finished_score(boards[-1]) == 0
    assert len(reviewed.positions) == 43 and len(reviewed.moves) == 42
    for ply, (before, after) in enumerate(pairwise(reviewed.positions)):
        assert reviewed.moves[ply] == (None if before is None or after is None else judge(before, -after))
        assert reviewed.scores[ply] == (before if before is None or ply % 2 == 0 else -before)


def test_a_stopped_review_is_empty_and_an_illegal_game_is_refused() -> None:
    stop = Stop()
    stop.set()
    reviewed = review((3, 3), Analyst(), deadline_s=60.0, stop=stop)
    assert reviewed.positions == (None, None, None) and reviewed.moves == (None, None)
    with pytest.raises(BoardError):
        review((3,) * 7, Analyst(), deadline_s=1.0)
