"""The agent `perfect`: opening book, then exact solver, then search where the deadline comes before the proof.

It plays the best exact score, so the fastest win and the slowest loss, and among moves of equal score the one that
invites the most mistakes.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.engine.analysis import Analyst, best_columns
from bot.engine.forced import forced_decision
from bot.engine.score import Bounds
from bot.engine.timed import TimedSearch
from bot.engine.traps import likely_replies, trap_strength
from bot.errors import UsageError
from bot.game import CENTRE_FIRST, Board

if TYPE_CHECKING:
    from bot.engine.book.lookup import Book

SOLVER_FROM = 8
"""First ply at which the solver is used: before it, solving may take longer than a move."""
SOLVER_SHARE_S = 1.5
"""Seconds of a choice for the solver; the search gets what is left."""
TRAP_SHARE_S = 0.5
"""Seconds of a choice for comparing moves of equal score."""


@cache
def shipped_book() -> Book | None:
    """Return the package's book, or None where it is missing or damaged."""
    from bot.engine.book.lookup import Book

    try:
        return Book.load()
    except UsageError:
        return None


class Perfect(Agent):
    """Never gives a game-theoretic value away where book or solver reach. Not safe for several threads at once."""

    name = "perfect"

    def __init__(self, *, unhurried: bool = False) -> None:
        """``unhurried`` proves every move from ply 8 on without a time limit, so that no choice depends on a clock."""
        self._unhurried = unhurried
        self._search = TimedSearch()
        self._columns: Sequence[Bounds | None] = ()
        """What the solver proved in the present choice without settling it."""

    @cached_property
    def _analyst(self) -> Analyst:
        return Analyst(shipped_book())

    def warm_up(self) -> None:
        """Load or compile every kernel, and load the book."""
        self._analyst.warm_up()
        self._search.warm_up()

    def is_ready(self, board: Board) -> bool:
        """Return whether a choice on ``board`` needs nothing of what `warm_up` loads or compiles."""
        book = shipped_book()
        if forced_decision(board) is not None:
            return True
        # The book also has the replies to each move, which the choice among equally good moves compares.
        return book is not None and board.ply + 2 <= book.plies

    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:
        """See `Agent.choose`; ``proven`` unless the deadline came before the solver's answer."""
        start = time.perf_counter()
        decision = forced_decision(board)
        if decision is None:
            decision = self._known(board, limit, stop, start)
        if decision is None:
            decision = self._searched(board, limit, stop, start)
        return replace(decision, seconds=time.perf_counter() - start)

    def _known(self, board: Board, limit: Limit, stop: StopFlag | None, start: float) -> Decision | None:
        """Return the choice by book or solver, or None where they do not settle the best score."""
        self._columns = ()
        book = shipped_book()
        in_book = book is not None and board.ply < book.plies
        may_solve = board.ply >= SOLVER_FROM and limit.depth is None and not limit.is_counted
        if not in_book and not may_solve:
            return None
        share_s = None if self._unhurried else min(SOLVER_SHARE_S, limit.hard_s / 2)
        columns = self._analyst.columns(board, best_only=True, deadline_s=share_s, stop=stop)
        self._columns = columns
        equal = sorted(best_columns(columns), key=CENTRE_FIRST.index)
        if not equal:
            return None
        known = [each for each in columns if each is not None]
        best = max(each.lower for each in known)
        nodes = sum(each.nodes for each in known)
        column = equal[0]
        if len(equal) > 1 and best <= 0:
            column = self._best_trap(board, equal, best, limit, stop, start)
        source = "book" if in_book else "solver"
        return Decision(column, float(best), proven=True, nodes=nodes, source=source)

    def _best_trap(
        self, board: Board, columns: list[int], best: int, limit: Limit, stop: StopFlag | None, start: float
    ) -> int:
        """Return, of columns with the same score, the one whose replies most often give something away.

        None of them ends the game: the score is not a win, and there is more than one empty cell.
        """
        end = start + min(SOLVER_SHARE_S + TRAP_SHARE_S, limit.hard_s * 0.7)
        strengths: dict[int, tuple[float, ...]] = {}
        for column in columns:
            child = board.play(column)
            left_s = None if self._unhurried else min(TRAP_SHARE_S, end - time.perf_counter())
            if left_s is not None and left_s <= 0:
                break
            replies = self._analyst.columns(child, deadline_s=left_s, stop=stop)
            scores = [None if reply is None else reply.score for reply in replies]
            strengths[column] = trap_strength(scores, -best, likely_replies(child))
        return max(strengths, key=lambda column: strengths[column], default=columns[0])

    def _searched(self, board: Board, limit: Limit, stop: StopFlag | None, start: float) -> Decision:
        """Return the search's choice, unless the solver proved it worse than another column."""
        left_s = max(0.01, limit.hard_s - (time.perf_counter() - start))
        decision = self._search.choose(board, replace(limit, hard_s=left_s, think_s=min(limit.think_s, left_s)), stop)
        known = {number: column for number, column in enumerate(self._columns) if column is not None}
        if not known:
            return decision
        best = max(column.lower for column in known.values())
        if known[decision.column].upper >= best:
            return decision
        column = next(number for number in CENTRE_FIRST if number in known and known[number].lower == best)
        return Decision(column, float(best), source="solver")
