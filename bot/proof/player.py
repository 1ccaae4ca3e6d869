"""The agent `proof`: plays by the proof file of this package, without any search."""

from __future__ import annotations

import time
from dataclasses import replace

from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.errors import GameOverError, UsageError
from bot.game import Board
from bot.proof.diagram import step
from bot.proof.format import CELLS
from bot.proof.plan import Guide, Plan, plan_for, shipped_guides


class NoPlanError(UsageError):
    """The proof does not cover the position."""


class ProofPlayer(Agent):
    """Plays by a proof; in positions that the proof does not cover, by ``fallback`` if there is one."""

    def __init__(self, fallback: Agent | None = None, *, name: str = "proof") -> None:
        self.name = name
        self._fallback = fallback
        self._followed: tuple[Board, Guide, bytes] | None = None

    def warm_up(self) -> None:
        """Read the proof file, compile the rules of play, and warm up the fallback."""
        shipped_guides()
        step(Board(), bytes(range(CELLS)))
        warm = getattr(self._fallback, "warm_up", None)
        if warm is not None:
            warm()

    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:
        """Return the move of the proof or of the fallback; raise NoPlanError if neither has one."""
        start = time.perf_counter()
        if board.is_over:
            raise GameOverError
        plan = self._plan(board)
        if plan is not None:
            seconds = time.perf_counter() - start
            return Decision(plan.column, nodes=0, pv=(plan.column,), seconds=seconds, source="proof")
        if self._fallback is None:
            raise NoPlanError(
                "The proof does not cover this position: it covers games that it has played from the start, as first "
                "player or as second after any opening but the centre.",
                "Choose the agent proof+perfect, which plays as perfect in all other positions.",
            )
        decision = self._fallback.choose(board, limit, stop)
        return replace(decision, seconds=time.perf_counter() - start)

    def _plan(self, board: Board) -> Plan | None:
        """Return the plan for ``board``; a diagram is kept while the game goes on from the position after our move."""
        if self._followed is not None:
            before, guide, order = self._followed
            if board in (before.play(column) for column in before.legal_columns()):
                kept = guide.follow(board, order)
                self._followed = (board.play(kept.column), guide, order)
                return kept
        found = plan_for(board)
        if found is None:
            return None
        guide, plan = found
        self._followed = None if plan.order is None else (board.play(plan.column), guide, plan.order)
        return plan
