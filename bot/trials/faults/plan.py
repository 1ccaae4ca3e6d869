"""Fault injection: which request fails, and in which way. `bot.trials.faults.proxy` carries the faults out.

A plan is a comma-separated list of items::

    default              20 % of the requests fail, all kinds equally often; default=0.4 sets another share
    KIND=SHARE           this share of the requests, 0..1, fails in this way; overrides the share from default
    @N:KIND              the N-th request (counted from 1) fails in this way; overrides all shares
    KIND=MIN:MAX         range of the duration, seconds, for delay, drip (per byte) and refuse

Requests are the POSTs to /move and /stats. The same seed repeats a random plan.
"""

from __future__ import annotations

import random
import re
import threading
from collections import Counter
from dataclasses import dataclass

from bot.errors import UsageError

DEFAULT_SHARE = 0.2
"""Share of the requests that fail with the item ``default``, 0..1."""

KINDS = {
    "refuse": "connections are refused for a while; counts as one request",
    "reset_before": "the connection is reset (RST), the request is not processed",
    "reset_after": "the request is processed, then the connection is reset",
    "delay": "the request is processed at once, the reply is sent later",
    "truncate": "the request is processed, the reply's body ends before its Content-Length",
    "drip": "the request is processed, the reply's body is sent byte by byte",
    "html_before": "the reply is an HTML page with status 200, the request is not processed",
    "html_after": "the request is processed, the reply is an HTML page with status 200",
    "empty_before": "the reply has status 200 and no body, the request is not processed",
    "empty_after": "the request is processed, the reply has status 200 and no body",
    "5xx_before": "the reply has status 500, 502, 503 or 504, the request is not processed; 503_before: only 503",
    "5xx_after": "the request is processed, the reply has status 500, 502, 503 or 504; 503_after: only 503",
}
"""Kinds of faults and what they do. `reset`, `html`, `empty`, `5xx` and `503` alone pick one half at random."""

SECONDS = {"delay": (0.05, 0.5), "drip": (0.001, 0.004), "refuse": (0.05, 0.5)}
"""Default range of a fault's duration, seconds; `drip`: per byte."""

_CODES = (500, 502, 503, 504)
_ANY_CODE = re.compile(r"[45]\d\d(?=_|$)")


@dataclass(frozen=True, slots=True)
class Fault:
    """How one request fails, all random choices made."""

    kind: str
    """A key of KINDS."""
    status: int = 200
    wait_s: float = 0.0
    """Duration of a delay, of a refusal, or of the pause before each dripped byte, seconds."""
    cut: float = 0.0
    """Share of the body that a truncated reply keeps, 0..1."""

    @property
    def is_processed(self) -> bool:
        """Return whether the server processes the request."""
        return not self.kind.endswith("_before") and self.kind != "refuse"


@dataclass(frozen=True, slots=True)
class FaultSpec:
    """A plan as the user wrote it; the module's docstring gives the grammar."""

    schedule: dict[int, str]
    shares: dict[str, float]
    seconds: dict[str, tuple[float, float]]

    @classmethod
    def parse(cls, text: str) -> FaultSpec:
        """Parse a plan; raise UsageError, naming the item that is wrong."""
        schedule: dict[int, str] = {}
        shares: dict[str, float] = {}
        seconds = dict(SECONDS)
        default = 0.0
        for item in filter(None, (part.strip() for part in text.split(","))):
            if item.startswith("@"):
                number, _, name = item[1:].partition(":")
                if not number.isdecimal() or int(number) < 1:
                    raise _bad(item, "write @3:reset_after for the third request")
                schedule[int(number)] = _known(name, item)
                continue
            name, _, value = item.partition("=")
            if name == "default":
                default = _share(value, item) if value else DEFAULT_SHARE
            elif ":" in value:
                seconds[_timed(name, item)] = _range(value, item)
            else:
                kind = _known(name, item)
                shares[kind] = _share(value, item)
        if not schedule and not shares and not default:
            raise UsageError("The fault plan is empty.", "Write --faults default.")
        shares = {**dict.fromkeys(KINDS, default / len(KINDS)), **shares} if default else shares
        if sum(shares.values()) > 1 + 1e-9:
            raise UsageError("The shares of the fault plan add up to more than 1.", "Lower some of them.")
        return cls(schedule, shares, seconds)


class FaultPlan:
    """Assigns faults to requests in order of arrival, and counts them. Safe for many threads."""

    def __init__(self, spec: FaultSpec, seed: int | None = None) -> None:
        self._spec = spec
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._requests = 0
        self._upcoming = self._draw()

    @classmethod
    def parse(cls, text: str, seed: int | None = None) -> FaultPlan:
        """Return the plan written as ``text``; raise UsageError if it is wrong."""
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
            refusal = self._advance()
            return refusal.wait_s if refusal else None

    def take(self) -> Fault | None:
        """Return the fault of the request that has just arrived; None: answer it normally."""
        with self._lock:
            if self._upcoming is not None and self._upcoming.kind == "refuse":
                return None  # it was accepted just before the refusal began
            return self._advance()

    def _advance(self) -> Fault | None:
        fault = self._upcoming
        self._requests += 1
        if fault is not None:
            self._counts[fault.kind] += 1
        self._upcoming = self._draw()
        return fault

    def _draw(self) -> Fault | None:
        """Draw the fault of request number ``requests + 1``."""
        name = self._spec.schedule.get(self._requests + 1)
        if name is None:
            names, shares = list(self._spec.shares), list(self._spec.shares.values())
            pick = self._random.choices([*names, None], [*shares, max(0.0, 1 - sum(shares))])[0]
            if pick is None:
                return None
            name = pick
        code = _ANY_CODE.match(name)
        status = 200
        if code or name.startswith("5xx"):
            status = int(code[0]) if code else self._random.choice(_CODES)
            name = "5xx" + name[3:]
        if name not in KINDS:
            name += self._random.choice(("_before", "_after"))
        shortest, longest = self._spec.seconds.get(name, (0.0, 0.0))
        return Fault(name, status, self._random.uniform(shortest, longest), self._random.random())


def _bad(item: str, hint: str) -> UsageError:
    return UsageError(f"The item {item!r} of the fault plan is wrong.", f"{hint[0].upper()}{hint[1:]}.")


def _known(name: str, item: str) -> str:
    kind = _ANY_CODE.sub("5xx", name, count=1) if _ANY_CODE.match(name) else name
    if kind not in KINDS and f"{kind}_before" not in KINDS:
        raise _bad(item, f"the kinds are {', '.join(KINDS)}")
    return name


def _timed(name: str, item: str) -> str:
    if name not in SECONDS:
        raise _bad(item, f"only {', '.join(SECONDS)} have a duration")
    return name


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
