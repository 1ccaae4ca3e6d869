"""One move: what a person could have seen, the columns that answer it, and what follows each of the others."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bot.engine.agent import StopFlag
from bot.engine.review import MoveVerdict, judge
from bot.engine.score import LOWEST, plies_to_end, sign
from bot.game import Board
from bot.learn.coach.pattern import Pattern, pattern_for, reason_of, visible_win
from bot.learn.coach.reason import SIGHT, Lesson, Reason, ReasonKind, Try
from bot.learn.coach.sentences import hint, judged, tried, wording

if TYPE_CHECKING:
    from bot.engine.analysis import Analyst

_ANY = 99
"""More plies than any game has."""


@dataclass(frozen=True, slots=True)
class Search:
    """An analyst, whose searches share their time."""

    analyst: Analyst
    end: float
    """When the time is over, by `time.perf_counter`."""
    stop: StopFlag | None

    @property
    def limits(self) -> dict[str, Any]:
        """The time that is left and the stop, as options of the analyst."""
        return {"deadline_s": max(0.0, self.end - time.perf_counter()), "stop": self.stop}

    def score(self, board: Board) -> int | None:
        """Return the exact score of a position for its side to move; None where half of the time is not enough."""
        limits = self.limits
        limits["deadline_s"] /= 2
        return self.analyst.bounds(board, keep=True, **limits).score

    def line(self, board: Board, score: int) -> tuple[int, ...]:
        """Return a best line from a position of this score, as far as time allows."""
        return self.analyst.line(board, score, **self.limits)

    def best(self, board: Board, score: int) -> int | None:
        """Return a best column of an unfinished position of this score; None where time runs out."""
        return self.analyst.best_move(board, score, **self.limits)


@dataclass(frozen=True)
class ExplainedMove:
    """A move, with what exact play says of all columns. It lives while its lesson is made."""

    search: Search
    board: Board
    """The position before it."""
    column: int
    best: int
    """The exact score before it, for the mover."""
    played: int
    """The exact score after it, for the mover."""

    def lesson(self, *, lines: bool, deep: bool) -> Lesson:
        """Return what is said of it, with the best ``lines`` if they are wanted.

        ``deep``: look for reasons that begin after best play, too; without it, only for those that begin at once.
        """
        mover = "XO"[self.board.ply % 2]
        said = judged(mover, self.column, self.verdict, self.best)
        found = Lesson(
            ply=self.board.ply,
            column=self.column,
            verdict=self.verdict,
            text=said.happened,
            was_lost=self.best < 0,
            line=self.search.line(self._after(self.column), -self.played) if lines else (),
        )
        if self.verdict.kind == "best":
            return found
        reasons = self._reasons(deep=deep) if self.visible is None else [self.visible]
        question = said.question
        if reasons and reasons[0].is_at_once and (self.visible or self.verdict.grave):
            said = wording(mover, self.column, reasons[0])
        begins = reasons[0].line[0] if reasons and reasons[0].missed else None
        best_first = sorted(self.right, key=lambda column: (-self.scores.get(column, LOWEST), column != begins))
        return replace(
            found,
            text=said.happened,
            question=said.question if self._is_avoidable else question,
            name=said.name,
            reasons=tuple(reasons),
            is_visible=self.visible is not None,
            only_delays=self.visible is not None and not self._is_avoidable,
            right=tuple(best_first),
            tries=tuple(map(self._try, range(7))),
            better=self.search.line(self.board, self.best) if lines else (),
        )

    @cached_property
    def verdict(self) -> MoveVerdict:
        """What it did to the score."""
        return judge(self.best, self.played)

    @cached_property
    def scores(self) -> dict[int, int]:
        """The exact score of each column that is solved, for the mover; that of the move is."""
        found = {column: self.search.score(self._after(column)) for column in self.board.legal_columns()}
        return {column: -score for column, score in found.items() if score is not None} | {self.column: self.played}

    @cached_property
    def visible(self) -> Reason | None:
        """What a person could have seen: the plainest of what the move missed or allowed within `SIGHT` plies."""
        own, theirs = visible_win(self.board), self._allowed(self.column)
        found: list[Reason] = []
        if own is not None and self._winning:
            found.append(reason_of(own, self.board, missed=True))
        if theirs is not None and self._safe:
            found.append(reason_of(theirs, self._after(self.column), (self.column,)))
        return min(found, key=lambda reason: reason.kind.rank, default=None)

    @cached_property
    def right(self) -> tuple[int, ...]:
        """The columns that avoid what could be seen, or else keep the outcome or the score."""
        if self.visible is not None:
            return self._winning if self.visible.missed else self._safe
        if self.verdict.grave:
            return tuple(column for column, score in self.scores.items() if sign(score) == sign(self.best))
        return tuple(column for column, score in self.scores.items() if score == self.best)

    def _reasons(self, *, deep: bool) -> list[Reason]:
        """Return the reasons that are proven, the most immediate first."""
        most = _ANY if deep else 1
        after = self._after(self.column)
        found: list[Reason | None] = []
        if self.verdict.kind != "sooner" and self.best >= 0:
            before = _ANY if self.verdict.grave else 1 + plies_to_end(-self.played, after.ply)
            found.append(self._shown(self.board, self.best, (), before=before, most=most))
        if self.verdict.kind != "slower" and self.played <= 0 and not after.is_over:
            before = _ANY if self.verdict.grave else plies_to_end(self.best, self.board.ply)
            found.append(self._shown(after, -self.played, (self.column,), before=before, most=most))
        return sorted(filter(None, found), key=lambda reason: (reason.quiet + reason.missed, reason.missed))

    def _shown(self, board: Board, score: int, line: tuple[int, ...], *, before: int, most: int) -> Reason | None:
        """Play best moves from ``board``, where ``line`` led, until a pattern gives its side to move a reason.

        At most ``most`` of them; a pattern counts only if its line has fewer than ``before`` plies in all.
        """
        player, missed, last = board.ply % 2 + 1, not line, len(line) + most
        while not board.is_over:
            pattern = pattern_for(board, player, to_win=score != 0)
            if pattern is not None and len(line) + len(pattern.line) < before:
                return reason_of(pattern, board, line, missed=missed)
            column = None if len(line) == last else self.search.best(board, score)
            if column is None:
                break
            line, board, score = (*line, column), board.play(column), -score
        return None

    @cached_property
    def _is_avoidable(self) -> bool:
        """Whether there is something to see, and the right columns avoid it rather than delay it."""
        return self.visible is not None and not any(self._allowed(column) for column in self.right)

    def _after(self, column: int) -> Board:
        return self.board.play(column)

    def _allowed(self, column: int) -> Pattern | None:
        """Return how the opponent wins within `SIGHT` plies after a column."""
        return visible_win(self._after(column))

    @cached_property
    def _winning(self) -> tuple[int, ...]:
        """The columns that win within `SIGHT` plies, or at once where the mover has a four; none if the move is one.

        None, too, where the mover has no such win.
        """
        own = visible_win(self.board)
        if own is None:
            return ()
        most = 1 if own.kind is ReasonKind.FOUR else SIGHT
        winning = tuple(
            column for column, score in self.scores.items() if score > 0 and plies_to_end(score, self.board.ply) <= most
        )
        return () if self.column in winning else winning

    @cached_property
    def _safe(self) -> tuple[int, ...]:
        """The columns after which the opponent does not win within `SIGHT` plies, or where all do, later than now."""
        safe = tuple(column for column in self.board.legal_columns() if self._allowed(column) is None)
        return safe or tuple(column for column, score in self.scores.items() if score > self.played)

    def _try(self, column: int) -> Try | None:
        score = self.scores.get(column)
        if score is None or column == self.column:
            return None
        after, is_right = self._after(column), column in self.right
        allowed = None if is_right else self._allowed(column)
        if allowed is not None:
            reason = reason_of(allowed, after, (column,))
            return Try(reason.text, reason.line, hint(reason))
        answer = None if after.is_over else self.search.best(after, -score)
        line = (column,) if answer is None else (column, answer)
        best = max(self.scores, key=self.scores.__getitem__)
        prevents = is_right and self._is_avoidable and self.visible is not None and not self.visible.missed
        prevents &= self.best < 0 or self.scores[best] == self.best
        return Try(tried(column, best, self.best, score, prevents=prevents), line)
