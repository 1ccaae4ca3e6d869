"""Choose a column after lost replies; among equally good moves, pick the one least likely to lose if a reply is lost.

Pure functions. `bot/course/README.md` tells what each ingredient gains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Protocol

from bot.course.hypotheses import Hypotheses
from bot.course.learnt import AnswerBook
from bot.game import CENTRE_FIRST, Board

DEEPEST_PLAN = 21
"""Depth of a planned line, in moves of ours, through answers that were seen before."""
MOST_PLANNED = 400
"""Maximum number of positions that one plan examines: it only orders moves of equal outcome."""
MOST_BOARDS = 200
"""Maximum number of boards examined after several lost replies, the most likely first; the rest by legality only."""
UNPLANNED = 0.03
"""Expected probability of losing the game by one lost reply where answers are unknown."""
NEGLIGIBLE = 1e-9
"""Rounding error: probabilities that differ by less count as equal."""
UNLIKELY = 0.02
"""Probability below which a plan ignores an answer."""


class Prospects(Protocol):
    """Probabilities of not losing, which the engine computes for the policy."""

    def prospects(self, board: Board) -> Sequence[float]:
        """Return `prospect` for each of the seven columns."""
        ...

    def prospect(self, board: Board, column: int) -> float:
        """Return the probability of not losing with ``column``, us to move on an unfinished ``board``.

        Illegal columns have 0, proven wins 1. It may be an estimate when time is short.
        """
        ...


@dataclass(frozen=True, slots=True)
class SharedColumn:
    """A column that serves all hypotheses, and its probability of not losing."""

    column: int
    saved: float
    """Probability of not losing, over all hypotheses."""
    safe: bool
    """Whether it is a best column in every hypothesis; if not, no column is."""


def choose(hypotheses: Hypotheses, prospects: Prospects, last: int | None = None) -> SharedColumn:
    """Return the column with the best probability of not losing over all hypotheses.

    A column that is full in a hypothesis certainly loses there. Among equally good columns, the one least likely to be
    full is chosen, since the bot may still err in a lost position; then ``last``, the one that was sent before; then
    the one closest to the centre. A hypothesis without a running game counts as an empty board, because a move then
    opens a game with our disc. Raises ValueError if no column is legal in any hypothesis.
    """
    boards: dict[Board, float] = {}
    for hypothesis in hypotheses:
        board = hypothesis.playing.board
        boards[board] = boards.get(board, 0.0) + hypothesis.weight
    ranked = sorted(boards.items(), key=lambda item: -item[1])
    rows = [(prospects.prospects(board), weight) for board, weight in ranked[:MOST_BOARDS]]
    rows += [(_legality(board), weight) for board, weight in ranked[MOST_BOARDS:]]
    total = sum(boards.values())
    saved: dict[int, float] = {}
    full: dict[int, float] = {}
    for column in CENTRE_FIRST:
        full[column] = sum(weight for board, weight in ranked if not board.can_play(column))
        if full[column] < total - NEGLIGIBLE:
            saved[column] = sum(weight * row[column] for row, weight in rows) / total
    if not saved:
        raise ValueError("no column is legal in any hypothesis")
    best = max(saved.values()) - NEGLIGIBLE
    candidates = [column for column in saved if saved[column] >= best]
    column = min(candidates, key=lambda column: (full[column], column != last))
    is_safe = all(row[column] >= max(row) for row, _ in rows)
    return SharedColumn(column, saved[column], safe=is_safe)


def _legality(board: Board) -> Sequence[float]:
    return [float(board.can_play(column)) for column in range(7)]


class MovePlan:
    """Chooses among equally good columns of a known position by what a lost reply would cost.

    A column's risk is the expected loss if its own reply is lost, plus the risk of the moves that follow. The plan
    follows answers that were seen before, to the end of the game if they are known, so against a bot that repeats
    itself it covers the whole line. It remembers the positions it has examined and serves several choices, as long as
    the bot gives no answer that was never seen before.
    """

    def __init__(
        self, answers: AnswerBook, prospects: Prospects, *, delivered: float = 0.5, deepest: int = DEEPEST_PLAN
    ) -> None:
        """``delivered`` is the probability that a request whose reply is lost has been processed."""
        self._delivered = delivered
        self._answers = answers
        self._prospects = prospects
        self._deepest = deepest
        self._known: dict[Board, float] = {}
        self._best: dict[Board, list[int]] = {}

    def refine(self, board: Board, preferred: int) -> int:
        """Return the column with the least risk among the best columns; ``preferred`` wins ties."""
        candidates = self._candidates(board)
        if preferred not in candidates or len(candidates) == 1 or board.wins_with(preferred):
            return preferred
        risks = {column: self._risk_of(board, column, self._deepest) for column in candidates}
        least = min(risks.values()) + NEGLIGIBLE  # rounding must not decide between equal columns
        return next(column for column in (preferred, *candidates) if risks[column] <= least)

    def _candidates(self, board: Board) -> list[int]:
        """Return the columns with the highest probability of not losing."""
        if board not in self._best:
            row = self._prospects.prospects(board)
            best = max(row)
            legal = [column for column in CENTRE_FIRST if board.can_play(column)]
            self._best[board] = [column for column in legal if row[column] >= best]
        return self._best[board]

    def _risk_of(self, board: Board, column: int, depth: int) -> float:
        """Return the expected loss from lost replies with ``column`` and the moves after it, per lost reply."""
        child = board.play(column)
        if child.is_over:
            return 0.0  # sent again, it wins again or starts a new game
        answers = self._likely(child)
        risk = 1.0 - self._follow_up(board, answers, child)
        counts = self._answers.counts(child)
        for answer, share in answers.items():
            after = child.play(answer)
            if not after.is_over:
                risk += share * (
                    self._risk(after, depth - 1) if depth > 0 and counts[answer] >= 1 else _unplanned(after)
                )
        return risk

    def _risk(self, board: Board, depth: int) -> float:
        """Return the least risk of a position with us to move."""
        if board not in self._known and len(self._known) >= MOST_PLANNED:
            return _unplanned(board)
        if board not in self._known:
            least = inf
            for column in self._candidates(board):
                least = min(least, self._risk_of(board, column, depth))
                if not least:
                    break  # no other column can be better
            self._known[board] = least
        return self._known[board]

    def _likely(self, child: Board) -> Mapping[int, float]:
        known = self._answers.likely(child)
        likely = {answer: share for answer, share in known.items() if share >= UNLIKELY}
        total = sum(likely.values())
        return {answer: share / total for answer, share in likely.items()}

    def _follow_up(self, board: Board, answers: Mapping[int, float], child: Board) -> float:
        """Return the best probability of not losing after the reply to the move to ``child`` was lost.

        Only the best columns of ``board`` are examined: another loses already if the request was not processed.
        """
        afters = [(child.play(answer), share) for answer, share in answers.items()]
        running = [(after, share) for after, share in afters if not after.is_over]
        lost = sum(share for after, share in afters if after.has_winner)
        best = 0.0
        for column in self._candidates(board):
            saved = (1 - self._delivered) * self._prospects.prospect(board, column)
            saved += self._delivered * (1.0 - lost)
            for after, share in running:
                if saved <= best:
                    break
                saved -= self._delivered * share * (1.0 - self._prospects.prospect(after, column))
            best = max(best, saved)
        return best


def _unplanned(board: Board) -> float:
    """Return the expected risk of a position whose answers are unknown, to the end of the game."""
    return UNPLANNED * (42 - board.ply) / 2
