"""How likely it is that a request of unknown fate was processed, judged by how soon it failed.

A move that the server has taken waits for the bot's answer and for the server's books, so what fails much sooner than
replies come was most likely never processed, and what fails after about as long as a reply takes most likely was. The
density of both is estimated from samples (kernels on the logarithm, since waits have a sharp left edge and a long
right tail): that of the replies from all replies, that of failures before the work from the cases that the next board,
or the statistics, have settled; until some are, it is thought to lie around a third of the replies' median. By Bayes'
rule the wait gives the odds. A share of both is spread widely, so that no wait proves anything: odds weigh
worlds, none is ever thrown out for them.
"""

from __future__ import annotations

import math
from collections import deque

KILLED = 0.85
"""The odds of a request that our own process died over once it had left, until such cases are known."""
STAYED = 0.02
"""The same where its departure was not recorded: after a power cut the record may be missing all the same."""
_KILLED_CASES = 4.0
"""So many cases is that guess worth."""

_SOONER = math.log(1 / 3)
"""Where failures before the work are thought to lie, from the replies' median, until some are known."""
_PRIOR_CASES = 3.0
"""So many cases is that thought worth, and the less, the more are known."""
_PRIOR_SPREAD = 0.7
_KERNEL = 0.12
_FEWEST = 5
"""With fewer replies nothing is said."""
_DOUBT = 0.02
"""The share of each distribution that is spread widely."""
_WIDE = 3.0


class FateOdds:
    """Learns from waits and from settled cases."""

    def __init__(self) -> None:
        self._replies: deque[float] = deque(maxlen=300)
        self._in_vain: deque[float] = deque(maxlen=300)
        self._killed: deque[bool] = deque(maxlen=300)

    def replied(self, wait_s: float | None) -> None:
        """A reply has begun ``wait_s`` after its request had left (None: nobody measured)."""
        if wait_s is not None:
            self._replies.append(math.log(max(wait_s, 1e-6)))

    def settled(self, wait_s: float | None, processed: bool) -> None:
        """It has turned out what became of a request that failed after ``wait_s`` (None: nobody measured)."""
        if wait_s is not None and not processed:
            self._in_vain.append(math.log(max(wait_s, 1e-6)))

    def killed_over(self, processed: bool) -> None:
        """It has turned out what became of a request over which our own process died."""
        self._killed.append(processed)

    def processed(self, wait_s: float | None) -> float:
        """How likely a request was processed that failed after ``wait_s``."""
        if wait_s is None or len(self._replies) < _FEWEST:
            return 0.5
        when = math.log(max(wait_s, 1e-6))
        median = sorted(self._replies)[len(self._replies) // 2]
        worked = sum(_bell(when, reply, _KERNEL) for reply in self._replies) / len(self._replies)
        prior = _PRIOR_CASES / (1 + len(self._in_vain) / _PRIOR_CASES)
        idle = prior * _bell(when, median + _SOONER, _PRIOR_SPREAD)
        idle += sum(_bell(when, failure, 1.5 * _KERNEL) for failure in self._in_vain)
        idle /= prior + len(self._in_vain)
        wide = _DOUBT / (1 - _DOUBT) * _bell(when, median, _WIDE)
        return (worked + wide) / (worked + idle + 2 * wide)

    @property
    def killed(self) -> float:
        """How likely a request was processed over which our own process died."""
        return (KILLED * _KILLED_CASES + sum(self._killed)) / (_KILLED_CASES + len(self._killed))

    @property
    def doubt(self) -> float:
        """The chance that a request which fails after as long as a reply takes was not processed all the same."""
        if len(self._replies) < _FEWEST:
            return 0.5
        return 1 - self.processed(math.exp(sorted(self._replies)[len(self._replies) // 2]))


def _bell(value: float, mean: float, spread: float) -> float:
    """The normal density, but for a constant factor."""
    return math.exp(-(((value - mean) / spread) ** 2) / 2) / spread
