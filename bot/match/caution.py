"""Of moves that are equally good, the one whose lost reply would do the least harm.

A reply can be lost after any move, and then one more must be sent that is right whether or not the server has played
the first (`bot.client.worlds`). Whether there is one is decided here, a move earlier: a column is *harmless* if some
follow-up keeps the outcome both in the present position and after each answer that the bot will probably give to the
column. So too for the position that comes after it, since a column that leaves us there with a single saving move, in a
place where it can only be played once, is a trap of its own.

Only columns that keep the outcome are compared, so nothing is ever given away for it; the way to a win may get longer.
"""

from __future__ import annotations

import time
from dataclasses import replace

from bot.client.worlds import prospect
from bot.engine import Decision, Limit
from bot.engine.traps import likely_replies
from bot.game import Board
from bot.match.outcomes import Outcomes, OutOfTimeError

SHARE_S = 0.4
"""As long as a refinement may take."""
_LATER = 0.7
"""What harm after the bot's answer weighs, compared with harm now."""
_WORTH_IT = 0.01
"""Less harm than this is no reason to leave the engine's move."""


class Caution:
    """Weighs columns by the harm of a lost reply. One thread at a time."""

    def __init__(self, outcomes: Outcomes) -> None:
        self._outcomes = outcomes
        self._end = 0.0
        self._in_vain = 0.5

    def refine(self, board: Board, decision: Decision, limit: Limit, in_vain: float = 0.5) -> Decision:
        """The decision, or one of the same outcome with less harm, if it is found within a share of ``limit``.

        ``in_vain`` is the chance that a request whose reply is lost was not processed either.
        """
        if not decision.proven or (decision.score or 0) < 0 or board.wins_with(decision.column):
            return decision  # a lost game is for the engine alone: it sets traps and plays for time
        self._in_vain = in_vain
        start = time.monotonic()
        self._end = start + min(SHARE_S, limit.hard_s / 3)
        try:
            column = self._safest(board, decision.column)
        except OutOfTimeError:
            return decision
        if column == decision.column:
            return decision
        seconds = decision.seconds + time.monotonic() - start
        return replace(decision, column=column, proven=False, pv=(column,), seconds=seconds, source="caution")

    def _safest(self, board: Board, preferred: int) -> int:
        total = {}
        for column in self._keeping(board):
            now = self._harm(board, column)
            total[column] = now + _LATER * self._harm_later(board.play(column))
        if preferred not in total:
            return preferred
        best = min(total, key=lambda column: (total[column], abs(3 - column)))
        return best if total[best] < total[preferred] - _WORTH_IT else preferred

    def _harm_later(self, child: Board) -> float:
        """The least harm of our next move, over the bot's likely answers."""
        if child.is_over:
            return 0.0
        replies = likely_replies(child)
        return sum(self._least_harm(child.play(reply)) for reply in replies) / len(replies)

    def _least_harm(self, board: Board) -> float:
        """The harm of a lost reply in ``board``, us to move, if we take the least harmful of the right columns."""
        if board.is_over:
            return 0.0
        return min(self._harm(board, column) for column in self._keeping(board))

    def _harm(self, board: Board, column: int) -> float:
        """The chance to lose what ``board`` is worth if the reply to ``column`` is lost, by the best follow-up."""
        child = board.play(column)
        if child.is_over:
            return 0.0
        answered = [child.play(reply) for reply in likely_replies(child)]
        afters = [after for after in answered if not after.is_over]
        least = 1.0
        for follow_up in sorted(self._legal(board), key=lambda other: other != column):
            harm = self._loss(board, follow_up) * self._in_vain
            for after in afters:
                if harm >= least:
                    break
                harm += self._loss(after, follow_up) / len(afters) * (1 - self._in_vain)
            least = min(least, harm)
            if least == 0.0:
                break
        return least

    def _loss(self, board: Board, column: int) -> float:
        """How much of the chance not to lose ``column`` costs in ``board``."""
        if not board.can_play(column):
            return 1.0
        outcome = -self._outcome(board.play(column))
        if outcome > 0:
            return 0.0
        if outcome == 0:
            return 0.0 if self._outcome(board) <= 0 else 1.0 - prospect(0.0, board.ply)
        child = board.play(column)
        at_once = not child.is_over and any(child.wins_with(reply) for reply in child.legal_columns())
        return 1.0 if at_once else 0.7

    def _keeping(self, board: Board) -> list[int]:
        """The columns that keep the outcome of ``board``."""
        worth = self._outcome(board)
        return [column for column in self._legal(board) if -self._outcome(board.play(column)) == worth]

    @staticmethod
    def _legal(board: Board) -> list[int]:
        return sorted(board.legal_columns(), key=lambda column: abs(3 - column))

    def _outcome(self, board: Board) -> int:
        return self._outcomes.of(board, self._end)
