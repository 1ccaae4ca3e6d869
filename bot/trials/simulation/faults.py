"""Faults by plan: which request, reading of the statistics or record of the journal fails, and in which way.

A plan is "none", or a comma-separated list of items::

    default              the usual faults; default=0.4: the same, so that 40 % of the requests fail
    KIND=SHARE           this share, 0..1, fails in this way; overrides the share from default
    @N:KIND              the N-th request, counted from 1, fails in this way; overrides all shares

"reset" and "silent" without "_before" or "_after" are both. `bot.trials.simulation.world` carries faults out.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.course.events import Started
from bot.course.journal.journal import Record
from bot.errors import UsageError

KINDS = (
    "refuse",  # the request is certainly not sent
    "reset_before",  # the request is lost before the server processes it
    "reset_after",  # the request is processed, its reply is lost
    "silent_before",  # like reset_before, but noticed by a timeout longer than the move clock
    "silent_after",  # like reset_after, but noticed by a timeout longer than the move clock
    "truncate",  # the request is processed, and the reply is cut short after its status
    "stale",  # the request is not processed, and an earlier reply comes back (a caching proxy)
    "duplicate",  # the request is processed twice, the second reply comes back (a retrying proxy)
    "restart",  # the server restarts without its data, then processes the request
)
"""Kinds of faults of a request to /move."""
OTHER_KINDS = (
    "unread",  # a reading of the statistics fails
    "behind",  # a reading of the statistics is one game behind
    "kill",  # the client is killed at a record of its journal
)
"""Kinds of faults that do not concern a request to /move."""
USUAL = {"refuse": 0.03, "reset": 0.1, "silent": 0.01, "truncate": 0.02, "unread": 0.1, "kill": 0.002}
"""Shares of the item "default": about one request in six fails."""


def is_processed(kind: str | None) -> bool:
    """Return whether the server processes a request with this fault."""
    if kind is None:
        return True
    return not kind.endswith("_before") and kind not in ("refuse", "stale")


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """A plan as the user wrote it; the module's docstring gives the grammar."""

    scheduled: Mapping[int, Mapping[str, float]] = field(default_factory=dict)
    """Shares by kind, 0..1, that replace those of all requests, by the number of the request, from 1."""
    shares: Mapping[str, float] = field(default_factory=dict)
    """Shares of the requests by kind, 0..1, in the order of KINDS."""
    others: Mapping[str, float] = field(default_factory=dict)
    """Shares of what is no request to /move, by kind."""

    @classmethod
    def parse(cls, text: str, played: float = 0.5) -> FaultPlan:
        """Parse a plan; raise UsageError, naming the item that is wrong.

        A lost reply without "_before" or "_after" belongs to a move that was played with the probability ``played``.
        """
        if text == "none":
            return cls()
        scheduled: dict[int, Mapping[str, float]] = {}
        usual: dict[str, float] = {}
        given: dict[str, float] = {}
        for item in filter(None, (part.strip() for part in text.split(","))):
            name, _, value = item.partition("=")
            if item.startswith("@"):
                number, _, name = item[1:].partition(":")
                if not number.isdecimal() or int(number) < 1 or name in OTHER_KINDS:
                    raise _bad(item, "write @3:reset_after for the third request")
                scheduled[int(number)] = _parts(name, item, played)
            elif name == "default":
                share = _share(value, item) if value else None
                usual = _usual(share, played)
            else:
                parts = _parts(name, item, played)
                total = _share(value, item)
                given |= {kind: total * part for kind, part in parts.items()}
        if not scheduled and not given and not usual:
            raise UsageError("The fault plan is empty.", "Write --faults default.")
        every = {**usual, **given}
        shares = {kind: every[kind] for kind in KINDS if kind in every}
        if sum(shares.values()) > 1 + 1e-9:
            raise UsageError("The shares of the fault plan add up to more than 1.", "Lower some of them.")
        return cls(scheduled, shares, {kind: every[kind] for kind in OTHER_KINDS if kind in every})


class Dice:
    """Draws the faults of a series; see `bot.trials.simulation.world.Faults`.

    A fault takes one random number. The halves of a lost reply are neighbours in a plan, so the share of those that
    were played moves the border between them and changes no other fault.
    """

    def __init__(self, plan: FaultPlan, seed: int) -> None:
        self.requests = 0
        """Number of requests so far."""
        self.counts: Counter[str] = Counter()
        """Number of faults of requests so far, by kind."""
        self.scheduled = dict(plan.scheduled)
        self.random = random.Random(seed)
        self._plan = plan

    def of_request(self) -> str | None:
        self.requests += 1
        shares = self.scheduled.get(self.requests, self._plan.shares)
        unharmed = max(0.0, 1 - sum(shares.values()))
        kind = self.random.choices([*shares, None], [*shares.values(), unharmed])[0]
        if kind is not None:
            self.counts[kind] += 1
        return kind

    def of_reading(self) -> str | None:
        return next((kind for kind in ("unread", "behind") if self._happens(kind)), None)

    def kills_after(self, record: Record) -> bool:
        """Return whether the client is killed now; never at its start, so that every run does something."""
        return not isinstance(record, Started) and self._happens("kill")

    def arrives(self) -> bool:
        return self.random.random() < 0.5

    def _happens(self, kind: str) -> bool:
        share = self._plan.others.get(kind, 0.0)
        return share > 0 and self.random.random() < share


def _usual(share: float | None, played: float) -> dict[str, float]:
    """Return the usual shares; with ``share``, scaled so that this share of the requests fails."""
    of_requests = sum(each for name, each in USUAL.items() if name not in OTHER_KINDS)
    factor = 1.0 if share is None else share / of_requests
    shares: dict[str, float] = {}
    for name, each in USUAL.items():
        scaled = each if name in OTHER_KINDS else each * factor
        shares |= {kind: scaled * part for kind, part in _parts(name, "default", played).items()}
    return shares


def _parts(name: str, item: str, played: float) -> dict[str, float]:
    """Return the kinds that ``name`` means, with their parts, which add up to 1: itself, or before and after."""
    if name in KINDS or name in OTHER_KINDS:
        return {name: 1.0}
    if f"{name}_before" in KINDS:
        return {f"{name}_before": 1 - played, f"{name}_after": played}
    raise _bad(item, f"the kinds are {', '.join((*KINDS, *OTHER_KINDS))}")


def _share(text: str, item: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise _bad(item, "a share is a number from 0 to 1")
    return share


def _bad(item: str, hint: str) -> UsageError:
    return UsageError(f"The item {item!r} of the fault plan is wrong.", f"{hint[0].upper()}{hint[1:]}.")
