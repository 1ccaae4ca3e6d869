"""The probability of not losing with each column, from exact outcomes: what the session's policy asks for."""

from __future__ import annotations

import time

from bot.engine.perfect import shipped_book
from bot.engine.solver import Solver
from bot.game import Board

DRAW = 0.97
"""Probability of not losing with a drawn column: a mistake of ours is impossible, one more lost reply is not."""
NEAR_PLIES = 8
"""A loss within this many plies is taken for certain: the bots of courses look that far at most."""
FAR = 0.4
"""Probability of not losing a position whose loss is farther away: measured against foreign depth-3 bots."""
_KEPT = 200_000
Row = tuple[float, ...]


class EngineProspects:
    """Proves outcomes with book and solver and remembers them. One thread at a time."""

    def __init__(self) -> None:
        self._solver = Solver()
        self._rows: dict[Board, Row] = {}
        self.end: float | None = None
        """When to stop proving, on `time.monotonic`; None: never. Then columns not looked at count as drawn."""

    def within(self, seconds: float | None) -> EngineProspects:
        """Return self, proving for at most ``seconds`` from now."""
        self.end = None if seconds is None else time.monotonic() + seconds
        return self

    def prospects(self, board: Board) -> Row:
        """See `bot.session.policy.Prospects`."""
        known = self._rows.get(board)
        if known is not None:
            return known
        if len(self._rows) > _KEPT:
            self._rows.clear()
        row = tuple(self._prospect(board, column) if board.can_play(column) else 0.0 for column in range(7))
        if self.end is None or time.monotonic() < self.end:
            self._rows[board] = row
            self._rows[board.mirror()] = row[::-1]
        return row

    def _prospect(self, board: Board, column: int) -> float:
        child = board.play(column)
        if child.is_over:
            return 1.0 if child.has_winner else DRAW
        score = self._score(child)
        if score is None or score == 0:
            return DRAW
        if score < 0:
            return 1.0
        return 0.0 if self._loses_soon(child) else FAR

    def _score(self, child: Board) -> int | None:
        book = shipped_book()
        known = book.score(child) if book is not None else None
        if known is not None:
            return known
        left_s = None if self.end is None else self.end - time.monotonic()
        if left_s is not None and left_s <= 0:
            return None
        solved = self._solver.solve(child.current, child.mask, weak=True, deadline_s=left_s)
        return solved.outcome

    def _loses_soon(self, child: Board) -> bool:
        """Return whether the bot, to move in a won position, wins within NEAR_PLIES."""
        least = 22 - (child.ply + NEAR_PLIES + 1) // 2  # the score of a win by the disc at that ply
        if least <= 1:
            return True
        left_s = None if self.end is None else max(0.001, self.end - time.monotonic())
        solved = self._solver.solve(child.current, child.mask, window=(least - 1, least), deadline_s=left_s)
        return solved.lower >= least
