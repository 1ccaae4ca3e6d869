"""What helper threads gain: the same positions solved by one thread and by several, each with a cold table."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bot.bench.positions import Position
from bot.engine.solver import Solver


@dataclass(frozen=True, slots=True)
class Threaded:
    """Elapsed seconds for one position, and whether the two scores agree."""

    one_s: float
    several_s: float
    agree: bool


def compare(positions: Iterable[Position], threads: int, table_mb: int = 4) -> Iterator[Threaded]:
    """Solve each position by one thread and by ``threads``; which comes first alternates."""
    one, several = Solver(table_mb), Solver(table_mb, threads)
    for number, position in enumerate(positions):
        seconds, scores = {}, set()
        for solver in (one, several) if number % 2 else (several, one):
            start = time.perf_counter()
            scores.add(solver.solve(position.board).score)
            seconds[solver] = time.perf_counter() - start
        yield Threaded(seconds[one], seconds[several], len(scores) == 1)
