"""Games and statistics of a course server written from its protocol alone, without HTTP."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from tests.course.foreign_rules import BOT, EMPTY, STUDENT, Answer, Grid, discs, drop, has_four

FaultHook: TypeAlias = Callable[[int, int, int, int], str]
"""Decides what happens to a POST to /move, from (request number, move, game number, ply); see `foreign_server`."""

Reply: TypeAlias = "dict[str, Any]"
Ending: TypeAlias = Literal["played", "illegal", "forfeit", "timeout"]

_NULLS: dict[str, None] = {"result": None, "botmove": None, "state": None}


def no_fault(request: int, move: int, game: int, ply: int) -> str:  # noqa: ARG001
    """Process every request and answer it."""
    return "ok"


@dataclass(frozen=True)
class Quirks:
    """Options of the server; the defaults are the protocol's most likely form."""

    starter: Literal["random", "student", "bot", "alternate"] = "student"
    seed: int = 0
    jan21: bool = False
    """Speak the January 2021 dialect: the student starts, the reply to -1 is all null, /stats does not exist."""
    fault: FaultHook = no_fault
    stats_fault: Callable[[int], str] = lambda request: "ok"  # noqa: ARG005
    """Decides what happens to a POST to /stats, from the request number."""
    stats: Literal["present", "absent", "failing"] = "present"
    stats_lag_s: float = 0.0
    """Age of the statistics that /stats returns, seconds."""
    content_type: str | None = "application/json"
    drip_s: float = 0.0
    """Time from the first byte of a reply to its last, seconds."""
    clock_s: float | None = None
    """Time from the first byte of a reply to the next move after which the game is lost, seconds; None: no clock."""
    silent_start: bool = True
    """A move with no game running starts a game; otherwise it is rejected."""
    last_disc_draw: bool = True
    """A full board is a draw even if its last disc made four in a row."""
    illegal_result: bool = False
    """An illegal move is answered with result -10; otherwise with status false and all else null."""
    hide_lost_state: bool = False
    """The reply that ends a lost game has no board."""
    botmove_null: bool = False
    int_results: bool = False
    echo_key: bool = False
    """Every msg contains the key of the request."""
    api_key: str = "nyckel"
    known_ids: frozenset[str] | None = None
    """The ids that may play; None: every well-formed one."""


@dataclass
class Game:
    """A running game."""

    number: int
    key: str
    student_started: bool
    since_s: float
    """Time of the first byte of the last reply, or of the last move if its reply was lost, seconds."""
    grid: Grid = EMPTY
    moves: list[int] = field(default_factory=list)
    shown: Grid = EMPTY
    """The last board that was sent to the client as a whole."""


@dataclass(frozen=True)
class Finished:
    """A finished game as the server scored it."""

    number: int
    key: str
    result: float
    moves: tuple[int, ...]
    """Columns 0 to 6 of both players in the order of play, without an illegal one."""
    student_started: bool
    ended: Ending
    illegal: int | None = None
    """The full column that ended the game."""
    avoidable: bool = False
    """The illegal column was already full on the last board that was sent to the client."""


@dataclass(frozen=True)
class Counts:
    """Statistics of one player."""

    played: int = 0
    won: int = 0
    lost: int = 0
    streak: int = 0
    streak_max: int = 0
    total_reward: float = 0.0

    def plus(self, result: float) -> Counts:
        """Return the statistics after one more game."""
        streak = 0 if result < 0 else self.streak + 1
        return Counts(
            played=self.played + 1,
            won=self.won + (result == 1),
            lost=self.lost + (result < 0),
            streak=streak,
            streak_max=max(self.streak_max, streak),
            total_reward=self.total_reward + result,
        )


def rejected(msg: str) -> Reply:
    """Return the reply that refuses a request."""
    return {"msg": msg, "status": False, **_NULLS}


class Course:
    """All players' games and statistics. Not thread-safe: the server serialises the calls."""

    def __init__(self, answer: Answer, quirks: Quirks, clock: Callable[[], float] = time.monotonic) -> None:
        self.games: dict[str, Game] = {}
        self.finished: list[Finished] = []
        self.started = 0
        self._answer = answer
        self._quirks = quirks
        self._clock = clock
        self._rng = random.Random(quirks.seed)
        self._history: dict[str, list[tuple[float, Counts]]] = {}

    def move(self, key: str, column: int) -> Reply:
        """Process one well-formed request to /move."""
        if self._lapse(key) and column >= 0:
            return self._over(-1.0, msg="You took too long. The game has ended.")
        game = self.games.get(key)
        if column < 0:
            if game:
                self._finish(game, -1.0, "forfeit")
            return self._open(key)
        if game is None:
            if not self._quirks.silent_start:
                return rejected("No game is running.")
            game = self._begin(key, student_starts=True)
        if game.grid[0][column]:
            self._finish(game, -10.0, "illegal", illegal=column)
            impossible = "Impossible move."
            return self._over(-10.0, msg=impossible) if self._quirks.illegal_result else rejected(impossible)
        return self._play(game, column)

    def stats(self, key: str) -> Reply:
        """Return the reply to /stats: the counts as they were `stats_lag_s` ago."""
        self._lapse(key)
        then = self._clock() - self._quirks.stats_lag_s
        counts = next((c for at, c in reversed(self._history.get(key, [])) if at <= then), Counts())
        return {"msg": None, "status": None, "stil_id": key, **vars(counts)}

    def counts(self, key: str) -> Counts:
        """Return a player's statistics, up to date."""
        history = self._history.get(key)
        return history[-1][1] if history else Counts()

    def declare_late(self, key: str) -> Reply:
        """End the running game as lost on time and return a reply without a board."""
        self._finish(self.games[key], -1.0, "timeout")
        return {**self._over(-1.0, msg="You took too long."), "botmove": None, "state": None}

    def forget(self) -> None:
        """Lose all running games and all statistics; `finished`, the test's own record, stays."""
        self.games.clear()
        self._history.clear()

    def reply_begins(self, key: str, *, whole: bool) -> None:
        """Note that the first byte of a reply leaves, and whether all of it will be sent."""
        if game := self.games.get(key):
            game.since_s = self._clock()
            game.shown = game.grid if whole else game.shown

    def _lapse(self, key: str) -> bool:
        """End the running game if its next move comes too late; return whether it did."""
        game, limit_s = self.games.get(key), self._quirks.clock_s
        if game is None or limit_s is None or self._clock() - game.since_s <= limit_s:
            return False
        self._finish(game, -1.0, "timeout")
        return True

    def _begin(self, key: str, *, student_starts: bool) -> Game:
        self.started += 1
        self.games[key] = Game(self.started, key, student_starts, self._clock())
        return self.games[key]

    def _open(self, key: str) -> Reply:
        game = self._begin(key, student_starts=self._student_starts())
        if self._quirks.jan21:
            return {"msg": "New game initiated, you start. Make your move", "status": True, **_NULLS}
        column = -1
        if not game.student_started:
            column = self._place_bot(game, None)
        starter = "you start" if game.student_started else "the bot starts"
        return self._reply(0.0, column, game.grid, msg=f"New game initiated, {starter}. Make your move")

    def _student_starts(self) -> bool:
        starter = "student" if self._quirks.jan21 else self._quirks.starter
        if starter == "random":
            return self._rng.random() < 0.5
        return starter == "student" or (starter == "alternate" and self.started % 2 == 0)

    def _play(self, game: Game, column: int) -> Reply:
        game.grid = drop(game.grid, column, STUDENT)
        game.moves.append(column)
        game.since_s = self._clock()  # the move clock restarts even if the reply is lost
        if (result := self._result(game.grid, STUDENT)) is not None:
            self._finish(game, result, "played")
            return self._over(result, grid=game.grid)
        answer = self._place_bot(game, column)
        if (result := self._result(game.grid, BOT)) is not None:
            self._finish(game, result, "played")
            return self._over(result, grid=game.grid, botmove=answer)
        return self._reply(0.0, answer, game.grid)

    def _place_bot(self, game: Game, last_student_column: int | None) -> int:
        column = self._answer(game.grid, last_student_column)
        game.grid = drop(game.grid, column, BOT)
        game.moves.append(column)
        return column

    def _result(self, grid: Grid, mover: int) -> float | None:
        """Return the result in the student's view if the last disc ended the game."""
        full = discs(grid) == 42
        if full and self._quirks.last_disc_draw:
            return 0.5
        if has_four(grid, mover):
            return float(mover)
        return 0.5 if full else None

    def _finish(self, game: Game, result: float, ended: Ending, illegal: int | None = None) -> None:
        del self.games[game.key]
        avoidable = illegal is not None and game.shown[0][illegal] != 0
        finished = Finished(
            number=game.number,
            key=game.key,
            result=result,
            moves=tuple(game.moves),
            student_started=game.student_started,
            ended=ended,
            illegal=illegal,
            avoidable=avoidable,
        )
        self.finished.append(finished)
        self._history.setdefault(game.key, []).append((self._clock(), self.counts(game.key).plus(result)))

    def _over(
        self, result: float, *, msg: str = "The game has ended.", grid: Grid | None = None, botmove: int = -1
    ) -> Reply:
        """Return the reply that ends a game."""
        shown = None if self._quirks.hide_lost_state and result < 0 else grid
        return self._reply(result, botmove, shown, msg=msg)

    def _reply(self, result: float, botmove: int, grid: Grid | None, msg: str | None = None) -> Reply:
        number = int(result) if self._quirks.int_results and result == int(result) else result
        column = None if self._quirks.botmove_null else botmove
        state = None if grid is None else [list(row) for row in grid]
        return {"msg": msg, "status": True, "result": number, "botmove": column, "state": state}
