"""What a puzzle is: its kind, position, solution and grade; as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

from bot.game import Board
from bot.game.notation import column_name
from bot.learn.coach.reason import SIGHT, Reason


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
    reason: Reason | None
    """How the solution wins, or how another move loses (in a trap, a wrong answer); None where nothing is proven.
    Its line begins in the puzzle's position, and in a win or a trap with the solution."""

    @property
    def grade(self) -> int:
        """1 (easy) to 5, by the plies to be seen."""
        return 1 + sum(self.plies > most for most in GRADES)

    @property
    def board(self) -> Board:
        """The position."""
        return Board.from_moves(self.moves)

    @property
    def question(self) -> str:
        """What to do, with the side to move: "X to move. Find the only winning move."."""
        is_lost = (self.scores[self.solution] or 0) < 0
        side = "XO"[len(self.moves) % 2]
        return f"{side} to move. {LOST_TRAP if is_lost else QUESTIONS[self.kind]}"

    @property
    def motif(self) -> str:
        """What decides it, such as "double threat" or "defence against a double threat"."""
        if self.kind is PuzzleKind.TRAP:
            return "trap"
        if self.reason is None:
            return "perfect play"
        name = self.reason.kind.value
        return name if self.kind is PuzzleKind.WIN else f"defence against a {name}"

    @property
    def answer(self) -> str:
        """The solution, what it achieves, and why."""
        outcome = "draws"
        if self.kind is PuzzleKind.TRAP:
            outcome = f"leaves one good answer: column {column_name(self.line[1])}"
        elif self.kind is PuzzleKind.WIN:
            outcome = "wins"
            if self.plies <= SIGHT:
                outcome += f" in {(self.plies + 1) // 2} moves"
        text = f"Column {column_name(self.solution)} {outcome}."
        if self.reason is None:
            return text
        if self.kind is not PuzzleKind.WIN:
            wrong = self.reason.line[1 if self.kind is PuzzleKind.TRAP else 0]
            text += f" Column {column_name(wrong)} would lose."
        return f"{text} {self.reason.text}"


def as_text(puzzles: Sequence[Puzzle]) -> str:
    """Return all puzzles without their solutions."""
    parts = [
        f"Puzzle {number} ({puzzle.name}), grade {puzzle.grade}: {puzzle.question}\n\n{puzzle.board}\n"
        for number, puzzle in enumerate(puzzles, start=1)
    ]
    return "\n".join(parts)


def as_solutions(puzzles: Sequence[Puzzle]) -> str:
    """Return all solutions, a line each."""
    return "".join(f"{number}. {puzzle.answer}\n" for number, puzzle in enumerate(puzzles, start=1))


def as_json(puzzle: Puzzle) -> dict[str, Any]:
    """Return all fields (columns 0..6), and ``grade``, ``motif``, ``question`` and ``answer``."""
    return asdict(puzzle) | {name: getattr(puzzle, name) for name in ("grade", "motif", "question", "answer")}
