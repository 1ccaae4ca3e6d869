"""A virtual course server: the protocol's rules, a foreign bot, and statistics that may be one game behind.

The server's state is a frozen value, so a simulation can branch from it. Random numbers are a function of the seed, the
number of games opened and the ply: equal states have equal futures, and a fault does not change later random numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from bot.course.protocol import DRAWN, ILLEGAL, LOST, NEW_GAME, WON, MoveReply, Stats
from bot.game import Board

AnswerFunction = Callable[[Board, int, int], int]
"""``answer(board, last, seed)``: the bot's legal column, ``last`` being the student's last one or -1."""

STARTERS = ("random", "student", "bot")
_EMPTY = Board()
_NO_STATS = Stats(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class SimulatedGame:
    """A finished game at the server; ``reason`` is "played", "illegal", "forfeit" or "duplicate".

    A duplicate is a forfeit by a -1 that the network sent twice.
    """

    result: float
    moves: tuple[int, ...]
    we_started: bool
    reason: str


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A game at the server."""

    board: Board = _EMPTY
    we_started: bool = True
    moves: tuple[int, ...] = field(default=(), compare=False)
    """The order of play; positions reached in different orders are equal."""

    def play(self, column: int) -> RunningGame:
        """Return the game after one more disc."""
        return RunningGame(self.board.play(column), self.we_started, (*self.moves, column))

    def grid(self, student_to_move: bool) -> tuple[tuple[int, ...], ...]:
        """Return the board as the protocol writes it."""
        to_move = 1 if student_to_move else -1
        return tuple(map(tuple, self.board.to_grid(to_move)))


@dataclass(frozen=True, slots=True)
class ServerState:
    """The server's data about one player."""

    game: RunningGame | None = None
    stats: Stats = _NO_STATS
    opened: int = 0
    """Games opened so far."""


@dataclass(frozen=True, slots=True)
class ServerRules:
    """The behaviour of one server. Its methods are pure."""

    answer: AnswerFunction
    seed: int = 0
    starter: str = "random"
    """Who moves first: one of STARTERS."""
    refuses_idle_moves: bool = False
    """Whether a move without a running game is refused instead of opening one."""

    def move(self, state: ServerState, column: int) -> tuple[ServerState, MoveReply, SimulatedGame | None]:
        """Return the state after ``column`` 0..6 or -1, the reply, and the game that it ended, if any.

        A -1 forfeits the running game.
        """
        if column == NEW_GAME:
            return self._open(state)
        game = state.game
        if game is None:
            if self.refuses_idle_moves:
                return state, MoveReply(False, "No game is running."), None
            state = replace(state, opened=state.opened + 1)
            game = RunningGame()
        if not game.board.can_play(column):
            state, finished = _finished(state, game, ILLEGAL, "illegal")
            return state, MoveReply(False, "Impossible move."), finished
        game = game.play(column)
        result = _result(game.board, WON)
        bot_column = -1
        if result is None:
            bot_column = self.answer(game.board, column, self._drawn(state.opened, game.board.ply))
            game = game.play(bot_column)
            result = _result(game.board, LOST)
        grid = game.grid(student_to_move=bot_column >= 0)
        if result is None:
            return replace(state, game=game), MoveReply(True, None, bot_column, 0.0, grid), None
        state, finished = _finished(state, game, result, "played")
        return state, MoveReply(True, "The game has ended.", bot_column, result, grid), finished

    def _open(self, state: ServerState) -> tuple[ServerState, MoveReply, SimulatedGame | None]:
        finished = None
        if state.game is not None:
            state, finished = _finished(state, state.game, LOST, "forfeit")
        opened = state.opened + 1
        student_first = self.starter == "student"
        if self.starter == "random":
            student_first = self._drawn(opened, -1) % 2 == 0
        game = RunningGame(we_started=student_first)
        column = -1
        if not student_first:
            column = self.answer(game.board, -1, self._drawn(opened, 0))
            game = game.play(column)
        reply = MoveReply(True, "New game initiated.", column, 0.0, game.grid(student_to_move=True))
        return replace(state, game=game, opened=opened), reply, finished

    def _drawn(self, opened: int, ply: int) -> int:
        """Return 30 random bits for a ply of a game; ply -1 decides who starts."""
        return mixed(mixed(mixed(self.seed) + opened) + ply) >> 34


def _finished(state: ServerState, game: RunningGame, result: float, reason: str) -> tuple[ServerState, SimulatedGame]:
    stats = state.stats
    won = stats.won + 1 if result == WON else stats.won
    lost = stats.lost + 1 if result < 0 else stats.lost
    streak = stats.streak + 1 if result > 0 else 0
    counted = Stats(stats.played + 1, won, lost, streak)
    return replace(state, game=None, stats=counted), SimulatedGame(result, game.moves, game.we_started, reason)


def _result(board: Board, mover: float) -> float | None:
    """Return the result once a disc was played; the server looks for a full top row before a four."""
    if board.is_full:
        return DRAWN
    return mover if board.has_winner else None


@dataclass(frozen=True, slots=True)
class Server:
    """A server's state, and the part of its past that faults and checks need."""

    state: ServerState = ServerState()
    earlier: Stats = _NO_STATS
    """The statistics before the last game ended, which a reading shows that is one game behind."""
    last_reply: MoveReply | None = None
    results: tuple[float, ...] = ()
    """Results of the last two games, the last one first."""
    is_claimed: bool = False
    """Whether the journal has a result known by a reply for the last game."""

    def after(self, state: ServerState, finished: SimulatedGame | None) -> Server:
        """Return the server in a new state, after ``finished`` has ended if given."""
        if finished is None:
            return replace(self, state=state)
        results = (finished.result, *self.results[:1])
        return replace(self, state=state, earlier=self.state.stats, results=results, is_claimed=False)


_WORD = (1 << 64) - 1


def mixed(number: int) -> int:
    """Return 64 bits that look random, a function of ``number`` alone (SplitMix64)."""
    number = (number + 0x9E3779B97F4A7C15) & _WORD
    number = ((number ^ number >> 30) * 0xBF58476D1CE4E5B9) & _WORD
    number = ((number ^ number >> 27) * 0x94D049BB133111EB) & _WORD
    return number ^ number >> 31
