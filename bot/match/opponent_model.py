"""What the server's bot will probably answer: a mixture of minimax bots, weighed by the answers that it has given.

The course says that its bot looks three plies ahead; one recorded game says that it is not quite so. So several bots
are thought possible: minimax of depth 1 to 5, each as one that keeps to its best columns nearly always or most of the
time, and one that plays at random. Every answer seen multiplies each bot's weight by how likely that bot was to give
it (Bayes' rule); a floor keeps every bot in play, so that the model can change its mind.
"""

from __future__ import annotations

from collections import deque

from bot.engine.traps import likely_replies
from bot.game import Board
from bot.game.board import STRIDE

DEPTHS = (3, 1, 2, 4, 5)
_SLIPS = (0.1, 0.005)
"""The shares of answers outside of its best columns that a minimax bot is thought to give."""
_PRIOR_OF_COURSE_BOT = 0.7
_FLOOR = 1e-4
_REMEMBERED = 50_000
_PATIENT = 200
"""So many of the last answers are kept until they are asked for: to learn from one costs a few searches, 0.3 ms."""

Kind = tuple[int, float]
"""A minimax bot's depth and slips; depth 0 plays at random."""
RANDOM: Kind = (0, 1.0)


class OpponentModel:
    """Predicts answers and learns from them. One thread at a time."""

    def __init__(self) -> None:
        kinds = [(depth, slip) for depth in DEPTHS for slip in _SLIPS] + [RANDOM]
        others = (1 - _PRIOR_OF_COURSE_BOT) / (len(kinds) - len(_SLIPS))
        course = _PRIOR_OF_COURSE_BOT / len(_SLIPS)
        self._weights: dict[Kind, float] = {kind: course if kind[0] == DEPTHS[0] else others for kind in kinds}
        self._best: dict[tuple[Board, int], list[int]] = {}
        self._unlearnt: deque[tuple[Board, int]] = deque(maxlen=_PATIENT)

    def odds(self, board: Board) -> dict[int, float]:
        """How likely each legal answer in ``board`` is, the bot to move; they add up to 1."""
        self._learn()
        legal = board.legal_columns()
        odds = dict.fromkeys(legal, 0.0)
        total = 0.0
        for kind, weight in self._weights.items():
            if weight > _FLOOR:
                total += weight
                for column in legal:
                    odds[column] += weight * self._chance(kind, board, column)
        return {column: share / total for column, share in odds.items()}

    def observe(self, after: Board, column: int) -> None:
        """The bot has answered ``column``, which led to ``after``. Costs nothing until somebody asks for odds."""
        self._unlearnt.append((after, column))

    def _learn(self) -> None:
        """Weigh the bots by the answers seen since the last question."""
        while self._unlearnt:
            after, column = self._unlearnt.popleft()
            board = _before(after, column)
            weights = {kind: weight * self._chance(kind, board, column) for kind, weight in self._weights.items()}
            total = sum(weights.values())
            self._weights = {kind: max(_FLOOR, weight / total) for kind, weight in weights.items()}

    @property
    def version(self) -> tuple[int, ...]:
        """Changes when the odds have changed noticeably: what was derived from them should be derived anew."""
        self._learn()
        return tuple(round(10 * weight) for weight in self._weights.values())

    def _chance(self, kind: Kind, board: Board, column: int) -> float:
        depth, slip = kind
        legal = board.legal_columns()
        if depth == 0:
            return 1 / len(legal)
        best = self._best_columns(board, depth)
        return slip / len(legal) + (1 - slip) * (column in best) / len(best)

    def _best_columns(self, board: Board, depth: int) -> list[int]:
        if len(self._best) > _REMEMBERED:
            self._best.clear()
        if (board, depth) not in self._best:
            self._best[board, depth] = likely_replies(board, depth)
        return self._best[board, depth]


def _before(after: Board, column: int) -> Board:
    """The position before the last disc, which lies in ``column``."""
    discs = after.mask >> (column * STRIDE) & ((1 << STRIDE) - 1)
    last = 1 << (column * STRIDE + discs.bit_length() - 1)
    return Board(after.opponent ^ last, after.mask ^ last)
