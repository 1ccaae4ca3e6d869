"""Whole runs, with real files, in the virtual world: what is needed to play them and to look at what is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.agents.catalogue import make_agent
from bot.course.events import Options
from bot.course.journal.journal import Journal, journal_files, read_journal
from bot.course.journal.journal import journals as outlines
from bot.course.journal.records import Record
from bot.course.journal.state import hold
from bot.course.policy import EngineProspects
from bot.course.protocol import Identity
from bot.course.run.run import Run
from bot.course.run.standings import Observer, RunStandings, Standings, standings_of
from bot.course.server.store import Store, StoredGame
from bot.course.session import Session
from bot.engine.agent import Agent, Decision
from tests.course.foreign_course import Answer, Starter, scripted_bot
from tests.course.foreign_course import Course as Server
from tests.simulation.bots import at_random
from tests.simulation.faults import Dice, parsed
from tests.simulation.world import Killed, VirtualWorld

WHO = ("a",)
"""The player of most tests."""
ME = Identity.of("s", WHO)
OPTIONS = Options(server="s", url="s", stil_ids=WHO, limit_s=5.0, think_s=0.005, patience_s=30.0)
LEFTMOST = scripted_bot("1111111")
"""A bot that loses soon against most others."""


def any_column(session: Session, _left_s: float) -> Decision:
    """Choose a column of the likeliest hypothesis, the same for the same board; see `ColumnChooser`."""
    board = session.hypotheses[0].playing.board
    legal = board.legal_columns()
    return Decision(legal[board.mask % len(legal)])


def finished(store: Store) -> list[StoredGame]:
    """Return the finished games of the player of most tests, oldest first."""
    rows = store.connection.execute("SELECT * FROM games WHERE player = ? AND reason != 'running' ORDER BY number", WHO)
    return [StoredGame(**row) for row in rows]


class Watcher(Observer):
    """An observer that keeps what it is shown: the name of each call and its arguments."""

    def __init__(self, standings: RunStandings | None = None) -> None:
        super().__init__()
        self.standings = standings or RunStandings()
        self.shown: list[tuple[Any, ...]] = []

    @property
    def notices(self) -> list[str]:
        """The sentences for the user."""
        return [call[1] for call in self.shown if call[0] == "notice"]


def kept(name: str) -> Callable[..., None]:
    """Return a method of the watcher that keeps its calls."""
    return lambda watcher, *arguments: watcher.shown.append((name, *arguments))


for call in ["game_started", "decided", "replied", "notice", "unreachable", "reachable", "game_ended", "run_ended"]:
    setattr(Watcher, call, kept(call))


def level(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every column look equally good: for tests about the known position, not about good moves."""
    monkeypatch.setattr(EngineProspects, "prospect", lambda _self, board, column: float(board.can_play(column)))


class Course(VirtualWorld):
    """The virtual world for whole runs: its time passes by requests and sleeping.

    ``faults`` is a plan in the grammar of `tests.simulation.faults`. Before each request and after each processed move
    is a moment: ``at`` says what happens at some of them, by their number.
    """

    def __init__(
        self,
        bot: Answer | None = None,
        seed: int = 1,
        starter: Starter = "student",
        *,
        is_january: bool = False,
        faults: str = "none",
    ) -> None:
        server = Server(bot or at_random, seed, starter, is_january=is_january)
        super().__init__(server, Dice(parsed(faults), seed), moment=self.pass_moment)
        self.at: dict[int, Callable[[], object]] = {}
        self.moments = 0

    def pass_moment(self) -> None:
        """Pass a moment at which something may happen."""
        self.moments += 1
        self.at.get(self.moments, lambda: None)()

    @property
    def reasons(self) -> list[str]:
        """How the games ended by the server's record: played, forfeit, illegal."""
        return [game.ended for game in self.course.finished]

    def play(self, logs: Path, observer: Any = None, **options: Any) -> RunStandings:
        """Play one run of a client that is alive again; ``options`` are those of `opened`."""
        self.is_dead = False
        with opened(logs, **options) as run:
            return run.play(self, observer or Watcher())

    def play_and_die(self, moments: int, logs: Path, **options: Any) -> None:
        """Play a run whose client dies when this number of moments has passed."""
        self.at[self.moments + moments] = self.die
        with pytest.raises(Killed):
            self.play(logs, **options)


@contextmanager
def opened(logs: Path, *, agent: Agent | None = None, fresh: bool = False, **settings: Any) -> Iterator[Run]:
    """Hold the player's lock, open a run of a quick engine, and close it whatever happens."""
    options = replace(OPTIONS, **settings)
    with hold(Identity.of(options.server, options.stil_ids), logs) as place:
        run = Run(options, agent or make_agent("depth2", seed=1), place, logs, fresh=fresh)
        try:
            yield run
        finally:
            run.close()


def journal_standings(logs: Path, server: str, ids: Iterable[str]) -> Standings:
    """Return the standings of a player by the journals, as `bot streak` counts them."""
    return standings_of(outlines(logs, Identity.of(server, ids)))


def journals(logs: Path) -> list[Journal]:
    """Return all journals, whole, oldest first; an empty file is a run that never began."""
    return [read_journal(path) for path in journal_files(logs) if path.stat().st_size]


def records(logs: Path) -> list[Record]:
    """Return the records of all journals."""
    return [record for journal in journals(logs) for record in journal.records]
