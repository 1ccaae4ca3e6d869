"""Worlds for whole runs: the course server's referee without a network, with faults on demand and in virtual time."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
import requests

from bot.agents.catalogue import make_agent
from bot.course.address import Identity
from bot.course.client.http import Timeouts
from bot.course.client.wire import parse_move_reply, parse_stats
from bot.course.journal.state import hold
from bot.course.protocol import Stats
from bot.course.run.listener import Observer, Outage
from bot.course.run.prospects import EngineProspects
from bot.course.run.run import Run
from bot.course.run.standings import RunStandings
from bot.course.server.referee import Dialect, Referee, Starter
from bot.course.server.store import Store
from bot.course.session.events import Chosen, Counted, Delivery, Failed, Replied, Started
from bot.engine.agent import Agent
from bot.game import Board

WHO = ("a",)
"""The player of most tests."""
PATIENT = Timeouts(connect_s=60.0, read_s=60.0, total_s=120.0, statistics_s=60.0)
"""Time limits for real sockets: a server in the test's process answers late on a busy machine."""
TRIP_S = 0.01
"""Virtual time of an exchange, seconds."""


class Killed(BaseException):
    """The client's process dies here: nothing after it runs, and nothing more is written."""


class Silent:
    """An observer that shows nothing."""

    def game_started(self, board: Board) -> None: ...
    def decided(self, board: Board, chosen: Chosen) -> None: ...
    def replied(self, board: Board, column: int | None) -> None: ...
    def notice(self, text: str) -> None: ...
    def unreachable(self, outage: Outage) -> None: ...
    def reachable(self, seconds: float) -> None: ...
    def game_ended(self, result: float, moves: str) -> None: ...
    def run_ended(self) -> None: ...


def level(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every column look equally good: for tests about the known position, not about good moves."""
    monkeypatch.setattr(EngineProspects, "prospect", lambda _self, board, column: float(board.can_play(column)))


def _nothing() -> None:
    """Do nothing."""


class Course:
    """The server's referee as a world; see `bot.course.run.driver.World`. Time passes by requests and sleeping.

    A share ``loss`` of the requests to /move is lost: half of it before the referee has processed the request, half
    afterwards. ``before`` and ``after`` are called before any request and after a move was processed, and may raise.
    """

    def __init__(
        self,
        seed: int = 1,
        starter: Starter = "student",
        dialect: Dialect = "current",
        *,
        bot: str = "random",
        loss: float = 0.0,
        before: Callable[[], None] = _nothing,
        after: Callable[[], None] = _nothing,
    ) -> None:
        self.store = Store()
        self.referee = Referee(self.store, make_agent(bot, seed=seed), dialect=dialect, starter=starter, seed=seed)
        self.moves = 0
        """Requests to /move that the referee has processed."""
        self.faults = 0
        """Requests to /move that were lost, or their replies."""
        self.now_s = 0.0
        self._has_statistics = dialect != "jan21"
        self._chance = random.Random(seed)
        self._loss = loss
        self.before, self.after = before, after

    def now(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds

    def send(self, move: int, on_sent: Callable[[], None]) -> Replied | Failed:
        self.before()
        on_sent()
        self.now_s += TRIP_S
        if self._is_lost():
            return self._failed("The request was lost.")
        reply = parse_move_reply(self.process(move))
        self.after()
        if self._is_lost():
            return self._failed("The reply was lost.")
        return Replied(self.now_s, reply, first_byte_s=TRIP_S)

    def statistics(self, patience_s: float | None) -> Counted:  # noqa: ARG002
        self.before()
        self.now_s += TRIP_S
        if not self._has_statistics:
            return Counted(self.now_s, None, "http 404", "The server has no /stats (HTTP 404).")
        return Counted(self.now_s, parse_stats(self.referee.stats(WHO[0])))

    def process(self, move: int) -> dict[str, Any]:
        """Return the referee's reply to a move."""
        self.moves += 1
        return self.referee.move(WHO[0], move).as_json()

    def answer(self, request: requests.PreparedRequest) -> tuple[int, dict[str, str], Any]:
        """Return the server's reply for `responses`: status, headers, and the decoded JSON of the body."""
        if str(request.url).endswith("/stats"):
            return 200, {}, self.referee.stats(WHO[0])
        return 200, {}, self.process(int(parse_qs(str(request.body))["move"][0]))

    @property
    def reasons(self) -> list[str]:
        """How the games in the server's store ended: played, forfeit, illegal."""
        return [game.reason for game in self.store.games(WHO[0])]

    @property
    def stats(self) -> Stats:
        """The server's statistics."""
        record = self.store.read(WHO[0])
        return Stats(record.played, record.won, record.lost, record.streak, record.streak_max)

    def _is_lost(self) -> bool:
        is_lost = self._chance.random() < self._loss / 2
        self.faults += is_lost
        return is_lost

    def _failed(self, message: str) -> Failed:
        return Failed(self.now_s, Delivery.UNKNOWN, message, kind="reset")


@contextmanager
def opened(
    logs: Path,
    *,
    games: int = 1,
    agent: Agent | None = None,
    server: str = "s",
    url: str = "s",
    who: Sequence[str] = WHO,
    limit_s: float = 5.0,
    think_s: float = 0.005,
    patience_s: float = 30.0,
    fresh: bool = False,
    careful: bool = False,
) -> Iterator[Run]:
    """Hold the player's lock, open a run of a quick engine, and close its journal whatever happens."""
    settings = Started(
        0.0,
        games,
        limit_s=limit_s,
        patience_s=patience_s,
        careful=careful,
        server=server,
        url=url,
        stil_ids=tuple(who),
        think_s=think_s,
    )
    with hold(Identity.of(server, who), logs) as place:
        run = Run(settings, agent or make_agent("depth2", seed=1), place, logs, fresh=fresh)
        try:
            yield run
        finally:
            run.journal.close()


def play(client: Any, logs: Path, observer: Observer | None = None, **options: Any) -> RunStandings:
    """Play one run; ``options`` are those of `opened`."""
    with opened(logs, **options) as run:
        return run.play(client, observer or Silent())
