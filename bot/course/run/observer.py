"""Observer interface for runs, which the console views of `bot.cli.console` implement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bot.course.run.standings import RunStandings
from bot.engine.agent import Decision
from bot.game import Board


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What a run plays: server, player, engine and limits, for the first line that is shown."""

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
    """Seconds until the move's time limit, negative after it; None when no move is due."""


class Observer(Protocol):
    """Receives the course of a run, in order. Every method must return at once: the move clock is running."""

    def run_started(self, info: RunInfo, standings: RunStandings) -> None: ...

    def game_started(self, number: int, board: Board) -> None:
        """Called when a game has begun; on ``board`` we are to move, and the bot may have moved already."""
        ...

    def decided(self, board: Board, decision: Decision, move_s: float) -> None:
        """Called with our move on ``board`` just before it is sent, ``move_s`` seconds after the last reply."""
        ...

    def replied(self, board: Board, column: int | None) -> None:
        """Called with the position after the server's reply, and the column of its bot if it moved."""
        ...

    def notice(self, text: str) -> None:
        """Called with a sentence for the user, for instance about a fault or a resumed game."""
        ...

    def unreachable(self, outage: Outage) -> None:
        """Called after each failed attempt during an outage."""
        ...

    def reachable(self, seconds: float) -> None:
        """Called when the server answers again, ``seconds`` after the first failure."""
        ...

    def game_ended(self, number: int, result: float, moves: str, standings: RunStandings) -> None: ...

    def run_ended(self, standings: RunStandings) -> None: ...


class Silent:
    """An observer that does nothing."""

    def run_started(self, info: RunInfo, standings: RunStandings) -> None: ...
    def game_started(self, number: int, board: Board) -> None: ...
    def decided(self, board: Board, decision: Decision, move_s: float) -> None: ...
    def replied(self, board: Board, column: int | None) -> None: ...
    def notice(self, text: str) -> None: ...
    def unreachable(self, outage: Outage) -> None: ...
    def reachable(self, seconds: float) -> None: ...
    def game_ended(self, number: int, result: float, moves: str, standings: RunStandings) -> None: ...
    def run_ended(self, standings: RunStandings) -> None: ...
