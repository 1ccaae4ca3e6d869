"""Faults on tap: which request fails, and how. What a fault does to a socket is `bot.server.proxy`'s business.

A plan is written as comma-separated items::

    default              20 % of the requests fail, all kinds equally often; default=0.4 sets another share
    KIND=SHARE           this share of the requests, 0..1, fails in this way; it wins over the share of default
    @N:KIND              the N-th request (counted from 1) fails in this way; it wins over all shares
    KIND=MIN:MAX         seconds, for the kinds that take time: delay, drip (for each byte), refuse

Requests are the POSTs, /move and /stats alike. A random plan is repeatable by its seed.
"""

from __future__ import annotations

import random
import re
import threading
from collections import Counter
from dataclasses import dataclass

from bot.errors import UsageError

DEFAULT_SHARE = 0.2

KINDS = {
    "refuse": "connections are refused for a while; counts as a request of its own",
    "reset_before": "the connection is reset (RST), nothing was processed",
    "reset_after": "the request is processed, then the connection is reset",
    "delay": "the request is processed at once, the reply comes late",
    "truncate": "the request is processed, the reply's body ends short of its Content-Length",
    "drip": "the request is processed, the reply's body comes byte by byte",
    "html_before": "an HTML page with status 200, nothing was processed",
    "html_after": "the request is processed, an HTML page with status 200 answers",
    "empty_before": "status 200 without a body, nothing was processed",
    "empty_after": "the request is processed, status 200 without a body answers",
    "5xx_before": "status 500, 502, 503 or 504, nothing was processed; 503_before fixes it",
    "5xx_after": "the request is processed, status 500, 502, 503 or 504 answers; 503_after fixes it",
}
"""What a plan may name. Without _before or _after, `reset`, `html`, `empty`, `5xx` and `503` toss a coin for it."""

SECONDS = {"delay": (0.05, 0.5), "drip": (0.001, 0.004), "refuse": (0.05, 0.5)}
"""How long a fault takes unless the plan says otherwise, in seconds; `drip` for each byte."""

_CODES = (500, 502, 503, 504)
_ANY_CODE = re.compile(r"[45]\d\d(?=_|$)")


@dataclass(frozen=True, slots=True)
class Fault:
    """One way for one request to fail, all chances taken."""

    kind: str
    """A key of KINDS."""
    status: int = 200
    wait_s: float = 0.0
    cut: float = 0.0
    """The share of the body, 0..1, that a truncated reply keeps."""

    @property
    def is_processed(self) -> bool:
        """Whether the request reaches the server."""
        return not self.kind.endswith("_before") and self.kind != "refuse"


@dataclass(frozen=True, slots=True)
class FaultSpec:
    """A plan as the user wrote it; see the module for the grammar."""

    schedule: dict[int, str]
    shares: dict[str, float]
    seconds: dict[str, tuple[float, float]]

    @classmethod
    def parse(cls, text: str) -> FaultSpec:
        """Read a plan; raises UsageError, naming the item that makes no sense."""
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
                shares[_known(name, item)] = _share(value, item)
        if not schedule and not shares and not default:
            raise UsageError("The plan of faults names no fault.", "Write --faults default.")
        shares = {**dict.fromkeys(KINDS, default / len(KINDS)), **shares} if default else shares
        if sum(shares.values()) > 1 + 1e-9:
            raise UsageError("The shares of the faults add up to more than 1.", "Lower them.")
        return cls(schedule, shares, seconds)


class FaultPlan:
    """Decides each request's fault in order of arrival, and counts them. Safe for many threads."""

    def __init__(self, spec: FaultSpec, seed: int | None = None) -> None:
        self._spec = spec
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._requests = 0
        self._upcoming = self._draw()

    @classmethod
    def parse(cls, text: str, seed: int | None = None) -> FaultPlan:
        """The plan written as ``text``; raises UsageError."""
        return cls(FaultSpec.parse(text), seed)

    @property
    def requests(self) -> int:
        """How many requests have come, refused ones included."""
        return self._requests

    @property
    def counts(self) -> dict[str, int]:
        """How many faults of each kind have happened."""
        with self._lock:
            return dict(self._counts)

    def refuse_s(self) -> float | None:
        """Seconds for which connections must be refused before the next request; None: let it come."""
        with self._lock:
            if self._upcoming is None or self._upcoming.kind != "refuse":
                return None
            refusal = self._advance()
            return refusal.wait_s if refusal else None

    def take(self) -> Fault | None:
        """The fault of the request that has just come; None: answer it well."""
        with self._lock:
            if self._upcoming is not None and self._upcoming.kind == "refuse":
                return None  # it slipped in before the refusal began
            return self._advance()

    def _advance(self) -> Fault | None:
        fault = self._upcoming
        self._requests += 1
        if fault is not None:
            self._counts[fault.kind] += 1
        self._upcoming = self._draw()
        return fault

    def _draw(self) -> Fault | None:
        """The fault of request number ``requests + 1``."""
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
    return UsageError(f"The fault {item!r} makes no sense.", f"{hint[0].upper()}{hint[1:]}.")


def _known(name: str, item: str) -> str:
    kind = _ANY_CODE.sub("5xx", name, count=1) if _ANY_CODE.match(name) else name
    if kind not in KINDS and f"{kind}_before" not in KINDS:
        raise _bad(item, f"the kinds are {', '.join(KINDS)}")
    return name


def _timed(name: str, item: str) -> str:
    if name not in SECONDS:
        raise _bad(item, f"only {', '.join(SECONDS)} take seconds")
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
