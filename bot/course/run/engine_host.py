"""The engine host: chooses a column by the engine if the position is known, otherwise by the session's policy."""

from __future__ import annotations

import time
from dataclasses import replace

from bot.course.journal.journal import as_line
from bot.course.run.prospects import EngineProspects
from bot.course.session.events import Chosen
from bot.course.session.policy import MovePlan, Prospects, choose
from bot.course.session.position import Position
from bot.course.session.session import Session
from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.game import Board

SHORTEST_S = 0.05
"""Minimum time for a choice, seconds, used when the clock has run out: a late move is better than none."""
PLAN_S = 0.25
"""Time limit for a plan, seconds: it only orders moves of equal outcome."""
HYPOTHESES_S = 2.0
"""Time limit for a choice over several hypotheses, seconds."""


SELDOM_FULL = 0
"""Column that is least likely to be full in a game that was begun on another computer: an edge."""


class EngineHost:
    """Chooses within the move clock. Not thread-safe."""

    def __init__(self, agent: Agent, think_s: float, stop: StopFlag | None = None) -> None:
        """``stop`` ends a search of the agent."""
        self._agent = agent
        self._think_s = think_s
        self._stop = stop
        self._prospects = EngineProspects()
        self._plan: MovePlan | None = None
        self._planned_with = (-1, 0.0)
        self._last: tuple[int, Board, Chosen] | None = None
        """The last choice in a known position, with its game and its board."""

    def __call__(self, session: Session, left_s: float) -> Chosen:
        """See `bot.course.run.driver.ColumnChooser`."""
        hard_s = max(SHORTEST_S, left_s)
        start = time.perf_counter()
        if session.meets_another_game:
            return Chosen(0.0, SELDOM_FULL, pv=(SELDOM_FULL,), source="another computer")
        position = session.belief.playing
        if position is None:
            chosen = over_hypotheses(session, self._prospects.within(min(HYPOTHESES_S, hard_s * 0.8)))
            return replace(chosen, seconds=round(time.perf_counter() - start, 6))
        game = session.ledger.game
        if self._last is not None and self._last[:2] == (game, position.board):
            return replace(self._last[2], seconds=0.0, note="")  # the request failed: no choice of its own
        limit = Limit(hard_s=hard_s, think_s=min(self._think_s, hard_s))
        decision = self._agent.choose(position.board, limit, self._stop)
        column = decision.column
        if decision.proven:
            left_s = hard_s - (time.perf_counter() - start)
            column = self._refined(session, position, column, min(PLAN_S, max(0.0, left_s / 2)))
        chosen = chosen_by(decision, column, time.perf_counter() - start)
        self._last = game, position.board, chosen
        return chosen

    def _refined(self, session: Session, position: Position, preferred: int, seconds: float) -> int:
        """Return the best column by the plan, which serves until the bot answers in a way that was never seen."""
        prospects = self._prospects.within(seconds)
        learnt = session.belief.answers.positions, session.belief.deliveries.usual
        if self._plan is None or self._planned_with != learnt:
            self._plan = MovePlan(session.belief.answers, prospects, delivered=session.belief.deliveries.usual)
            self._planned_with = learnt
        column = self._plan.refine(position.board, preferred)
        if prospects.is_cut:
            self._plan = None  # what it remembers are estimates
        return column


def over_hypotheses(session: Session, prospects: Prospects) -> Chosen:
    """Return the column that is most likely not to lose over all hypotheses; its time is left to the caller."""
    choice = choose(session.belief.hypotheses, prospects, session.belief.lost_move)
    return Chosen(
        0.0,
        choice.column,
        pv=(choice.column,),
        source="hypotheses",
        hypotheses=len(session.belief.hypotheses),
        safe=choice.safe,
        saved=round(min(1.0, choice.saved), 4),
    )


def chosen_by(decision: Decision, column: int, seconds: float) -> Chosen:
    """Return an agent's ``decision`` as an event; ``column`` may be another one of equal outcome, by the plan."""
    is_own = column == decision.column
    source = decision.source if is_own else "plan"
    seconds = round(seconds, 6)
    chosen = Chosen(0.0, column, pv=(column,), seconds=seconds, source=source, note=decision.note)
    scored = replace(chosen, score=decision.score, proven=decision.proven)
    if is_own:
        scored = replace(scored, depth=decision.depth, nodes=decision.nodes, pv=decision.pv)
    try:
        as_line(scored, "")
    except ValueError:  # an agent of one's own may say anything of its search; its column counts
        return chosen
    return scored
