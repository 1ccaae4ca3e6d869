"""The choice of a move: by the engine where the position is known, over all hypotheses after lost replies."""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.course.events import Chosen
from bot.course.hypotheses import Hypotheses
from bot.course.session import Session
from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.engine.perfect import shipped_book
from bot.engine.score import winning_score
from bot.engine.solver import Solver
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
SHORTEST_S = 0.05
"""Minimum time for a choice, seconds, used when the clock has run out: a late move is better than none."""
HYPOTHESES_S = 2.0
"""Time limit for a choice over several hypotheses, seconds."""
SELDOM_FULL = 0
"""Column that is least likely to be full in a game that was begun on another computer: an edge."""


# Over hypotheses

MOST_BOARDS = 200
"""Maximum number of boards examined after several lost replies, the most likely first; the rest by legality only."""
NEGLIGIBLE = 1e-9
"""Rounding error: probabilities that differ by less count as equal."""


def row_of(prospect: Prospect, board: Board) -> list[float]:
    """Return the probability of not losing with each of the seven columns."""
    return [prospect(board, column) for column in range(COLUMNS)]


def choose(hypotheses: Hypotheses, prospect: Prospect, last: int | None = None) -> Chosen:
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
    rows = [(row_of(prospect, board), weight) for board, weight in ranked[:MOST_BOARDS]]
    rows += [(row_of(Board.can_play, board), weight) for board, weight in ranked[MOST_BOARDS:]]
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
    return Chosen(
        0.0,
        column,
        source="hypotheses",
        pv=(column,),
        hypotheses=len(hypotheses),
        safe=all(row[column] >= max(row) for row, _ in rows),
        saved=round(min(1.0, saved[column]), 4),
    )


# The engine's part


class EngineProspects:
    """Proves outcomes with book and solver. Not thread-safe."""

    def __init__(self) -> None:
        self._solver = Solver()
        self._end: float | None = None

    def within(self, seconds: float | None) -> EngineProspects:
        """Limit the time for proofs to ``seconds`` from now (None: no limit), and return self.

        An outcome that is not proven in time counts as a draw.
        """
        self._end = None if seconds is None else time.monotonic() + seconds
        return self

    def left_s(self) -> float | None:
        """Return the seconds that are left for proofs, 0 if none are; None without a limit."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def prospect(self, board: Board, column: int) -> float:
        """See `Prospect`; the bot's outcome after our move decides."""
        if not board.can_play(column):
            return 0.0
        child = board.play(column)
        if child.is_over:
            return 1.0 if child.has_winner else DRAW
        book = shipped_book()
        score = None if book is None else book.score(child)
        if score is None and self.left_s() != 0.0:
            score = self._solver.solve(child, weak=True, deadline_s=self.left_s(), keep=True).outcome
        if not score:
            return DRAW
        if score < 0:
            return 1.0
        return 0.0 if self._loses_soon(child) else FAR

    def _loses_soon(self, child: Board) -> bool:
        """Return whether the bot, to move in a won position, wins within NEAR_PLIES."""
        least = winning_score(child.ply + NEAR_PLIES - 1)
        if least <= 1:
            return True
        solved = self._solver.solve(child, window=(least - 1, least), deadline_s=self.left_s(), keep=True)
        return solved.lower >= least


class EngineHost:
    """Chooses a move within the move clock. Not thread-safe."""

    def __init__(self, agent: Agent, think_s: float, stop: StopFlag | None = None) -> None:
        """``stop`` ends a search of the agent."""
        self._agent = agent
        self._think_s = think_s
        self._stop = stop
        self._prospects = EngineProspects()

    def __call__(self, session: Session, left_s: float) -> Chosen:
        """Return the choice: by the agent in a known position, otherwise over all hypotheses."""
        hard_s = max(SHORTEST_S, left_s)
        if session.meets_another_game:
            return Chosen(0.0, SELDOM_FULL, pv=(SELDOM_FULL,), source="another computer")
        position = session.playing
        if position is None:
            prospects = self._prospects.within(min(HYPOTHESES_S, hard_s * 0.8))
            return choose(session.hypotheses, prospects.prospect, session.lost_move)
        limit = Limit(hard_s=hard_s, think_s=min(self._think_s, hard_s))
        return chosen(self._agent.choose(position.board, limit, self._stop))


def chosen(decision: Decision) -> Chosen:
    """Return a decision as a choice."""
    names = ("score", "proven", "depth", "nodes", "pv", "source", "note")
    return Chosen(0.0, decision.column, **{name: getattr(decision, name) for name in names})
