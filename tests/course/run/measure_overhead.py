"""Measure the client's own work per move, without engine, HTTP, fsync: `python -m tests.course.run.measure_overhead`.

A run of recorded opponents and an instant engine against the referee in this process; the time in the referee, in the
engine and in fsync is taken off.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import Any

from bot.course.run.observer import Silent

from bot.course.client.wire import MoveReply
from bot.course.run.run import Plan, Run
from bot.engine.agent import Decision, Limit, Stop
from bot.game import Board
from tests.course.run.course import WHO, Course

GAMES = 200


class Stopwatch:
    """Adds up the time within."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __enter__(self) -> None:
        self._start = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.perf_counter() - self._start


class Instant:
    """An agent that plays the leftmost legal column at once."""

    name = "instant"

    def choose(self, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:  # noqa: ARG002
        return Decision(board.legal_columns()[0], source="test")


class Timed(Course):
    """The course server, whose own work is measured and subtracted."""

    watch = Stopwatch()

    def move(self, column: int, on_sent: Any = None, *, patience_s: float | None = None) -> MoveReply:  # noqa: ARG002
        with self.watch:
            return super().move(column, on_sent)


def main() -> None:
    """Print milliseconds a move."""
    outside, fsync = Stopwatch(), os.fsync

    def timed_fsync(fd: Any) -> None:
        with outside:
            fsync(fd)

    os.fsync = timed_fsync
    course = Timed()
    with tempfile.TemporaryDirectory() as logs:
        run = Run(Plan("s", "s", WHO, GAMES, 20, 5.0, 0.2, 30.0, Path(logs)), Instant())
        start = time.perf_counter()
        run.play(course, Silent())  # type: ignore[arg-type]
        seconds = time.perf_counter() - start - outside.seconds - course.watch.seconds
        run.journal.close()
    os.fsync = fsync
    print(f"{1000 * seconds / course.moves:.3f} ms a move over {course.moves} moves (fsync and server taken off)")


if __name__ == "__main__":
    main()
