"""A game of a person against a level: moves, undo, hints, resigning and the person's clock; no input, no output."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.engine.agent import Agent, Limit
from bot.errors import GameOverError, UsageError
from bot.game import Board

FIRST, SECOND = 1, 2
"""The two players, as `Board.winner` names them."""


class Clock:
    """The thinking time that a person has left in one game; it runs between `start` and `pause`."""

    def __init__(self, limit_s: float, now: Callable[[], float] = time.monotonic) -> None:
        self._left_s = limit_s
        self._now = now
        self._since: float | None = None

    @property
    def left_s(self) -> float:
        """Seconds left, never below 0."""
        running_s = 0.0 if self._since is None else self._now() - self._since
        return max(0.0, self._left_s - running_s)

    def start(self) -> None:
        """Let the clock run."""
        self._since = self._now()

    def pause(self) -> None:
        """Stop the clock until the next `start`."""
        self._left_s, self._since = self.left_s, None


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended."""

    winner: int | None
    """1 the first player, 2 the second, None: a draw."""
    how: str
    """"four", "full", "resigned" or "time"."""


class Challenge:
    """One game of a person, who is player 1 or 2, against an agent."""

    def __init__(
        self, agent: Agent, person: int, moves: Sequence[int] = (), clock: Clock | None = None, limit_s: float = 5.0
    ) -> None:
        Board.from_moves(moves)
        self.agent = agent
        self.person = person
        self.moves: list[int] = list(moves)
        """All columns (0..6) so far."""
        self.clock = clock
        self._limit = Limit(hard_s=limit_s)
        self._given: Result | None = None

    @property
    def board(self) -> Board:
        """The position now."""
        return Board.from_moves(self.moves)

    @property
    def is_persons_turn(self) -> bool:
        """Whether the person is to move, in a game that is not over."""
        return self.result is None and len(self.moves) % 2 == self.person - 1

    @property
    def result(self) -> Result | None:
        """How the game ended, or None while it runs."""
        if self._given is not None:
            return self._given
        board = self.board
        if board.has_winner:
            return Result(board.winner, "four")
        if board.is_full:
            return Result(None, "full")
        if self.clock is not None and self.clock.left_s <= 0:
            return Result(3 - self.person, "time")
        return None

    def play(self, column: int) -> None:
        """Play the person's disc; raise BoardError where the column is full, and change nothing then."""
        if self.result is not None:
            raise GameOverError
        self.board.play(column)
        self.moves.append(column)

    def reply(self) -> int:
        """Let the agent play, and return its column."""
        column = self.agent.choose(self.board, self._limit).column
        self.moves.append(column)
        return column

    def undo(self) -> int:
        """Take back the person's last move with what followed it; return the number of moves taken back."""
        last = next((ply for ply in reversed(range(len(self.moves))) if ply % 2 == self.person - 1), None)
        if last is None:
            raise UsageError("There is no move of yours to take back.", "Play a column first.")
        taken = len(self.moves) - last
        del self.moves[last:]
        self._given = None
        return taken

    def resign(self) -> None:
        """End the game as lost by the person."""
        self._given = Result(3 - self.person, "resigned")
