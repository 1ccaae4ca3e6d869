"""How likely it is that a request of unknown fate was processed, judged by how soon it failed.

A move that the server has taken waits for the bot's answer and for the server's books, so what fails much sooner than
replies come was most likely never processed, and what fails after about as long as a reply takes most likely was. Both
distributions are taken as log-normal: that of the replies is measured with every reply, that of failures before the
work is learnt from the cases that the next board, or the statistics, have settled; until then it is thought to lie at
a fifth of the replies'. By Bayes' rule the latency gives the odds. A share of both is spread widely, so that no latency
proves anything: odds weigh worlds, none is ever thrown out for them.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable

KILLED = 0.85
"""The odds of a request that our own process died over: nearly all of the time it was waiting for the reply."""

_SOONER = math.log(1 / 5)
"""Where failures before the work are thought to lie, from the replies' mean, until some are known."""
_PRIOR_CASES = 4.0
_PRIOR_SPREAD = 0.8
_LEAST_SPREAD = 0.3
_DOUBT = 0.02
"""The share of each distribution that is spread widely."""
_WIDE = 3.0


class FateOdds:
    """Learns from round trips and from settled cases."""

    def __init__(self) -> None:
        self._replies: deque[float] = deque(maxlen=100)
        self._in_vain: deque[float] = deque(maxlen=100)

    def replied(self, latency_s: float) -> None:
        """A reply has come ``latency_s`` after its request."""
        self._replies.append(math.log(max(latency_s, 1e-6)))

    def settled(self, latency_s: float | None, processed: bool) -> None:
        """It has turned out what became of a request that failed after ``latency_s`` (None: nobody measured)."""
        if latency_s is not None and not processed:
            self._in_vain.append(math.log(max(latency_s, 1e-6)))

    def processed(self, latency_s: float | None) -> float:
        """How likely a request was processed that failed after ``latency_s``."""
        if latency_s is None or len(self._replies) < 2:
            return 0.5
        when = math.log(max(latency_s, 1e-6))
        mean, spread = _moments(self._replies)
        worked = _density(when, mean, spread)
        idle = _density(when, *_moments(self._in_vain, mean + _SOONER, _PRIOR_SPREAD, _PRIOR_CASES))
        return worked / (worked + idle)

    @property
    def doubt(self) -> float:
        """The chance that a request which fails after as long as a reply takes was not processed all the same."""
        if len(self._replies) < 2:
            return 0.5
        return 1 - self.processed(math.exp(_moments(self._replies)[0]))


def _moments(
    sample: Iterable[float], mean: float = 0.0, spread: float = 0.5, cases: float = 0.5
) -> tuple[float, float]:
    """Mean and spread of the sample, with so many ``cases`` as thought of before any was seen."""
    values = list(sample)
    if cases < 1:  # the spread alone is presumed, not the mean
        mean = sum(values) / len(values)
    total = cases + len(values)
    centre = (cases * mean + sum(values)) / total
    scatter = cases * (spread**2 + (mean - centre) ** 2) + sum((value - centre) ** 2 for value in values)
    return centre, max(_LEAST_SPREAD, math.sqrt(scatter / total))


def _density(value: float, mean: float, spread: float) -> float:
    near = math.exp(-(((value - mean) / spread) ** 2) / 2) / spread
    wide = math.exp(-(((value - mean) / _WIDE) ** 2) / 2) / _WIDE
    return (1 - _DOUBT) * near + _DOUBT * wide
