"""Faults by plan: which request fails, and in which way. One grammar for the proxy and for the virtual network.

A plan is "none", or a comma-separated list of items::

    default              the network's usual faults; default=0.4: the same, so that 40 % of the requests fail
    KIND=SHARE           this share of the requests, 0..1, fails in this way; overrides the share from default
    @N:KIND              the N-th request (counted from 1) fails in this way; overrides all shares
    KIND=MIN:MAX         range of the duration, seconds, of the kinds that have one

A kind without its ``_before`` or ``_after`` is both, half and half. The same seed repeats a random plan.
`bot.trials.faults.proxy` carries faults out on real sockets, `bot.trials.simulation.world` in virtual time.
"""

from __future__ import annotations

import random
import re
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.errors import UsageError

KINDS = (
    "refuse",  # connections are refused for a while; counts as one request
    "reset_before",  # the connection is reset (RST), the request is not processed
    "reset_after",  # the request is processed, then the connection is reset
    "delay",  # the request is processed at once, the reply is sent later
    "truncate",  # the request is processed, the reply's body ends before its Content-Length
    "drip",  # the request is processed, the reply's body is sent byte by byte
    "html_before",  # the reply is an HTML page with status 200, the request is not processed
    "html_after",  # the request is processed, the reply is an HTML page with status 200
    "empty_before",  # the reply has status 200 and no body, the request is not processed
    "empty_after",  # the request is processed, the reply has status 200 and no body
    "5xx_before",  # the reply has status 500, 502, 503 or 504, the request is not processed; 503_before: only 503
    "5xx_after",  # the request is processed, the reply has status 500, 502, 503 or 504; 503_after: only 503
)
"""Kinds of faults on sockets and what they do. Requests are the POSTs to /move and /stats."""

_CODES = (500, 502, 503, 504)
_ANY_CODE = re.compile(r"[45]\d\d(?=_|$)")


@dataclass(frozen=True, slots=True)
class Network:
    """What carries faults out, and what it can do."""

    kinds: Sequence[str]
    """Kinds of faults of a request."""
    usual: Mapping[str, float]
    """Shares of the item ``default``."""
    seconds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Default range of the durations, seconds, of the kinds that have one."""
    besides: Sequence[str] = ()
    """Kinds of faults that do not concern a request."""


SOCKETS = Network(
    kinds=KINDS,
    usual=dict.fromkeys(KINDS, 0.2 / len(KINDS)),
    seconds={"delay": (0.05, 0.5), "drip": (0.001, 0.004), "refuse": (0.05, 0.5)},  # drip: per byte
)
"""The proxy. By default 20 % of the requests fail, all kinds equally often."""


def is_processed(kind: str | None) -> bool:
    """Return whether the server processes a request with this fault."""
    return kind is None or not (kind.endswith("_before") or kind in ("refuse", "stale"))


@dataclass(frozen=True, slots=True)
class Fault:
    """How one request fails, all random choices made."""

    kind: str
    """A key of `Network.kinds`."""
    status: int = 200
    wait_s: float = 0.0
    """Duration of a delay, of a refusal, or of the pause before each dripped byte, seconds."""
    cut: float = 0.0
    """Share of the body that a truncated reply keeps, 0..1."""


@dataclass(frozen=True, slots=True)
class FaultSpec:
    """A plan as the user wrote it; the module's docstring gives the grammar."""

    schedule: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Kinds, of which one is drawn, by the number of the request, from 1."""
    shares: Mapping[str, float] = field(default_factory=dict)
    """Shares of the requests by kind, 0..1."""
    seconds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    besides: Mapping[str, float] = field(default_factory=dict)
    """Shares of what is no request, by kind."""

    @classmethod
    def parse(cls, text: str, network: Network = SOCKETS) -> FaultSpec:
        """Parse a plan; raise UsageError, naming the item that is wrong."""
        if text == "none":
            return cls()
        schedule: dict[int, tuple[str, ...]] = {}
        given: dict[str, float] = {}
        seconds = dict(network.seconds)
        usual: dict[str, float] = {}
        for item in filter(None, (part.strip() for part in text.split(","))):
            name, _, value = item.partition("=")
            if item.startswith("@"):
                number, _, name = item[1:].partition(":")
                if not number.isdecimal() or int(number) < 1:
                    raise _bad(item, "write @3:reset_after for the third request")
                schedule[int(number)] = _full(name, item, network)
            elif name == "default":
                usual = _usual(network, _share(value, item) if value else None)
            elif ":" in value:
                if name not in network.seconds:
                    raise _bad(item, f"only {', '.join(network.seconds) or 'kinds on sockets'} have a duration")
                seconds[name] = _range(value, item)
            else:
                names = (name,) if name in network.besides else _full(name, item, network)
                given |= dict.fromkeys(names, _share(value, item) / len(names))
        if not schedule and not given and not usual:
            raise UsageError("The fault plan is empty.", "Write --faults default.")
        every = {**usual, **given}
        shares = {name: share for name, share in every.items() if name not in network.besides}
        if sum(shares.values()) > 1 + 1e-9:
            raise UsageError("The shares of the fault plan add up to more than 1.", "Lower some of them.")
        return cls(schedule, shares, seconds, {name: every[name] for name in network.besides if name in every})


class FaultPlan:
    """Assigns faults to requests in order of arrival, and counts them. Safe for many threads."""

    def __init__(self, spec: FaultSpec, seed: int | None = None) -> None:
        self.spec = spec
        self.random = random.Random(seed)
        self._kinds: list[str | None] = [*spec.shares, None]
        self._weights = [*spec.shares.values(), max(0.0, 1 - sum(spec.shares.values()))]
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._requests = 0
        self._upcoming = self._draw()

    @classmethod
    def parse(cls, text: str, seed: int | None = None) -> FaultPlan:
        """Return the plan for the proxy written as ``text``; raise UsageError if it is wrong."""
        return cls(FaultSpec.parse(text), seed)

    @property
    def requests(self) -> int:
        """Number of requests so far, refused connections included."""
        return self._requests

    @property
    def counts(self) -> dict[str, int]:
        """Number of faults so far, by kind."""
        with self._lock:
            return dict(self._counts)

    def refuse_s(self) -> float | None:
        """Return for how many seconds to refuse connections before the next request; None: accept it."""
        with self._lock:
            if self._upcoming is None or self._upcoming.kind != "refuse":
                return None
            refusal = self.advance()
            return refusal.wait_s if refusal else None

    def take(self) -> Fault | None:
        """Return the fault of the request that has just arrived; None: answer it normally."""
        with self._lock:
            if self._upcoming is not None and self._upcoming.kind == "refuse":
                return None  # it was accepted just before the refusal began
            return self.advance()

    def advance(self) -> Fault | None:
        """Return the fault of the next request, and draw that of the one after it."""
        fault = self._upcoming
        self._requests += 1
        if fault is not None:
            self._counts[fault.kind] += 1
        self._upcoming = self._draw()
        return fault

    def _draw(self) -> Fault | None:
        """Draw the fault of request number ``requests + 1``."""
        planned = self.spec.schedule.get(self._requests + 1)
        name = self.random.choice(planned) if planned else self.random.choices(self._kinds, self._weights)[0]
        if name is None:
            return None
        code = _ANY_CODE.match(name)
        status = 200
        if code or name.startswith("5xx"):
            status = int(code[0]) if code else self.random.choice(_CODES)
            name = "5xx" + name[3:]
        shortest, longest = self.spec.seconds.get(name, (0.0, 0.0))
        return Fault(name, status, self.random.uniform(shortest, longest), self.random.random())


def _usual(network: Network, share: float | None) -> dict[str, float]:
    """Return the usual shares; with ``share``, scaled so that this share of the requests fails."""
    of_requests = sum(each for name, each in network.usual.items() if name not in network.besides)
    factor = 1.0 if share is None else share / of_requests
    return {name: each * (1.0 if name in network.besides else factor) for name, each in network.usual.items()}


def _full(name: str, item: str, network: Network) -> tuple[str, ...]:
    """Return the kinds that ``name`` means: itself, or before and after."""
    kind = _ANY_CODE.sub("5xx", name, count=1) if _ANY_CODE.match(name) else name
    if kind in network.kinds:
        return (name,)
    if f"{kind}_before" in network.kinds:
        return f"{name}_before", f"{name}_after"
    raise _bad(item, f"the kinds are {', '.join((*network.kinds, *network.besides))}")


def _bad(item: str, hint: str) -> UsageError:
    return UsageError(f"The item {item!r} of the fault plan is wrong.", f"{hint[0].upper()}{hint[1:]}.")


def _share(text: str, item: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise _bad(item, "a share is a number from 0 to 1")
    return share


def _range(text: str, item: str) -> tuple[float, float]:
    try:
        shortest, longest = (float(part) for part in text.split(":"))
    except ValueError:
        shortest, longest = 1.0, 0.0
    if not 0 <= shortest <= longest < 3600:
        raise _bad(item, "a range is MIN:MAX in seconds")
    return shortest, longest
