"""The agents `level:1` to `level:10`: a look-ahead in which some lines are overlooked, as people overlook them.

People miss diagonals more often than rows and rows more often than columns, lines far from where they look, lines with
a gap, lines that must still be imagined, and the opponent's lines more often than their own.
"""

from __future__ import annotations

import random
import time
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.errors import GameOverError
from bot.game import CENTRE_FIRST, Board
from bot.game.board import CELLS, COLUMNS, DIRECTIONS, ROWS, STRIDE
from bot.learn.levels.table import WEIGHTS, Level, level_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bot.engine.perfect import Perfect

# Factors on a level's probability of overlooking a line, as those in `kernels/playing.py`. They set the kind of the
# misses; how many there are is fitted by the levels' own probability (200 games each; README.md).
BY_DIRECTION = {1: 0.35, STRIDE: 0.9, STRIDE - 1: 1.5, STRIDE + 1: 1.5}
"""Vertical, horizontal, and the two diagonals."""
NEAR, FAR = 0.6, 1.4
"""A line that reaches the column where the player looks or a neighbour; one that keeps more than two columns away."""


@cache
def lines() -> tuple[tuple[int, int], ...]:
    """Return the 69 lines of four cells, each with its direction (a bit distance of `bot.game.board.DIRECTIONS`)."""
    found = []
    for direction in DIRECTIONS:
        for bit in range(CELLS + COLUMNS):
            cells = [bit + step * direction for step in range(4)]
            if all(cell < CELLS + COLUMNS and cell % STRIDE < ROWS for cell in cells):
                found.append((sum(1 << cell for cell in cells), direction))
    return tuple(found)


def focus(board: Board, rng: random.Random) -> int:
    """Return the column where the player looks: one with an opponent's disc on top, the middle where there is none."""
    tops = [
        column
        for column in range(COLUMNS)
        if (height := (board.mask >> column * STRIDE & (1 << ROWS) - 1).bit_length())
        and board.opponent >> column * STRIDE + height - 1 & 1
    ]
    return rng.choice(tops) if tops else COLUMNS // 2


@cache
def tables() -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the lines, and by the column where the player looks the factor of each line, for the kernels."""
    import numpy as np

    factors = np.array([_factors(column) for column in range(COLUMNS)])
    return np.array([line for line, _ in lines()], np.int64), factors


def seen_lines(board: Board, overlook: float, rng: random.Random) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the lines that the side to move of ``board`` sees in this move: for itself, and for its opponent."""
    import numpy as np

    from bot.learn.levels.kernels.playing import seen

    every, factors = tables()
    where = focus(board, rng)
    draws = np.array([rng.random() for _ in range(2 * len(every))])
    return seen(board.current, board.opponent, every, overlook * factors[where], draws)


def _factors(column: int) -> list[float]:
    return [BY_DIRECTION[direction] * _distance_factor(line, column) for line, direction in lines()]


def _distance_factor(line: int, column: int) -> float:
    distance = min(abs(column - at) for at in range(COLUMNS) if line >> at * STRIDE & (1 << ROWS) - 1)
    if distance <= 1:
        return NEAR
    return 1.0 if distance == 2 else FAR


class LevelPlayer(Agent):
    """Plays one level. Equal seeds play equal moves in equal positions, whatever was played before.

    Ignores the depth of a `Limit`: the level sets it.
    """

    def __init__(self, number: int, seed: int | None = None) -> None:
        self.level: Level = level_of(number)
        self.name = f"level:{number}"
        self._seed = random.Random().getrandbits(32) if seed is None else seed

    def warm_up(self) -> None:
        """Load or compile the kernels."""
        limit = Limit(hard_s=60.0)
        self._look_ahead(Board.from_moves("4444"), limit, None, random.Random(0))
        if self.level.insight:
            self._perfect.warm_up()

    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:
        """See `Agent.choose`."""
        start = time.perf_counter()
        if board.is_over:
            raise GameOverError
        rng = random.Random(f"{self._seed}/{self.name}/{board.current}/{board.mask}")
        if rng.random() < self.level.insight:
            decision = self._perfect.choose(board, replace(limit, depth=None), stop)
        else:
            decision = self._look_ahead(board, limit, stop, rng)
        return replace(decision, seconds=time.perf_counter() - start)

    @cached_property
    def _perfect(self) -> Perfect:
        from bot.engine.perfect import Perfect

        return Perfect()

    def _look_ahead(self, board: Board, limit: Limit, stop: StopFlag | None, rng: random.Random) -> Decision:
        """Return the column that looks best to a player who overlooks some lines and errs in its judgement."""
        import numpy as np

        from bot.engine.deadline import deadline
        from bot.learn.levels.kernels.playing import best_column

        own, other = seen_lines(board, self.level.overlook, rng)
        weights = np.array([*WEIGHTS, self.level.zugzwang])
        errors = np.zeros(7)
        for column in CENTRE_FIRST:
            if board.can_play(column):
                errors[column] = rng.gauss(0.0, self.level.blur)
        with deadline(limit.hard_s, limit.hard_s, time.perf_counter(), stop) as clock:
            column = best_column(
                board.current,
                board.mask,
                board.ply,
                self.level.depth,
                own,
                other,
                weights,
                errors,
                *clock.flags,
            )
        return Decision(column, depth=self.level.depth, pv=(column,), source="search")
