"""Whether a position is a puzzle, by the exact scores of its columns and of the answers to them, and why.

The reason is one of the coach's patterns: how the solution wins, or how another move loses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.engine.score import plies_to_end, sign
from bot.game import CENTRE_FIRST, Board
from bot.learn.coach.pattern import pattern_for, reason_of, visible_win
from bot.learn.coach.reason import Reason
from bot.learn.puzzles.puzzle import PuzzleKind

if TYPE_CHECKING:
    from bot.engine.analysis import Analyst
    from bot.engine.solver import Solver

FEWEST_MOVES = 3
"""A puzzle has at least this many legal columns."""
FEWEST_PLIES = 3
"""A win or a refutation that is shorter is seen at a glance."""
FEWEST_ANSWERS = 3
"""In a trap, every other good move leaves the opponent at least this many good answers."""


def classify(board: Board, scores: Sequence[int | None], solver: Solver) -> tuple[PuzzleKind, int, int] | None:
    """Return the puzzle that an unfinished ``board`` with these exact column scores is: its kind, solution and plies.

    None where it is no puzzle.
    """
    known = {column: score for column, score in enumerate(scores) if score is not None}
    if len(known) < FEWEST_MOVES:
        return None
    best = max(known.values())
    good = [column for column, score in known.items() if sign(score) == sign(best)]
    if len(good) == 1 and best >= 0:
        others = [score for score in known.values() if sign(score) < sign(best)]
        plies = plies_to_end(best, board.ply) if best > 0 else max(plies_to_end(score, board.ply) for score in others)
        kind = PuzzleKind.WIN if best > 0 else PuzzleKind.DRAW
        return (kind, good[0], plies) if plies >= FEWEST_PLIES else None
    return _trap(board, best, good, solver) if best <= 0 and len(good) > 1 else None


def _trap(board: Board, best: int, good: list[int], solver: Solver) -> tuple[PuzzleKind, int, int] | None:
    """Return the trap among the ``good`` moves of a drawn or lost position, or None."""
    found: list[tuple[int, int]] = []
    for column in good:
        child = board.play(column)
        if child.is_over:
            return None
        answers = {reply: score for reply, score in enumerate(solver.column_scores(child)) if score is not None}
        right = [reply for reply, score in answers.items() if sign(score) >= sign(-best)]
        if len(right) == 1 and len(answers) > FEWEST_ANSWERS and not _is_obvious(child, right[0]):
            found.append((column, _plies_to_punish(child, answers, best)))
        elif len(right) < FEWEST_ANSWERS:
            return None
    return (PuzzleKind.TRAP, *found[0]) if len(found) == 1 else None


def _is_obvious(child: Board, reply: int) -> bool:
    """Return whether the only good answer makes four or blocks a four."""
    passed = Board(child.opponent, child.mask)
    return child.wins_with(reply) or any(passed.wins_with(column) for column in range(7))


def _plies_to_punish(child: Board, answers: dict[int, int], best: int) -> int:
    """Return the plies to be seen: the win that the opponent has to find, or the longest loss it has to avoid."""
    if best < 0:
        return 1 + plies_to_end(-best, child.ply)
    return 1 + max(plies_to_end(score, child.ply) for score in answers.values() if score < 0)


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
            return reason_of(pattern, board, (*played, *line[:number]))
        board = board.play(column)
    return None
