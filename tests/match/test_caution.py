"""Which of equally good columns is sent when replies get lost: against solved positions and plain enumeration."""

from __future__ import annotations

import random
import time

import pytest

from bot.client.worlds import ILLEGAL_SCORE, prospect, prospects
from bot.engine import Decision, Limit
from bot.engine.solver import Solver
from bot.game import Board
from bot.match.caution import LOST, Caution
from bot.match.opponent_model import OpponentModel
from bot.match.outcomes import Outcomes, OutOfTimeError


def positions(count: int, seed: int, plies: tuple[int, int] = (20, 30)) -> list[Board]:
    """Random quiet positions with no immediate win for the side to move."""
    chance, found = random.Random(seed), []
    while len(found) < count:
        board = Board()
        for _ in range(chance.randint(*plies)):
            quiet = [column for column in board.legal_columns() if not board.wins_with(column)]
            if not quiet:
                break
            board = board.play(chance.choice(quiet))
        if not any(board.wins_with(column) for column in board.legal_columns()) and not board.is_over:
            found.append(board)
    return found


def exact(board: Board) -> list[int | None]:
    return Solver(1).column_scores(board.current, board.mask)


def sign(score: float) -> int:
    return (score > 0) - (score < 0)


def test_outcomes_and_scores_have_the_sign_of_the_solver() -> None:
    outcomes = Outcomes()
    scores = outcomes.within(30.0)
    for board in positions(40, 1):
        told, known = scores(board), exact(board)
        for mine, theirs in zip(told, known, strict=True):
            assert (mine is None) == (theirs is None)
            if mine is not None and theirs is not None:
                assert sign(mine) == sign(theirs)
        best = max(score for score in known if score is not None)
        assert outcomes.of(board, time.monotonic() + 10) == sign(best)


def test_without_time_nothing_is_claimed() -> None:
    board = Board.from_moves((3, 3, 2, 4, 6, 5, 5, 2, 4, 4, 0))  # beyond the book
    with pytest.raises(OutOfTimeError):
        Outcomes().of(board, time.monotonic() - 1)
    assert set(Outcomes().within(0.0)(board)) == {0.0}


def theory(at: Board, column: int) -> float:
    """The prospect of ``column`` by its exact score."""
    if at.is_over:
        return 0.0 if at.has_winner else 1.0
    score = exact(at)[column]
    return 0.0 if score is None else prospect(float(score), at.ply)


def survival(board: Board, column: int, depth: int, in_vain: float, model: OpponentModel) -> float:
    """The chance not to lose by the words of the module: plain enumeration with exact scores."""
    child = board.play(column)
    if child.is_over:
        return 1.0
    likely = {reply: odds for reply, odds in model.odds(child).items() if odds >= 0.02}
    afters = [(child.play(reply), odds / sum(likely.values())) for reply, odds in likely.items()]

    def worth(at: Board) -> float:
        if at.is_over:
            return 0.0 if at.has_winner else 1.0
        if any(at.wins_with(other) for other in at.legal_columns()):
            return 1.0
        scores = {other: score for other, score in enumerate(exact(at)) if score is not None}
        best = max(scores.values())
        if depth == 0:
            won = 1.0 - 0.003 * (42 - at.ply) / 4
            return won if best > 0 else max(prospect(float(score), at.ply) for score in scores.values())
        good = [other for other, score in scores.items() if sign(score) == sign(best)]
        hope = [other for other in good if best >= 0 or theory(at, other) > 0] or good
        return max(survival(at, other, depth - 1, in_vain, model) for other in hope)

    heard = sum(odds * worth(after) for after, odds in afters)
    lost = max(
        in_vain * theory(board, other) + (1 - in_vain) * sum(odds * theory(after, other) for after, odds in afters)
        for other in range(7)
    )
    return (1 - LOST) * heard + LOST * lost


def test_the_chosen_column_keeps_the_outcome() -> None:
    caution = Caution(Outcomes(), OpponentModel())
    changed = 0
    for board in positions(30, 2, (18, 24)):
        scores = exact(board)
        best = max(score for score in scores if score is not None)
        column = scores.index(best)
        decision = Decision(column, float(best), proven=True, source="solver")
        refined = caution.refine(board, decision, Limit(hard_s=60.0), 0.1)
        told = scores[refined.column]
        assert told is not None and sign(told) == sign(best)
        if refined.column != column:
            changed += 1
            assert refined.source == "caution"
    assert changed > 0


@pytest.mark.parametrize("depth", [0, 1])
def test_survival_is_what_plain_enumeration_says(depth: int) -> None:
    model = OpponentModel()
    caution = Caution(Outcomes(), model)
    caution._set_out(0.1, time.monotonic() + 60)
    for board in positions(12, 3, (26, 32)):
        for column in board.legal_columns():
            told = caution.survival(board, column, depth)
            assert told == pytest.approx(survival(board, column, depth, 0.1, model), abs=1e-9)


def test_chances_are_prospects_without_time_and_survival_with_it() -> None:
    caution = Caution(Outcomes(), OpponentModel())
    for board in positions(5, 4, (24, 30)):
        scores = [ILLEGAL_SCORE if score is None else score for score in exact(board)]
        assert caution.chances(0.0)(board, scores) == prospects(board, scores)
        told = caution.chances(60.0)(board, scores)
        assert all(0 <= chance <= 1 for chance in told)
        assert all((chance > 0) <= board.can_play(column) for column, chance in enumerate(told))


def test_a_guess_and_a_win_at_once_are_left_alone() -> None:
    caution = Caution(Outcomes(), OpponentModel())
    board = Board.from_moves((3, 2, 3, 2, 3, 2))
    win = Decision(3, 18.0, proven=True)
    assert caution.refine(board, win, Limit(hard_s=1.0)) is win
    guess = Decision(0, None, proven=False)
    assert caution.refine(board, guess, Limit(hard_s=1.0)) is guess
