"""A series of games of one client against one bot, in virtual time, with kills and resumptions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bot.course.events import Event, GameEnded, Started, Stop
from bot.course.journal.journal import Journal
from bot.course.learnt import AnswerBook
from bot.course.run.run import ColumnChooser, Driver
from bot.course.session import Session
from bot.trials.simulation.faults import Dice
from bot.trials.simulation.server import AnswerFunction, ServerRules
from bot.trials.simulation.world import PATIENCE_S, Killed, VirtualDisk, VirtualWorld

MOST_KILLS = 1000


@dataclass(slots=True)
class Outcome:
    """The result of a series: the server behind its network, the journal, and counts."""

    world: VirtualWorld
    disk: VirtualDisk
    dice: Dice
    stop: Stop | None
    session: Session
    kills: int


Watch = Callable[[VirtualWorld, Session, Event], None]
"""Takes the world, the session after a step, and the step's event."""


def unwatched(world: VirtualWorld, session: Session, event: Event) -> None:
    """Do nothing; see `Watch`."""


def play_series(
    answer: AnswerFunction,
    games: int,
    *,
    dice: Dice,
    seed: int,
    chooser: ColumnChooser,
    answers: AnswerBook,
    starter: str = "random",
    refuses_idle_moves: bool = False,
    watch: Watch = unwatched,
) -> Outcome:
    """Play ``games`` games; a killed client is restarted from its journal until they are finished.

    ``dice`` draw the faults. The session starts with ``answers``. ``seed`` determines the random numbers of the server.
    ``watch`` is called after every step of the session.
    """
    world = VirtualWorld(ServerRules(answer, seed, starter, refuses_idle_moves), dice)
    disk = VirtualDisk(world)
    fresh = Session(answers=answers)
    session, stop, killed = fresh, None, 0

    def on_step(session: Session, event: Event) -> None:
        for item in session.news:
            if isinstance(item, GameEnded):
                disk.audit(item)
        watch(world, session, event)

    while stop is None and killed <= MOST_KILLS:
        driver = Driver(session, world, disk, chooser, on_step)
        started = Started(
            world.now(),
            games - disk.finished,
            session.game if disk.records else 0,
            patience_s=PATIENCE_S,
            server="virtual",
            stil_ids=("simulation",),
        )
        try:
            stop = driver.run(started)
            session = driver.session
        except Killed:
            killed += 1
            world.time_s += 2.0
            journal = _read_again(disk, fresh)
            for end in journal.ends[disk.audited :]:  # the kill came before the session took the reply
                disk.audit(end)
            session = journal.session
    return Outcome(world, disk, dice, stop, session, killed)


def _read_again(disk: VirtualDisk, fresh: Session) -> Journal:
    """Return the journal of a killed client, which began with the session ``fresh``."""
    journal = Journal(Path("virtual.jsonl"), session=fresh)
    for record in disk.records:
        journal.take(record)
    return journal
