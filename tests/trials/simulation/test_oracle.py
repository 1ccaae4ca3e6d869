"""The oracle knows the bot's true answers, and nothing else that the policy does not know."""

from __future__ import annotations

from bot.course.session.answers import AnswerBook
from bot.course.session.belief import Hypothesis, after_lost_reply
from bot.course.session.position import Position
from bot.course.session.state import Session
from bot.game import Board
from bot.trials.simulation.oracle import TrueAnswers, Truth
from bot.trials.simulation.single import deciding, known_answers, truth_of

OPENED = Board().play(3)


def thirds(_board: Board, last: int, seed: int) -> int:
    """Answer beside our last disc, in one case of three on it."""
    return last if seed % 3 == 0 else (last + 1) % 7


def test_the_distribution_is_that_of_the_bot() -> None:
    """Shares are estimated from answers with many seeds; they depend on our last column where the bot's answer does."""
    truth = Truth(thirds, is_deterministic=False, last=3)
    likely = truth.likely(OPENED)
    assert likely.keys() == {3, 4}
    assert abs(likely[3] - 1 / 3) < 0.1
    assert sum(likely.values()) == 1
    truth.last = 0
    assert truth.likely(OPENED).keys() == {0, 1}


def test_a_deterministic_bot_has_one_answer() -> None:
    """It is asked once in each position."""
    asked: list[int] = []

    def answer(_board: Board, _last: int, seed: int) -> int:
        asked.append(seed)
        return 5

    truth = Truth(answer, is_deterministic=True)
    assert truth.likely(OPENED) == truth.likely(OPENED) == {5: 1.0}
    assert len(asked) == 1


def test_hypotheses_carry_the_true_weights() -> None:
    """After a lost reply: not processed, or processed with the answers of the bot."""
    answers = TrueAnswers(learnt=AnswerBook(), truth=Truth(thirds, is_deterministic=False, last=3))
    belief = after_lost_reply((Hypothesis(Position(Board(), we_started=True)),), 3, answers.likely, 0.5)
    assert {each.playing.moves for each in belief} == {(), (3, 3), (3, 4)}
    weights = {each.playing.moves: each.weight for each in belief}
    assert weights[()] == 0.5
    assert abs(weights[3, 4] - 1 / 3) < 0.05


def test_what_the_policy_learns_stays_beside_the_truth() -> None:
    """The oracle's moves before a lost reply are those of the policy, so its answer book learns too."""
    truth = Truth(thirds, is_deterministic=False, last=3)
    answers = TrueAnswers(learnt=AnswerBook(), truth=truth).observe(OPENED, 6)
    assert isinstance(answers, TrueAnswers)
    assert answers.learnt.counts(OPENED)[6] == 1
    assert answers.counts(OPENED) == [0, 0, 0, 1, 1, 0, 0]
    assert 6 not in answers.likely(OPENED)


def test_the_chooser_notes_the_column_that_the_bot_will_answer() -> None:
    """o-copycat mirrors our last move: the true answer is another after another column."""
    answers = known_answers("o-copycat", 0, oracle=True)
    chooser, truth = deciding(oracle=True), truth_of("o-copycat")
    belief = (Hypothesis(Position(Board(), we_started=True)),)
    column = chooser(Session(belief=belief, answers=answers), 5.0).move
    assert column == truth.last == 3
    assert truth.likely(Board().play(column)) == {truth.answer(Board().play(column), column, 0): 1.0}


def test_the_oracle_plans_with_what_the_policy_has_learnt() -> None:
    """Before a reply is lost both move alike, so that the same replies are lost."""
    known, learnt = (known_answers("o-table-3", 2, oracle=oracle) for oracle in (True, False))
    plans = [deciding(oracle=oracle).plan(answers) for oracle, answers in ((True, known), (False, learnt))]
    boards = [Board.from_moves(moves) for moves in ([], [3, 3], [3, 3, 2, 2], [3, 2, 3, 3])]
    columns = [[plan.refine(board, column) for board in boards for column in range(7)] for plan in plans]
    assert columns[0] == columns[1]
    assert known_answers("o-table-3", 0, oracle=False) == AnswerBook()
