"""Why a puzzle's solution is right, by the coach's patterns: how it wins, or how another move loses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.engine.score import plies_to_end
from bot.game import CENTRE_FIRST, Board
from bot.learn.coach.pattern import pattern_for, reason_of, visible_win
from bot.learn.coach.reason import Reason
from bot.learn.puzzles.classify import FEWEST_PLIES
from bot.learn.puzzles.puzzle import PuzzleKind

if TYPE_CHECKING:
    from bot.engine.analysis import Analyst


def reason_for(kind: PuzzleKind, board: Board, line: tuple[int, ...], analyst: Analyst) -> Reason | None:
    """Return the reason for a puzzle's solution, with which ``line`` of best play begins; None where none is proven.

    For a win, how the solution wins; for a draw, how another move loses; for a trap, how a wrong answer loses. Of those
    that are not refuted at a glance, the one nearest the middle is taken.
    """
    if kind is PuzzleKind.WIN:
        return _shown(board, (), line)
    played: tuple[int, ...] = ()
    if kind is PuzzleKind.TRAP:
        played, board = line[:1], board.play(line[0])
    scores = analyst.solver.column_scores(board)
    for column in CENTRE_FIRST:
        score = scores[column]
        if score is not None and score < 0 and plies_to_end(score, board.ply) >= FEWEST_PLIES:
            after = board.play(column)
            reason = _shown(after, (*played, column), analyst.line(after, -score))
            if reason is not None:
                return reason
    return None


def _shown(board: Board, played: tuple[int, ...], line: tuple[int, ...]) -> Reason | None:
    """Return the first pattern on a line of best play with which the side to move of ``board`` wins.

    ``played`` led to ``board``, from the puzzle's position.
    """
    player = board.ply % 2 + 1
    for number, column in enumerate(line):
        pattern = pattern_for(board, player, to_win=True)
        if pattern is None and number % 2 == 0:
            pattern = visible_win(board)
        if pattern is not None:
            return reason_of(pattern, (*played, *line[:number]), board, player, missed=False)
        board = board.play(column)
    return None
