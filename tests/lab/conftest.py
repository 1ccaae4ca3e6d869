"""A folder of publications for a test, and the study of `tests.lab.sources` in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lab.sources import TOY, Write, papers_folder


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Write further publications into a folder of this test."""
    with papers_folder(tmp_path / "papers", monkeypatch) as write:
        yield write


@pytest.fixture
def toy(sources: Write) -> Write:
    """Provide the study `toy`; it can be written anew."""
    sources("toy_study.py", TOY)
    return sources
