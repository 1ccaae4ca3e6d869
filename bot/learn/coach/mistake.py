"""One mistake: what a person could have seen, the columns that answer it, and what follows each of the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from bot.engine.review import MoveVerdict
from bot.engine.score import LOWEST, plies_to_end, sign
from bot.game import Board
from bot.learn.coach.pattern import Pattern, reason_of, visible_win
from bot.learn.coach.reason import SIGHT, Lesson, Reason, ReasonKind, Try
from bot.learn.coach.sentences import hint, judged, tried, wording


@dataclass(frozen=True)
class Mistake:
    """A move that lost score, with what exact play says of all columns. It lives while its lesson is made."""

    board: Board
    """The position before it."""
    column: int
    best: int
    """The exact score before it, for the mover."""
    verdict: MoveVerdict
    scores: Mapping[int, int]
    """The exact score of each column that is solved, for the mover; that of the mistake is."""

    @cached_property
    def visible(self) -> Reason | None:
        """What a person could have seen: the plainest of what the move missed or allowed within `SIGHT` plies."""
        own, theirs = visible_win(self.board), self._allowed(self.column)
        found: list[Reason] = []
        if own is not None and self._winning:
            found.append(reason_of(own, (), self.board, self._mover, missed=True))
        if theirs is not None and self._safe:
            after = self.board.play(self.column)
            found.append(reason_of(theirs, (self.column,), after, 3 - self._mover, missed=False))
        return min(found, key=lambda reason: reason.kind.rank, default=None)

    @cached_property
    def right(self) -> tuple[int, ...]:
        """The columns that avoid what could be seen, or else keep the outcome or the score."""
        if self.visible is not None:
            return self._winning if self.visible.missed else self._safe
        if self.verdict.grave:
            return tuple(column for column, score in self.scores.items() if sign(score) == sign(self.best))
        return tuple(column for column, score in self.scores.items() if score == self.best)

    def lesson(
        self,
        reasons: tuple[Reason, ...],
        line: tuple[int, ...],
        better: tuple[int, ...],
        reply: Callable[[Board, int], int | None],
    ) -> Lesson:
        """Return what is said of it; ``reply`` returns a best column in a position of this score."""
        mover = "XO"[self.board.ply % 2]
        judgement = judged(mover, self.column, self.verdict, self.best)
        said = judgement
        if reasons and reasons[0].is_at_once and (self.visible or self.verdict.grave):
            said = wording(mover, self.column, reasons[0])
        begins = reasons[0].line[0] if reasons and reasons[0].missed else None
        best_first = sorted(self.right, key=lambda column: (-self.scores.get(column, LOWEST), column != begins))
        return Lesson(
            ply=self.board.ply,
            column=self.column,
            verdict=self.verdict,
            text=said.happened,
            question=said.question if self._is_avoidable else judgement.question,
            name=said.name,
            reasons=reasons,
            is_visible=self.visible is not None,
            only_delays=self.visible is not None and not self._is_avoidable,
            right=tuple(best_first),
            tries=tuple(self._try(column, reply) for column in range(7)),
            was_lost=self.best < 0,
            line=line,
            better=better,
        )

    @cached_property
    def _is_avoidable(self) -> bool:
        """Whether there is something to see, and the right columns avoid it rather than delay it."""
        return self.visible is not None and not any(self._allowed(column) for column in self.right)

    @property
    def _best_column(self) -> int:
        """The best of the solved columns."""
        return max(self.scores, key=self.scores.__getitem__)

    @property
    def _mover(self) -> int:
        return self.board.ply % 2 + 1

    def _allowed(self, column: int) -> Pattern | None:
        """Return how the opponent wins within `SIGHT` plies after a column."""
        return visible_win(self.board.play(column))

    @cached_property
    def _winning(self) -> tuple[int, ...]:
        """The columns that win within `SIGHT` plies, or at once where the mover has a four; none if the mistake is one.

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
        if safe:
            return safe
        return tuple(column for column, score in self.scores.items() if score > self.scores[self.column])

    def _try(self, column: int, reply: Callable[[Board, int], int | None]) -> Try | None:
        score = self.scores.get(column)
        if score is None or column == self.column:
            return None
        after, is_right = self.board.play(column), column in self.right
        allowed = None if is_right else self._allowed(column)
        if allowed is not None:
            reason = reason_of(allowed, (column,), after, 3 - self._mover, missed=False)
            return Try(reason.text, reason.line, hint(reason))
        answer = None if after.is_over else reply(after, -score)
        line = (column,) if answer is None else (column, answer)
        prevents = is_right and self._is_avoidable and self.visible is not None and not self.visible.missed
        prevents &= self.best < 0 or self.scores[self._best_column] == self.best
        return Try(tried(column, self._best_column, self.best, score, prevents=prevents), line)
