"""What the doctor's tests share: its findings by name, and journals to examine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.cli.checks import CheckResult

KEY = "sekrit-key-1234"


def only(results: Iterator[CheckResult]) -> CheckResult:
    found = list(results)
    assert len(found) == 1, found
    return found[0]


def answer(results: Iterator[CheckResult]) -> dict[str, str]:
    """Level and text by name."""
    return {result.name: f"{result.level.value}: {result.text}" for result in results}


HEADER = {"type": "run", "schema": 1, "server": "embedded", "stil_ids": ["local-player"]}
OPENED = [
    {"type": "intent", "game": 1, "move": -1},
    {"type": "reply", "game": 1, "status": True, "botmove": -1, "result": 0, "state": [[0] * 7] * 6},
]


def write(path: Path, *records: Any, end: str = "") -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records) + end)
    return path
