"""Whether a position is a puzzle, by the exact scores of its columns and of the answers to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.engine.score import plies_to_end, sign
from bot.game import Board
from bot.learn.puzzles.puzzle import PuzzleKind

if TYPE_CHECKING:
    from bot.engine.solver import Solver

FEWEST_MOVES = 3
"""A puzzle has at least this many legal columns."""
FEWEST_PLIES = 3
"""A win or a refutation that is shorter is seen at a glance."""
FEWEST_ANSWERS = 3
"""In a trap, every other good move leaves the opponent at least this many good answers."""


@dataclass(frozen=True, slots=True)
class Classification:
    """What makes a position a puzzle."""

    kind: PuzzleKind
    solution: int
    plies: int


def classify(board: Board, scores: Sequence[int | None], solver: Solver) -> Classification | None:
    """Return what puzzle an unfinished ``board`` with these exact column scores is, or None."""
    known = {column: score for column, score in enumerate(scores) if score is not None}
    if len(known) < FEWEST_MOVES:
        return None
    best = max(known.values())
    good = [column for column, score in known.items() if sign(score) == sign(best)]
    if len(good) == 1 and best >= 0:
        others = [score for score in known.values() if sign(score) < sign(best)]
        plies = plies_to_end(best, board.ply) if best > 0 else max(plies_to_end(score, board.ply) for score in others)
        kind = PuzzleKind.WIN if best > 0 else PuzzleKind.DRAW
        return Classification(kind, good[0], plies) if plies >= FEWEST_PLIES else None
    return _trap(board, best, good, solver) if best <= 0 and len(good) > 1 else None


def _trap(board: Board, best: int, good: list[int], solver: Solver) -> Classification | None:
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
    return Classification(PuzzleKind.TRAP, *found[0]) if len(found) == 1 else None


def _is_obvious(child: Board, reply: int) -> bool:
    """Return whether the only good answer makes four or blocks a four."""
    passed = Board(child.opponent, child.mask)
    return child.wins_with(reply) or any(passed.wins_with(column) for column in range(7))


def _plies_to_punish(child: Board, answers: dict[int, int], best: int) -> int:
    """Return the plies to be seen: the win that the opponent has to find, or the longest loss it has to avoid."""
    if best < 0:
        return 1 + plies_to_end(-best, child.ply)
    return 1 + max(plies_to_end(score, child.ply) for score in answers.values() if score < 0)
