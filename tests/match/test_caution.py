"""Which of equally good columns is sent when replies get lost: against solved positions and plain enumeration."""

from __future__ import annotations

import random
import time

import pytest

from bot.client.worlds import prospect
from bot.engine import Decision, Limit
from bot.engine.solver import Solver
from bot.engine.traps import likely_replies
from bot.game import Board
from bot.match.caution import Caution
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
    board = Board.from_moves((3, 3, 2, 4, 1, 5, 5, 2, 4))
    with pytest.raises(OutOfTimeError):
        Outcomes().of(board, time.monotonic() - 1)
    assert set(Outcomes().within(0.0)(board)) == {0.0}


def harm(board: Board, column: int, in_vain: float) -> float:
    """What a lost reply to ``column`` costs, by plain enumeration with exact scores."""

    def cost(at: Board, move: int) -> float:
        scores = exact(at)
        worth = {other: prospect(float(score), at.ply) for other, score in enumerate(scores) if score is not None}
        return max(worth.values()) - worth.get(move, 0.0)

    child = board.play(column)
    afters = [after for after in (child.play(reply) for reply in likely_replies(child)) if not after.is_over]
    return min(
        cost(board, move) * in_vain + sum(cost(after, move) for after in afters) / max(1, len(afters)) * (1 - in_vain)
        for move in board.legal_columns()
    )


def test_the_chosen_column_keeps_the_outcome() -> None:
    caution = Caution(Outcomes())
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


def test_harm_is_what_plain_enumeration_says() -> None:
    caution = Caution(Outcomes())
    caution._end, caution._in_vain = time.monotonic() + 60, 0.1
    for board in positions(12, 3, (26, 32)):
        for column in board.legal_columns():
            assert caution._harm(board, column) == pytest.approx(harm(board, column, 0.1), abs=0.1)


def test_a_guess_and_a_win_at_once_are_left_alone() -> None:
    caution = Caution(Outcomes())
    board = Board.from_moves((3, 2, 3, 2, 3, 2))
    win = Decision(3, 18.0, proven=True)
    assert caution.refine(board, win, Limit(hard_s=1.0)) is win
    guess = Decision(0, None, proven=False)
    assert caution.refine(board, guess, Limit(hard_s=1.0)) is guess
