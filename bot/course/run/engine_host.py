"""The engine host: chooses a column by the engine if the position is known, otherwise by the session's policy."""

from __future__ import annotations

import time
from typing import Any

from bot.course.run.prospects import EngineProspects
from bot.course.session.policy import Plan, choose
from bot.course.session.state import Session
from bot.engine.agent import Agent, Decision, Limit

SHORTEST_S = 0.05
"""Minimum time for a choice, seconds, used when the clock has run out: a late move is better than none."""
PLAN_S = 0.25
"""Time limit for a plan, seconds: it only orders moves of equal outcome."""
HYPOTHESES_S = 2.0
"""Time limit for a choice over several hypotheses, seconds."""


class EngineHost:
    """Chooses within the move clock. Not thread-safe."""

    def __init__(self, agent: Agent, think_s: float) -> None:
        self._agent = agent
        self._think_s = think_s
        self._prospects = EngineProspects()

    def __call__(self, session: Session, left_s: float) -> tuple[Decision, dict[str, Any]]:
        """See `bot.course.run.driver.Chooser`."""
        hard_s = max(SHORTEST_S, left_s)
        start = time.perf_counter()
        position = session.position
        if position is None:
            prospects = self._prospects.within(min(HYPOTHESES_S, hard_s * 0.8))
            choice = choose(session.belief, prospects)
            seconds = time.perf_counter() - start
            decision = Decision(choice.column, None, pv=(choice.column,), seconds=seconds, source="hypotheses")
            return decision, {"hypotheses": len(session.belief), "safe": choice.safe, "saved": round(choice.saved, 4)}
        decision = self._agent.choose(position.board, Limit(hard_s=hard_s, think_s=min(self._think_s, hard_s)))
        if not decision.proven:
            return decision, {}
        left_s = hard_s - (time.perf_counter() - start)
        plan = Plan(session.answers, self._prospects.within(max(0.0, min(PLAN_S, left_s / 2))))
        column = plan.refine(position.board, decision.column)
        if column == decision.column:
            return decision, {}
        seconds = time.perf_counter() - start
        planned = Decision(column, decision.score, pv=(column,), seconds=seconds, source="plan", note=decision.note)
        return planned, {}
