"""The chooser of live play without a clock."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache

from bot.course.policy import MovePlan, SharedColumn, choose
from bot.course.run.engine_host import EngineProspects, planned
from bot.course.session import Session
from bot.engine.agent import Decision, Limit
from bot.engine.perfect import Perfect
from bot.game import Board

_NO_HURRY = Limit(hard_s=1e6, think_s=1e6)


@dataclass(slots=True)
class SimulationChooser:
    """Decides by the position and the session's memory alone. Its caches are exact, so they change no decision."""

    engine: Perfect = field(default_factory=lambda: Perfect(unhurried=True))
    prospects: EngineProspects = field(default_factory=EngineProspects)
    known: dict[Board, Decision] = field(default_factory=dict)

    def __call__(self, session: Session, left_s: float) -> Decision | SharedColumn:  # noqa: ARG002
        """See `bot.course.run.run.ColumnChooser`."""
        position = session.playing
        if position is None:
            return choose(session.hypotheses, self.prospects, session.lost_move)
        decision = self._decided(position.board)
        if not decision.proven:
            return decision
        delivered = session.deliveries.usual
        plan = MovePlan(session.answers, self.prospects, delivered=delivered)
        return planned(decision, plan.refine(position.board, decision.column))

    def _decided(self, board: Board) -> Decision:
        """Return the engine's own decision in a known position."""
        if board not in self.known:
            decision = self.engine.choose(board, _NO_HURRY)
            self.known[board] = replace(decision, nodes=None)
        return self.known[board]


@cache
def live_chooser() -> SimulationChooser:
    """Return this process's chooser, with its caches."""
    return SimulationChooser()
