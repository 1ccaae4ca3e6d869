"""A series of games of one client against one bot, in virtual time, with kills and resumptions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.course.run.driver import Chooser, Driver
from bot.course.session.answers import AnswerBook
from bot.course.session.events import Event, News, Started, Stop
from bot.course.session.fold import Fold
from bot.course.session.state import Session
from bot.trials.simulation.faults import Dice
from bot.trials.simulation.server import AnswerFunction, ServerRules
from bot.trials.simulation.world import Killed, VirtualDisk, VirtualWorld, ends_in

MOST_KILLS = 1000
PATIENCE_S = 600.0
"""Patience of a session with its server, seconds: a series goes on through any fault."""


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


def play_series(
    answer: AnswerFunction,
    games: int,
    *,
    dice: Dice,
    seed: int,
    chooser: Chooser,
    answers: AnswerBook,
    starter: str = "random",
    refuses_idle_moves: bool = False,
    watches: Sequence[Watch] = (),
) -> Outcome:
    """Play ``games`` games; a killed client is restarted from its journal until they are finished.

    ``dice`` draw the faults. The session starts with ``answers``. ``seed`` determines the random numbers of the server.
    ``watches`` are called after every step of the session.
    """
    world = VirtualWorld(ServerRules(answer, seed, starter, refuses_idle_moves), dice)
    disk = VirtualDisk(world)
    fresh = Session(answers=answers)
    session, stop, killed = fresh, None, 0
    unrecorded: list[News] = []

    def watch_all(session: Session, event: Event) -> None:
        for watch in watches:
            watch(world, session, event)

    while stop is None and killed <= MOST_KILLS:
        driver = Driver(session, world, disk, chooser, watch_all)
        left = games - disk.ends - ends_in(unrecorded)
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
    return Outcome(world, disk, dice, stop, session, killed)
