"""Faults by plan: which request, reading of the statistics or record of the journal fails, and in which way.

A plan is "none", or items with commas between them; a later item overrides an earlier one:

default          one request in six fails, some readings fail, and the client is killed at times
default=0.4      the same, so that 40 % of the requests fail
KIND=0.05        this share fails in this way

"reset" and "silent" without "_before" or "_after" are both. `tests.simulation.world` carries faults out.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

from bot.course.events import Started
from bot.course.journal.records import Record

KINDS = {
    "refuse": False,  # the request is certainly not sent
    "reset_before": False,  # the request is lost before the server processes it
    "reset_after": True,  # the request is processed, its reply is lost
    "silent_before": False,  # like reset_before, but noticed by a timeout longer than the move clock
    "silent_after": True,  # like reset_after, but noticed by a timeout longer than the move clock
    "truncate": True,  # the request is processed, and the reply is cut short after its status
    "stale": False,  # the request is not processed, and an earlier reply comes back (a caching proxy)
    "duplicate": True,  # the request is processed twice, the second reply comes back (a retrying proxy)
    "restart": True,  # the server restarts without its data, then processes the request
}
"""Kinds of faults of a request to /move, and whether it is processed."""
OTHER_KINDS = (
    "unread",  # a reading of the statistics fails
    "behind",  # a reading of the statistics is one game behind
    "kill",  # the client is killed at a record of its journal
)
"""Kinds of faults that do not concern a request to /move."""
USUAL = {"refuse": 0.03, "reset": 0.1, "silent": 0.01, "truncate": 0.02}
"""Shares of the item "default": about one request in six fails."""
USUAL_OTHERS = {"unread": 0.1, "kill": 0.002}
"""The same of what is no request to /move."""


FaultPlan = Mapping[str, float]
"""Shares by kind, 0..1."""


def parsed(text: str, played: float = 0.5) -> FaultPlan:
    """Return the plan of a text; raise ValueError for what is not in the grammar.

    A lost reply without "_before" or "_after" belongs to a move that was played with the probability ``played``.
    """
    plan: dict[str, float] = {}
    for item in text.split(",") if text != "none" else ():
        name, _, value = item.strip().partition("=")
        shares: Mapping[str, float | str] = {name: value}
        if name == "default":
            factor = float(value) / sum(USUAL.values()) if value else 1.0
            shares = {kind: share * factor for kind, share in USUAL.items()} | USUAL_OTHERS
        for kind, share in shares.items():
            if f"{kind}_after" in KINDS:
                plan |= {f"{kind}_before": float(share) * (1 - played), f"{kind}_after": float(share) * played}
            elif kind in (*KINDS, *OTHER_KINDS):
                plan[kind] = float(share)
            else:
                raise ValueError(f"{kind} is no fault. The kinds are {[*KINDS, *OTHER_KINDS]}.")
    return plan


class Dice:
    """Draws the faults of a series; see `tests.simulation.world.VirtualWorld`.

    A fault takes one random number. The halves of a lost reply are neighbours in a plan, so the share of those that
    were played moves the border between them and changes no other fault.
    """

    def __init__(self, plan: FaultPlan, seed: int) -> None:
        self.requests = 0
        """Number of requests so far."""
        self.counts: Counter[str] = Counter()
        """Number of faults of requests so far, by kind."""
        self.plan = plan
        self.random = random.Random(seed)

    def of_request(self) -> str | None:
        """Return the kind of the next request's fault; None if it has none."""
        self.requests += 1
        chances = {kind: self.plan[kind] for kind in KINDS if kind in self.plan}
        unharmed = max(0.0, 1 - sum(chances.values()))
        kind = self.random.choices([*chances, None], [*chances.values(), unharmed])[0]
        if kind is not None:
            self.counts[kind] += 1
        return kind

    def of_reading(self) -> str | None:
        """Return the kind of fault of the next reading of the statistics; None if it has none."""
        return next((kind for kind in ("unread", "behind") if self._happens(kind)), None)

    def kills_after(self, record: Record | None) -> bool:
        """Return whether the client is killed now, None while it sends; never at its start, so that every run works."""
        return not isinstance(record, Started) and self._happens("kill")

    def arrives(self) -> bool:
        """Return whether the request that a killed client was sending arrives at the server."""
        return self.random.random() < 0.5

    def _happens(self, kind: str) -> bool:
        share = self.plan.get(kind, 0.0)
        return share > 0 and self.random.random() < share
