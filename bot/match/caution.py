"""Of moves that are equally good, the one with which a game over a failing network is most likely not lost.

A reply can be lost after any move, and then one more must be sent that is right whether or not the server has played
the first (`bot.client.worlds`). Whether there is one is decided here, a move earlier. The *survival* of a column is the
chance not to lose with it, looked ahead so many of our moves, over the answers that the bot will probably give:

* the reply arrives: the survival of the position after each answer, with its best column;
* the reply is lost: the best follow-up's prospect over all that may be true, the present position and the one after
  each answer (the same column can be right for all, fit some, or be impossible in one);
* at the end of the look ahead: what the position is worth in theory (`prospect`), less a little for each move that a
  won game still takes, for each may be lost.

Only columns of the same outcome are compared, so nothing is given away for it. The way to a win may get longer; where
the game is lost in theory anyway, it is the columns that this bot answers wrongly that are found.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from bot.client.worlds import DRAW_PROSPECT, Chances, prospects
from bot.engine import Decision, Limit
from bot.game import Board
from bot.match.opponent_model import OpponentModel
from bot.match.outcomes import Outcomes, OutOfTimeError

LOST = 0.15
"""The share of replies that are thought to be lost, once some have been."""
SHARE_S = 0.6
"""As long as a refinement may take."""
_THINKS = 2.0
"""Nor may it take more than so many times what a search aims at."""
_DEEPEST = 6
"""Our moves after this one that are looked at, as long as there is time."""
_WORTH_IT = 0.002
"""Less gain in survival than this is no reason to leave the engine's move."""
_A_MOVE = 0.003
"""What each of our moves costs in survival: measured, over many games through a failing network."""
_UNLIKELY = 0.02
"""Answers of the bot with lower odds are left out."""
_DOUBTS = (0.01, 0.03, 0.1, 0.3, 0.5)
"""The chances that a failed request was not processed are rounded to these, so that what was weighed is remembered."""
_REMEMBERED = 200_000


class Caution:
    """Weighs columns by survival. One thread at a time."""

    def __init__(self, outcomes: Outcomes, model: OpponentModel) -> None:
        self._outcomes = outcomes
        self._model = model
        self._end = 0.0
        self._basis: tuple[float, tuple[int, ...]] = (0.5, model.version)
        """What everything remembered rests on: the chance that a failed request was not processed, and the model."""
        self._known: dict[tuple[Board, int], float] = {}

    def refine(self, board: Board, decision: Decision, limit: Limit, in_vain: float = 0.5) -> Decision:
        """The decision, or one of the same outcome with better survival, if it is found within a share of ``limit``.

        ``in_vain`` is the chance that a request whose reply is lost was not processed either.
        """
        if not decision.proven or board.wins_with(decision.column):
            return decision
        start = time.monotonic()
        left_s = max(0.0, limit.hard_s - decision.seconds)
        self._set_out(in_vain, start + min(SHARE_S, _THINKS * limit.think_s, left_s / 3))
        column = decision.column
        for depth in range(_DEEPEST + 1):
            try:
                column = self._safest(board, decision.column, depth)
            except OutOfTimeError:
                break
        if column == decision.column:
            return decision
        seconds = decision.seconds + time.monotonic() - start
        return replace(decision, column=column, proven=False, pv=(column,), seconds=seconds, source="caution")

    def chances(self, seconds: float, in_vain: float = 0.5) -> Chances:
        """The survival of all columns of boards that are asked for one after another, ``seconds`` for all.

        Each board may take half of what is left; where that is not enough for any look ahead, prospects are told.
        """
        until = time.monotonic() + seconds

        def chances(board: Board, scores: Sequence[float]) -> list[float]:
            told = prospects(board, scores)
            now = time.monotonic()
            if now >= until:
                return told
            self._set_out(in_vain, now + (until - now) / 2)
            for depth in range(_DEEPEST):
                try:
                    told = [
                        self.survival(board, column, depth) if board.can_play(column) else 0.0 for column in range(7)
                    ]
                except OutOfTimeError:
                    break
            return told

        return chances

    def survival(self, board: Board, column: int, depth: int) -> float:
        """The chance not to lose with a legal ``column``, ``depth`` more moves of ours looked at.

        Raises OutOfTimeError.
        """
        self._check_time()
        child = board.play(column)
        if child.is_over:
            return 1.0
        answered = self._answered(child)
        heard = sum(share * self._after(after, depth) for after, share in answered)
        return (1 - LOST) * heard + LOST * self._unheard(board, answered)

    def _set_out(self, in_vain: float, end: float) -> None:
        self._end = end
        basis = (min(_DOUBTS, key=lambda doubt: abs(doubt - in_vain)), self._model.version)
        if basis != self._basis or len(self._known) > _REMEMBERED:
            self._known.clear()
            self._basis = basis

    def _safest(self, board: Board, preferred: int, depth: int) -> int:
        rated = {column: self.survival(board, column, depth) for column in self._as_good(board)}
        best = max(rated, key=lambda column: (rated[column], -abs(3 - column)), default=preferred)
        return best if rated.get(best, 0.0) > rated.get(preferred, 1.0) + _WORTH_IT else preferred

    def _after(self, board: Board, depth: int) -> float:
        """The survival of a position after the bot's answer, finished or with us to move."""
        known = self._known.get((board, depth))
        if known is None:
            if board.is_over:
                return 0.0 if board.has_winner else 1.0
            if any(board.wins_with(column) for column in board.legal_columns()):
                return 1.0
            known = self._known[board, depth] = self._worth(board) if depth == 0 else self._best(board, depth - 1)
        return known

    def _best(self, board: Board, depth: int) -> float:
        return max((self.survival(board, column, depth) for column in self._as_good(board)), default=0.0)

    def _worth(self, board: Board) -> float:
        """What is left to say of a position at the end of the look ahead, us to move."""
        self._check_time()
        outcome = self._outcomes.of(board, self._end)
        if outcome > 0:
            return 1.0 - _A_MOVE * (42 - board.ply) / 4
        if outcome == 0:
            return DRAW_PROSPECT
        return max(self._prospect(board, column) for column in board.legal_columns())

    def _unheard(self, board: Board, answered: list[tuple[Board, float]]) -> float:
        """The survival when the reply is lost, by the best follow-up."""
        in_vain = self._basis[0]
        best = 0.0
        for column in range(7):
            chance, possible = 0.0, 1.0
            for at, share in ((board, in_vain), *((after, share * (1 - in_vain)) for after, share in answered)):
                chance += share * self._prospect(at, column)
                possible -= share
                if chance + possible <= best:
                    break
            best = max(best, chance)
        return best

    def _answered(self, child: Board) -> list[tuple[Board, float]]:
        """The positions after each likely answer of the bot, and its odds; they add up to 1."""
        likely = {reply: share for reply, share in self._model.odds(child).items() if share >= _UNLIKELY}
        total = sum(likely.values())
        by_odds = sorted(likely, key=lambda reply: -likely[reply])
        return [(child.play(reply), likely[reply] / total) for reply in by_odds]

    def _as_good(self, board: Board) -> list[int]:
        """The columns that keep the best outcome, those in the middle first; of lost ones, those with hope."""
        self._check_time()
        legal = sorted(board.legal_columns(), key=lambda column: abs(3 - column))
        outcomes = {column: -self._outcomes.of(board.play(column), self._end) for column in legal}
        best = max(outcomes.values())
        columns = [column for column in legal if outcomes[column] == best]
        return columns if best >= 0 else [column for column in columns if self._prospect(board, column) > 0] or columns

    def _prospect(self, board: Board, column: int) -> float:
        """In theory, for our column in a position that may be finished."""
        if board.is_over:
            return 0.0 if board.has_winner else 1.0
        return self._outcomes.prospect(board, column, self._end) if board.can_play(column) else 0.0

    def _check_time(self) -> None:
        if time.monotonic() > self._end:
            raise OutOfTimeError
