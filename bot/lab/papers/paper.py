"""What all agents of the laboratory share: a depth, a deadline, counters, and a move in any case."""

from __future__ import annotations

import copy
import math
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.agent_types import Decision, Limit, Stop
from bot.game import Board
from bot.lab.kernels.rules import ABORT, COUNTERS, INFINITY, LEAVES, NODES, PASSES

Counters = NDArray[np.int64]
Flag = NDArray[np.uint8]

RESERVE_S = 0.05
"""Kept back from a time limit for the shallow search that replaces one cut short."""
SHALLOW = 3
NO_LIMIT_S = 86_400.0
"""A day or more is no limit: no timer thread is started for it."""


@dataclass(frozen=True)
class Found:
    """What a search found: ``value`` from the mover's view, ``depth`` in plies."""

    column: int
    value: int
    depth: int


class PaperAgent(ABC):
    """An agent that searches to a fixed depth, as the papers do.

    Where a time limit or a stop cuts the search short, a search of three plies takes its place, so that there is
    always a legal move.
    """

    passes_counted = False
    view = 1
    """-1 where the paper prints its values from the opponent's view; ``Decision.score`` is always the mover's."""

    def __init__(self, name: str, depth: int) -> None:
        self.name = name
        self.depth = depth

    @abstractmethod
    def search(self, board: Board, depth: int, counters: Counters, flag: Flag) -> Found | None:
        """The paper's search from the mover's view; None when it was cut short before anything was known."""

    def warm_up(self) -> None:
        """Compile or load the kernels; table and chance stay as they are."""
        copy.deepcopy(self).choose(Board(), Limit(hard_s=math.inf, depth=1))

    def choose(self, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:
        """The paper's move. Raises ValueError on a finished board; see bot.engine.Agent for the limits."""
        if board.is_over:
            raise ValueError("The game is over: there is no move to choose.")
        start = time.perf_counter()
        counters = np.zeros(COUNTERS, dtype=np.int64)
        flag = np.zeros(1, dtype=np.uint8) if stop is None else stop.flag
        depth = self.depth if limit.depth is None else max(1, min(self.depth, limit.depth))
        with deadline(counters, limit.hard_s - RESERVE_S):
            found = self.search(board, depth, counters, flag)
        if found is None:
            counters[:] = 0
            found = self.search(board, min(depth, SHALLOW), counters, np.zeros(1, dtype=np.uint8))
        assert found is not None, "A search without a deadline always finds a move."
        return Decision(
            column=found.column,
            score=as_float(found.value),
            depth=found.depth,
            nodes=int(counters[NODES]),
            leaves=int(counters[LEAVES]),
            passes=int(counters[PASSES]) if self.passes_counted else None,
            pv=(found.column,),
            seconds=time.perf_counter() - start,
            source="search",
        )


@contextmanager
def deadline(counters: Counters, seconds: float) -> Iterator[None]:
    """End the search that uses ``counters`` after ``seconds``."""
    if seconds + RESERVE_S >= NO_LIMIT_S:
        yield
        return
    timer = threading.Timer(max(seconds, 0.0), _abort, (counters,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _abort(counters: Counters) -> None:
    counters[ABORT] = 1


def as_float(value: int) -> float:
    """The value with the papers' infinity as a float's."""
    if abs(value) >= INFINITY:
        return float("inf") if value > 0 else float("-inf")
    return float(value)
