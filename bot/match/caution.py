"""Of moves that are equally good, the one whose lost reply would do the least harm.

A reply can be lost after any move, and then one more must be sent that is right whether or not the server has played
the first (`bot.client.worlds`). Whether there is one is decided here, a move earlier: the *harm* of a column is what
the best follow-up costs, in the chance not to lose (`prospect`), over the present position and the one after each
answer that the bot will probably give to the column. So too for the position that comes after it, since a column that
leaves us there with a single saving move, in a place where it can only be played once, is a trap of its own.

Only columns of the same outcome are compared, and in a lost position only those that lose about as late, so nothing is
ever given away for it; the way to a win may get longer.
"""

from __future__ import annotations

import time
from dataclasses import replace

from bot.engine import Decision, Limit
from bot.engine.traps import likely_replies
from bot.game import Board
from bot.match.outcomes import Outcomes, OutOfTimeError

SHARE_S = 0.6
"""As long as a refinement may take."""
_LATER = 0.7
"""What harm after the bot's answer weighs, compared with harm now."""
_DEEPEST = 4
"""Our moves after this one that are looked at, as long as there is time."""
_WORTH_IT = 0.01
"""Less harm than this is no reason to leave the engine's move."""
_AS_GOOD = 0.07
"""Columns of one outcome whose prospects differ by no more are compared: two plies of a far loss."""
_DOUBTS = (0.01, 0.03, 0.1, 0.3, 0.5)
"""The chances that a failed request was not processed are rounded to these, so that what was weighed is remembered."""
_REMEMBERED = 200_000


class Caution:
    """Weighs columns by the harm of a lost reply. One thread at a time."""

    def __init__(self, outcomes: Outcomes) -> None:
        self._outcomes = outcomes
        self._end = 0.0
        self._in_vain = 0.5
        self._harms: dict[tuple[Board, int, float], float] = {}

    def refine(self, board: Board, decision: Decision, limit: Limit, in_vain: float = 0.5) -> Decision:
        """The decision, or one of the same outcome with less harm, if it is found within a share of ``limit``.

        ``in_vain`` is the chance that a request whose reply is lost was not processed either.
        """
        if not decision.proven or board.wins_with(decision.column):
            return decision
        if len(self._harms) > _REMEMBERED:
            self._harms.clear()
        self._in_vain = min(_DOUBTS, key=lambda doubt: abs(doubt - in_vain))
        start = time.monotonic()
        self._end = start + min(SHARE_S, limit.hard_s / 3)
        column = decision.column
        for depth in range(1, _DEEPEST + 1):
            try:
                column = self._safest(board, decision.column, depth)
            except OutOfTimeError:
                break
        if column == decision.column:
            return decision
        seconds = decision.seconds + time.monotonic() - start
        return replace(decision, column=column, proven=False, pv=(column,), seconds=seconds, source="caution")

    def _safest(self, board: Board, preferred: int, depth: int) -> int:
        """The least harmful column, so many of our moves after it looked at."""
        now = {column: self._harm(board, column) for column in self._as_good(board)}
        if preferred not in now:
            return preferred
        best, least = preferred, now[preferred] + _LATER * self._harm_later(board, preferred, depth)
        for column in sorted(now, key=lambda column: (now[column], abs(3 - column))):
            if now[column] >= least - _WORTH_IT:
                break
            total = now[column] + _LATER * self._harm_later(board, column, depth)
            if total < least - _WORTH_IT:
                best, least = column, total
        return best

    def _harm_later(self, board: Board, column: int, depth: int) -> float:
        """The least harm of our next moves, over the bot's likely answers to ``column``."""
        afters = self._answered(board, column)
        return sum(self._least_harm(after, depth) for after in afters) / len(afters) if afters else 0.0

    def _least_harm(self, board: Board, depth: int) -> float:
        """The harm of a lost reply in ``board``, us to move, if we take the least harmful of the good columns."""
        if time.monotonic() > self._end:
            raise OutOfTimeError
        least = 1.0
        for column in self._as_good(board):
            harm = self._harm(board, column)
            if harm < least and depth > 1:
                harm += _LATER * self._harm_later(board, column, depth - 1)
            least = min(least, harm)
            if least == 0.0:
                break
        return least

    def _harm(self, board: Board, column: int) -> float:
        """The chance not to lose that is lost with the reply to ``column``, by the best follow-up."""
        key = (board, column, self._in_vain)
        if key not in self._harms:
            self._harms[key] = self._weigh(board, column)
        return self._harms[key]

    def _weigh(self, board: Board, column: int) -> float:
        afters = self._answered(board, column)
        least = 1.0
        for follow_up in sorted(self._legal(board), key=lambda other: other != column):
            harm = 0.0 if board.play(column).is_over else self._cost(board, follow_up) * self._in_vain
            for after in afters:
                if harm >= least:
                    break
                harm += self._cost(after, follow_up) / len(afters) * (1 - self._in_vain)
            least = min(least, harm)
            if least == 0.0:
                break
        return least

    def _answered(self, board: Board, column: int) -> list[Board]:
        """The positions, us to move, after each likely answer of the bot that does not end the game."""
        child = board.play(column)
        if child.is_over:
            return []
        answered = (child.play(reply) for reply in likely_replies(child))
        return [after for after in answered if not after.is_over]

    def _cost(self, board: Board, column: int) -> float:
        """What ``column`` costs in ``board``, compared with the best one."""
        mine = self._prospect(board, column)
        if mine >= 1.0:
            return 0.0
        return max(self._prospect(board, other) for other in board.legal_columns()) - mine

    def _as_good(self, board: Board) -> list[int]:
        """The columns that are as good as the best."""
        prospects = {column: self._prospect(board, column) for column in self._legal(board)}
        best = max(prospects.values())
        if best >= _DRAWN:  # a win is a win, a draw a draw
            return [column for column, prospect in prospects.items() if prospect == best]
        return [column for column, prospect in prospects.items() if prospect >= best - _AS_GOOD]

    @staticmethod
    def _legal(board: Board) -> list[int]:
        return sorted(board.legal_columns(), key=lambda column: abs(3 - column))

    def _prospect(self, board: Board, column: int) -> float:
        return self._outcomes.prospect(board, column, self._end) if board.can_play(column) else 0.0


_DRAWN = 0.9
"""Prospects above this are those of wins and draws."""
