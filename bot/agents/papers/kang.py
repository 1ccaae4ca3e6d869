"""Kang, Wang, Hu 2019: minimax with alpha-beta and two heuristics, JILSA 11, 15-31.

Heuristic-1 counts connected discs (bot/lab/README.md#kang-heuristic-1), Heuristic-2 adds up a square matrix
(bot/lab/README.md#kang-heuristic-2). The "online sample" is the program behind the paper's reference [14]
(bot/lab/README.md#kang-online-sample).
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bot.agents.kernels.rules import ABORT, INFINITY
from bot.agents.papers.paper import Counters, Flag, Found, PaperAgent
from bot.agents.papers.rules import (
    TIES,
    WINDOW_MATRIX,
    Ends,
    KangFeatures,
    Linear,
    make_rules,
    with_order,
)
from bot.game import Board

WIN = 10_000_000_000
"""Value of a won game, above every sum of features; it applies with feature 1 switched off as well."""
ENDS = Ends(won=WIN, lost=-WIN)
ALL_FEATURES = frozenset({1, 2, 3, 4})
OPEN_THREE = 100_000_000
"""Value of an open three, which the paper calls infinity: below a won game, above every other feature."""
SAMPLE_OFFSET = 138
"""Constant of the online sample's evaluation: half the sum of the matrix."""

Rules = NDArray[np.int64]


def heuristic_1(features: frozenset[int] = ALL_FEATURES, open_three: int = OPEN_THREE) -> Rules:
    """Return the rules of Heuristic-1 with some of its features; feature 1, four connected, is the end of the game."""
    return make_rules(KangFeatures(features, open_three), ENDS)


def heuristic_2() -> Rules:
    """Return the rules of Heuristic-2: every disc counts the number of windows through its cell."""
    return make_rules(Linear(squares=WINDOW_MATRIX), ENDS)


def online_sample(depth: int) -> Rules:
    """Return the rules of the online sample at one depth: minimax without pruning.

    A won game counts 255 less its level below the root, a lost game the level itself.
    """
    ends = Ends(won=255 - depth, lost=depth, won_per_ply=1, lost_per_ply=-1)
    return make_rules(Linear(squares=WINDOW_MATRIX, offset=SAMPLE_OFFSET), ends, prune=False)


class Kang(PaperAgent):
    """One of the paper's two searchers; it plays the lowest of equal columns unless ``ties`` says otherwise.

    ``random_every`` 3 is the paper's "random move = 3": at its own 3rd, 6th, 9th, ... move the agent plays one of the
    two best columns at random. ``count_plies`` counts both sides' discs instead of the agent's own moves.
    """

    def __init__(
        self,
        name: str,
        depth: int,
        rules_at: Callable[[int], Rules],
        *,
        random_every: int | None = None,
        count_plies: bool = False,
        ties: str = "lowest",
        seed: int | None = None,
    ) -> None:
        """``rules_at`` returns the rules for a depth; ``ties`` is a key of `TIES`."""
        super().__init__(name, depth)
        self._rules_at = rules_at
        self._random_every = random_every
        self._count_plies = count_plies
        self._ties = ties
        self._random = random.Random(seed)

    def search(self, board: Board, depth: int, counters: Counters, flag: Flag) -> Found | None:
        """Search for the best column, or for one of the two best where a random move is due."""
        from bot.agents.kernels.search import search_columns

        candidates = 2 if self._moves_at_random(board) else 1
        exact = 7 if self._ties == "random" else candidates
        values = np.empty(7, dtype=np.int64)
        rules = with_order(self._rules_at(depth), TIES[self._ties])
        search_columns(board.current, board.opponent, depth, INFINITY, exact, rules, counters, flag, values)
        if counters[ABORT]:
            return None
        columns = [column for column in TIES[self._ties] if board.can_play(column)]
        if self._ties == "random":
            self._random.shuffle(columns)
        ranked = sorted(columns, key=lambda column: -values[column])
        column = self._random.choice(ranked[:candidates])
        return Found(column, int(values[column]), depth)

    def _moves_at_random(self, board: Board) -> bool:
        if self._random_every is None:
            return False
        move = board.ply + 1 if self._count_plies else board.ply // 2 + 1
        return move % self._random_every == 0
