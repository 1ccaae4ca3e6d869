"""What the doctor's tests share: its findings by name, and journals to examine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.cli.checks import CheckResult
from tests.course.journal.build import died_after, recorded, started

KEY = "sekrit-key-1234"


def only(results: Iterator[CheckResult]) -> CheckResult:
    found = list(results)
    assert len(found) == 1, found
    return found[0]


def answer(results: Iterator[CheckResult]) -> dict[str, str]:
    """Level and text by name."""
    return {result.name: f"{result.level.value}: {result.text}" for result in results}


HEADER, *OPENED = [
    json.loads(line)
    for line in recorded((3,), {2: died_after}, first=started(server="embedded", ids=("local-player",))).splitlines()[
        :5
    ]
]
"""The records of a run against the embedded server, up to the reply that opens its game."""


def write(path: Path, *records: Any, end: str = "") -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records) + end)
    return path
