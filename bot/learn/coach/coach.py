"""The coach: explains the moves of a game, and says only what is proven."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.engine.agent import StopFlag
from bot.engine.review import Review
from bot.game import Board
from bot.learn.coach.mistake import ExplainedMove, Search
from bot.learn.coach.moments import GameLessons, game_lessons
from bot.learn.coach.reason import Lesson

if TYPE_CHECKING:
    from bot.engine.analysis import Analyst

_UNLIMITED_S = 1e9


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
        """
        search = Search(self._analyst, time.perf_counter() + deadline_s, stop)
        after, best = scores[::-1] if scores else (search.score(board.play(column)), search.score(board))
        if after is None or best is None:
            return None
        return ExplainedMove(search, board, column, best, -after).lesson(lines=lines, deep=True)

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
        search = Search(self._analyst, time.perf_counter() + deadline_s, stop)
        lessons: list[Lesson] = []
        board = Board()
        for column, verdict, best, after in zip(
            columns, reviewed.moves, reviewed.positions, reviewed.positions[1:], strict=False
        ):
            if verdict is not None and verdict.kind != "best" and best is not None and after is not None:
                lessons.append(ExplainedMove(search, board, column, best, -after).lesson(lines=lines, deep=lines))
            board = board.play(column)
        return game_lessons(lessons, reviewed, board.winner)
