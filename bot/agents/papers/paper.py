"""Base class of the publications' agents: fixed depth, deadline, counters, and a legal move in every case."""

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

from bot.agents.kernels.rules import ABORT, COUNTERS, INFINITY, LEAVES, MOST_LEAVES, MOST_NODES, NODES, PASSES
from bot.engine.agent import NO_LIMIT_S, Decision, Limit, Stop
from bot.errors import GameOverError
from bot.game import Board

Counters = NDArray[np.int64]
Flag = NDArray[np.uint8]

RESERVE_S = 0.05
"""Part of a time limit reserved for the shallow search that replaces an interrupted one, seconds."""
SHALLOW = 3
"""Depth of that search, in plies."""


@dataclass(frozen=True)
class Found:
    """The result of a search: ``value`` from the side to move's view, ``depth`` in plies."""

    column: int
    value: int
    depth: int


class PaperAgent(ABC):
    """An agent that searches to a fixed depth, as the papers' programs do.

    If a time limit or a stop interrupts the search, a search of three plies replaces it, so that there is always a
    legal move. A limit of nodes or leaves is spent by searching to depths 1, 2, ... up to the agent's depth: the move
    is that of the last depth that was completed, at least of depth 1.
    """

    deepens = False
    """Whether `search` itself searches to depths 1, 2, ..."""
    passes_counted = False
    """Whether `Decision.passes` is set: the agent searches by MTD(f)."""
    view = 1
    """-1 where the paper prints values from the opponent's view; ``Decision.score`` is always the side to move's."""

    def __init__(self, name: str, depth: int) -> None:
        self.name = name
        self.depth = depth

    @abstractmethod
    def search(self, board: Board, depth: int, counters: Counters, flag: Flag) -> Found | None:
        """Run the paper's search for the side to move; return None if it was interrupted before it had a result."""

    def warm_up(self) -> None:
        """Compile or load the kernels; leave the transposition table and the random numbers unchanged."""
        copy.deepcopy(self).choose(Board(), Limit(hard_s=math.inf, depth=1))

    def choose(self, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:
        """Return the paper's move; raise GameOverError on a finished board. See `bot.engine.agent.Agent`."""
        if board.is_over:
            raise GameOverError
        start = time.perf_counter()
        counters = np.zeros(COUNTERS, dtype=np.int64)
        flag = np.zeros(1, dtype=np.uint8) if stop is None else stop.flag
        depth = self.depth if limit.depth is None else max(1, min(self.depth, limit.depth))
        counters[MOST_NODES], counters[MOST_LEAVES] = limit.nodes or 0, limit.leaves or 0
        found = None
        with deadline(counters, limit.hard_s - RESERVE_S):
            for now in range(1 if limit.is_counted and not self.deepens else depth, depth + 1):
                deeper = self.search(board, now, counters, flag)
                if deeper is None:
                    break
                found = deeper
        if found is None:
            counters[:] = 0
            shallow = 1 if limit.is_counted else min(depth, SHALLOW)
            found = self.search(board, shallow, counters, np.zeros(1, dtype=np.uint8))
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
    """Stop the search that uses ``counters`` after ``seconds``."""
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


def next_depth(counters: Counters) -> None:
    """Reset the counters for the next depth of an agent that deepens; what was spent leaves the limits."""
    for most, spent in ((MOST_NODES, NODES), (MOST_LEAVES, LEAVES)):
        if counters[most]:
            counters[most] = max(1, counters[most] - counters[spent])
    counters[:ABORT] = 0


def _abort(counters: Counters) -> None:
    counters[ABORT] = 1


def as_float(value: int) -> float:
    """Return ``value`` as a float, and the papers' infinite value as an infinite float."""
    if abs(value) >= INFINITY:
        return float("inf") if value > 0 else float("-inf")
    return float(value)
