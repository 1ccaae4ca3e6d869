"""The exact solver's typed face: scores, bounds under a deadline, every column, the principal variation."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.engine.agent import Limit, Stop
from bot.engine.deadline import deadline
from bot.engine.kernels import solve as kernels
from bot.game import Board

_QUICK_NODES = 20_000
"""About 2 ms: searched before a timer thread is started at all."""
_NO_LIMIT = 1 << 62
_SHARES = ((34, 8), (28, 12), (24, 14), (20, 16), (16, 18))
"""From this ply on, so many bits of table: a small one is emptied in no time and stays in the nearest cache."""


@dataclass(frozen=True, slots=True)
class Solved:
    """What is proven of a position: ``lower`` <= score <= ``upper``, on the field's scale, for the side to move."""

    lower: int
    upper: int
    nodes: int
    seconds: float

    @property
    def exact(self) -> bool:
        """Whether the score is known."""
        return self.lower == self.upper

    @property
    def score(self) -> int | None:
        """The exact score, or None where only bounds are known."""
        return self.lower if self.exact else None

    @property
    def outcome(self) -> int | None:
        """1 win, 0 draw, -1 loss; None where the bounds leave it open."""
        if self.lower > 0:
            return 1
        if self.upper < 0:
            return -1
        return 0 if self.lower == self.upper == 0 else None


class Solver:
    """Solves positions one after another; not safe for several threads at once. The constructor only allocates.

    ``table_mb`` is rounded down to a power of two. 4 MB fit the cache and are 1.5 times as fast as 32 MB.
    """

    def __init__(self, table_mb: int = 4) -> None:
        self._bits = max(8, (table_mb * (1 << 20) // 8).bit_length() - 1)
        self._table: NDArray[np.int64] = np.zeros(1 << self._bits, dtype=np.int64)
        self._history: NDArray[np.int64] = np.zeros(43 * 49, dtype=np.int64)
        self._scratch: NDArray[np.int64] = np.zeros(43 * kernels.SCRATCH, dtype=np.int64)
        self._counters: NDArray[np.int64] = np.zeros(2, dtype=np.int64)
        self._bounds: NDArray[np.int64] = np.zeros(2, dtype=np.int64)
        self._never = Stop()

    def warm_up(self) -> None:
        """Load or compile the kernels."""
        self.solve_columns(*_bits_of(Board.from_moves([3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 4, 4, 4, 4, 1, 1, 1, 5])))

    def solve(
        self,
        current: int,
        mask: int,
        *,
        deadline_s: float | None = None,
        stop: Stop | None = None,
        weak: bool = False,
        guess: int = 0,
        keep: bool = False,
    ) -> Solved:
        """The score of a position (two 49-bit boards, see `bot.game.board`), or the bounds proven in ``deadline_s``.

        ``weak`` asks for the outcome only: bounds that settle the sign. ``guess`` is where the search begins; ``keep``
        keeps the table of the last call, which helps on neighbouring positions. Raises ValueError on a finished one.
        """
        start = time.perf_counter()
        board = Board(current, mask)
        if board.is_over:
            raise ValueError("the game is over")
        self._counters[kernels.NODES] = 0
        lower, upper = _bounds_at_sight(board)
        if weak:
            lower, upper = max(lower, -1), min(upper, 1)
        shift = self._prepare(board.ply, keep)
        self._bounds[0], self._bounds[1] = lower, upper
        if lower < upper:
            self._close_in(current, mask, guess, shift, deadline_s, stop, start)
        lower, upper = int(self._bounds[0]), int(self._bounds[1])
        if weak:  # what lies beyond the asked-for window was not searched
            lower, upper = _widened(lower, upper, *_bounds_at_sight(board))
        return Solved(lower, upper, int(self._counters[kernels.NODES]), time.perf_counter() - start)

    def solve_columns(
        self,
        current: int,
        mask: int,
        *,
        deadline_s: float | None = None,
        stop: Stop | None = None,
    ) -> list[Solved | None]:
        """What is proven of every column's score for the side to move; None where the column is full.

        Raises ValueError on a finished position.
        """
        board = Board(current, mask)
        if board.is_over:
            raise ValueError("the game is over")
        end = None if deadline_s is None else time.perf_counter() + deadline_s
        columns: list[Solved | None] = [None] * 7
        guess, keep = 0, False
        for column in (3, 2, 4, 1, 5, 0, 6):  # the best is likely in the middle; its score guesses the others'
            if not board.can_play(column):
                continue
            child = board.play(column)
            if child.is_over:
                score = kernels.win_at(board.ply) if child.has_winner else 0
                columns[column] = Solved(score, score, 0, 0.0)
                continue
            left_s = None if end is None else max(0.0, end - time.perf_counter())
            told = self.solve(child.current, child.mask, deadline_s=left_s, stop=stop, guess=guess, keep=keep)
            columns[column] = Solved(-told.upper, -told.lower, told.nodes, told.seconds)
            guess, keep = told.upper, True
        return columns

    def column_scores(self, current: int, mask: int) -> list[int | None]:
        """The exact score of every column, None where it is full, however long it takes."""
        return [None if told is None else told.score for told in self.solve_columns(current, mask)]

    def principal_variation(self, current: int, mask: int, score: int, *, deadline_s: float) -> tuple[int, ...]:
        """A best line for both sides from a position of this ``score``, as far as it is proven in ``deadline_s``."""
        end = time.perf_counter() + deadline_s
        board, line = Board(current, mask), []
        while not board.is_over:
            column = self._column_worth(board, score, end)
            if column is None:
                break
            line.append(column)
            board, score = board.play(column), -score
        return tuple(line)

    def _column_worth(self, board: Board, score: int, end: float) -> int | None:
        """A column that keeps ``score``, or None when time runs out first."""
        for column in sorted(board.legal_columns(), key=lambda column: abs(3 - column)):
            child = board.play(column)
            if child.is_over:
                if score == (kernels.win_at(board.ply) if child.has_winner else 0):
                    return column
                continue
            left_s = end - time.perf_counter()
            if left_s <= 0:
                return None
            told = self.solve(child.current, child.mask, deadline_s=left_s, guess=-score, keep=True)
            if told.upper <= -score:
                return column
        return None

    def _prepare(self, ply: int, keep: bool) -> int:
        """Empty what this ply uses of the table, unless it is to be kept; returns the shift of the index."""
        bits = self._bits
        if not keep:
            bits = min(bits, next((share for from_ply, share in _SHARES if ply >= from_ply), bits))
            self._table[: 1 << bits] = 0
            self._used_bits = bits
        kernels.reset_history(self._history)
        return kernels.KEY_BITS - self._used_bits

    _used_bits = 8

    def _close_in(
        self,
        current: int,
        mask: int,
        guess: int,
        shift: int,
        deadline_s: float | None,
        stop: Stop | None,
        start: float,
    ) -> None:
        """Run the kernel: without a clock as far as a few thousand nodes go, then against the deadline."""
        arrays = (shift, self._table, self._history, self._scratch, self._counters)
        flags = (self._never if stop is None else stop).flag, self._never.flag
        self._counters[kernels.NODE_LIMIT] = _NO_LIMIT if deadline_s is None else _QUICK_NODES
        if kernels.narrow(current, mask, self._bounds, guess, *arrays, *flags) or deadline_s is None:
            return
        self._counters[kernels.NODE_LIMIT] = _NO_LIMIT
        with deadline(Limit(hard_s=deadline_s), deadline_s, start, stop) as clock:
            kernels.narrow(current, mask, self._bounds, guess, *arrays, *clock.flags)


def _bounds_at_sight(board: Board) -> tuple[int, int]:
    """Bounds of an unfinished position's score without any search; equal where one look is enough."""
    ply = board.ply
    for column in board.legal_columns():
        if board.wins_with(column):
            return kernels.win_at(ply), kernels.win_at(ply)
    if ply == 41:
        return 0, 0
    return -kernels.win_at(ply + 1), kernels.win_at(ply + 2)


def _widened(lower: int, upper: int, lowest: int, highest: int) -> tuple[int, int]:
    """The bounds that a search within -1..1 has proven: at its edges the score may lie beyond."""
    return (lowest if lower <= -1 else lower), (highest if upper >= 1 else upper)


def _bits_of(board: Board) -> tuple[int, int]:
    return board.current, board.mask
