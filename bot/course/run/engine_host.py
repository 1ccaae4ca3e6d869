"""The engine's part of a run: it chooses in a known position, and tells the session's policy what saves the game."""

from __future__ import annotations

import time
from dataclasses import replace

from bot.course.policy import MovePlan, SharedColumn, choose
from bot.course.session import Session
from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.engine.perfect import shipped_book
from bot.engine.score import winning_score
from bot.engine.solver import Solver
from bot.game import Board

DRAW = 0.97
"""Probability of not losing with a drawn column, which one more lost reply can still lose."""
NEAR_PLIES = 8
"""Plies within which a loss counts as certain: bots of courses search no deeper."""
FAR = 0.5
"""Probability of not losing a lost position whose end is farther away, measured against foreign depth-3 bots."""
_KEPT = 500_000
SHORTEST_S = 0.05
"""Minimum time for a choice, seconds, used when the clock has run out: a late move is better than none."""
PLAN_S = 0.25
"""Time limit for a plan, seconds: it only orders moves of equal outcome."""
HYPOTHESES_S = 2.0
"""Time limit for a choice over several hypotheses, seconds."""
SELDOM_FULL = 0
"""Column that is least likely to be full in a game that was begun on another computer: an edge."""


class EngineProspects:
    """Proves outcomes with book and solver and remembers them. Not thread-safe."""

    def __init__(self) -> None:
        self._solver = Solver()
        self._proven: dict[tuple[Board, int], float] = {}
        """Probability of not losing by position and column: a plan asks many times, and no board is made to answer."""
        self._end: float | None = None

    def within(self, seconds: float | None) -> EngineProspects:
        """Limit the time for proofs to ``seconds`` from now (None: no limit), and return self.

        An outcome that is not proven in time counts as a draw.
        """
        self._end = None if seconds is None else time.monotonic() + seconds
        return self

    def prospects(self, board: Board) -> list[float]:
        """See `bot.course.policy.Prospects`."""
        return [self.prospect(board, column) for column in range(7)]

    def prospect(self, board: Board, column: int) -> float:
        """See `bot.course.policy.Prospects`."""
        known = self._proven.get((board, column))
        if known is not None:
            return known
        found = self._found(board.play(column)) if board.can_play(column) else 0.0
        if len(self._proven) > _KEPT:
            self._proven.clear()
        if self.left_s() != 0.0:
            self._proven[board, column] = found
        return found

    def left_s(self) -> float | None:
        """Return the seconds that are left for proofs, 0 if none are; None without a limit."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def _found(self, child: Board) -> float:
        """Return the probability of not losing after our move to ``child``, by the bot's outcome there."""
        if child.is_over:
            return 1.0 if child.has_winner else DRAW
        book = shipped_book()
        score = None if book is None else book.score(child)
        if score is None and self.left_s() != 0.0:
            score = self._solver.solve(child, weak=True, deadline_s=self.left_s(), keep=True).outcome
        if not score:
            return DRAW
        if score < 0:
            return 1.0
        return 0.0 if self._loses_soon(child) else FAR

    def _loses_soon(self, child: Board) -> bool:
        """Return whether the bot, to move in a won position, wins within NEAR_PLIES."""
        least = winning_score(child.ply + NEAR_PLIES - 1)
        if least <= 1:
            return True
        solved = self._solver.solve(child, window=(least - 1, least), deadline_s=self.left_s(), keep=True)
        return solved.lower >= least


class EngineHost:
    """Chooses within the move clock, see `bot.course.run.run.ColumnChooser`. Not thread-safe."""

    def __init__(self, agent: Agent, think_s: float, stop: StopFlag | None = None) -> None:
        """``stop`` ends a search of the agent."""
        self._agent = agent
        self._think_s = think_s
        self._stop = stop
        self._prospects = EngineProspects()
        self._planned: dict[tuple[int, float], MovePlan] = {}
        """The plan by what was known of the server when it was made: it serves until something new is learnt."""

    def __call__(self, session: Session, left_s: float) -> Decision | SharedColumn:
        """Return the choice: by the agent in a known position, otherwise by the session's policy.

        Where the agent has proven its move, the plan may prefer another one of equal outcome.
        """
        hard_s = max(SHORTEST_S, left_s)
        end_s = time.monotonic() + hard_s
        if session.meets_another_game:
            return Decision(SELDOM_FULL, pv=(SELDOM_FULL,), source="another computer")
        position = session.playing
        if position is None:
            prospects = self._prospects.within(min(HYPOTHESES_S, hard_s * 0.8))
            return choose(session.hypotheses, prospects, session.lost_move)
        limit = Limit(hard_s=hard_s, think_s=min(self._think_s, hard_s))
        decision = self._agent.choose(position.board, limit, self._stop)
        if not decision.proven:
            return decision
        prospects = self._prospects.within(min(PLAN_S, max(0.0, end_s - time.monotonic()) / 2))
        learnt = len(session.answers.known), session.deliveries.usual
        plan = self._planned.get(learnt) or MovePlan(session.answers, prospects, delivered=session.deliveries.usual)
        column = plan.refine(position.board, decision.column)
        self._planned = {} if prospects.left_s() == 0.0 else {learnt: plan}  # or it may remember estimates
        return planned(decision, column)


def planned(decision: Decision, column: int) -> Decision:
    """Return the ``decision`` for a ``column`` of equal outcome, which the plan has chosen."""
    if column == decision.column:
        return decision
    return replace(decision, column=column, source="plan", depth=None, nodes=None, pv=(column,))
