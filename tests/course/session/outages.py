"""Outages as intervals of time that hit all requests in the virtual world, or all of one kind.

A trial is one game whose n-th request to /move meets the outage. A further kind is a line of `KINDS`; where it does
more than fail, `OutageWorld` says what, and `test_exhaustive.py` plays it.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

from bot.course.events import Counted, Failed, Replied
from bot.course.failures import about
from tests.course.foreign_course import Course
from tests.simulation.bots import OPEN
from tests.simulation.faults import Dice
from tests.simulation.series import Series, live_chooser
from tests.simulation.world import THINKING_S, TRIP_S, VirtualMove, VirtualWorld

MOST_RUNS = 6
KINDS = {
    "refused": "not sent",
    "gateway": "http 502",
    "frozen": "timeout",
    "frozen and lost": "timeout",
    "restart": "http 503",
    "restart without data": "http 503",
    "only stats down": "http 502",
    "only stats slow": "timeout",
    "only move down": "http 502",
}
"""Kinds of outages, and how a request fails in one. What is frozen arrives when the outage ends, unless it is lost."""


@dataclass
class OutageWorld(VirtualWorld):
    """A world with one outage. ``faults`` say what else fails."""

    kind: str = "refused"
    at_request: int = 3
    """The number of the request to /move that meets it, from 1."""
    duration_s: float = 20.0
    is_processed: bool = False
    """Whether the server has processed that request when the outage begins."""
    requests: int = 0
    end_s: float = -1.0
    held: HeldMove | None = None
    moves_during: int = 0
    """Requests to /move that the server or the network got while nothing answered, the first one left out."""

    @property
    def is_down(self) -> bool:
        """Whether the outage has begun and not ended."""
        return self.time_s < self.end_s

    @property
    def hits_statistics_only(self) -> bool:
        """Whether moves get through all the time."""
        return self.kind.startswith("only stats")

    def sleep(self, seconds: float) -> None:
        """Let time pass; what was held back arrives when the outage ends."""
        self.time_s += seconds
        if self.held is not None and not self.is_down:
            held, self.held = self.held, None
            held.found = Replied(self.time_s, self.process(held.move), first_byte_s=THINKING_S)

    def attempt(self, move: int) -> VirtualMove:
        """Begin to send a move, as the outage has it."""
        self.requests += 1
        is_first = self.requests == self.at_request
        if is_first:
            self.end_s = self.time_s + self.duration_s
            if self.is_processed and not self.hits_statistics_only:
                self.process(move)
            if self.kind == "restart without data":
                self.course.forget()
        if not self.is_down or self.hits_statistics_only:
            return super().attempt(move)
        self.moves_during += not is_first and self.kind not in ("refused", "only move down")
        if self.kind == "frozen" and not self.is_processed:
            self.held = HeldMove(self, None, move)
            return self.held
        is_cut = is_first and self.is_processed
        return VirtualMove(self, self._failed("reset" if is_cut else KINDS[self.kind]))

    def statistics(self, patience_s: float | None) -> Counted:
        """Return a reading; it is repeated for its patience while the outage lasts."""
        if self.kind == "only move down":
            return super().statistics(patience_s)
        if self.is_down:
            self.sleep(min(5.0 if patience_s is None else patience_s, self.duration_s))
        if self.is_down:
            return Counted(self.time_s, None, KINDS[self.kind], "It failed.")
        return super().statistics(patience_s)

    def failure_beside(self, misses: int) -> Failed | None:
        """Ask a harmless request: the base address, where only /stats is down."""
        if not self.is_down:
            return super().failure_beside(misses)
        if self.kind.startswith("only"):
            self.sleep(TRIP_S)
            return None
        self.sleep(2.0 ** min(misses, 4) if KINDS[self.kind] == "timeout" else TRIP_S)
        return self._failed(KINDS[self.kind])

    def _failed(self, kind: str) -> Failed:
        return Failed(self.time_s, about(kind).delivery, "It failed.", "Try again.", kind=kind)


@dataclass
class HeldMove(VirtualMove):
    """A move that is held back until the outage ends; it arrives also if its connection is closed before."""

    move: int


def trial(kind: str, seed: int) -> Counter[str]:
    """Play one game with an outage against one of the open bots, and return what it has cost.

    A run that gives up is started again by the same command.
    """
    chance = random.Random(f"{kind} {seed}")
    world = OutageWorld(
        Course([*OPEN.values()][seed % len(OPEN)], seed, "random"),
        Dice({}, seed),
        patience_s=120.0,
        kind=kind,
        at_request=chance.randint(1, 12),
        duration_s=chance.uniform(1, 90),
        is_processed=chance.random() < 0.5,
    )
    series = Series(world, live_chooser())
    for _run in range(MOST_RUNS):
        series.stop = None
        if series.play(1).counts["unfinished"] == 0:
            break
    return series.counts + Counter(moves_during=world.moves_during)
