"""The agent `uct:PLAYOUTS`: Monte-Carlo tree search with upper confidence bounds and random playouts.

A playout adds one node to the tree, and the most visited move is played.
"""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.agents.kernels.rules import COUNTERS, LEAVES, NODES
from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.engine.deadline import deadline
from bot.engine.jit.arrays import Flag
from bot.errors import GameOverError
from bot.game import Board
from bot.game.columns import CENTRE_RIGHT_FIRST


class Uct(Agent):
    """Performs a fixed number of playouts from each position, and plays the move with the most visits.

    Equal seeds play equal games. A time limit or a stop ends the playouts early; the tree is not kept between moves.
    """

    def __init__(self, name: str, playouts: int, seed: int | None = None) -> None:
        self.name = name
        self.playouts = playouts
        self._random = random.Random(seed)

    def warm_up(self) -> None:
        """Load or compile the kernels."""
        Uct(self.name, 10, 0).choose(Board(), Limit(hard_s=60.0))

    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:
        """See `Agent.choose`. Ignores ``think_s`` and ``depth``; the score is the share of points won by the column."""
        start = time.perf_counter()
        if board.is_over:
            raise GameOverError
        with deadline(limit.hard_s, limit.hard_s, start, stop) as clock:
            visits, total, counters = self.grow(board, *clock.flags)
        column = max(filter(board.can_play, CENTRE_RIGHT_FIRST), key=lambda column: visits[column])
        score = float(total[column] / visits[column]) if visits[column] else None  # None: stopped before a playout
        return Decision(
            column,
            score,
            nodes=int(counters[NODES]),
            leaves=int(counters[LEAVES]),
            pv=(column,),
            seconds=time.perf_counter() - start,
            source="search",
        )

    def grow(self, board: Board, *flags: Flag) -> tuple[NDArray[Any], ...]:
        """Perform the playouts until one of two ``flags`` is set; return visits, points, and the counters.

        Visits and points are those of each column, both 0 where it is full.
        """
        from bot.agents.kernels.uct import MODULUS, uct

        size = self.playouts + 1
        children, visits = np.zeros((size, 7), dtype=np.int64), np.zeros(size, dtype=np.int64)
        total, counters = np.zeros(size), np.zeros(COUNTERS, dtype=np.int64)
        seed = np.array([self._random.randrange(1, MODULUS)], dtype=np.int64)
        position = board.current, board.opponent
        uct(*position, self.playouts, np.array(CENTRE_RIGHT_FIRST), counters, children, visits, total, seed, *flags)
        visits[0] = total[0] = 0  # of the root, which stands for the columns that were not visited
        return visits[children[0]], total[children[0]], counters
