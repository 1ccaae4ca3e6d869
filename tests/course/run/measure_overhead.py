"""Measure the client's own work per move, without engine, HTTP, fsync: `python -m tests.course.run.measure_overhead`.

A run of an instant engine against the referee in this process, with its journal and without a pointer to the running
game; the time in the referee and in fsync is taken off.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bot.course.address import EMBEDDED
from bot.engine.agent import Decision, Limit, Stop
from bot.game import Board
from tests.course.run.course import Course, Silent, opened

GAMES = 200


class Instant:
    """An agent that plays the leftmost legal column at once."""

    name = "instant"

    def choose(self, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:  # noqa: ARG002
        return Decision(board.legal_columns()[0], source="test")


class Outside:
    """Adds up the time of what is not the client's own work."""

    def __init__(self) -> None:
        self.seconds = 0.0

    @contextmanager
    def timed(self) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds += time.perf_counter() - start


class Timed(Course):
    """The course server, whose own work is taken off."""

    def __init__(self, outside: Outside) -> None:
        super().__init__()
        self._outside = outside

    def process(self, move: int) -> dict[str, Any]:
        with self._outside.timed():
            return super().process(move)


def main() -> None:
    """Print milliseconds a move."""
    outside, fsync = Outside(), os.fsync

    def timed_fsync(file: Any) -> None:
        with outside.timed():
            fsync(file)

    os.fsync = timed_fsync  # type: ignore[assignment]
    course = Timed(outside)
    with (
        tempfile.TemporaryDirectory() as folder,
        opened(Path(folder), games=GAMES, agent=Instant(), think_s=0.2, server=EMBEDDED) as run,
    ):
        start = time.perf_counter()
        run.play(course, Silent())  # type: ignore[arg-type]
        seconds = time.perf_counter() - start - outside.seconds
    os.fsync = fsync
    print(f"{1000 * seconds / course.moves:.3f} ms a move over {course.moves} moves (fsync and server taken off)")


if __name__ == "__main__":
    main()
