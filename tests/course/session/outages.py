"""Outages as intervals of time that hit all requests, or the statistics alone, in the virtual world.

A trial is one game whose n-th request to /move meets the outage.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from bot.course.events import Counted, Failed, Replied
from bot.course.failures import about
from tests.simulation.bots import OPEN, player_of
from tests.simulation.faults import Dice
from tests.simulation.series import Series, live_chooser
from tests.simulation.world import THINKING_S, TRIP_S, SimulatedCourse, VirtualMove, VirtualWorld

MOST_RUNS = 6
FAILURES = {
    "refused": "not sent",
    "gateway": "http 502",
    "frozen": "timeout",
    "frozen and lost": "timeout",
    "restart without data": "http 502",
    "statistics down": "http 502",
}
"""Kinds of outages, and how a request fails in one."""


@dataclass
class HeldMove:
    """A move that is held back until the outage ends."""

    world: OutageWorld
    move: int
    found: Replied | Failed | None = None

    def outcome(self, within_s: float) -> Replied | Failed | None:
        """See `bot.course.client.outage.Underway`."""
        world = self.world
        if self.found is None:
            world.sleep(max(0.0, min(within_s, world.end_s + THINKING_S - world.time_s)))
        if self.found is None and world.time_s < world.end_s + THINKING_S:
            world.sleep(max(0.0, within_s))
        return self.found

    def close(self) -> Replied | Failed:
        """See `bot.course.client.outage.Underway`: what is held is delivered all the same."""
        return self.found or failed(self.world.time_s, "timeout")


def failed(at: float, kind: str) -> Failed:
    """Return a failure of this kind."""
    return Failed(at, about(kind).delivery, "It failed.", "Try again.", kind=kind)


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
    held: list[HeldMove] = field(default_factory=list)
    moves_during: int = 0
    """Requests to /move that were sent during the outage, the first one left out."""

    @property
    def is_down(self) -> bool:
        """Whether the outage has begun and not ended."""
        return self.time_s < self.end_s

    def sleep(self, seconds: float) -> None:
        """Let time pass; what was held back arrives when the outage ends."""
        self.time_s += seconds
        if not self.is_down:
            for move in self.held:
                move.found = failed(self.time_s, "reset")
                if self.kind != "frozen and lost":
                    move.found = Replied(self.time_s, self.process(move.move), first_byte_s=THINKING_S)
            self.held.clear()

    def attempt(self, move: int) -> VirtualMove | HeldMove:  # type: ignore[override]
        """Begin to send a move, as the outage has it."""
        self.sleep(TRIP_S)
        self.requests += 1
        is_first = self.requests == self.at_request
        if is_first:
            self.end_s = self.time_s + self.duration_s
        if not self.is_down or (self.kind == "statistics down" and not is_first):
            return super().attempt(move)
        is_lost = is_first and self.is_processed
        if self.kind == "refused" and not is_lost:
            return VirtualMove(self, failed(self.time_s, "not sent"))
        self.moves_during += not is_first
        if is_lost:
            self.process(move)
        if self.kind == "restart without data" and is_first:
            self.course.forget()
        if "frozen" not in self.kind or is_lost:
            is_reset = self.kind not in ("gateway", "restart without data")
            return VirtualMove(self, failed(self.time_s, "reset" if is_reset else "http 502"))
        self.held.append(HeldMove(self, move))
        return self.held[-1]

    def statistics(self, patience_s: float | None) -> Counted:
        """Return a reading; it is repeated for its patience while the outage lasts."""
        if self.is_down:
            limit_s = 5.0 if patience_s is None else patience_s
            wait_s = min(limit_s, self.end_s - self.time_s)
            self.sleep(wait_s)
            if wait_s >= limit_s or self.is_down:
                return Counted(self.time_s, None, FAILURES[self.kind], "It failed.")
        return super().statistics(patience_s)

    def failure_beside(self, misses: int) -> Failed | None:
        """Ask a harmless request: the base address is never down alone."""
        if not self.is_down or self.kind == "statistics down":
            return super().failure_beside(misses)
        kind = FAILURES[self.kind]
        self.sleep(1.0 * 2 ** min(misses, 4) if kind == "timeout" else TRIP_S)
        return failed(self.time_s, kind)


def trial(kind: str, seed: int) -> Counter[str]:
    """Play one game with an outage against one of the open bots, and return what it has cost.

    A run that gives up is started again by the same command.
    """
    chance = random.Random(f"{kind} {seed}")
    world = OutageWorld(
        SimulatedCourse(player_of(OPEN[seed % len(OPEN)].name), seed),
        Dice({}, seed),
        patience_s=120.0,
        kind=kind,
        at_request=chance.randint(1, 12),
        duration_s=chance.uniform(1, 90),
        is_processed=chance.random() < 0.5,
    )
    series = Series(world, live_chooser()).play(1, MOST_RUNS)
    return series.counts + Counter(moves_during=world.moves_during)
