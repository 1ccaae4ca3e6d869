"""The course server without a network, for whole runs: its referee behind a client's methods, with faults on demand."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import requests
from bot.course.run.observer import Silent

from bot.agents.catalogue import make_agent
from bot.course.client.http import AmbiguousError, Timeouts
from bot.course.client.wire import MoveReply, Stats, parse_move_reply, parse_stats
from bot.course.run.run import Plan, Run
from bot.course.run.standings import RunStandings
from bot.course.server.referee import Dialect, Referee, Starter
from bot.course.server.store import Store

WHO = ("a",)
"""The players of most tests."""
PATIENT = Timeouts(connect_s=60.0, read_s=60.0, total_s=120.0, patience_s=60.0, first_contact_s=60.0, statistics_s=60.0)
"""Time limits for real sockets: a server in the test's process answers late on a busy machine."""
Spoil = Callable[[dict[str, Any]], Any]


class Killed(BaseException):
    """The client's process dies here: nothing after it runs, and nothing more is written."""


class Course:
    """Referee and store behind a client's methods; counts the requests.

    ``spoil`` maps the number of a /move request to its fault: a function of the referee's reply, or an exception to
    raise after the request was processed.
    """

    def __init__(self, seed: int = 1, starter: Starter = Starter.STUDENT, dialect: Dialect = Dialect.CURRENT) -> None:
        self.store = Store()
        self.store.open()
        self.referee = Referee(self.store, make_agent("random", seed=seed), dialect=dialect, starter=starter, seed=seed)
        self.moves = 0
        self.asked = 0
        self.sent: list[int] = []
        self.spoil: dict[int, Any] = {}
        self.before: dict[int, Callable[[], None]] = {}
        """Calls before the request with this number is processed."""
        self.no_stats: BaseException | None = None

    def move(self, column: int, on_sent: Any = None, *, patience_s: float | None = None) -> MoveReply:  # noqa: ARG002
        """As `CourseClient.move`."""
        self.moves += 1
        self.sent.append(column)
        self.before.get(self.moves, lambda: None)()
        spoil = self.spoil.get(self.moves)
        payload = self.referee.move(WHO[0], column).as_json()
        if isinstance(spoil, BaseException):
            raise spoil
        return parse_move_reply(spoil(payload) if spoil is not None else payload, 0.001)

    def stats(self, patience_s: float | None = None, on_retry: Any = None) -> Stats | None:  # noqa: ARG002
        """As `CourseClient.stats`."""
        self.asked += 1
        if self.no_stats is not None:
            raise self.no_stats
        return parse_stats(self.referee.stats(WHO[0]))

    def answer(self, request: requests.PreparedRequest) -> tuple[int, dict[str, str], Any]:
        """Return the server's reply for `responses`: status, headers, and the decoded JSON of the body."""
        form = parse_qs(str(request.body))
        if str(request.url).endswith("/stats"):
            return 200, {}, self.referee.stats(WHO[0])
        self.moves += 1
        return 200, {}, self.referee.move(WHO[0], int(form["move"][0])).as_json()

    @property
    def reasons(self) -> list[str]:
        """How the games in the server's store ended: played, forfeit, illegal."""
        return [game.reason for game in self.store.games(WHO[0])]

    @property
    def statistics(self) -> Stats:
        """The server's statistics."""
        record = self.store.read(WHO[0])
        return Stats(record.played, record.won, record.lost, record.streak, record.streak_max)


def _nothing() -> None:
    """Do nothing."""


class LossyCourse:
    """A referee behind a client's methods, over a network that loses requests and replies at random.

    Half of the share ``loss`` is lost before the referee has processed the request, half afterwards. ``before`` and
    ``after`` are called before a request and after its processing, and may raise.
    """

    def __init__(
        self,
        referee: Referee,
        chance: random.Random,
        loss: float,
        *,
        has_statistics: bool = True,
        before: Callable[[], None] = _nothing,
        after: Callable[[], None] = _nothing,
    ) -> None:
        self._referee = referee
        self._chance = chance
        self._loss = loss
        self._has_statistics = has_statistics
        self._before = before
        self._after = after
        self.faults = 0
        """Requests and replies lost so far."""

    def move(self, column: int, on_sent: Any = None, *, patience_s: float | None = None) -> MoveReply:  # noqa: ARG002
        """As `CourseClient.move`."""
        self._before()
        self._lose("The request was lost.")
        reply = parse_move_reply(self._referee.move(WHO[0], column).as_json())
        self._after()
        self._lose("The reply was lost.")
        return reply

    def stats(self, patience_s: float | None = None, on_retry: Any = None) -> Stats | None:  # noqa: ARG002
        """As `CourseClient.stats`."""
        self._before()
        return parse_stats(self._referee.stats(WHO[0])) if self._has_statistics else None

    def _lose(self, sentence: str) -> None:
        if self._chance.random() < self._loss / 2:
            self.faults += 1
            raise AmbiguousError(sentence)


def play(client: Any, logs: Path, games: int = 1, *, patience_s: float = 0.5, fresh: bool = False) -> RunStandings:
    """One run of a quick engine, its journal closed whatever happens."""
    plan = Plan("s", "s", WHO, games, 20, 5.0, 0.005, patience_s, logs, fresh)
    run = Run(plan, make_agent("depth2", seed=1))
    try:
        return run.play(client, Silent())
    finally:
        run.journal.close()
