"""The exact solver's typed face: scores, bounds under a deadline, every column, the principal variation."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Thread
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.agent import Limit, Stop
from bot.engine.deadline import deadline
from bot.engine.kernels import solve as kernels
from bot.game import Board
from bot.game.board import four_cells

_QUICK_NODES = 40_000
"""About 2 ms: searched before a timer thread is started at all."""
_NO_LIMIT = 1 << 62
_ALL = (-21, 21)
_SIGN = (-1, 1)
_MIDDLE_FIRST = (3, 2, 4, 1, 5, 0, 6)
"""The best column is likely in the middle; its score is a guess at the others'."""
_SHARES = ((34, 8), (28, 10), (24, 12), (20, 14), (16, 16), (8, 18), (0, 49))
"""From this ply on, at most so many bits of table: a small one is emptied in no time and stays in the nearest cache."""


class Solved(NamedTuple):
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

    ``table_mb`` is rounded down to a power of two. 4 MB fit the cache and are 1.5 times as fast as 32 MB. With more
    ``threads``, helpers solve the position's columns meanwhile and leave what they find in the same table (an entry is
    one word, so none is ever half written): two threads on two idle cores are 1.3 to 1.75 times as fast, see
    `python -m bot bench threads`. Nodes are counted in the first thread alone.
    """

    def __init__(self, table_mb: int = 4, threads: int = 1) -> None:
        bits = max(8, (table_mb * (1 << 20) // 8).bit_length() - 1)
        self._table: NDArray[np.int64] = np.zeros(1 << bits, dtype=np.int64)
        self._index_masks = [(1 << min(bits, _share(ply))) - 1 for ply in range(43)]
        self._memory: NDArray[np.int64] = np.zeros(kernels.MEMORY_WORDS, dtype=np.int64)
        self._never = Stop()
        self._helpers = [Solver(0) for _ in range(threads - 1)]
        for helper in self._helpers:
            helper._table, helper._index_masks = self._table, self._index_masks

    def warm_up(self) -> None:
        """Load or compile the kernels."""
        self.solve_columns(*_bits_of(Board.from_moves([3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 4, 4, 4, 4, 1, 1, 1, 5])))

    @property
    def proven(self) -> tuple[int, int]:
        """Bounds proven by the current or last search; safe to read from another thread."""
        return self._memory.item(kernels.LOWER), self._memory.item(kernels.UPPER)

    def solve(
        self,
        current: int,
        mask: int,
        *,
        deadline_s: float | None = None,
        stop: Stop | None = None,
        weak: bool = False,
        window: tuple[int, int] = _ALL,
        guess: int = 0,
        keep: bool = False,
    ) -> Solved:
        """The score of a position (two 49-bit boards, see `bot.game.board`), or the bounds proven in ``deadline_s``.

        Nothing is asked below the first or above the second score of ``window``; ``weak`` asks for the outcome only:
        the window -1..1. ``guess`` is where the search begins; ``keep`` keeps the table of the last call, which helps
        on neighbouring positions. Raises ValueError where either side has its four, or all cells are taken.
        """
        start = time.perf_counter()
        memory = self._memory
        wanted = self._index_masks[mask.bit_count()]
        if not keep or memory[kernels.INDEX_MASK] < wanted:  # what a later ply has left is too small to go on with
            memory[kernels.INDEX_MASK] = wanted
            keep = False
        is_timed = deadline_s is not None
        memory[kernels.NODE_LIMIT] = _QUICK_NODES if is_timed or self._helpers else _NO_LIMIT
        low, high = _SIGN if weak else window
        mode = kernels.KEEP if keep else 0
        never = self._never.flag
        flag = never if stop is None else stop.flag
        told = kernels.narrow(current, mask, guess, low, high, mode, self._table, memory, flag, never)
        if told == kernels.OVER:
            raise ValueError("the game is over")
        if told == kernels.CUT_OFF and memory[kernels.NODE_LIMIT] < _NO_LIMIT:
            memory[kernels.NODE_LIMIT] = _NO_LIMIT
            mode |= kernels.RESUME
            with ExitStack() as stack:
                flags = (flag, never)
                if deadline_s is not None:
                    flags = stack.enter_context(deadline(Limit(hard_s=deadline_s), deadline_s, start, stop)).flags
                if self._helpers:
                    stack.enter_context(self._helped(Board(current, mask)))
                kernels.narrow(current, mask, guess, low, high, mode, self._table, memory, *flags)
        lower, upper, nodes = memory.item(kernels.LOWER), memory.item(kernels.UPPER), memory.item(kernels.NODES)
        return Solved(lower, upper, nodes, time.perf_counter() - start)

    @contextmanager
    def _helped(self, board: Board) -> Iterator[None]:
        """While this lasts, the helpers work on the columns of ``board``."""
        stop = Stop()
        used = self._memory[kernels.INDEX_MASK]
        threads = [
            Thread(target=helper._help, args=(board, turn, used, stop), daemon=True)
            for turn, helper in enumerate(self._helpers)
        ]
        try:
            for thread in threads:
                thread.start()
            yield
        finally:
            stop.set()
            for thread in threads:
                if thread.ident is not None:
                    thread.join()

    def _help(self, board: Board, turn: int, index_mask: int, stop: Stop) -> None:
        """Solve the columns of ``board``, each helper beginning with another one, until told to stop."""
        self._memory[kernels.INDEX_MASK] = index_mask
        columns = sorted(board.legal_columns(), key=_MIDDLE_FIRST.index)
        for column in columns[turn:] + columns[:turn]:
            child = board.play(column)
            if stop.is_set:
                return
            if not child.is_over:
                self.solve(child.current, child.mask, stop=stop, keep=True)

    def solve_columns(
        self,
        current: int,
        mask: int,
        *,
        score: int | None = None,
        best_only: bool = False,
        weak: bool = False,
        keep: bool = False,
        deadline_s: float | None = None,
        stop: Stop | None = None,
    ) -> list[Solved | None]:
        """What is proven of every column's score for the side to move; None where the column is full.

        ``score`` is the position's own, where it is known. With ``best_only`` the best columns' scores are exact and of
        the others no more is asked than that they are worse: a third of the time. With ``weak`` outcomes are asked for,
        ``keep`` keeps the last call's table. Raises ValueError on a finished position.
        """
        end = None if deadline_s is None else time.perf_counter() + deadline_s
        nodes = 0
        if best_only and score is None:
            told = self.solve(current, mask, deadline_s=deadline_s, stop=stop, keep=keep)
            score, nodes, keep = told.upper, told.nodes, True
        board = Board(current, mask)
        if board.is_over or four_cells(current):
            raise ValueError("the game is over")
        least = _ALL[0] if score is None else -score  # no child is worth less to the side that moves there
        window = (least, least + 1) if best_only else _SIGN if weak else (least, _ALL[1])
        guess = 0 if score is None else least
        columns: list[Solved | None] = [None] * 7
        symmetric = board == board.mirror()
        for column in _MIDDLE_FIRST:
            if not board.can_play(column):
                continue
            twin = columns[6 - column]
            if symmetric and twin is not None:
                columns[column] = twin._replace(nodes=0, seconds=0.0)
                continue
            child = board.play(column)
            if child.is_over:
                result = kernels.win_at(board.ply) if child.has_winner else 0
                columns[column] = Solved(result, result, 0, 0.0)
                continue
            left_s = None if end is None else max(0.0, end - time.perf_counter())
            told = self.solve(
                child.current, child.mask, deadline_s=left_s, stop=stop, window=window, guess=guess, keep=keep
            )
            columns[column] = Solved(-told.upper, -max(told.lower, least), nodes + told.nodes, told.seconds)
            keep, nodes = True, 0
            if score is None:
                guess = told.upper
        return columns

    def column_scores(self, current: int, mask: int) -> list[int | None]:
        """The exact score of every column, None where it is full, however long it takes."""
        return [None if told is None else told.score for told in self.solve_columns(current, mask)]

    def principal_variation(
        self, current: int, mask: int, score: int, *, deadline_s: float, stop: Stop | None = None
    ) -> tuple[int, ...]:
        """A best line for both sides from a position of this ``score``, as far as it is proven in ``deadline_s``."""
        end = time.perf_counter() + deadline_s
        board, line = Board(current, mask), []
        while not board.is_over:
            column = self._column_worth(board, score, end, stop)
            if column is None:
                break
            line.append(column)
            board, score = board.play(column), -score
        return tuple(line)

    def _column_worth(self, board: Board, score: int, end: float, stop: Stop | None) -> int | None:
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
            window = (-score, 1 - score)
            told = self.solve(
                child.current, child.mask, deadline_s=left_s, stop=stop, window=window, guess=-score, keep=True
            )
            if told.upper <= -score:
                return column
        return None


def _share(ply: int) -> int:
    return next(bits for from_ply, bits in _SHARES if ply >= from_ply)


def _bits_of(board: Board) -> tuple[int, int]:
    return board.current, board.mask
