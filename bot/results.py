"""What the public Python API returns: solutions, reviewed games and played games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.game import Board, format_moves

_OUTCOMES = {1: "win", 0: "draw", -1: "loss"}


@dataclass(frozen=True, slots=True)
class Solution:
    """What is proven of an unfinished position, for the side to move."""

    board: Board
    lower: int
    """The score is at least this."""
    upper: int
    """The score is at most this; equal to ``lower`` unless a time limit ended the search."""
    scores: tuple[int | None, ...]
    """The exact score of each of the seven columns; None where the column is full or its score is not proven."""
    best: tuple[int, ...]
    """The columns (0..6) that are proven best."""
    line: tuple[int, ...]
    """A best line of both sides, columns 0..6."""
    nodes: int
    """Positions visited; 0 where the opening book has the answer."""
    seconds: float
    """Elapsed time, the best line not counted."""

    @property
    def score(self) -> int | None:
        """The exact score: 0 a draw, +n a win with the n-th disc from the end, -n a loss; None if not proven."""
        return self.lower if self.lower == self.upper else None

    @property
    def outcome(self) -> str | None:
        """ "win", "draw" or "loss" for the side to move; None if not proven."""
        sure = {(bound > 0) - (bound < 0) for bound in (self.lower, self.upper)}
        return _OUTCOMES[sure.pop()] if len(sure) == 1 else None

    def __str__(self) -> str:
        """Return score, columns and best line as text."""
        from bot.engine.score import Bounds, number, sentence

        side = "X" if self.board.ply % 2 == 0 else "O"
        lines = [str(self.board), "", sentence(Bounds(self.lower, self.upper), self.board.ply, side)]
        if self.score is not None:
            lines.append(f"score   {number(self.score)}")
        if any(score is not None for score in self.scores):
            scores = "".join(f"{'' if score is None else number(score):>5}" for score in self.scores)
            lines += ["column " + "".join(f"{column:>5}" for column in range(1, 8)), "score  " + scores]
        if self.best:
            lines.append(f"best    {' '.join(str(column + 1) for column in self.best)}")
        if self.line:
            lines.append(f"line    {format_moves(self.line)}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Move:
    """One move of a reviewed game."""

    column: int
    """0..6."""
    kind: str
    """"best", "slower" (a later win), "sooner" (a sooner loss) or "blunder" (the outcome changed)."""
    text: str
    """The same in words."""
    score: int
    """The score after the move, for the side that made it."""
    best: int
    """The score that the best move would have kept, for the same side."""

    @property
    def grave(self) -> bool:
        """Whether the move changed the outcome."""
        return self.kind == "blunder"


@dataclass(frozen=True, slots=True)
class Analysis:
    """A reviewed game. Iterating yields the moves; None stands for a move that was not settled in time."""

    columns: tuple[int, ...]
    """The game's moves, columns 0..6."""
    scores: tuple[int | None, ...]
    """The exact score of every position, from the empty board on, in the first player's view; None if not proven."""
    moves: tuple[Move | None, ...]

    def __iter__(self) -> Iterator[Move | None]:
        return iter(self.moves)

    def __len__(self) -> int:
        return len(self.moves)

    def __str__(self) -> str:
        """Return one line per move: its number, its column, what kind of move it was, and the score after it."""
        from bot.engine.score import number

        lines = []
        for place, (column, move) in enumerate(zip(self.columns, self.moves, strict=True), start=1):
            said = "not settled in time" if move is None else f"{move.text} (score {number(move.score)})"
            lines.append(f"{place:>2}. {'XO'[(place - 1) % 2]} {column + 1}: {said}")
        return "\n".join(lines)

    @property
    def blunders(self) -> tuple[int, ...]:
        """The numbers of the moves, counted from 1, that changed the outcome."""
        return tuple(number for number, move in enumerate(self.moves, start=1) if move is not None and move.grave)


@dataclass(frozen=True, slots=True)
class Game:
    """A finished game between two agents."""

    first: str
    second: str
    moves: tuple[int, ...]
    """Columns 0..6, the opening's included."""

    @property
    def board(self) -> Board:
        """The final position."""
        return Board.from_moves(self.moves)

    @property
    def winner(self) -> str | None:
        """The winner's name; None in a draw."""
        winner = self.board.winner
        return None if winner is None else (self.first, self.second)[winner - 1]

    def __str__(self) -> str:
        result = "a draw" if self.winner is None else f"{self.winner} wins"
        return f"{self.board}\n{self.first} (X) against {self.second} (O): {result} after {format_moves(self.moves)}"
