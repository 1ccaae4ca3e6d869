"""bot/proof/README.md and bot/proof/builder/README.md: figures of the shipped file, modules and links."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import bot.proof
import bot.proof.builder
from bot.proof.fast_check import verify
from bot.proof.format import Proof
from bot.proof.plan import SHIPPED

ROOMS = [Path(room.__path__[0]) for room in (bot.proof, bot.proof.builder)]


def test_the_figures_are_those_of_the_shipped_file() -> None:
    text = (ROOMS[0] / "README.md").read_text(encoding="utf-8")
    for verdict in verify(Proof.load(SHIPPED)):
        counts = (verdict.branches + verdict.leaves, verdict.branches, verdict.leaves, verdict.diagrams)
        assert f"| {' | '.join(f'{count:,}' for count in counts)} |" in text
    assert f"{SHIPPED.stat().st_size:,} bytes" in text


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_the_table_of_modules_is_complete(room: Path) -> None:
    table = (room / "README.md").read_text(encoding="utf-8").partition("## Modules")[2]
    listed = set(re.findall(r"`([\w/]+\.py)`", table))
    modules = {path.relative_to(room).as_posix() for path in room.rglob("*.py") if path.name != "__init__.py"}
    modules = {module for module in modules if not module.startswith("builder/")}  # it has a table of its own
    assert listed >= modules
    assert all((room / path).exists() for path in listed)


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_every_link_stays_in_the_project(room: Path) -> None:
    text = (room / "README.md").read_text(encoding="utf-8")
    assert "://" not in text
    assert all((room / link).exists() for link in re.findall(r"\]\(([^)#]+)", text))
