"""The agents `level:1` to `level:10`: a look-ahead in which some lines are overlooked, as people overlook them."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.errors import GameOverError
from bot.game import CENTRE_FIRST, Board
from bot.learn.levels.attention import seen_lines
from bot.learn.levels.table import WEIGHTS, Level, level_of

if TYPE_CHECKING:
    from bot.engine.perfect import Perfect


class LevelPlayer(Agent):
    """Plays one level. Equal seeds play equal moves in equal positions, whatever was played before.

    Ignores the depth of a `Limit`: the level sets it.
    """

    def __init__(self, number: int, seed: int | None = None) -> None:
        self.level: Level = level_of(number)
        self.name = f"level:{number}"
        self._seed = random.Random().getrandbits(32) if seed is None else seed
        self._perfect: Perfect | None = None

    def warm_up(self) -> None:
        """Load or compile the kernels."""
        limit = Limit(hard_s=60.0)
        self._look_ahead(Board.from_moves("4444"), limit, None, random.Random(0))
        if self.level.insight:
            self._exact().warm_up()

    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:
        """See `Agent.choose`."""
        start = time.perf_counter()
        if board.is_over:
            raise GameOverError
        rng = random.Random(f"{self._seed}/{self.name}/{board.current}/{board.mask}")
        if rng.random() < self.level.insight:
            decision = self._exact().choose(board, replace(limit, depth=None), stop)
        else:
            decision = self._look_ahead(board, limit, stop, rng)
        return replace(decision, seconds=time.perf_counter() - start)

    def _exact(self) -> Perfect:
        if self._perfect is None:
            from bot.engine.perfect import Perfect

            self._perfect = Perfect()
        return self._perfect

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
