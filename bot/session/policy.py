"""Which column to send when a reply was lost, and which to prefer so that a lost reply would cost least. Pure.

`bot/session/README.md` has the ablation table: what each ingredient gains on held-out bots, and how to rerun it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.game import Board
from bot.session.answers import AnswerBook
from bot.session.belief import Belief

CENTRE_FIRST = (3, 2, 4, 1, 5, 0, 6)
LOST_SHARE = 0.05
"""Share of replies expected to be lost when a move is chosen for the case that its reply is."""
FOLLOW_UP_SHARE = 0.15
"""Weight of the best follow-up after a lost reply against the move's own prospect, before answers are known."""
DEEPEST_PLAN = 21
"""Our moves that a planned line looks ahead, through answers that were seen before."""
MOST_BOARDS = 200
"""Boards examined after several lost replies, the most likely ones; of the others only legality is."""
UNLIKELY = 0.02
"""Answers below this probability are left out of a plan."""


class Prospects(Protocol):
    """The engine's knowledge, as the policy needs it."""

    def prospects(self, board: Board) -> Sequence[float]:
        """Return for each column the probability of not losing with it, us to move on an unfinished ``board``.

        Illegal columns have 0. Proven wins have 1. May be an estimate when time is short.
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
    rows += [([float(board.can_play(column)) for column in range(7)], weight) for board, weight in ranked[MOST_BOARDS:]]
    legal = [column for column in CENTRE_FIRST if any(row[column] > 0 or board.can_play(column) for (row, _), (board, _) in zip(rows, ranked, strict=True))]
    if not legal:
        raise ValueError("no column is legal in any hypothesis")
    total = sum(weight for _, weight in rows)
    saved = {column: sum(weight * row[column] for row, weight in rows) / total for column in legal}
    certain = {column: all(row[column] >= max(row) for row, _ in rows) for column in legal}
    column = max(legal, key=lambda column: (round(saved[column], 9), certain[column]))
    return Choice(column, saved[column], certain[column])


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

    def refine(self, board: Board, preferred: int) -> int:
        """Return the column of the best prospect with the least risk; ``preferred`` wins ties."""
        candidates = self._candidates(board)
        if preferred not in candidates or len(candidates) == 1 or board.wins_with(preferred):
            return preferred
        risks = {column: self._risk_of(board, column, self._deepest) for column in candidates}
        least = min(risks.values())
        return preferred if risks[preferred] <= least + 1e-9 else min(candidates, key=lambda column: risks[column])

    def _candidates(self, board: Board) -> list[int]:
        row = self._prospects.prospects(board)
        best = max(row)
        return [column for column in CENTRE_FIRST if board.can_play(column) and row[column] >= best - 1e-9]

    def _risk_of(self, board: Board, column: int, depth: int) -> float:
        """Return the expected loss from lost replies with ``column`` and the moves after it."""
        child = board.play(column)
        if child.is_over:
            return 0.0  # sent again, it wins again or starts a new game
        answers = self._likely(child)
        risk = LOST_SHARE * (1.0 - self._follow_up(board, answers, child))
        if depth > 0:
            for answer, share in answers.items():
                after = child.play(answer)
                if not after.is_over:
                    risk += share * self._risk(after, depth - 1, answer in self._seen(child))
        return risk

    def _risk(self, board: Board, depth: int, is_seen: bool) -> float:
        if not is_seen:
            return LOST_SHARE * _UNPLANNED * (42 - board.ply) / 2
        if board not in self._known:
            self._known[board] = min(self._risk_of(board, column, depth) for column in self._candidates(board))
        return self._known[board]

    def _likely(self, child: Board) -> Mapping[int, float]:
        likely = {answer: share for answer, share in self._answers.likely(child).items() if share >= UNLIKELY}
        total = sum(likely.values())
        return {answer: share / total for answer, share in likely.items()}

    def _seen(self, child: Board) -> set[int]:
        return {column for column, count in enumerate(self._answers.counts(child)) if count >= 1}

    def _follow_up(self, board: Board, answers: Mapping[int, float], child: Board) -> float:
        """Return the best probability of not losing after the reply to the move to ``child`` was lost."""
        saved = [0.5 * value for value in self._prospects.prospects(board)]
        for answer, share in answers.items():
            after = child.play(answer)
            if after.is_over:
                row: Sequence[float] = [0.0 if after.has_winner else 1.0] * 7
            else:
                row = self._prospects.prospects(after)
            saved = [value + 0.5 * share * gain for value, gain in zip(saved, row, strict=True)]
        return max(saved)


_UNPLANNED = 0.03
"""Loss per lost reply that is expected where answers are unknown."""
