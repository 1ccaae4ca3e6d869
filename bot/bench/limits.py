"""How late agents answer: past a cap on the time of a move, and after a stop."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

from bot.agent_types import Agent, Limit, Stop
from bot.game import Board

CAPS_S = (0.01, 0.05, 0.3)
"""Caps on the time of a move, seconds."""
STOPS_S = (0.002, 0.02, 0.2)
"""Times after which a search is stopped, seconds."""
OPEN = Board.from_moves((3, 3))
"""A position that no agent solves within these times."""


@dataclass(frozen=True, slots=True)
class Lateness:
    """One agent's answers in one situation."""

    agent: str
    situation: str
    """"cap" or "stop"."""
    after_s: float
    """The cap, or the time from the start to the stop, seconds."""
    late_s: tuple[float, ...]
    """Time from the cap or the stop to the answer for each repetition, seconds; negative: before it."""


def latenesses(agent: Agent, repetitions: int) -> Iterator[Lateness]:
    """Measure a compiled agent ``repetitions`` times in each situation."""
    for cap_s in CAPS_S:
        yield Lateness(agent.name, "cap", cap_s, tuple(_past_cap_s(agent, cap_s) for _ in range(repetitions)))
    for after_s in STOPS_S:
        yield Lateness(agent.name, "stop", after_s, tuple(_past_stop_s(agent, after_s) for _ in range(repetitions)))


def _past_cap_s(agent: Agent, cap_s: float) -> float:
    start = time.perf_counter()
    agent.choose(OPEN, Limit(hard_s=cap_s, think_s=10.0))
    return time.perf_counter() - start - cap_s


def _past_stop_s(agent: Agent, after_s: float) -> float:
    stop, stopped_at_s = Stop(), math.inf

    def fire() -> None:
        nonlocal stopped_at_s
        stopped_at_s = time.perf_counter()
        stop.set()

    timer = threading.Timer(after_s, fire)
    timer.start()
    agent.choose(OPEN, Limit(hard_s=60.0, think_s=60.0), stop)
    end_s = time.perf_counter()
    timer.join()
    return end_s - stopped_at_s
