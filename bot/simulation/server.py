"""A virtual course server: the protocol's rules and books, a foreign bot, and statistics that may lag."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from bot.game import Board
from bot.protocol import DRAWN, ILLEGAL, LOST, NEW_GAME, WON, MoveReply, Stats

Answer = Callable[[Board, int, int], int]
"""``answer(board, last, seed)``: the bot's legal column, ``last`` being the student's last one or -1."""


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A line of the server's book; ``reason`` is "played", "illegal" or "forfeit"."""

    result: float
    moves: tuple[int, ...]
    we_started: bool
    reason: str


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A game at the server."""

    board: Board = field(default_factory=Board)
    we_started: bool = True
    moves: tuple[int, ...] = ()

    def play(self, column: int) -> RunningGame:
        """Return the game after one more disc."""
        return replace(self, board=self.board.play(column), moves=(*self.moves, column))

    def grid(self, student_to_move: bool) -> tuple[tuple[int, ...], ...]:
        """Return the board as the protocol writes it."""
        return tuple(tuple(row) for row in self.board.to_grid(1 if student_to_move else -1))


@dataclass(slots=True)
class VirtualServer:
    """One player's games. Every request is a method; nothing else changes it."""

    answer: Answer
    dice: random.Random
    starter: str = "random"
    """Who moves first: "random", "student" or "bot"."""
    refuses_idle_moves: bool = False
    """Whether a move without a running game is refused instead of starting one."""
    game: RunningGame | None = None
    stats: Stats = field(default_factory=lambda: Stats(0, 0, 0, 0))
    book: list[FinishedGame] = field(default_factory=list)
    history: list[tuple[float, Stats]] = field(default_factory=list)
    """The statistics by the time from which they held."""

    def move(self, column: int, at: float) -> MoveReply:
        """Return the reply to ``column`` 0..6, or to -1, which forfeits a running game."""
        if column == NEW_GAME:
            return self._open(at)
        if self.game is None:
            if self.refuses_idle_moves:
                return MoveReply(False, "No game is running.")
            self.game = RunningGame()
        if not self.game.board.can_play(column):
            self._finish(ILLEGAL, "illegal", at)
            return MoveReply(False, "Impossible move.")
        self.game = self.game.play(column)
        result = _result(self.game.board, WON)
        bot_column = -1
        if result is None:
            bot_column = self.answer(self.game.board, column, self.dice.getrandbits(30))
            self.game = self.game.play(bot_column)
            result = _result(self.game.board, LOST)
        grid = self.game.grid(student_to_move=bot_column >= 0)
        if result is None:
            return MoveReply(True, None, bot_column, 0.0, grid)
        self._finish(result, "played", at)
        return MoveReply(True, "The game has ended.", bot_column, result, grid)

    def statistics(self, at: float, lag_s: float = 0.0) -> Stats:
        """Return the statistics as they were ``lag_s`` seconds ago."""
        seen = Stats(0, 0, 0, 0)
        for since, stats in self.history:
            if since <= at - lag_s:
                seen = stats
        return seen

    def _open(self, at: float) -> MoveReply:
        if self.game is not None:
            self._finish(LOST, "forfeit", at)
        student_first = self.starter == "student" or (self.starter == "random" and self.dice.random() < 0.5)
        self.game = RunningGame(we_started=student_first)
        column = -1
        if not student_first:
            column = self.answer(self.game.board, -1, self.dice.getrandbits(30))
            self.game = self.game.play(column)
        return MoveReply(True, "New game initiated.", column, 0.0, self.game.grid(student_to_move=True))

    def _finish(self, result: float, reason: str, at: float) -> None:
        assert self.game is not None
        self.book.append(FinishedGame(result, self.game.moves, self.game.we_started, reason))
        self.game = None
        stats = self.stats
        self.stats = Stats(
            stats.played + 1,
            stats.won + (result == WON),
            stats.lost + (result < 0),
            stats.streak + 1 if result > 0 else 0,
        )
        self.history.append((at, self.stats))


def _result(board: Board, mover: float) -> float | None:
    """Return the result once a disc was played; the server looks for a full top row before a four."""
    if board.is_full:
        return DRAWN
    return mover if board.has_winner else None
