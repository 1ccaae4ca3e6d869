"""Journals of the first edition, and its own interpretation of them (see data/record_schema1.py)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "data" / "schema1"
CASES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))


def path_of(case: str) -> Path:
    """The journal of a case."""
    return FOLDER / f"{case}.jsonl"


def expected(case: str) -> dict[str, Any]:
    """The first edition's interpretation of it."""
    report: dict[str, Any] = json.loads((FOLDER / f"{case}.expected.json").read_text())
    return report
