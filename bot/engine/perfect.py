"""The engine `perfect`: book, then exact solver, then (if the deadline comes first) the search among what is left.

It takes the best exact score, so the fastest win and the slowest loss, and among moves of equal score the best trap.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from bot.agent import Decision, Limit, Stop
from bot.engine.forced import CENTRE_FIRST, forced_decision
from bot.engine.timed import TimedSearch
from bot.engine.traps import trap_worth
from bot.errors import UsageError
from bot.game import Board

if TYPE_CHECKING:
    from bot.engine.book.lookup import Book
    from bot.engine.solver import Solver

SOLVER_FROM = 8
"""Earlier positions may take the solver longer than a move should; there the book knows, or else the search."""
SOLVER_SHARE_S = 1.5
"""The solver's share of a choice; after it the search has its turn."""
TRAP_SHARE_S = 0.5


@cache
def shipped_book() -> Book | None:
    """The package's book, or None where it ships none."""
    from bot.engine.book.lookup import Book

    try:
        return Book.load()
    except (FileNotFoundError, UsageError):
        return None


@dataclass(frozen=True, slots=True)
class ColumnBounds:
    """What is proven of one column's score; equal bounds are the score."""

    lower: int
    upper: int


class Perfect:
    """Never gives a game-theoretic value away where book or solver reach. One thread at a time."""

    name = "perfect"

    def __init__(self, table_mb: int = 4, *, unhurried: bool = False) -> None:
        """``unhurried`` proves every move from ply 8 on, however long it takes: choices that no clock decides."""
        from bot.engine.solver import Solver

        self._unhurried = unhurried
        self._solver: Solver = Solver(table_mb)
        self._search = TimedSearch("mtdf")
        self._remembered: dict[tuple[Board, Limit], Decision] = {}
        self._bounds: dict[int, ColumnBounds] = {}

    def warm_up(self) -> None:
        """Load or compile every kernel, and the book."""
        from bot.engine.minimax import Minimax

        self._solver.warm_up()
        self._search.warm_up()
        Minimax(3).warm_up()
        shipped_book()

    def choose(self, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:
        """See `Agent.choose`; ``proven`` unless the deadline came before the solver's answer."""
        start = time.perf_counter()
        decision = forced_decision(board)
        if decision is None:
            decision = self._known(board, limit, stop, start)
        if decision is None:
            decision = self._searched(board, limit, stop, start)
        return replace(decision, seconds=time.perf_counter() - start)

    def _known(self, board: Board, limit: Limit, stop: Stop | None, start: float) -> Decision | None:
        """The choice by book or solver, where they know every column's score."""
        self._bounds = {}
        book = shipped_book()
        scores = book.column_scores(board) if book is not None else None
        source, nodes = "book", 0
        if scores is None:
            if board.ply < SOLVER_FROM or limit.depth is not None:
                return None
            share_s = None if self._unhurried else min(SOLVER_SHARE_S, limit.hard_s / 2)
            score = book.score(board) if book is not None else None
            columns = self._solver.solve_columns(
                board.current, board.mask, score=score, best_only=True, deadline_s=share_s, stop=stop
            )
            told = {column: known for column, known in enumerate(columns) if known is not None}
            self._bounds = {column: ColumnBounds(known.lower, known.upper) for column, known in told.items()}
            source, nodes = "solver", sum(known.nodes for known in told.values())
            best = max(known.lower for known in told.values())
            if any(known.upper > best for known in told.values()):
                return None
            scores = [None if known is None else known.lower for known in columns]
        best = max(score for score in scores if score is not None)
        equal = [column for column in CENTRE_FIRST if scores[column] == best]
        column = self._best_trap(board, equal, best, limit, start) if len(equal) > 1 and best <= 0 else equal[0]
        return Decision(column, float(best), proven=True, nodes=nodes, pv=(column,), source=source)

    def _best_trap(self, board: Board, columns: list[int], best: int, limit: Limit, start: float) -> int:
        """Of columns with the same score, the one whose replies most often give something away."""
        end = start + min(SOLVER_SHARE_S + TRAP_SHARE_S, limit.hard_s * 0.7)
        book = shipped_book()
        worth: dict[int, tuple[float, ...]] = {}
        for column in columns:
            child = board.play(column)
            if child.is_over:
                worth[column] = (0.0,)
                continue
            left_s = None if self._unhurried else min(TRAP_SHARE_S, end - time.perf_counter())
            scores = book.column_scores(child) if book is not None else None
            if scores is None:
                if left_s is not None and left_s <= 0:
                    break
                told = self._solver.solve_columns(child.current, child.mask, deadline_s=left_s)
                scores = [None if known is None else known.score for known in told]
            worth[column] = trap_worth(child, scores, -best)
        return max(worth, key=lambda column: worth[column]) if worth else columns[0]

    def _searched(self, board: Board, limit: Limit, stop: Stop | None, start: float) -> Decision:
        """The search's choice, unless it is proven worse than another column."""
        left_s = max(0.01, limit.hard_s - (time.perf_counter() - start))
        think_s = min(limit.think_s, left_s)
        seen = (board, Limit(0.0, think_s, limit.depth))
        if seen in self._remembered:  # the first moves of a series repeat themselves; so would the search
            return self._remembered[seen]
        decision = self._search.choose(board, Limit(left_s, think_s, limit.depth), stop)
        if think_s == limit.think_s and not (stop is not None and stop.is_set):
            self._remembered[seen] = decision
        if not self._bounds:
            return decision
        best = max(known.lower for known in self._bounds.values())
        if self._bounds[decision.column].upper >= best:
            return decision
        column = next(
            column for column in CENTRE_FIRST if column in self._bounds and self._bounds[column].lower == best
        )
        return Decision(column, float(best), pv=(column,), source="solver")
