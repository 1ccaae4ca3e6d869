"""The chooser of live play without a clock, with every ingredient of its policy as a switch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from bot.course.run.engine_host import chosen_by, over_hypotheses
from bot.course.run.prospects import DRAW, EngineProspects
from bot.course.session.answers import AnswerBook
from bot.course.session.events import Chosen
from bot.course.session.policy import DEEPEST_PLAN, Plan, Prospects
from bot.course.session.state import Session
from bot.engine.agent import Decision, Limit
from bot.engine.perfect import Perfect
from bot.engine.score import winning_score
from bot.engine.solver import Solver
from bot.game import Board

_NO_HURRY = Limit(hard_s=1e6, think_s=1e6)
SHALLOW_PLIES = 7
"""Plies that a search looks ahead where the exact solver is switched off."""


@dataclass(frozen=True, slots=True)
class Policy:
    """The ingredients of decisions under lost replies. The defaults are those of `bot play`."""

    uses_memory: bool = True
    """Whether earlier answers on the same position count."""
    plans: bool = True
    """Whether equally good moves are ordered by what a lost reply would cost."""
    deepest_plan: int = DEEPEST_PLAN
    solves_after_loss: bool = True
    """Whether the choice after a lost reply uses exact outcomes, not a search of SHALLOW_PLIES."""

    def answers(self) -> AnswerBook:
        """Return the empty memory of answers."""
        return AnswerBook() if self.uses_memory else Forgetful()


@dataclass(frozen=True, slots=True)
class Forgetful(AnswerBook):
    """An answer book without the memory of single positions."""

    def counts(self, board: Board) -> list[float]:  # noqa: ARG002
        """Return no observation for any column."""
        return [0.0] * 7


@dataclass(slots=True)
class SimulationChooser:
    """Decides by the position and the session's memory alone. Its caches are exact, so they change no decision."""

    policy: Policy = field(default_factory=Policy)
    engine: Perfect = field(default_factory=lambda: Perfect(unhurried=True))
    prospects: EngineProspects = field(default_factory=EngineProspects)
    known: dict[Board, Decision] = field(default_factory=dict)

    def __call__(self, session: Session, left_s: float) -> Chosen:  # noqa: ARG002
        """See `bot.course.run.driver.Chooser`."""
        position = session.position
        if position is None:
            return over_hypotheses(session, self.after_loss)
        decision = self.in_known(position.board, self.plan(session.answers))
        return chosen_by(decision, decision.column, 0.0)

    def plan(self, answers: AnswerBook) -> Plan:
        """Return a plan with these answers, which may serve several choices."""
        return Plan(answers, self.prospects, self.policy.deepest_plan)

    def in_known(self, board: Board, plan: Plan) -> Decision:
        """Return the decision in a known position."""
        decision = self.decided(board)
        if not self.policy.plans or not decision.proven:
            return decision
        column = plan.refine(board, decision.column)
        return decision if column == decision.column else Decision(column, decision.score, source="plan")

    def decided(self, board: Board) -> Decision:
        """Return the engine's own decision in a known position."""
        if board not in self.known:
            decision = self.engine.choose(board, _NO_HURRY)
            self.known[board] = replace(decision, seconds=0.0, nodes=None)
        return self.known[board]

    @property
    def after_loss(self) -> Prospects:
        """The probabilities of not losing for a choice over several hypotheses."""
        return self.prospects if self.policy.solves_after_loss else shallow_prospects()


@cache
def chooser_of(policy: Policy) -> SimulationChooser:
    """Return this process's chooser for a policy; all choosers share the caches of engine and solver."""
    if policy == Policy():
        return SimulationChooser()
    return replace(chooser_of(Policy()), policy=policy)


class ShallowProspects:
    """Probabilities of not losing by a search of a few plies: a win or a loss within them, else a draw."""

    def __init__(self, plies: int = SHALLOW_PLIES) -> None:
        self._plies = plies
        self._solver = Solver()
        self._known: dict[Board, list[float]] = {}

    def prospects(self, board: Board) -> Sequence[float]:
        """See `bot.course.session.policy.Prospects`."""
        if board not in self._known:
            self._known[board] = [self._seen(board, column) for column in range(7)]
        return self._known[board]

    def prospect(self, board: Board, column: int) -> float:
        """See `bot.course.session.policy.Prospects`."""
        return self.prospects(board)[column]

    def _seen(self, board: Board, column: int) -> float:
        if not board.can_play(column):
            return 0.0
        child = board.play(column)
        if child.is_over:
            return 1.0 if child.has_winner else DRAW
        last = board.ply + self._plies  # discs on the board at the horizon
        theirs, ours = _least_win(child.ply, last), _least_win(board.ply, last)
        if self._reaches(child, theirs):
            return 0.0
        return 1.0 if not self._reaches(child, 1 - ours) else DRAW

    def _reaches(self, child: Board, score: int) -> bool:
        """Return whether the side to move on ``child`` has at least this score."""
        solved = self._solver.solve(child, window=(score - 1, score), keep=True)
        return solved.lower >= score


def _least_win(ply: int, last: int) -> int:
    """Return the lowest score of a win, for the side to move at ``ply``, with at most ``last`` discs on the board."""
    own_last = last if (last - ply) % 2 == 1 else last - 1  # it plays the discs ply + 1, ply + 3, ...
    return winning_score(own_last - 1)


@cache
def shallow_prospects() -> ShallowProspects:
    """Return this process's shallow search, with its cache."""
    return ShallowProspects()
