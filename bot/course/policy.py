"""The choice of a move: by the engine where the position is known, over all hypotheses after lost replies.

Among equally good columns of a known position, `MovePlan` picks the one least likely to lose if a reply is lost.
`bot/course/README.md` tells what each ingredient gains.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf

from bot.course.hypotheses import AnswerBook, Hypotheses, delivered_share
from bot.course.session import Session
from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.engine.analysis import Analyst
from bot.engine.perfect import shipped_book
from bot.engine.score import winning_score
from bot.game import CENTRE_FIRST, Board
from bot.game.board import COLUMNS

Prospect = Callable[[Board, int], float]
"""Returns the probability of not losing with a column 0..6, us to move on an unfinished board.

Illegal columns have 0, proven wins 1. It may be an estimate when time is short.
"""

DRAW = 0.97
"""Probability of not losing with a drawn column, which one more lost reply can still lose."""
NEAR_PLIES = 8
"""Plies within which a loss counts as certain: bots of courses search no deeper."""
FAR = 0.5
"""Probability of not losing a lost position whose end is farther away, measured against foreign depth-3 bots."""
_KEPT = 500_000
SHORTEST_S = 0.05
"""Minimum time for a choice, seconds, used when the clock has run out: a late move is better than none."""
PLAN_S = 0.25
"""Time limit for a plan, seconds: it only orders moves of equal outcome."""
HYPOTHESES_S = 2.0
"""Time limit for a choice over several hypotheses, seconds."""
SELDOM_FULL = 0
"""Column that is least likely to be full in a game that was begun on another computer: an edge."""


# Over hypotheses

NEGLIGIBLE = 1e-9
"""Rounding error: probabilities that differ by less count as equal."""


def row_of(prospect: Prospect, board: Board) -> list[float]:
    """Return the probability of not losing with each of the seven columns."""
    return [prospect(board, column) for column in range(COLUMNS)]


def choose(hypotheses: Hypotheses, prospect: Prospect, last: int | None = None) -> Decision:
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
    rows = [(row_of(prospect, board), weight) for board, weight in ranked]
    saved: dict[int, float] = {}
    full: dict[int, float] = {}
    for column in CENTRE_FIRST:
        full[column] = sum(weight for board, weight in ranked if not board.can_play(column))
        if full[column] < 1 - NEGLIGIBLE:
            saved[column] = sum(weight * row[column] for row, weight in rows)
    if not saved:
        raise ValueError("no column is legal in any hypothesis")
    best = max(saved.values()) - NEGLIGIBLE
    candidates = [column for column in saved if saved[column] >= best]
    column = min(candidates, key=lambda column: (full[column], column != last))
    return Decision(
        column,
        source="hypotheses",
        pv=(column,),
        safe=all(row[column] >= max(row) for row, _ in rows),
        saved=round(min(1.0, saved[column]), 4),
    )


# In a known position

MOST_PLANNED = 400
"""Maximum number of positions that one plan examines: it only orders moves of equal outcome."""
UNPLANNED = 0.03
"""Expected probability of losing the game by one lost reply where answers are unknown."""
UNLIKELY = 0.02
"""Probability below which a plan ignores an answer."""


class MovePlan:
    """Chooses among equally good columns of a known position by what a lost reply would cost.

    A column's risk is the expected loss if its own reply is lost, plus the risk of the moves that follow. The plan
    follows answers that were seen before, to the end of the game if they are known, so against a bot that repeats
    itself it covers the whole line. It remembers the positions it has examined and serves several choices, as long as
    the bot gives no answer that was never seen before.
    """

    def __init__(self, answers: AnswerBook, prospect: Prospect, *, delivered: float = 0.5) -> None:
        """``delivered`` is the probability that a request whose reply is lost has been processed."""
        self._delivered = delivered
        self._answers = answers
        self._prospect = prospect
        self._known: dict[Board, float] = {}

    def refine(self, board: Board, preferred: int) -> int:
        """Return the column with the least risk among the best columns; ``preferred`` wins ties."""
        candidates = self._candidates(board)
        if preferred not in candidates or len(candidates) == 1 or board.wins_with(preferred):
            return preferred
        risks = {column: self._risk_of(board, column) for column in candidates}
        least = min(risks.values()) + NEGLIGIBLE  # rounding must not decide between equal columns
        return next(column for column in (preferred, *candidates) if risks[column] <= least)

    def _candidates(self, board: Board) -> list[int]:
        """Return the columns with the highest probability of not losing."""
        row = row_of(self._prospect, board)
        best = max(row)
        return [column for column in CENTRE_FIRST if row[column] >= best and board.can_play(column)]

    def _risk_of(self, board: Board, column: int) -> float:
        """Return the expected loss from lost replies with ``column`` and the moves after it, per lost reply."""
        child = board.play(column)
        if child.is_over:
            return 0.0  # sent again, it wins again or starts a new game
        counts = self._answers.counts(child)
        possible, saved, later = [(board, 1.0 - self._delivered)], 0.0, 0.0
        for answer, share in self._likely(child).items():
            after = child.play(answer)
            if not after.is_over:
                possible.append((after, self._delivered * share))
                later += share * (self._risk(after) if counts[answer] else _unplanned(after))
            elif not after.has_winner:
                saved += self._delivered * share
        return 1.0 - saved - self._follow_up(board, possible) + later

    def _risk(self, board: Board) -> float:
        """Return the least risk of a position with us to move."""
        if board not in self._known:
            if len(self._known) >= MOST_PLANNED:
                return _unplanned(board)
            least = inf
            for column in self._candidates(board):
                least = min(least, self._risk_of(board, column))
                if least <= NEGLIGIBLE:
                    break  # no other column can be better
            self._known[board] = least
        return self._known[board]

    def _likely(self, child: Board) -> Mapping[int, float]:
        known = self._answers.likely(child)
        likely = {answer: share for answer, share in known.items() if share >= UNLIKELY}
        total = sum(likely.values())
        return {answer: share / total for answer, share in likely.items()}

    def _follow_up(self, board: Board, possible: Sequence[tuple[Board, float]]) -> float:
        """Return the best probability of not losing after a lost reply, over the ``possible`` boards by probability.

        Only the best columns of ``board`` are examined: another loses already if the request was not processed.
        """
        best, most = 0.0, sum(weight for _, weight in possible)
        for column in self._candidates(board):
            best = max(best, sum(weight * self._prospect(each, column) for each, weight in possible))
            if best >= most - NEGLIGIBLE:
                break  # no other column can be better
        return best


def _unplanned(board: Board) -> float:
    """Return the expected risk of a position whose answers are unknown, to the end of the game."""
    return UNPLANNED * (42 - board.ply) / 2


# The engine's part


class EngineProspects:
    """Proves outcomes with book and solver and remembers them. Not thread-safe."""

    def __init__(self) -> None:
        self._analyst = Analyst(shipped_book())
        self._proven: dict[tuple[Board, int], float] = {}
        """Probability of not losing by position and column: a plan asks many times, and no board is made to answer."""
        self._end: float | None = None

    def within(self, seconds: float | None) -> EngineProspects:
        """Limit the time for proofs to ``seconds`` from now (None: no limit), and return self.

        An outcome that is not proven in time counts as a draw.
        """
        self._end = None if seconds is None else time.monotonic() + seconds
        return self

    def prospect(self, board: Board, column: int) -> float:
        """See `Prospect`."""
        known = self._proven.get((board, column))
        if known is not None:
            return known
        found = self._found(board.play(column)) if board.can_play(column) else 0.0
        if len(self._proven) > _KEPT:
            self._proven.clear()
        if self.left_s() != 0.0:
            self._proven[board, column] = found
        return found

    def left_s(self) -> float | None:
        """Return the seconds that are left for proofs, 0 if none are; None without a limit."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def _found(self, child: Board) -> float:
        """Return the probability of not losing after our move to ``child``, by the bot's outcome there."""
        if child.is_over:
            return 1.0 if child.has_winner else DRAW
        if self.left_s() == 0.0 and not self._analyst.is_ready(child, columns=False):
            return DRAW
        outcome = self._analyst.bounds(child, weak=True, deadline_s=self.left_s(), keep=True).outcome
        if not outcome:
            return DRAW
        if outcome < 0:
            return 1.0
        return 0.0 if self._loses_soon(child) else FAR

    def _loses_soon(self, child: Board) -> bool:
        """Return whether the bot, to move in a won position, wins within NEAR_PLIES."""
        least = winning_score(child.ply + NEAR_PLIES - 1)
        if least <= 1:
            return True
        solved = self._analyst.bounds(child, window=(least - 1, least), deadline_s=self.left_s(), keep=True)
        return solved.lower >= least


class EngineHost:
    """Chooses a move within the move clock. Not thread-safe."""

    def __init__(self, agent: Agent, think_s: float, stop: StopFlag | None = None) -> None:
        """``stop`` ends a search of the agent."""
        self._agent = agent
        self._think_s = think_s
        self._stop = stop
        self._prospects = EngineProspects()
        self._planned: dict[tuple[int, float], MovePlan] = {}
        """The plan by what was known of the server when it was made: it serves until something new is learnt."""

    def __call__(self, session: Session, left_s: float) -> Decision:
        """Return the decision: by the agent in a known position, otherwise over all hypotheses.

        Where the agent has proven its move, the plan may prefer another one of equal outcome.
        """
        hard_s = max(SHORTEST_S, left_s)
        end_s = time.monotonic() + hard_s
        if session.meets_another_game:
            return Decision(SELDOM_FULL, pv=(SELDOM_FULL,), source="another computer")
        position = session.playing
        if position is None:
            prospects = self._prospects.within(min(HYPOTHESES_S, hard_s * 0.8))
            return choose(session.hypotheses, prospects.prospect, session.lost_move)
        limit = Limit(hard_s=hard_s, think_s=min(self._think_s, hard_s))
        decision = self._agent.choose(position.board, limit, self._stop)
        if not decision.proven:
            return decision
        prospects = self._prospects.within(min(PLAN_S, max(0.0, end_s - time.monotonic()) / 2))
        learnt = len(session.answers.known), delivered_share(session.learnt.deliveries, *session.learnt.deliveries)
        plan = self._planned.get(learnt) or MovePlan(session.answers, prospects.prospect, delivered=learnt[1])
        column = plan.refine(position.board, decision.column)
        self._planned = {} if prospects.left_s() == 0.0 else {learnt: plan}  # or it may remember estimates
        if column == decision.column:
            return decision
        return replace(decision, column=column, source="plan", depth=None, nodes=None, pv=(column,))
