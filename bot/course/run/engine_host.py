"""The engine's part of a run: it chooses in a known position, and tells the session's policy what saves the game."""

from __future__ import annotations

import time
from dataclasses import replace

from bot.course.hypotheses import Position
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
        self._proven: dict[Board, float] = {}
        """Probability by the position after our move."""
        self._known: dict[tuple[Board, int], float] = {}
        """The same by the position before it and the column: a plan asks many times, and no board is made to answer."""
        self._end: float | None = None
        self.is_cut = False
        """Whether an outcome could not be proven in time since the last call of `within`."""

    def within(self, seconds: float | None) -> EngineProspects:
        """Limit the time for proofs to ``seconds`` from now (None: no limit), and return self.

        An outcome that is not proven in time counts as a draw.
        """
        self._end = None if seconds is None else time.monotonic() + seconds
        self.is_cut = False
        return self

    def prospects(self, board: Board) -> list[float]:
        """See `bot.course.policy.Prospects`."""
        return [self.prospect(board, column) for column in range(7)]

    def prospect(self, board: Board, column: int) -> float:
        """See `bot.course.policy.Prospects`."""
        key = (board, column)
        known = self._known.get(key)
        if known is None:
            if len(self._known) > _KEPT:
                self._known.clear()
                self._proven.clear()
            known = self._after(board.play(column)) if board.can_play(column) else 0.0
            if not self.is_cut:
                self._known[key] = known
        return known

    def _after(self, child: Board) -> float:
        """Return the probability of not losing after our move to ``child``."""
        if child.is_over:
            return 1.0 if child.has_winner else DRAW
        known = self._proven.get(child)
        if known is None:
            score = self._score(child)
            known = self._probability(child, score)
            if score is None or (self._end is not None and time.monotonic() >= self._end):
                self.is_cut = True
            else:
                self._proven[child] = known
        return known

    def _probability(self, child: Board, score: int | None) -> float:
        """Return the probability of not losing after our move to ``child``, by the bot's outcome there."""
        if not score:
            return DRAW
        if score < 0:
            return 1.0
        return 0.0 if self._loses_soon(child) else FAR

    def _score(self, child: Board) -> int | None:
        book = shipped_book()
        known = book.score(child) if book is not None else None
        if known is not None:
            return known
        left_s = None if self._end is None else self._end - time.monotonic()
        if left_s is not None and left_s <= 0:
            return None
        solved = self._solver.solve(child, weak=True, deadline_s=left_s, keep=True)
        return solved.outcome

    def _loses_soon(self, child: Board) -> bool:
        """Return whether the bot, to move in a won position, wins within NEAR_PLIES."""
        least = winning_score(child.ply + NEAR_PLIES - 1)
        if least <= 1:
            return True
        left_s = None if self._end is None else max(0.001, self._end - time.monotonic())
        solved = self._solver.solve(child, window=(least - 1, least), deadline_s=left_s, keep=True)
        return solved.lower >= least


class EngineHost:
    """Chooses within the move clock, see `bot.course.run.run.ColumnChooser`. Not thread-safe."""

    def __init__(self, agent: Agent, think_s: float, stop: StopFlag | None = None) -> None:
        """``stop`` ends a search of the agent."""
        self._agent = agent
        self._think_s = think_s
        self._stop = stop
        self._prospects = EngineProspects()
        self._plan: MovePlan | None = None
        self._planned_with = (-1, 0.0)
        self._last: tuple[int, Board, Decision] | None = None
        """The last choice in a known position, with its game and its board."""

    def __call__(self, session: Session, left_s: float) -> Decision | SharedColumn:
        """Return the choice: by the agent in a known position, otherwise by the session's policy."""
        hard_s = max(SHORTEST_S, left_s)
        end_s = time.monotonic() + hard_s
        if session.meets_another_game:
            return Decision(SELDOM_FULL, pv=(SELDOM_FULL,), source="another computer")
        position, game = session.playing, session.game
        if position is None:
            prospects = self._prospects.within(min(HYPOTHESES_S, hard_s * 0.8))
            return choose(session.hypotheses, prospects, session.lost_move)
        if self._last is not None and self._last[:2] == (game, position.board):
            return replace(self._last[2], note="")  # the request failed: no choice of its own
        limit = Limit(hard_s=hard_s, think_s=min(self._think_s, hard_s))
        decision = self._agent.choose(position.board, limit, self._stop)
        if decision.proven:
            left_s = max(0.0, end_s - time.monotonic())
            column = self._refined(session, position, decision.column, min(PLAN_S, left_s / 2))
            decision = planned(decision, column)
        self._last = game, position.board, decision
        return decision

    def _refined(self, session: Session, position: Position, preferred: int, seconds: float) -> int:
        """Return the best column by the plan, which serves until the bot answers in a way that was never seen."""
        prospects = self._prospects.within(seconds)
        learnt = len(session.answers.known), session.deliveries.usual
        if self._plan is None or self._planned_with != learnt:
            self._plan = MovePlan(session.answers, prospects, delivered=session.deliveries.usual)
            self._planned_with = learnt
        column = self._plan.refine(position.board, preferred)
        if prospects.is_cut:
            self._plan = None  # what it remembers are estimates
        return column


def planned(decision: Decision, column: int) -> Decision:
    """Return the ``decision`` for a ``column`` of equal outcome, which the plan has chosen."""
    if column == decision.column:
        return decision
    return replace(decision, column=column, source="plan", depth=None, nodes=None, pv=(column,))
