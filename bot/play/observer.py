"""Whoever wants to watch a series: the terminal's face, plain lines, nobody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bot.agent_types import Decision
from bot.game import Board
from bot.play.tally import Tally


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What the first line says."""

    server: str
    url: str
    player: tuple[str, ...]
    engine: str
    limit_s: float
    games: int
    goal: int
    journal: str


@dataclass(frozen=True, slots=True)
class Outage:
    """An outage of the server, after one more attempt has failed."""

    message: str
    """A sentence: what happened to the last request."""
    lasted_s: float
    """Seconds since the first failure."""
    left_s: float
    """Seconds until no further attempt is made."""
    move_left_s: float | None
    """Seconds until the time for the move is over, negative after that; None when no move is due."""


class Observer(Protocol):
    """Told of everything in order; must return at once, since the move clock is running."""

    def run_started(self, info: RunInfo, tally: Tally) -> None: ...

    def game_started(self, number: int, board: Board) -> None:
        """``board`` is the student's view with the student to move (the bot may have moved already)."""
        ...

    def decided(self, board: Board, decision: Decision, move_s: float) -> None:
        """Our move in ``board``, about to be sent ``move_s`` seconds after the reply that it answers."""
        ...

    def replied(self, board: Board, column: int | None) -> None:
        """The position after the server's answer, and the column of its bot, if it moved."""
        ...

    def notice(self, text: str) -> None:
        """Something a person should know: a fault met, a game resumed."""
        ...

    def unreachable(self, outage: Outage) -> None:
        """Called after each failed attempt of an outage."""
        ...

    def reachable(self, seconds: float) -> None:
        """Called when the server answers again, ``seconds`` after the first failure."""
        ...

    def game_ended(self, number: int, result: float, moves: str, tally: Tally) -> None: ...

    def run_ended(self, tally: Tally) -> None: ...


class Silent:
    """Watches nothing."""

    def run_started(self, info: RunInfo, tally: Tally) -> None: ...
    def game_started(self, number: int, board: Board) -> None: ...
    def decided(self, board: Board, decision: Decision, move_s: float) -> None: ...
    def replied(self, board: Board, column: int | None) -> None: ...
    def notice(self, text: str) -> None: ...
    def unreachable(self, outage: Outage) -> None: ...
    def reachable(self, seconds: float) -> None: ...
    def game_ended(self, number: int, result: float, moves: str, tally: Tally) -> None: ...
    def run_ended(self, tally: Tally) -> None: ...
