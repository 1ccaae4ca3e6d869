"""Every room of the package has a README.md, which names each of the room's modules and no module that is gone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "bot"
TESTS = Path(__file__).parent
ROOMS = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))


def text_of(room: str) -> str:
    """Return the room's README."""
    return (PACKAGE / room / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("room", ROOMS)
def test_the_readme_names_every_module(room: str) -> None:
    modules = [path.stem for path in (PACKAGE / room).glob("*.py") if path.stem != "__init__"]
    assert [name for name in modules if not re.search(rf"\b{name}\b", text_of(room))] == []


@pytest.mark.parametrize("room", ROOMS)
def test_every_module_that_the_readme_names_exists(room: str) -> None:
    named = set(re.findall(r"`(\w+\.py)`", text_of(room)))
    known = {path.name for folder in (PACKAGE, TESTS) for path in folder.rglob("*.py")}
    assert named - known == set()
