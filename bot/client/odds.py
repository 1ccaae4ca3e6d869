"""How likely it is that a request of unknown fate was processed, judged by how soon it failed.

A move that the server has taken waits for the bot's answer and for the server's books, so what fails much sooner than
any reply has ever come was most likely never processed. What fails later may be either. Both shares are learnt from
the cases that the next board, or the statistics, have settled (Laplace's rule with the prior counts below). Odds only
weigh worlds; none is ever thrown out for them.
"""

from __future__ import annotations

from collections import deque

SOON = 0.6
"""The share of the shortest round trip below which a failure counts as soon."""
KILLED = 0.85
"""The odds of a request that our own process died over: nearly all of the time it was waiting for the reply."""

_PRIOR = {True: (0.05, 2.0), False: (2.5, 0.8), None: (1.0, 1.0)}
"""Cases thought of as seen before any is: processed, not processed; by whether they failed soon (None: unknown)."""


class FateOdds:
    """Learns from round trips and from settled cases."""

    def __init__(self) -> None:
        self._round_trips: deque[float] = deque(maxlen=100)
        self._processed = {kind: prior[0] for kind, prior in _PRIOR.items()}
        self._total = {kind: sum(prior) for kind, prior in _PRIOR.items()}

    def replied(self, latency_s: float) -> None:
        """A reply has come ``latency_s`` after its request."""
        self._round_trips.append(latency_s)

    def is_soon(self, latency_s: float) -> bool | None:
        """Whether a failure after ``latency_s`` came sooner than a reply could; None while no reply was seen."""
        return latency_s < SOON * min(self._round_trips) if self._round_trips else None

    def of(self, soon: bool | None) -> float:
        """How likely a request that failed so was processed."""
        return self._processed[soon] / self._total[soon]

    def settled(self, soon: bool | None, processed: bool) -> None:
        """It has turned out what became of such a request."""
        self._processed[soon] += processed
        self._total[soon] += 1
