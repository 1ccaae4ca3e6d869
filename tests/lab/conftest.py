"""A folder of publications that the laboratory reads anew."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.agents.catalogue import paper_entries
from bot.agents.family import FOLDER, families_by_module
from bot.lab.experiments.paper import papers
from bot.lab.sources import texts
from tests.lab.sources import Write


def forget() -> None:
    """Let the publications be read again."""
    for name in [name for name in sys.modules if name.startswith("bot_paper_")]:
        del sys.modules[name]
    for read in (papers, paper_entries, families_by_module, texts):
        read.cache_clear()


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Write further publications into a folder of this test."""
    folder = tmp_path / "papers"
    folder.mkdir()
    monkeypatch.setenv(FOLDER, str(folder))

    def write(name: str, text: str) -> Path:
        (folder / name).write_text(text, encoding="utf-8")
        forget()
        return folder / name

    forget()
    yield write
    monkeypatch.undo()
    forget()
