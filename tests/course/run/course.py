"""A world for whole runs: the course server's referee without a network, with faults on demand and in virtual time."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from bot.agents.catalogue import make_agent
from bot.course.address import Identity
from bot.course.client.http import Timeouts
from bot.course.client.outcome import parse_move_reply, parse_stats
from bot.course.events import Counted, Failed, Replied, Started
from bot.course.failures import Delivery
from bot.course.journal.journal import Journal, journal_files, read_journal
from bot.course.journal.records import Record
from bot.course.journal.state import hold
from bot.course.protocol import Dialect, Stats
from bot.course.run.engine_host import EngineProspects
from bot.course.run.run import Run
from bot.course.run.standings import RunStandings
from bot.course.server.referee import Referee, Starter
from bot.course.server.store import Store, StoredGame
from bot.course.session import Session
from bot.engine.agent import Agent, Decision

WHO = ("a",)
"""The player of most tests."""
ME = Identity.of("s", WHO)
SETTINGS = Started(0.0, server="s", url="s", stil_ids=WHO, limit_s=5.0, think_s=0.005, patience_s=30.0)
PATIENT = Timeouts(connect_s=60.0, read_s=60.0, total_s=120.0, statistics_s=60.0)
"""Time limits for real sockets: a server in the test's process answers late on a busy machine."""
TRIP_S = 0.01
"""Virtual time of an exchange, seconds."""


class Killed(BaseException):
    """The client's process dies here: nothing after it runs, and nothing more is written."""


def any_column(session: Session, _left_s: float) -> Decision:
    """Choose a column of the likeliest hypothesis, the same for the same board; see `ColumnChooser`."""
    board = session.hypotheses[0].playing.board
    legal = board.legal_columns()
    return Decision(legal[board.mask % len(legal)])


def finished(store: Store) -> list[StoredGame]:
    """Return the finished games of the player of most tests, oldest first."""
    rows = store.connection.execute("SELECT * FROM games WHERE player = ? AND reason != 'running' ORDER BY number", WHO)
    return [StoredGame(**row) for row in rows]


class Watcher:
    """An observer that keeps what it is shown: the name of each call and its arguments."""

    def __init__(self) -> None:
        self.shown: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *arguments: self.shown.append((name, *arguments))

    @property
    def notices(self) -> list[str]:
        """The sentences for the user."""
        return [call[1] for call in self.shown if call[0] == "notice"]


def level(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every column look equally good: for tests about the known position, not about good moves."""
    monkeypatch.setattr(EngineProspects, "prospect", lambda _self, board, column: float(board.can_play(column)))


class Course:
    """The server's referee as a world; see `bot.course.run.run.World`. Time passes by requests and sleeping.

    A share ``loss`` of the requests to /move is lost: half of it before the referee has processed the request, half
    afterwards. Before each request and after each processed move is a moment: ``at`` says what happens at some of them,
    by their number, and with the probability ``kill`` the client dies.
    """

    def __init__(
        self,
        seed: int = 1,
        starter: Starter = "student",
        dialect: Dialect = "current",
        *,
        bot: str = "random",
        keeps_statistics: bool = True,
        loss: float = 0.0,
        kill: float = 0.0,
    ) -> None:
        self._bot = make_agent(bot, seed=seed)
        self._keeps_statistics = keeps_statistics and dialect == "current"
        self._rules: dict[str, Any] = {"dialect": dialect, "starter": starter, "seed": seed}
        self.forget()
        self._chance = random.Random(seed)
        self.loss, self.kill = loss, kill
        self.at: dict[int, Callable[[], None]] = {}
        self.requested: list[int] = []
        """All moves that were processed."""
        self.moments = self.moves = self.deaths = 0
        self._is_dead = self.is_interrupted = False
        self._now_s = 0.0

    def forget(self) -> None:
        """Lose all games and statistics."""
        self.store = Store()
        self.referee = Referee(self.store, self._bot, **self._rules)

    def moment(self) -> None:
        """Pass a moment at which something may happen."""
        self.moments += 1
        if self._chance.random() < self.kill:
            self.die()
        self.at.get(self.moments, lambda: None)()

    def die(self) -> None:
        """Kill the client."""
        self.deaths += 1
        self._is_dead = True
        raise Killed

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        raise KeyboardInterrupt

    def now(self) -> float:
        if self._is_dead:
            raise Killed
        return self._now_s

    def sleep(self, seconds: float) -> None:
        self._now_s += seconds

    def send(self, move: int) -> Replied | Failed:
        self.moment()
        self._now_s += TRIP_S
        if self._chance.random() < self.loss / 2:
            return Failed(self._now_s, Delivery.UNKNOWN, "The request was lost.", kind="reset")
        reply = parse_move_reply(self.process(move))
        self.moment()
        if self._chance.random() < self.loss / 2:
            return Failed(self._now_s, Delivery.UNKNOWN, "The reply was lost.", kind="reset")
        return Replied(self._now_s, reply, first_byte_s=TRIP_S)

    def statistics(self, patience_s: float | None) -> Counted:  # noqa: ARG002
        self.moment()
        self._now_s += TRIP_S
        if not self._keeps_statistics:
            return Counted(self._now_s, None, "http 404", "The server has no /stats (HTTP 404).")
        return Counted(self._now_s, self.stats)

    def process(self, move: int) -> dict[str, Any]:
        """Return the referee's reply to a move."""
        self.moves += 1
        self.requested.append(move)
        return asdict(self.referee.move(*WHO, move))

    @property
    def reasons(self) -> list[str]:
        """How the games in the server's store ended: played, forfeit, illegal."""
        return [game.reason for game in finished(self.store)]

    @property
    def stats(self) -> Stats:
        """The server's statistics."""
        return parse_stats(self.referee.stats(*WHO))

    def play(self, logs: Path, observer: Any = None, **options: Any) -> RunStandings:
        """Play one run of a client that is alive again; ``options`` are those of `opened`."""
        self._is_dead = False
        return play(self, logs, observer, **options)

    def play_and_die(self, moments: int, logs: Path, **options: Any) -> None:
        """Play a run whose client dies when this number of moments has passed."""
        self.at[self.moments + moments] = self.die
        with pytest.raises(Killed):
            self.play(logs, **options)


@contextmanager
def opened(logs: Path, *, agent: Agent | None = None, fresh: bool = False, **settings: Any) -> Iterator[Run]:
    """Hold the player's lock, open a run of a quick engine, and close its journal whatever happens."""
    started = replace(SETTINGS, **settings)
    with hold(Identity.of(started.server, started.stil_ids), logs) as place:
        run = Run(started, agent or make_agent("depth2", seed=1), place, logs, fresh=fresh)
        try:
            yield run
        finally:
            run.journal.close()


def play(client: Any, logs: Path, observer: Any = None, **options: Any) -> RunStandings:
    """Play one run; ``options`` are those of `opened`."""
    with opened(logs, **options) as run:
        return run.play(client, observer or Watcher())


def journals(logs: Path) -> list[Journal]:
    """Return all journals, whole, oldest first; an empty file is a run that never began."""
    return [read_journal(path) for path in journal_files(logs) if path.stat().st_size]


def records(logs: Path) -> list[Record]:
    """Return the records of all journals."""
    return [record for journal in journals(logs) for record in journal.records]
