"""One player's games and statistics at a course server written from its protocol alone, without HTTP; and small bots.

Nothing here imports the package under test, so that a mistake in its rules cannot hide behind the same mistake here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Grid: TypeAlias = tuple[tuple[int, ...], ...]
"""Six rows of seven cells, row 0 on top: 1 is the student's disc, -1 the bot's, 0 an empty cell."""

Starter = Literal["random", "student", "bot"]

Answer: TypeAlias = Callable[[Grid, int], int]
"""A bot: maps the board and 30 random bits, which are its own for each ply of each game, to a column."""

STUDENT = 1
BOT = -1
ROWS = 6
COLUMNS = 7
EMPTY: Grid = ((0,) * COLUMNS,) * ROWS
CENTRE_FIRST = (3, 2, 4, 1, 5, 0, 6)

_LINES = tuple(
    tuple((row + i * down) * COLUMNS + column + i * right for i in range(4))
    for row in range(ROWS)
    for column in range(COLUMNS)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    if row + 3 * down < ROWS and 0 <= column + 3 * right < COLUMNS
)


def drop(grid: Grid, column: int, disc: int) -> Grid:
    """Return the board after a disc has been dropped into a column that has room."""
    row = max(row for row in range(ROWS) if not grid[row][column])
    cells = grid[row]
    return (*grid[:row], (*cells[:column], disc, *cells[column + 1 :]), *grid[row + 1 :])


def open_columns(grid: Grid) -> list[int]:
    """Return the columns that have room."""
    return [column for column in range(COLUMNS) if not grid[0][column]]


def has_four(grid: Grid, disc: int) -> bool:
    """Return whether a player has four in a row."""
    cells = [cell for row in grid for cell in row]
    return any(cells[a] == cells[b] == cells[c] == cells[d] == disc for a, b, c, d in _LINES)


class AlphaBetaBot:
    """Look a few plies ahead; among equal columns, take the first in an order."""

    def __init__(self, depth: int, order: Sequence[int] = CENTRE_FIRST) -> None:
        self.depth = depth
        self.order = order

    def __call__(self, grid: Grid, _bits: int = 0) -> int:
        columns = [column for column in self.order if not grid[0][column]]
        return max(columns, key=lambda column: -_value(drop(grid, column, BOT), STUDENT, self.depth - 1))


def _value(grid: Grid, disc: int, depth: int) -> int:
    """Return the value of a position for the player to move: sooner wins count more."""
    if has_four(grid, -disc):
        return -depth - 1
    columns = open_columns(grid) if depth else []
    return max((-_value(drop(grid, column, disc), -disc, depth - 1) for column in columns), default=0)


def scripted_bot(columns: str) -> Answer:
    """Return a bot that plays the given columns, 1 to 7, in turn in each game, else the leftmost one with room."""

    def answer(grid: Grid, _bits: int) -> int:
        number = sum(row.count(BOT) for row in grid)
        wanted = int(columns[number]) - 1 if number < len(columns) else 0
        return wanted if not grid[0][wanted] else open_columns(grid)[0]

    return answer


# The server


Reply: TypeAlias = "dict[str, Any]"


@dataclass
class Game:
    """A running game."""

    number: int
    student_started: bool
    grid: Grid = EMPTY
    moves: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Finished:
    """A finished game as the server scored it."""

    result: float
    ended: str
    """"played", "illegal" or "forfeit"."""


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

    def __init__(
        self,
        answer: Answer,
        seed: int = 0,
        starter: Starter = "student",
        *,
        silent_start: bool = True,
        is_january: bool = False,
    ) -> None:
        """``silent_start``: a move with no game running starts a game; otherwise it is rejected.

        ``is_january``: as the server of January 2021, where -1 is a loss, and opens no game.
        """
        self.is_january = is_january
        self.running: Game | None = None
        self.finished: list[Finished] = []
        self.started = 0
        self._answer, self._seed, self._starter, self._silent_start = answer, seed, starter, silent_start
        self._results: list[float] = []
        """Of the games that the statistics count."""

    def move(self, column: int) -> Reply:
        """Process one well-formed request to /move."""
        game = self.running
        if column < 0:
            if game or self.is_january:
                self._finish(-1.0, "forfeit")
            return reply("", None, None) if self.is_january else self._open()
        if game is None:
            if not self._silent_start:
                return rejected("No game is running.")
            game = self._begin(student_starts=True)
        if game.grid[0][column]:
            self._finish(-10.0, "illegal")
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

    def forget(self) -> None:
        """Lose the running game and all statistics; `finished`, the test's own record, stays."""
        self.running = None
        self._results.clear()

    def student_starts(self) -> bool:
        """Return whether the student moves first in the next game that is asked for."""
        return self._drawn(-1, self.started + 1) % 2 == 0 if self._starter == "random" else self._starter == "student"

    def _begin(self, *, student_starts: bool) -> Game:
        self.started += 1
        self.running = Game(self.started, student_starts)
        return self.running

    def _open(self) -> Reply:
        game = self._begin(student_starts=self.student_starts())
        column = -1 if game.student_started else self._place_bot(game)
        return reply("New game initiated. Make your move", 0.0, column, game.grid)

    def _play(self, game: Game, column: int) -> Reply:
        game.grid = drop(game.grid, column, STUDENT)
        game.moves.append(column)
        answer, result = -1, self._result(game.grid, STUDENT)
        if result is None:
            answer = self._place_bot(game)
            result = self._result(game.grid, BOT)
        if result is None:
            return reply(None, 0.0, answer, game.grid)
        self._finish(result, "played")
        return reply("The game has ended.", result, answer, game.grid)

    def _drawn(self, ply: int, game: int) -> int:
        """Return 30 random bits for a ply of a game; ply -1 decides who starts. A fault changes none of them."""
        return random.Random(f"{self._seed} {game} {ply}").getrandbits(30)

    def _place_bot(self, game: Game) -> int:
        column = self._answer(game.grid, self._drawn(len(game.moves), game.number))
        game.grid = drop(game.grid, column, BOT)
        game.moves.append(column)
        return column

    def _result(self, grid: Grid, mover: int) -> float | None:
        """Return the result in the student's view if the last disc ended the game."""
        full = not open_columns(grid)
        if has_four(grid, mover) and not full:  # the last disc makes a draw, also where it makes four in a row
            return float(mover)
        return 0.5 if full else None

    def _finish(self, result: float, ended: str) -> None:
        self.running = None
        self._results.append(result)
        self.finished.append(Finished(result, ended))
