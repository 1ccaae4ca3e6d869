"""What the doctor's tests share: its findings by name, and journals to examine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bot.cli.checks.check_result import CheckResult
from bot.course.protocol import NEW_GAME, MoveReply, Stats
from bot.course.session.events import Chosen, Counted, GameEnded, Record, Replied, Sent, Started, as_line

KEY = "sekrit-key-1234"


def only(results: Iterator[CheckResult]) -> CheckResult:
    found = list(results)
    assert len(found) == 1, found
    return found[0]


def answer(results: Iterator[CheckResult]) -> dict[str, str]:
    """Level and text by name."""
    return {result.name: f"{result.state}: {result.text}" for result in results}


HEADER = Started(0.0, server="embedded", stil_ids=("local-player",))
OPENED = (
    Counted(0.0, Stats(0, 0, 0, 0), game=1),
    Chosen(0.0, NEW_GAME, game=1),
    Sent(0.0, game=1),
    Replied(0.0, MoveReply(True, None, -1, 0.0, ((0,) * 7,) * 6), game=1),
)
"""A game that has just begun."""
WRONG = GameEnded(1, 1.0, "reply")
"""An end that the records of `OPENED` do not show."""


def write(path: Path, *records: Record, end: str = "") -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"".join(as_line(record, "2026-01-02T03:04:05.000+00:00") for record in records) + end.encode())
    return path
