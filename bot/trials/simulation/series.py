"""A series of games of one client against one bot, in virtual time, with kills and resumptions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bot.course.run.driver import Driver
from bot.course.session.events import Event, GameEnded, News, Record, Started, Stop
from bot.course.session.fold import Fold
from bot.course.session.state import Session
from bot.trials.simulation.chooser import SimulationChooser
from bot.trials.simulation.faults import Dice, FaultRates
from bot.trials.simulation.server import Answer, FinishedGame, ServerRules, VirtualServer
from bot.trials.simulation.world import Killed, VirtualDisk, VirtualWorld

MOST_KILLS = 1000
PATIENCE_S = 600.0
"""Patience of a session with its server, seconds: a series goes on through any fault."""


@dataclass(slots=True)
class Audit:
    """Compares each end of a game in the journal with the server's finished games, when it is written."""

    server: VirtualServer
    claimed: set[int] = field(default_factory=set)
    """Indices of finished games for which the journal has a result known by a reply."""
    invented: int = 0
    """Results recorded as known by a reply that differ from the server's."""
    wrong_guesses: Counter[str] = field(default_factory=Counter)
    """Results known in another way that differ from the server's, by ``known_by``."""
    ends: int = 0
    """Games that have ended with a result, by the journal."""

    def __call__(self, record: Record) -> None:
        """Check a record."""
        if not isinstance(record, GameEnded):
            return
        result, known_by = record.result, record.known_by
        self.ends += result != 0
        finished = self.server.finished
        if known_by == "reply":
            last = len(finished) - 1
            self.invented += not finished or finished[last].result != result or last in self.claimed
            self.claimed.add(last)
        elif known_by in ("statistics", "inferred") and result != 0:
            # In the statistics a loss by an illegal move looks like any other; one game may have been opened since.
            recent = [game.result for game in finished[-2:]]
            self.wrong_guesses[known_by] += not any(_agree(result, known) for known in recent)


def _agree(result: float, known: float) -> bool:
    return result == known or (result < 0 and known < 0)


@dataclass(slots=True)
class Outcome:
    """The result of a series: the server's finished games, the journal, and counts."""

    finished: list[FinishedGame]
    journal: VirtualDisk
    stop: Stop | None
    session: Session
    faults: dict[str, int]
    lost: Counter[bool]
    """Lost replies by whether we had started the game."""
    audit: Audit
    kills: int
    requests: int

    @property
    def records(self) -> list[Record]:
        """The journal's records."""
        return self.journal.records

    @property
    def lost_moves(self) -> int:
        """Lost replies to requests for a move."""
        return self.lost.total()

    @property
    def reasons(self) -> Counter[str]:
        """Numbers of lost games by reason."""
        return Counter(game.reason for game in self.finished if game.result < 0)


OnStep = Callable[[Session, Event], None]


def play_series(
    answer: Answer,
    games: int,
    *,
    rates: FaultRates,
    seed: int,
    chooser: SimulationChooser,
    starter: str = "random",
    past: Session | None = None,
    script: Mapping[int, str] | None = None,
    kills: frozenset[int] = frozenset(),
    refuses_idle_moves: bool = False,
    on_step: Callable[[VirtualServer], OnStep] | None = None,
) -> Outcome:
    """Play ``games`` games; a killed client is restarted from its journal until they are finished.

    The session starts with the answer book of ``past``, an earlier session. ``seed`` determines the random numbers of
    server and network. ``on_step`` returns, for the series' server, a watcher of the session's steps.
    """
    dice = Dice(rates, random.Random(seed), script or {}, kills)
    server = VirtualServer(ServerRules(answer, seed, starter, refuses_idle_moves))
    world, audit = VirtualWorld(server, dice), Audit(server)
    disk = VirtualDisk(dice, world.now, audit)
    fresh = Session(answers=chooser.policy.answers() if past is None else past.answers)
    session, stop, killed = fresh, None, 0
    unrecorded: list[News] = []
    extra = {} if on_step is None else {"on_step": on_step(server)}
    while stop is None and killed <= MOST_KILLS:
        driver = Driver(session, world, disk, chooser, **extra)
        left = games - audit.ends - sum(isinstance(item, GameEnded) and item.result != 0 for item in unrecorded)
        started = Started(
            world.now(),
            max(0, left),
            session.number,
            patience_s=PATIENCE_S,
            server="virtual",
            stil_ids=("simulation",),
        )
        try:
            stop = driver.run(started, unrecorded)
            session = driver.session
        except Killed:
            killed += 1
            world.time_s += 2.0
            fold = Fold(fresh)
            for record in disk.records:
                fold.take(record)
            session, unrecorded = fold.session, fold.expected
            disk.sink.is_dead = False
    return Outcome(
        finished=server.finished,
        journal=disk,
        stop=stop,
        session=session,
        faults=dice.drawn,
        lost=world.lost,
        audit=audit,
        kills=killed,
        requests=dice.requests,
    )
