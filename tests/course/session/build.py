"""Small builders for sessions, positions and replies, and a script that walks a session through events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

import pytest

from bot.course.protocol import NEW_GAME, Grid, MoveReply, Stats
from bot.course.session.events import (
    Choose,
    Chosen,
    Command,
    Counted,
    Delivery,
    Event,
    Failed,
    GameEnded,
    Note,
    Open,
    ReadStatistics,
    Record,
    Replied,
    Send,
    Sent,
    Started,
    Stop,
    Wait,
    Waited,
)
from bot.course.session.machine import step
from bot.course.session.position import EMPTY, Position
from bot.course.session.state import Session
from bot.game import Board

C = TypeVar("C", bound=Command)


def nearly(value: float) -> float:
    """Return a number that equals ``value`` up to rounding, to stand within a value that is compared."""
    return cast(float, pytest.approx(value))


JANUARY_2021 = MoveReply(True, "New game initiated, you start. Make your move")
"""The reply to -1 of the oldest dialect: no board, and the student always starts."""
IMPOSSIBLE = MoveReply(False, "Impossible move.")
NO_GAME_RUNS = MoveReply(False, "No game is running.")
RESUME = "The game is kept: run the same command again to resume it."
"""Hint of a run that stops in the middle of a game."""
QUIRK = tuple(int(column) for column in "60646662065000303231233122325554545111444")
"""41 moves after which column b makes four by the 42nd disc."""


def position(columns: Sequence[int] = (), *, we_start: bool = True) -> Position:
    """Return the game after ``columns`` 0..6 in order of play."""
    known = replace(EMPTY, we_started=we_start)
    for column in columns:
        known = known.play(column)
    return known


def grid_of(known: Position) -> Grid:
    """Return the board as a reply has it."""
    return known.grid


def reply_at(known: Position, *, botmove: int | None = None, result: float = 0.0, state: bool = True) -> MoveReply:
    """Return the reply that shows ``known``, the bot's last disc being in ``botmove``."""
    return MoveReply(True, None, -1 if botmove is None else botmove, result, grid_of(known) if state else None)


def opened(column: int | None = None) -> MoveReply:
    """Return the reply to -1: we start, or the bot has started in ``column``."""
    known = EMPTY if column is None else position([column], we_start=False)
    return reply_at(known, botmove=column)


def stats(played: int = 0, won: int = 0, lost: int = 0) -> Stats:
    """Return statistics; the streak does not matter to a session."""
    return Stats(played, won, lost, 0)


def lost(kind: str = "reset", *, delivered: float | None = None, hint: str = "") -> Failed:
    """Return a failure that leaves open whether the request was processed."""
    return Failed(0.0, Delivery.UNKNOWN, "The connection broke.", hint, kind, delivered=delivered)


NOT_SENT = Failed(0.0, Delivery.NOT_SENT, "The server cannot be reached.", "Check the network.", "not sent")
REJECTED = Failed(0.0, Delivery.REJECTED, "The server rejects the form.", "Check --stil-id.", "rejected")


@dataclass
class Walk:
    """A session with a sequence of events. ``at`` is the virtual time; ``command`` is the result of the last event."""

    session: Session = field(default_factory=Session)
    at: float = 100.0
    command: Command | None = None
    records: list[Record] = field(default_factory=list)
    """What a journal of the walk holds: events and news."""

    def feed(self, event: Event) -> Command | None:
        """Process one event at the present time."""
        event = replace(event, at=self.at)
        if not isinstance(event, Started):
            is_next = isinstance(event, Counted) if self.session.is_idle else False
            is_next = is_next or (isinstance(event, Chosen) and event.move == NEW_GAME)
            event = replace(event, game=self.session.number + is_next)
        self.session, self.command = step(self.session, event)
        self.records += [event, *self.session.news]
        return self.command

    def expect(self, kind: type[C]) -> C:
        """Return the last command, which must be of ``kind``."""
        assert isinstance(self.command, kind), self.command
        return self.command

    def start(self, games: int = 1, counted: Stats | None = None, **settings: Any) -> Walk:
        """Begin a run, and answer its first reading of the statistics; by default the server keeps none."""
        self.feed(Started(0.0, games, **settings))
        self.count(counted, kind="http 404")
        return self

    def count(self, counted: Stats | None, *, times: int = 1, kind: str = "timeout") -> Command | None:
        """Answer ``times`` wanted readings with the same statistics or failure, waiting where that is asked for."""
        for _ in range(times):
            self.rest()
            self.expect(ReadStatistics)
            if counted is None:
                self.feed(Counted(0.0, None, kind, "They cannot be read.", "Check the address."))
            else:
                self.feed(Counted(0.0, counted))
        return self.command

    def settle(self, counted: Stats | None = None) -> Command | None:
        """Answer all readings that are wanted with the same statistics."""
        while isinstance(self.rest(), ReadStatistics):
            self.count(counted)
        return self.command

    def rest(self) -> Command | None:
        """Wait if the session's command is Wait."""
        if isinstance(self.command, Wait):
            self.at += self.command.seconds
            self.feed(Waited(0.0))
        return self.command

    def send(self, move: int) -> Walk:
        """Answer Open or Choose with ``move``, and send its first byte."""
        self.rest()
        self.expect(Open if move == NEW_GAME else Choose)
        self.feed(Chosen(0.0, move))
        assert self.command == Send(move, self.at)
        assert self.feed(Sent(0.0)) is None
        return self

    def reply(self, reply: MoveReply, **timing: float) -> Command | None:
        """Answer the request that was sent."""
        return self.feed(Replied(0.0, reply, **timing))  # type: ignore[arg-type]

    def move(self, column: int, reply: MoveReply) -> Command | None:
        """Send ``column`` and answer it."""
        return self.send(column).reply(reply)

    def open(self, first: int | None = None) -> Walk:
        """Open a game, the bot starting in ``first``."""
        self.send(NEW_GAME).reply(opened(first))
        self.expect(Choose)
        return self

    def play(self, columns: Sequence[int]) -> Walk:
        """Play ``columns``, ours and the bot's in turn, in the known running game."""
        for ours, answer in zip(columns[::2], columns[1::2], strict=True):
            known = self.session.position
            assert known is not None
            self.move(ours, reply_at(known.play(ours).play(answer), botmove=answer))
        return self

    def win(self, column: int, result: float = 1.0) -> Command | None:
        """Send the column that ends the known game; the server replies with ``result``."""
        known = self.session.position
        assert known is not None
        return self.move(column, reply_at(known.play(column), result=result))

    def fail(self, move: int, failure: Failed | None = None) -> Command | None:
        """Send ``move`` and fail, by default with a lost reply; no Sent comes if that proves that nothing was sent."""
        self.rest()
        self.feed(Chosen(0.0, move))
        if failure is None or failure.delivery is not Delivery.NOT_SENT:
            self.feed(Sent(0.0))
        return self.feed(failure or lost())

    @property
    def boards(self) -> set[Board | None]:
        """The boards of the hypotheses; None if no game is running."""
        return {item.position.board if item.position else None for item in self.session.belief}

    @property
    def notes(self) -> list[str]:
        """The kinds of the last step's notes."""
        return [item.kind for item in self.session.news if isinstance(item, Note)]

    @property
    def ends(self) -> list[tuple[int, float, str]]:
        """The number, result and ``known_by`` of the games that the last step has ended."""
        return [(item.game, item.result, item.known_by) for item in self.session.news if isinstance(item, GameEnded)]


WINNING = (0, 1, 0, 1, 0, 1)
"""Six moves after which column a wins for the side to move."""


def running(columns: Sequence[int] = (), *, counted: Stats | None = None, games: int = 1) -> Walk:
    """Return a walk in a known game in which we started and ``columns`` were played."""
    return Walk().start(games, counted).open().play(columns)


def stopped(walk: Walk) -> Stop:
    """Return the stop at which the walk has ended."""
    return walk.expect(Stop)
