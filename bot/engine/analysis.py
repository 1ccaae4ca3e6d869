"""What a position is worth: its score, every column's, which are best, and a best line, by book and solver."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.agent import Stop
from bot.engine.solver import Solved, Solver
from bot.game import Board

if TYPE_CHECKING:
    from bot.engine.book.lookup import Book

MIDDLE_FIRST = (3, 2, 4, 1, 5, 0, 6)


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is known of one unfinished position, for the side to move, on the field's scale."""

    board: Board
    worth: Solved
    """The position's own score, or its bounds."""
    columns: tuple[Solved | None, ...]
    """The same of each column, None where it is full; empty where columns were not asked for."""
    line: tuple[int, ...]
    """A best line for both sides, as far as it is known; empty where it was not asked for."""
    nodes: int
    seconds: float
    """What score and columns took together; the line comes after them and counts in neither ``nodes`` nor this."""

    @property
    def best(self) -> tuple[int, ...]:
        """The columns, left to right, that are proven best; by outcome alone where only outcomes are known."""
        known = [told for told in self.columns if told is not None]
        if not known:
            return ()
        lower = max(told.lower for told in known)
        equal = tuple(column for column, told in enumerate(self.columns) if told is not None and told.lower == lower)
        if all(told.upper <= lower for told in known):
            return equal
        if self.worth.outcome is None or any(told.outcome is None for told in known):
            return ()
        return tuple(
            column
            for column, told in enumerate(self.columns)
            if told is not None and told.outcome == self.worth.outcome
        )


class Analyst:
    """Analyses positions one after another, each with an empty table. The constructor only allocates."""

    def __init__(self, book: Book | None = None, table_mb: int = 4, threads: int = 1) -> None:
        self._book = book
        self._solver = Solver(table_mb, threads)
        self._own: Solved | None = None

    def warm_up(self) -> None:
        """Load or compile the kernels."""
        self._solver.warm_up()

    @property
    def proven(self) -> tuple[int, int]:
        """Bounds of the score of the position that is being analysed; safe to read from another thread."""
        return self._solver.proven if self._own is None else (self._own.lower, self._own.upper)

    def worth(
        self, board: Board, *, weak: bool = False, deadline_s: float | None = None, stop: Stop | None = None
    ) -> Analysis:
        """Return the score alone, or the outcome alone. Raises ValueError on a finished position."""
        start = time.perf_counter()
        if board.is_over:
            raise ValueError("the game is over")
        self._own = None
        told = self._known(board) or self._solver.solve(
            board.current, board.mask, weak=weak, deadline_s=deadline_s, stop=stop
        )
        self._own = told
        return Analysis(board, told, (), (), told.nodes, time.perf_counter() - start)

    def analyse(
        self, board: Board, *, weak: bool = False, deadline_s: float | None = None, stop: Stop | None = None
    ) -> Analysis:
        """Return score, columns and best line. Columns and line share what the score leaves of ``deadline_s``.

        A ``stop`` that is set ends the search; the result then holds the bounds proven so far. ``weak`` asks for
        outcomes only. Raises ValueError on a finished position.
        """
        start = time.perf_counter()
        own = self.worth(board, weak=weak, deadline_s=deadline_s, stop=stop)
        end = None if deadline_s is None else start + deadline_s
        columns = tuple(self._columns(board, own.worth, weak, end, stop))
        known = [told for told in columns if told is not None]
        worth = Solved(
            max(own.worth.lower, *(told.lower for told in known)),
            min(own.worth.upper, max(told.upper for told in known)),
            own.nodes,
            own.seconds,
        )
        nodes, seconds = own.nodes + sum(told.nodes for told in known), time.perf_counter() - start
        line = self._line(board, worth.lower, end, stop) if worth.exact and not weak else ()
        return Analysis(board, worth, columns, line, nodes, seconds)

    def _known(self, board: Board) -> Solved | None:
        score = None if self._book is None else self._book.score(board)
        return None if score is None else Solved(score, score, 0, 0.0)

    def _columns(
        self, board: Board, own: Solved, weak: bool, end: float | None, stop: Stop | None
    ) -> list[Solved | None]:
        scores = None if self._book is None else self._book.column_scores(board)
        if scores is not None:
            return [None if score is None else Solved(score, score, 0, 0.0) for score in scores]
        left_s = None if end is None else max(0.0, end - time.perf_counter())
        return self._solver.solve_columns(
            board.current, board.mask, score=own.score, weak=weak, keep=own.nodes > 0, deadline_s=left_s, stop=stop
        )

    def _line(self, board: Board, score: int, end: float | None, stop: Stop | None) -> tuple[int, ...]:
        """By the book as far as it reaches, then by the solver."""
        line: list[int] = []
        while self._book is not None and not board.is_over:
            scores = self._book.column_scores(board)
            if scores is None:
                break
            line.append(next(column for column in MIDDLE_FIRST if scores[column] == score))
            board, score = board.play(line[-1]), -score
        if board.is_over:
            return tuple(line)
        left_s = 1e9 if end is None else max(0.0, end - time.perf_counter())
        rest = self._solver.principal_variation(board.current, board.mask, score, deadline_s=left_s, stop=stop)
        return (*line, *rest)
