"""The coach: explains the moves of a game, and says only what is proven."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from bot.engine.agent import StopFlag
from bot.engine.review import MoveVerdict, Review, judge
from bot.engine.score import plies_to_end
from bot.game import Board
from bot.learn.coach.mistake import Mistake
from bot.learn.coach.moments import GameLessons, game_lessons
from bot.learn.coach.pattern import pattern_for, reason_of
from bot.learn.coach.reason import Lesson, Reason
from bot.learn.coach.sentences import judged

if TYPE_CHECKING:
    from bot.engine.analysis import Analyst

_UNLIMITED_S = 1e9
_ANY = 99
"""More plies than any game has."""


class Coach:
    """Explains moves with an analyst. Not safe for several threads at once."""

    def __init__(self, analyst: Analyst) -> None:
        self._analyst = analyst

    def lesson(
        self,
        board: Board,
        column: int,
        *,
        scores: tuple[int, int] | None = None,
        lines: bool = True,
        deep: bool = True,
        deadline_s: float = _UNLIMITED_S,
        stop: StopFlag | None = None,
    ) -> Lesson | None:
        """Return what is known about the move ``column`` (0..6) in ``board``; None where time runs out before that.

        Parameters
        ----------
        scores
            The exact scores before and after the move, each for the side to move, where they are known.
        lines
            Whether to search for the best lines, which takes longer than the reasons.
        deep
            Whether to look for reasons that begin after best play, too; without it, only for those that begin at once.
        """
        work = _Work(self._analyst, time.perf_counter() + deadline_s, stop)
        after = board.play(column)
        known = scores or work.scores(board, after)
        if known is None:
            return None
        best, played = known[0], -known[1]
        verdict = judge(best, played)
        line = work.line(after, -played) if lines else ()
        if verdict.kind == "best":
            mover = "XO"[board.ply % 2]
            text = judged(mover, column, verdict, best).happened
            return Lesson(board.ply, column, verdict, text, line=line, was_lost=best < 0)
        mistake = Mistake(board, column, best, verdict, work.columns(board) | {column: played})
        reasons = (mistake.visible,) if mistake.visible else work.reasons(board, column, best, played, verdict, deep)
        better = work.line(board, best) if lines else ()
        return mistake.lesson(tuple(reasons), line, better, work.best)

    def game(
        self,
        columns: Sequence[int],
        reviewed: Review,
        *,
        lines: bool = False,
        deadline_s: float = _UNLIMITED_S,
        stop: StopFlag | None = None,
    ) -> GameLessons:
        """Return a lesson for every mistake of a reviewed game (columns 0..6), as time allows, and its key moments.

        With ``lines``, the lessons have best lines and reasons that begin after best play, which takes longer.
        """
        end = time.perf_counter() + deadline_s
        lessons: list[Lesson] = []
        board = Board()
        for column, verdict, *scores in zip(
            columns, reviewed.moves, reviewed.positions, reviewed.positions[1:], strict=False
        ):
            before, after = scores
            if verdict is not None and verdict.kind != "best" and before is not None and after is not None:
                left_s = end - time.perf_counter()
                known = (before, after)
                lesson = self.lesson(board, column, scores=known, lines=lines, deep=lines, deadline_s=left_s, stop=stop)
                if lesson is not None:
                    lessons.append(lesson)
            board = board.play(column)
        return game_lessons(lessons, reviewed, board.winner)


class _Work:
    """The searches for one lesson, which share its time."""

    def __init__(self, analyst: Analyst, end: float, stop: StopFlag | None) -> None:
        self._analyst, self._end, self._stop = analyst, end, stop

    @property
    def _limits(self) -> dict[str, Any]:
        """The time that is left and the stop, as options of the analyst."""
        return {"deadline_s": max(0.0, self._end - time.perf_counter()), "stop": self._stop}

    def scores(self, board: Board, after: Board) -> tuple[int, int] | None:
        """Return the exact scores of two positions, each for its side to move, or None where time runs out."""
        limits = self._limits
        limits["deadline_s"] /= 2
        second = self._analyst.bounds(after, **limits).score
        first = self._analyst.bounds(board, **self._limits).score
        return None if first is None or second is None else (first, second)

    def columns(self, board: Board) -> dict[int, int]:
        """Return the exact scores of the columns of ``board`` for the side to move, as far as time allows."""
        found = {}
        for column in board.legal_columns():
            limits = self._limits
            limits["deadline_s"] /= 2
            score = self._analyst.bounds(board.play(column), keep=True, **limits).score
            if score is not None:
                found[column] = -score
        return found

    def line(self, board: Board, score: int) -> tuple[int, ...]:
        """Return a best line, as far as time allows."""
        return () if board.is_over else self._analyst.line(board, score, **self._limits)

    def best(self, board: Board, score: int) -> int | None:
        """Return a best column, or None where time runs out."""
        return self._analyst.best_move(board, score, **self._limits)

    def reasons(
        self, board: Board, column: int, best: int, played: int, verdict: MoveVerdict, deep: bool
    ) -> list[Reason]:
        """Return the reasons that are proven for a mistake; ``best`` and ``played`` are scores for the mover."""
        most = _ANY if deep else 1
        found: list[Reason] = []
        mover = board.ply % 2 + 1
        after = board.play(column)
        if verdict.kind != "sooner" and best >= 0:
            before = _ANY if verdict.grave else 1 + plies_to_end(-played, after.ply)
            found += self._shown(board, best, mover, (), missed=True, before=before, most=most)
        if verdict.kind != "slower" and played <= 0 and not after.is_over:
            before = _ANY if verdict.grave else plies_to_end(best, board.ply)
            found += self._shown(after, -played, 3 - mover, (column,), missed=False, before=before, most=most)
        return sorted(found, key=_by_quiet)

    def _shown(
        self, board: Board, score: int, player: int, line: tuple[int, ...], *, missed: bool, before: int, most: int
    ) -> Iterator[Reason]:
        """Play best moves from ``board``, where ``line`` led, until a pattern for ``player`` gives a reason; yield it.

        At most ``most`` of them; a pattern counts only if its line has fewer than ``before`` plies in all.
        """
        last = len(line) + most
        while not board.is_over:
            pattern = pattern_for(board, player, to_win=score != 0)
            if pattern is not None and len(line) + len(pattern.line) < before:
                yield reason_of(pattern, line, board, player, missed=missed)
                return
            column = None if len(line) == last else self.best(board, score)
            if column is None:
                return
            line, board, score = (*line, column), board.play(column), -score


def _by_quiet(reason: Reason) -> tuple[int, bool]:
    """Sort the most immediate reason first."""
    return reason.quiet - (0 if reason.missed else 1), reason.missed
