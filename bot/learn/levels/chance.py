"""From where a level would have let its opponent off: measured by games of the level above against it."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.engine.agent import StopFlag
from bot.game import Board
from bot.learn.levels.table import WEIGHTS, level_of

MEASURED = 7
"""Highest level that is measured: from 8 on, a level sees through positions with book and solver."""
TIME_S = 1.9
"""Processor time for one game, seconds; the last batch may take a little more."""
GAMES = 200
"""Games from each position."""
BATCH = 20
"""Games that are played at once."""
HARDLY, SURELY = 0.04, 0.35
"""Shares of the first games that are enough to tell."""
SHARE = 0.1
"""Least share of games that the level above saves from a position that is offered."""
OFFERED = 0.15
"""Share that has to be measured for that: `GAMES` games from a position of `SHARE` reach it in 2 of 100 cases."""


@dataclass(frozen=True, slots=True)
class Chance:
    """A turn from which a level would have let its opponent off."""

    ply: int
    """Discs on the board."""
    share: float
    """Share of the games of the level above that it won or drew from there."""
    by: str
    """Name of the level above."""


def chances(
    columns: Sequence[int],
    side: int,
    level: int,
    moments: Sequence[int] = (),
    *,
    seed: int = 0,
    stop: StopFlag | None = None,
) -> tuple[Chance, ...]:
    """Return from where ``level`` would have let ``side`` (0 or 1) off, which lost a game (columns 0..6) to it.

    First comes the first of its key ``moments`` (plies) of which that holds, then the last turn of which it holds,
    where that is another one. None is known above `MEASURED`, or where time runs out. The level above plays without its
    insight, if it has any: then it saves fewer games, not more.
    """
    end_s = time.thread_time() + TIME_S

    def first_of(plies: Iterable[int]) -> Chance | None:
        for ply in plies:
            share = saved_share(columns[:ply], level, seed + ply, end_s=end_s, stop=stop)
            if share is None:
                break
            if share >= OFFERED:
                return Chance(ply, share, level_of(level + 1).name)
        return None

    if level > MEASURED:
        return ()
    turns = range(side, len(columns), 2)
    moment = first_of(ply for ply in moments if ply in turns)
    last = first_of(ply for ply in reversed(turns) if moment is None or ply > moment.ply)
    return tuple(chance for chance in (moment, last) if chance is not None)


def saved_share(
    columns: Sequence[int], level: int, seed: int, *, end_s: float = math.inf, stop: StopFlag | None = None
) -> float | None:
    """Return the share of `GAMES` against ``level`` that the level above does not lose from a position.

    Fewer games are enough where hardly any or very many of the first are saved. None where this thread's processor time
    passes ``end_s``, and after ``stop``.
    """
    import numpy as np

    from bot.learn.levels.kernels.playing import games_not_lost
    from bot.learn.levels.player import tables

    board, stop = Board.from_moves(columns), stop or StopFlag()
    players = [level_of(level + 1), level_of(level)]
    sides = np.array([[player.overlook, player.depth, player.blur] for player in players])
    weights = np.array([[*WEIGHTS, player.zugzwang] for player in players])
    saved = played = 0
    while played < GAMES:
        if time.thread_time() > end_s or stop.is_set:
            return None
        position = (board.current, board.mask, board.ply)
        saved += games_not_lost(*position, BATCH, seed + played, *tables(), sides, weights, stop.flag, stop.flag)
        played += BATCH
        if saved < played * HARDLY or saved > played * SURELY:
            break
    return saved / played
