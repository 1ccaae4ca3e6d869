"""Perform one command of a session with every fault that can occur: the branches of an exhaustive simulation.

A branch starts from frozen values (session, journal's session, server) and performs one command with the live driver.
Times are relative to the start of the branch, all replies take equally long, and the session's answer book is fixed, so
that different pasts that lead to the same state are one node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from bot.course.run.driver import Chooser, Driver
from bot.course.session.answers import AnswerBook
from bot.course.session.belief import Belief
from bot.course.session.events import (
    Chosen,
    Command,
    News,
    ReadStatistics,
    Reason,
    Record,
    Send,
    Sent,
    Started,
    Stop,
)
from bot.course.session.fold import Fold
from bot.course.session.state import Session
from bot.trials.simulation.faults import VIRTUAL
from bot.trials.simulation.server import Server, ServerRules
from bot.trials.simulation.world import Killed, VirtualDisk, VirtualWorld, ends_in

STATISTICS_FAULTS = ("unread", "behind")
"""Faults of a reading: it fails, or it is one game behind."""
POWER_CUT = "power_cut"
"""A kill after an intent whose request was sent and processed, although the disk has no record that it was sent."""


@dataclass(slots=True)
class OneFault:
    """See `bot.trials.simulation.world.Faults`: at most one fault of one command, and at most one kill."""

    kind: str | None
    """Fault of the command's request or reading."""
    kill_after: int | None
    """The number, from 1, of the record after which the client is killed."""
    is_arriving: bool
    """Whether a request that is being sent arrives although the client is killed."""
    records: int = 0

    def of_request(self) -> str | None:
        """Return the fault, in a command that sends a request."""
        return self.kind

    def of_reading(self) -> str | None:
        """Return the fault, in a command that reads the statistics."""
        return self.kind

    def kills_after(self, record: Record) -> bool:  # noqa: ARG002
        """Count the records."""
        self.records += 1
        return self.records == self.kill_after

    def arrives(self) -> bool:
        """Return `is_arriving`."""
        return self.is_arriving


@dataclass(frozen=True, slots=True)
class Node:
    """The state between two commands."""

    session: Session
    command: Command | None
    """To be performed next; None: a process starts, perhaps after a kill."""
    server: Server
    disk: Session
    """The session that the journal's records restore."""
    unrecorded: tuple[News, ...] = ()
    """News that follow from the records but are not recorded."""
    ends: int = 0
    """Games whose end is recorded."""
    faults: int = 0
    """Faults that may still happen."""

    def key(self) -> int:
        """Return a hash of everything that determines the following states."""
        return hash(
            (
                self.session,
                _weights(self.session.belief),
                type(self.command),
                self.server,
                self.disk,
                _weights(self.disk.belief),
                self.unrecorded,
                self.ends,
                self.faults,
            )
        )


def _weights(belief: Belief) -> tuple[float, ...]:
    return tuple(round(hypothesis.weight, 12) for hypothesis in belief)


@dataclass(frozen=True, slots=True)
class Branch:
    """A following node, the faults that led to it, and the violations on the way."""

    faults: tuple[str, ...]
    node: Node
    wrong: tuple[str, ...] = ()
    guesses: int = 0
    """Results recorded as inferred or by statistics that differ from the server's."""


Avoidable = Callable[[Belief, int], bool]
"""Function of a belief and an illegal column: whether a column that is legal in every hypothesis was as good."""


@dataclass(slots=True)
class Brancher:
    """Yields the branches of nodes."""

    rules: ServerRules
    games: int
    choose: Chooser
    avoidable: Avoidable
    answers: AnswerBook = field(default_factory=AnswerBook)

    def root(self, faults: int) -> Node:
        """Return the start of a first run."""
        fresh = Session(answers=self.answers)
        return Node(fresh, None, Server(), fresh, faults=faults)

    def branches(self, node: Node) -> Iterator[Branch]:
        """Yield every branch of ``node``, the one without faults first."""
        for fault in (None, *_faults_of(node.command)):
            if fault is None or node.faults > 0:
                branch, records = self._performed(node, fault)
                yield branch
                if branch.node.faults > 0:
                    yield from self._kills(node, fault, records)

    def _kills(self, node: Node, fault: str | None, records: Sequence[Record]) -> Iterator[Branch]:
        """Yield a branch for a kill after each record that the command writes."""
        for number, record in enumerate(records, start=1):
            yield self._performed(node, fault, kill_after=number)[0]
            if isinstance(record, Sent):
                yield self._performed(node, fault, kill_after=number, arrives=True)[0]
            if isinstance(record, Chosen):
                yield self._performed(node, fault, kill_after=number, loses_sent=True)[0]

    def _performed(
        self,
        node: Node,
        fault: str | None,
        *,
        kill_after: int | None = None,
        arrives: bool = False,
        loses_sent: bool = False,
    ) -> tuple[Branch, list[Record]]:
        """Perform ``node``'s command, and return the branch and the records that were written."""
        faults = OneFault(fault, kill_after, arrives)
        world = VirtualWorld(self.rules, faults, node.server)
        disk = VirtualDisk(world)
        wrong: list[str] = []
        driver = Driver(node.session, world, disk, self.choose)
        is_killed, command = False, None
        try:
            if node.command is None:
                left = max(0, self.games - node.ends - ends_in(node.unrecorded))
                command = driver.start(Started(0.0, left, node.session.number, patience_s=600.0), node.unrecorded)
            else:
                command = driver.take(driver.perform(node.command))
        except Killed:
            is_killed = True
            if loses_sent:
                world.process(_moved(disk.records))
        except Exception as error:  # any error would have ended the player's run
            wrong.append(f"{type(error).__name__}: {error}")
            command = Stop(Reason.REFUSED, "An error.")
        ends = {game.reason for game in world.finished}
        if "forfeit" in ends:
            wrong.append("forfeit")
        if (
            "illegal" in ends
            and fault != "duplicate"
            and isinstance(node.command, Send)
            and self.avoidable(node.session.belief, node.command.move)
        ):
            wrong.append("avoidable illegal move")
        wrong += ["invented result"] * disk.invented
        kill = (_kill_name(disk.records, arrives, loses_sent),) if is_killed else ()
        names = (*(() if fault is None else (fault,)), *kill)
        following = self._following(node, driver.session, command, disk, cost=len(names))
        return Branch(names, following, tuple(wrong), disk.wrong_guesses.total()), disk.records

    def _following(
        self, node: Node, session: Session, command: Command | None, disk: VirtualDisk, *, cost: int
    ) -> Node:
        """Return the node after a command; a ``command`` of None: the client was killed."""
        fold = Fold(node.disk, list(node.unrecorded))
        for record in disk.records:
            fold.take(record)
        is_killed = command is None
        now = disk.world.time_s + (2.0 if is_killed else 0.0)
        return Node(
            session=self._plain(fold.session if is_killed else session, now),
            command=command,
            server=disk.world.server,
            disk=self._plain(fold.session, now),
            unrecorded=tuple(fold.expected) if is_killed else (),
            ends=node.ends + disk.ends,
            faults=node.faults - cost,
        )

    def _plain(self, session: Session, now: float) -> Session:
        """Return the session with times relative to ``now``, and with the fixed answer book."""
        clock = replace(
            session.clock,
            late_at=round(session.clock.late_at - now, 6),
            choose_until=round(session.clock.choose_until - now, 6),
            overheads_s=session.clock.overheads_s[-1:],  # all are about equal
        )
        since = session.trouble_since
        return replace(
            session,
            clock=clock,
            trouble_since=None if since is None else round(since - now, 6),
            agenda=tuple(_relative(command, now) for command in session.agenda),
            answers=self.answers,
            news=(),
        )


def _relative(command: Command, now: float) -> Command:
    """Return the command with its time, if it has one, relative to ``now``."""
    return replace(command, chosen_at=round(command.chosen_at - now, 6)) if isinstance(command, Send) else command


def _faults_of(command: Command | None) -> Sequence[str]:
    if isinstance(command, Send):
        return tuple(VIRTUAL.kinds)
    return STATISTICS_FAULTS if isinstance(command, ReadStatistics) else ()


def _kill_name(records: Sequence[Record], arrives: bool, loses_sent: bool) -> str:
    if loses_sent:
        return POWER_CUT
    return f"kill after {records[-1].type}{', request processed' if arrives else ''}"


def _moved(records: Sequence[Record]) -> int:
    """Return the move of the last record, which is an intent."""
    last = records[-1]
    assert isinstance(last, Chosen)
    return last.move
