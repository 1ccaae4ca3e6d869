"""Faults of a simulation: rates by kind, drawn from a seed, or a script of single faults."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from bot.course.session.events import Record, Started
from bot.errors import UsageError

MOVE_FAULTS = {
    "before": "the request is lost before the server processes it",
    "after": "the request is processed, its reply is lost",
    "unsent": "the request is certainly not sent",
    "slow_before": "like before, with a timeout longer than the move clock",
    "slow_after": "like after, with a timeout longer than the move clock",
    "stale": "the request is not processed, and an earlier reply comes back (a caching proxy)",
    "duplicate": "the request is processed twice, the second reply comes back (a retrying proxy)",
    "partial": "the request is processed, and the reply is cut short after its status",
    "restart": "the server restarts without its data, then processes the request",
}
"""Kinds of faults of a request to /move."""


@dataclass(frozen=True, slots=True)
class FaultRates:
    """Probabilities by kind, 0..1; all faults are independent."""

    lost: float = 0.0
    """Lost replies to moves and to requests for a new game, half before and half after processing."""
    unsent: float = 0.0
    slow: float = 0.0
    stale: float = 0.0
    duplicate: float = 0.0
    partial: float = 0.0
    restart: float = 0.0
    kill: float = 0.0
    """Kills of the client at any record of its journal."""
    statistics: float = 0.0
    """Readings of the statistics that fail."""
    behind: float = 0.0
    """Readings of the statistics that are one game behind."""

    @classmethod
    def parse(cls, text: str) -> FaultRates:
        """Return the rates in a text such as "lost=0.05,kill=0.01", "none" or "default"; raises UsageError."""
        if text == "none":
            return cls()
        if text == "default":
            return DEFAULT
        known = {field.name for field in fields(cls)}
        rates: dict[str, float] = {}
        for item in filter(None, (part.strip() for part in text.split(","))):
            name, _, value = item.partition("=")
            try:
                rates[name] = float(value)
            except ValueError:
                rates[name] = -1.0
            if name not in known or not 0 <= rates[name] <= 1:
                raise UsageError(
                    f"The fault {item!r} is not valid.",
                    f"Write KIND=RATE, 0 to 1, with KIND among {', '.join(sorted(known))}.",
                )
        return cls(**rates)


DEFAULT = FaultRates(lost=0.1, unsent=0.03, slow=0.01, partial=0.02, statistics=0.1, kill=0.002)
"""A bad network: about one request in six fails."""


@dataclass(slots=True)
class Dice:
    """Draws faults from rates, or takes them from a script: {number of the request to /move, from 1: kind}."""

    rates: FaultRates
    dice: random.Random
    script: Mapping[int, str] = field(default_factory=dict)
    requests: int = 0
    drawn: dict[str, int] = field(default_factory=dict)

    def of_request(self) -> str | None:
        """See `bot.trials.simulation.world.Faults`."""
        self.requests += 1
        kind = self.script.get(self.requests) or self._draw()
        if kind is not None:
            self.drawn[kind] = self.drawn.get(kind, 0) + 1
        return kind

    def _draw(self) -> str | None:
        rates = self.rates
        side = "before" if self.dice.random() < 0.5 else "after"
        pick = self.dice.random()
        for kind, rate in (
            (side, rates.lost),
            ("unsent", rates.unsent),
            (f"slow_{side}", rates.slow),
            ("stale", rates.stale),
            ("duplicate", rates.duplicate),
            ("partial", rates.partial),
            ("restart", rates.restart),
        ):
            if pick < rate:
                return kind
            pick -= rate
        return None

    def of_reading(self) -> str | None:
        """See `bot.trials.simulation.world.Faults`."""
        if self.rates.statistics > 0 and self.dice.random() < self.rates.statistics:
            return "unread"
        return "behind" if self.rates.behind > 0 and self.dice.random() < self.rates.behind else None

    def kills_after(self, record: Record) -> bool:
        """See `bot.trials.simulation.world.Faults`; a start is never killed, so that every run does something."""
        return not isinstance(record, Started) and self.rates.kill > 0 and self.dice.random() < self.rates.kill

    def arrives(self) -> bool:
        """See `bot.trials.simulation.world.Faults`."""
        return self.dice.random() < 0.5
