"""Which column to send when a reply was lost, and which to prefer so that a lost reply would cost least. Pure.

`bot/session/README.md` has the ablation table: what each ingredient gains on held-out bots, and how to rerun it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.game import CENTRE_FIRST, Board
from bot.session.answers import AnswerBook
from bot.session.belief import Belief

LOST_SHARE = 0.05
"""Share of replies expected to be lost when a move is chosen for the case that its reply is."""
DEEPEST_PLAN = 21
"""Our moves that a planned line looks ahead, through answers that were seen before."""
MOST_BOARDS = 200
"""Boards examined after several lost replies, the most likely ones; of the others only legality is."""
UNPLANNED = 0.03
"""Loss to expect from a lost reply where answers are unknown."""
UNLIKELY = 0.02
"""Answers below this probability are left out of a plan."""


class Prospects(Protocol):
    """The engine's knowledge, as the policy needs it."""

    def prospects(self, board: Board) -> Sequence[float]:
        """Return `prospect` for each of the seven columns."""
        ...

    def prospect(self, board: Board, column: int) -> float:
        """Return the probability of not losing with ``column``, us to move on an unfinished ``board``.

        Illegal columns have 0, proven wins 1. May be an estimate when time is short.
        """
        ...


@dataclass(frozen=True, slots=True)
class Choice:
    """A column and what it is expected to save."""

    column: int
    saved: float
    """Probability of not losing, over all hypotheses."""
    safe: bool
    """Whether it keeps the best prospect in every hypothesis; if not, no column does."""


def choose(belief: Belief, prospects: Prospects) -> Choice:
    """Return the column with the best probability of not losing over all hypotheses.

    A column that is full in a hypothesis loses there for certain. A hypothesis without a running game counts as an
    empty board, because a move then starts a game with our disc. Raises ValueError when no column is legal anywhere.
    """
    boards: dict[Board, float] = {}
    for hypothesis in belief:
        board = hypothesis.playing.board
        boards[board] = boards.get(board, 0.0) + hypothesis.weight
    ranked = sorted(boards.items(), key=lambda item: -item[1])
    rows = [(prospects.prospects(board), weight) for board, weight in ranked[:MOST_BOARDS]]
    rows += [(_legality(board), weight) for board, weight in ranked[MOST_BOARDS:]]
    legal = [column for column in CENTRE_FIRST if any(board.can_play(column) for board in boards)]
    if not legal:
        raise ValueError("no column is legal in any hypothesis")
    total = sum(weight for _, weight in rows)
    saved = {column: sum(weight * row[column] for row, weight in rows) / total for column in legal}
    certain = {column: all(row[column] >= max(row) for row, _ in rows) for column in legal}
    column = max(legal, key=lambda column: (round(saved[column], 9), certain[column]))
    return Choice(column, saved[column], certain[column])


def _legality(board: Board) -> Sequence[float]:
    return [float(board.can_play(column)) for column in range(7)]


class Plan:
    """Chooses among equally good columns of a known position by what a lost reply would cost.

    A column's risk is what is lost if its own reply gets lost, plus the risk of the moves that follow. It is
    followed through answers that were seen before, to the end of the game if they are known, so that against a bot
    that repeats itself the whole line is planned. One instance per choice: it remembers what it has looked at.
    """

    def __init__(self, answers: AnswerBook, prospects: Prospects, deepest: int = DEEPEST_PLAN) -> None:
        self._answers = answers
        self._prospects = prospects
        self._deepest = deepest
        self._known: dict[Board, float] = {}
        self._best: dict[Board, list[int]] = {}

    def refine(self, board: Board, preferred: int) -> int:
        """Return the column of the best prospect with the least risk; ``preferred`` wins ties."""
        candidates = self._candidates(board)
        if preferred not in candidates or len(candidates) == 1 or board.wins_with(preferred):
            return preferred
        risks = {column: self._risk_of(board, column, self._deepest) for column in candidates}
        least = min(risks.values())
        return preferred if risks[preferred] <= least + 1e-9 else min(candidates, key=lambda column: risks[column])

    def _candidates(self, board: Board) -> list[int]:
        """Return the columns of the best prospect."""
        if board not in self._best:
            row = self._prospects.prospects(board)
            best = max(row)
            self._best[board] = [column for column in CENTRE_FIRST if board.can_play(column) and row[column] >= best]
        return self._best[board]

    def _risk_of(self, board: Board, column: int, depth: int) -> float:
        """Return the expected loss from lost replies with ``column`` and the moves after it."""
        child = board.play(column)
        if child.is_over:
            return 0.0  # sent again, it wins again or starts a new game
        answers = self._likely(child)
        risk = LOST_SHARE * (1.0 - self._follow_up(board, answers, child))
        seen = self._seen(child) if depth > 0 else set()
        for answer, share in answers.items():
            after = child.play(answer)
            if not after.is_over:
                risk += share * (self._risk(after, depth - 1) if answer in seen else _unplanned(after))
        return risk

    def _risk(self, board: Board, depth: int) -> float:
        """Return the least risk of a position with us to move."""
        if board not in self._known:
            least = 1.0
            for column in self._candidates(board):
                least = min(least, self._risk_of(board, column, depth))
                if least <= 0.0:
                    break
            self._known[board] = least
        return self._known[board]

    def _likely(self, child: Board) -> Mapping[int, float]:
        likely = {answer: share for answer, share in self._answers.likely(child).items() if share >= UNLIKELY}
        total = sum(likely.values())
        return {answer: share / total for answer, share in likely.items()}

    def _seen(self, child: Board) -> set[int]:
        return {column for column, count in enumerate(self._answers.counts(child)) if count >= 1}

    def _follow_up(self, board: Board, answers: Mapping[int, float], child: Board) -> float:
        """Return the best probability of not losing after the reply to the move to ``child`` was lost.

        Only columns that are right in ``board`` itself are looked at: others lose half of it from the start.
        """
        afters = [(child.play(answer), share) for answer, share in answers.items()]
        best = 0.0
        for column in self._candidates(board):
            saved = 0.5 * self._prospects.prospect(board, column) + 0.5
            for after, share in afters:
                if saved <= best:
                    break
                saved -= 0.5 * share * (1.0 - self._prospect(after, column))
            best = max(best, saved)
        return best

    def _prospect(self, after: Board, column: int) -> float:
        """Return the prospect of a column after the bot's answer, which may have ended the game."""
        if after.is_over:
            return 0.0 if after.has_winner else 1.0
        return self._prospects.prospect(after, column)


def _unplanned(board: Board) -> float:
    """Return the risk to expect from a position on, whose answers are unknown."""
    return LOST_SHARE * UNPLANNED * (42 - board.ply) / 2
