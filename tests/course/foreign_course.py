"""One player's games and statistics at a course server written from its protocol alone, without HTTP."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from tests.course.foreign_rules import BOT, EMPTY, STUDENT, Answer, Grid, drop, has_four, open_columns

FaultHook: TypeAlias = Callable[[int, int, int, int], str]
"""Decides what happens to a POST to /move, from (request number, move, game number, ply); see `foreign_server`."""

Reply: TypeAlias = "dict[str, Any]"


@dataclass
class Quirks:
    """Options of the server; the defaults are the protocol's most likely form."""

    starter: Literal["random", "student", "bot"] = "student"
    seed: int = 0
    fault: FaultHook = lambda *_: "ok"
    stats_fault: Callable[[int], str] = lambda _: "ok"
    """Decides what happens to a POST to /stats, from the request number."""
    content_type: str | None = "application/json"
    silent_start: bool = True
    """A move with no game running starts a game; otherwise it is rejected."""


@dataclass
class Game:
    """A running game."""

    number: int
    student_started: bool
    grid: Grid = EMPTY
    moves: list[int] = field(default_factory=list)
    shown: Grid = EMPTY
    """The last board that was sent to the client as a whole."""


@dataclass(frozen=True)
class Finished:
    """A finished game as the server scored it."""

    number: int
    result: float
    moves: tuple[int, ...]
    """Columns 0 to 6 of both players in the order of play, without an illegal one."""
    student_started: bool
    ended: str
    """"played", "illegal", "forfeit" or "timeout"."""
    avoidable: bool = False
    """The column that ended the game was already full on the last board that was sent to the client."""


def reply(
    msg: str | None, result: float | None, botmove: int | None = -1, grid: Grid | None = None, *, status: bool = True
) -> Reply:
    """Return a reply to /move."""
    return {"msg": msg, "status": status, "result": result, "botmove": botmove, "state": grid}


def rejected(msg: str) -> Reply:
    """Return the reply that refuses a request."""
    return reply(msg, None, None, status=False)


class Course:
    """The games. Not thread-safe: the server serialises the calls."""

    def __init__(self, answer: Answer, quirks: Quirks) -> None:
        self.running: Game | None = None
        self.finished: list[Finished] = []
        self.started = 0
        self._answer = answer
        self._quirks = quirks
        self._rng = random.Random(quirks.seed)
        self._results: list[float] = []
        """Of the games that the statistics count."""

    def move(self, column: int) -> Reply:
        """Process one well-formed request to /move."""
        game = self.running
        if column < 0:
            if game:
                self._finish(game, -1.0, "forfeit")
            return self._open()
        if game is None:
            if not self._quirks.silent_start:
                return rejected("No game is running.")
            game = self._begin(student_starts=True)
        if game.grid[0][column]:
            self._finish(game, -10.0, "illegal", avoidable=game.shown[0][column] != 0)
            return rejected("Impossible move.")
        return self._play(game, column)

    def stats(self) -> Reply:
        """Return the reply to /stats: the counts of all games."""
        results, streak, longest = self._results, 0, 0
        for result in results:
            streak = 0 if result < 0 else streak + 1
            longest = max(longest, streak)
        lost = sum(result < 0 for result in results)
        counts = (len(results), results.count(1.0), lost, streak, longest, sum(results))
        names = ("played", "won", "lost", "streak", "streak_max", "total_reward")
        return {"msg": None, "status": None, "stil_id": "ab1234cd-s", **dict(zip(names, counts, strict=True))}

    def declare_late(self) -> Reply:
        """End the running game as lost on time and return a reply without a board."""
        assert self.running is not None
        self._finish(self.running, -1.0, "timeout")
        return reply("You took too long.", -1.0, None)

    def forget(self) -> None:
        """Lose the running game and all statistics; `finished`, the test's own record, stays."""
        self.running = None
        self._results.clear()

    def student_starts(self) -> bool:
        """Return whether the student moves first in the next game that is asked for."""
        starter = self._quirks.starter
        return starter == "student" if starter != "random" else self._rng.choice((True, False))

    def show(self) -> None:
        """Note that the client is sent the whole board."""
        if game := self.running:
            game.shown = game.grid

    def _begin(self, *, student_starts: bool) -> Game:
        self.started += 1
        self.running = Game(self.started, student_starts)
        return self.running

    def _open(self) -> Reply:
        game = self._begin(student_starts=self.student_starts())
        column = -1 if game.student_started else self._place_bot(game, None)
        return reply("New game initiated. Make your move", 0.0, column, game.grid)

    def _play(self, game: Game, column: int) -> Reply:
        game.grid = drop(game.grid, column, STUDENT)
        game.moves.append(column)
        answer, result = -1, self._result(game.grid, STUDENT)
        if result is None:
            answer = self._place_bot(game, column)
            result = self._result(game.grid, BOT)
        if result is None:
            return reply(None, 0.0, answer, game.grid)
        self._finish(game, result, "played")
        return reply("The game has ended.", result, answer, game.grid)

    def _place_bot(self, game: Game, last_student_column: int | None) -> int:
        column = self._answer(game.grid, last_student_column)
        game.grid = drop(game.grid, column, BOT)
        game.moves.append(column)
        return column

    def _result(self, grid: Grid, mover: int) -> float | None:
        """Return the result in the student's view if the last disc ended the game."""
        full = not open_columns(grid)
        if has_four(grid, mover) and not full:  # the last disc makes a draw, also where it makes four in a row
            return float(mover)
        return 0.5 if full else None

    def _finish(self, game: Game, result: float, ended: str, *, avoidable: bool = False) -> None:
        self.running = None
        self._results.append(result)
        self.finished.append(
            Finished(game.number, result, tuple(game.moves), game.student_started, ended, avoidable=avoidable)
        )
