"""A folder of sources that the laboratory reads anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.agents.family import FOLDER
from bot.lab.experiments.paper import papers
from tests.lab.experiments.sources import Sources


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sources]:
    """Write further sources into a folder of this test."""
    folder = tmp_path / "sources"
    folder.mkdir()
    monkeypatch.setenv(FOLDER, str(folder))

    def write(name: str, text: str) -> None:
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
        papers.cache_clear()

    papers.cache_clear()
    yield write
    papers.cache_clear()
