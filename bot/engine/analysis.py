"""The analysis of one position by book and solver: its score, every column's score, the best columns, a best line.

The command line, the page and the journal's move review all use `Analyst`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bot.engine.agent import StopFlag
from bot.engine.deadline import seconds_until
from bot.engine.score import HIGHEST, LOWEST, Bounds, Solved, explain, finished_score, interval, sentence, sign
from bot.game import CENTRE_FIRST, Board
from bot.game.notation import column_name, column_names

if TYPE_CHECKING:
    from bot.engine.book.lookup import Book
    from bot.engine.solver import Solver


def best_columns(columns: Sequence[Bounds | None]) -> tuple[int, ...]:
    """Return the columns, left to right, whose score is proven to be the best; empty where that is not proven."""
    known = [bounds for bounds in columns if bounds is not None]
    best = max((bounds.lower for bounds in known), default=0)
    if any(bounds.upper > best for bounds in known):
        return ()
    return tuple(number for number, bounds in enumerate(columns) if bounds is not None and bounds.lower == best)


@dataclass(slots=True, unsafe_hash=True, kw_only=True)
class PositionAnalysis(Solved):
    """What is proven of one unfinished position, for the side to move, and the work for it and its columns."""

    board: Board
    columns: tuple[Solved | None, ...] = ()
    """The bounds of each column, None where it is full; empty if columns were not requested."""

    @property
    def best(self) -> tuple[int, ...]:
        """The columns, left to right, that are proven best; see `best_by`."""
        best = best_columns(self.columns)
        if best:
            return best
        outcomes = [None if each is None else Bounds(sign(each.lower), sign(each.upper)) for each in self.columns]
        return best_columns(outcomes)

    @property
    def best_by(self) -> str | None:
        """What is proven of the best columns: "score"; "outcome", where one may win sooner or lose later; else None."""
        if best_columns(self.columns):
            return "score"
        return "outcome" if self.best else None

    def __str__(self) -> str:
        """Return the board, its score and the columns' scores in words, and the best columns."""
        ply = self.board.ply
        lines = [str(self.board), "", sentence(self, ply, "XO"[ply % 2])]
        if self.columns:
            lines.append("")
        for column, known in enumerate(self.columns):
            mark = "*" if column in self.best else " "
            said = "full" if known is None else f"{interval(known):>7}  {explain(known, ply)}"
            lines.append(f"{mark} {column_name(column)} {said}")
        if self.best:
            by_outcome = " (by outcome; which of them has the best score is not proven)"
            lines += ["", f"best: {column_names(self.best)}{by_outcome if self.best_by == 'outcome' else ''}"]
        return "\n".join(lines)


class Analyst:
    """Analyses positions one after another. Not safe for several threads at once.

    The solver is loaded or compiled by `warm_up`, else by the first question that the book does not answer.
    """

    def __init__(self, book: Book | None = None) -> None:
        self._book = book
        self._own: Bounds | None = None
        self.is_warm = False
        """Whether `warm_up` has been called."""

    @cached_property
    def solver(self) -> Solver:
        """The exact solver, loaded or compiled when it is first needed."""
        from bot.engine.solver import Solver

        return Solver()

    def warm_up(self) -> None:
        """Load or compile the kernels."""
        self.solver.warm_up()
        self.is_warm = True

    def is_ready(self, board: Board, *, columns: bool = True) -> bool:
        """Return whether `analyse`, with ``columns`` or without, needs nothing of what `warm_up` loads or compiles.

        That is so once it has been called, and where the book has the answer.
        """
        if self.is_warm:
            return True
        last_ply = board.ply + 1 if columns else board.ply
        return self._book is not None and last_ply <= self._book.plies

    @property
    def proven(self) -> Bounds:
        """Bounds of the score of the position under analysis so far; safe to read from another thread."""
        if self._own is not None:
            return self._own
        solver: Solver | None = vars(self).get("solver")
        return Bounds(LOWEST, HIGHEST) if solver is None else solver.proven

    def bounds(self, board: Board, **options: Any) -> Solved:
        """Return what is proven of a finished or unfinished board by rules, book or solver; options: `Solver.solve`."""
        if board.is_over:
            score: int | None = finished_score(board)
        else:
            score = None if self._book is None else self._book.score(board)
        if score is None:
            return self.solver.solve(board, **options)
        return Solved(score, score)

    def columns(self, board: Board, **options: Any) -> list[Solved | None]:
        """Return the bounds of every column, None where it is full; options: `Solver.solve_columns`."""
        scores = None if self._book is None else self._book.column_scores(board)
        if scores is not None:
            return [None if known is None else Solved(known, known) for known in scores]
        if self._book is not None:
            options.setdefault("score", self._book.score(board))
        return self.solver.solve_columns(board, **options)

    def best_move(
        self, board: Board, score: int, *, deadline_s: float | None = None, stop: StopFlag | None = None
    ) -> int | None:
        """Return a best column of an unfinished position of this exact ``score``; None where time runs out."""
        end = None if deadline_s is None else time.perf_counter() + deadline_s
        for column in CENTRE_FIRST:
            if board.can_play(column):
                options: dict[str, Any] = {"window": (-score, 1 - score), "guess": -score, "keep": True}
                child = board.play(column)
                if self.bounds(child, deadline_s=seconds_until(end), stop=stop, **options).upper <= -score:
                    return column
        return None

    def line(
        self, board: Board, score: int, *, deadline_s: float | None = None, stop: StopFlag | None = None
    ) -> tuple[int, ...]:
        """Return a best line from a position of this exact ``score``, as far as ``deadline_s`` allows."""
        end = None if deadline_s is None else time.perf_counter() + deadline_s
        line: list[int] = []
        while not board.is_over:
            column = self.best_move(board, score, deadline_s=seconds_until(end), stop=stop)
            if column is None:
                break
            line.append(column)
            board, score = board.play(column), -score
        return tuple(line)

    def analyse(
        self,
        board: Board,
        *,
        columns: bool = True,
        deadline_s: float | None = None,
        stop: StopFlag | None = None,
    ) -> PositionAnalysis:
        """Analyse the score, and the scores of the ``columns``.

        The columns share what the score leaves of ``deadline_s``. When ``stop`` is set, the bounds proven by then are
        returned. Raises ValueError on a finished position.
        """
        start = time.perf_counter()
        end = None if deadline_s is None else start + deadline_s
        if board.is_over:
            raise ValueError("the game is over")
        self._own = None
        own = self._own = self.bounds(board, deadline_s=deadline_s, stop=stop)
        found: list[Solved | None] = []
        if columns:
            left_s = seconds_until(end)
            found = self.columns(board, score=own.score, keep=own.nodes > 0, deadline_s=left_s, stop=stop)
        known = [column for column in found if column is not None]
        return PositionAnalysis(
            max([own.lower, *(column.lower for column in known)]),
            min(own.upper, max((column.upper for column in known), default=own.upper)),
            own.nodes + sum(column.nodes for column in known),
            time.perf_counter() - start,
            board=board,
            columns=tuple(found),
        )
