"""An oracle to compare the policy with: the same decisions, with the bot's true answers in place of the prediction.

The oracle knows the probability of each answer, but not which one the bot gave, and whether a request was processed it
knows no better than the policy. It maximises the same expected probability of not losing.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache

from bot.course.session.answers import AnswerBook
from bot.course.session.events import Chosen
from bot.course.session.policy import UNLIKELY, MovePlan
from bot.course.session.session import Session
from bot.game import Board
from bot.trials.simulation.chooser import SimulationChooser, live_chooser
from bot.trials.simulation.server import AnswerFunction, mixed

SAMPLES = 200
"""Answers drawn from a stochastic bot to estimate its distribution in one position."""


@dataclass(slots=True)
class Truth:
    """The true probabilities of a bot's answers. ``last`` is our last column, on which some bots' answers depend."""

    answer: AnswerFunction
    is_deterministic: bool
    last: int = -1
    known: dict[tuple[Board, int], dict[int, float]] = field(default_factory=dict)

    def likely(self, board: Board) -> dict[int, float]:
        """Return the probability of each answer on ``board``, the bot to move; they add up to 1."""
        last = -1 if board.ply == 0 else self.last
        key = (board, last)
        if key not in self.known:
            samples = 1 if self.is_deterministic else SAMPLES
            given = [self.answer(board, last, mixed(number) >> 34) for number in range(samples)]
            self.known[key] = {column: given.count(column) / len(given) for column in sorted(set(given))}
        return self.known[key]


@dataclass(frozen=True, slots=True)
class TrueAnswers(AnswerBook):
    """An answer book that learns like the policy's, and predicts the true answers."""

    learnt: AnswerBook = field(kw_only=True)
    truth: Truth = field(kw_only=True)

    def observe(self, board: Board, column: int) -> TrueAnswers:
        """See `AnswerFunctionBook.observe`."""
        return replace(self, learnt=self.learnt.observe(board, column))

    def counts(self, board: Board) -> list[float]:
        """Return one observation of each answer with a probability of at least UNLIKELY."""
        likely = self.truth.likely(board)
        return [float(likely.get(column, 0.0) >= UNLIKELY) for column in range(7)]

    def likely(self, board: Board) -> dict[int, float]:
        """See `AnswerFunctionBook.likely`."""
        return self.truth.likely(board)


@dataclass(slots=True)
class OracleChooser(SimulationChooser):
    """The policy's chooser in a session whose answer book is `TrueAnswers`."""

    def __call__(self, session: Session, left_s: float) -> Chosen:
        """See `bot.course.run.driver.ColumnChooser`."""
        chosen = SimulationChooser.__call__(self, session, left_s)
        answers = session.belief.answers
        if isinstance(answers, TrueAnswers):
            answers.truth.last = chosen.move
        return chosen

    def plan(self, answers: AnswerBook, delivered: float) -> MovePlan:
        """Return a plan with the answers learnt, as the policy's: the oracle knows more only after a lost reply."""
        learnt = answers.learnt if isinstance(answers, TrueAnswers) else answers
        return SimulationChooser.plan(self, learnt, delivered)


@cache
def oracle_chooser() -> OracleChooser:
    """Return this process's oracle; it shares the caches of engine and solver with the policy."""
    base = live_chooser()
    return OracleChooser(base.engine, base.prospects, base.known)
