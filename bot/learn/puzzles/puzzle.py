"""What a puzzle is: its kind, position, solution and grade."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.engine.score import Bounds, explain
from bot.game import Board, parse_moves
from bot.game.notation import column_name


class PuzzleKind(str, Enum):
    """What is to be found."""

    WIN = "win"
    """The only winning move."""
    DRAW = "draw"
    """The only move that does not lose."""
    TRAP = "trap"
    """The move that leaves the opponent a single good answer, where every other good move leaves it three or more."""


QUESTIONS = {
    PuzzleKind.WIN: "Find the only winning move.",
    PuzzleKind.DRAW: "Save the draw: every move but one loses.",
    PuzzleKind.TRAP: "Set the trap: keep the draw, and leave the opponent a single good answer.",
}
LOST_TRAP = "Set the trap: the position is lost, but leave the opponent a single winning answer."
"""The question of a trap in a position that exact play loses."""
GRADES = (5, 9, 13, 19)
"""Most plies to be seen in grades 1 to 4; grade 5 has no limit."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """One puzzle with its proof."""

    name: str
    """Seed and number; the same name always means the same puzzle."""
    kind: PuzzleKind
    moves: str
    """The moves 1-7 that lead to the position."""
    solution: int
    """The only right column, 0..6."""
    plies: int
    """Plies to be seen: the longest win or refutation that tells the solution from the other moves."""
    scores: tuple[int | None, ...]
    """The exact score of every column, None where it is full."""
    line: tuple[int, ...]
    """The solution and best play after it, to the end of the game."""

    @property
    def grade(self) -> int:
        """1 (easy) to 5, by the plies to be seen."""
        return 1 + sum(self.plies > most for most in GRADES)

    @property
    def board(self) -> Board:
        """The position."""
        return Board.from_moves(parse_moves(self.moves))

    @property
    def _side(self) -> str:
        return "XO"[len(self.moves) % 2]

    @property
    def question(self) -> str:
        """What to do, with the side to move: "X to move. Find the only winning move."."""
        is_lost = (self.scores[self.solution] or 0) < 0
        return f"{self._side} to move. {LOST_TRAP if is_lost else QUESTIONS[self.kind]}"

    @property
    def answer(self) -> str:
        """The solution, what it achieves, and the line."""
        score = self.scores[self.solution]
        assert score is not None
        outcome = explain(Bounds.of(score), self.board.ply)
        line = " ".join(map(column_name, self.line))
        return f"Column {column_name(self.solution)}: {self._side} {outcome}. Best play: {line}."
