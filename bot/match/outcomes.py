"""What positions are worth, outcome first: win, draw or loss is proven many times faster than the score."""

from __future__ import annotations

import time

from bot.client.worlds import Scores, prospect
from bot.engine.perfect import shipped_book
from bot.engine.solver import Solved, Solver
from bot.game import Board

_REMEMBERED = 300_000
_SCORE_S = 0.01
"""As long may the score of one column take, once its outcome is known; it only orders equal outcomes."""
_LOSS_S = 0.003
"""As long may it take to learn how far away a loss is: near ones are found at once."""
_EARLIEST = 8
"""Before this ply, where no book knows, no proof comes in time."""


class OutOfTimeError(Exception):
    """The time allowed was over before the outcome was known."""


class Outcomes:
    """Proves outcomes within deadlines (of `time.monotonic`), and remembers them. One thread at a time."""

    def __init__(self) -> None:
        self._solver: Solver | None = None
        self._known: dict[Board, int] = {}
        self._prospects: dict[tuple[Board, int], float] = {}

    def of(self, board: Board, end: float) -> int:
        """1 win, 0 draw, -1 loss for the side to move; raises OutOfTimeError."""
        known = self._known.get(board)
        if known is None:
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            known = (-1 if board.has_winner else 0) if board.is_over else self._prove(board, end)
            self._known[board] = known
        return known

    def prospect(self, board: Board, column: int, end: float) -> float:
        """The chance not to lose with a legal ``column``; see `bot.client.worlds.prospect`. Raises OutOfTimeError."""
        known = self._prospects.get((board, column))
        if known is None:
            if len(self._prospects) > _REMEMBERED:
                self._prospects.clear()
            known = self._prospects[board, column] = self._foresee(board, column, end)
        return known

    def _foresee(self, board: Board, column: int, end: float) -> float:
        child = board.play(column)
        outcome = -self.of(child, end)
        if outcome >= 0 or child.is_over:
            return prospect(float(outcome), board.ply)
        score = _by_book(child)
        if score is None:
            score = self._solve(child, min(_LOSS_S, _left_s(end))).lower
        return prospect(-float(max(1, score)), board.ply)

    def within(self, seconds: float) -> Scores:
        """Column scores of boards that are asked for one after another, the likeliest first, ``seconds`` for all.

        Each board may take half of what is left, so that none of the likely ones goes without. Where no proof comes
        in time a column scores 0, which proves nothing.
        """
        end = time.monotonic() + seconds

        def scores(board: Board) -> list[float | None]:
            book = shipped_book()
            known = book.column_scores(board) if book is not None else None
            if known is not None:
                return list(known)
            now = time.monotonic()
            board_end = now + (end - now) / 2
            columns: list[float | None] = [None] * 7
            for column in board.legal_columns():
                columns[column] = self._score(board, column, board_end)
            return columns

        return scores

    def _score(self, board: Board, column: int, end: float) -> float:
        """The column's score, at least on the right side of 0; 0.0 where time runs out."""
        child = board.play(column)
        if child.is_over:
            return 22 - (child.ply + 1) // 2 if child.has_winner else 0.0
        try:
            outcome = -self.of(child, end)
        except OutOfTimeError:
            return 0.0
        left_s = min(_SCORE_S, end - time.monotonic())
        if outcome == 0 or left_s <= 0:
            return float(outcome)
        told = self._solve(child, left_s)
        # Of what is only bounded, the worst win and the best loss: close to the draw, as the unknown should be.
        return float(max(1, -told.upper) if outcome > 0 else min(-1, -told.lower))

    def _prove(self, board: Board, end: float) -> int:
        score = _by_book(board)
        if score is None:
            if board.ply < _EARLIEST:
                raise OutOfTimeError
            score = self._solve(board, _left_s(end), weak=True).outcome
            if score is None:
                raise OutOfTimeError
        return (score > 0) - (score < 0)

    def _solve(self, board: Board, seconds: float, weak: bool = False) -> Solved:
        self._solver = self._solver or Solver()
        return self._solver.solve(board.current, board.mask, deadline_s=seconds, weak=weak)


def _by_book(board: Board) -> int | None:
    book = shipped_book()
    return None if book is None else book.score(board)


def _left_s(end: float) -> float:
    """The seconds until ``end``; raises OutOfTimeError where there are none."""
    left_s = end - time.monotonic()
    if left_s <= 0:
        raise OutOfTimeError
    return left_s
