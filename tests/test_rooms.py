"""Every room of the package has a README.md, which names each of the room's modules and no module that is gone.

The links of all documents resolve, and the paths in the map of the code (bot/README.md) exist.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "bot"
TESTS = Path(__file__).parent
ROOMS = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
DOCUMENTS = sorted([ROOT / "README.md", *ROOT.glob(".github/*.md"), *ROOT.glob("logs/*.md"), *PACKAGE.rglob("*.md")])


def text_of(room: str) -> str:
    """Return the room's README."""
    return (PACKAGE / room / "README.md").read_text(encoding="utf-8")


def anchors(document: Path) -> set[str]:
    """Return the anchors of a document's headings, as Markdown viewers make them."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("room", ROOMS)
def test_the_readme_names_every_module(room: str) -> None:
    modules = [path.stem for path in (PACKAGE / room).glob("*.py") if path.stem != "__init__"]
    assert [name for name in modules if not re.search(rf"\b{name}\b", text_of(room))] == []


@pytest.mark.parametrize("document", sorted(PACKAGE.rglob("README.md")), ids=lambda path: path.parent.name)
def test_every_module_that_a_readme_names_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+\.py)`", text)) - set(re.findall(r"<!-- (\w+\.py) -->", text))  # its own examples
    known = {path.name for folder in (PACKAGE, TESTS) for path in folder.rglob("*.py")}
    assert named - known == set()


@pytest.mark.parametrize("folder", sorted({path.parent for path in PACKAGE.rglob("__init__.py")}), ids=str)
def test_every_folder_of_the_package_has_a_readme(folder: Path) -> None:
    """Kernels are described in the README of their room."""
    assert folder.name == "kernels" or (folder / "README.md").exists()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_relative_link_of_a_document_resolves(document: Path) -> None:
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        file, _, anchor = link.partition("#")
        target = document.parent / file if file else document
        if "://" in link or (target.exists() and (not anchor or anchor in anchors(target))):
            continue
        broken.append(link)
    assert broken == []


def test_every_path_in_the_map_of_the_code_exists() -> None:
    text = (PACKAGE / "README.md").read_text(encoding="utf-8")
    paths = set(re.findall(r"`((?:[a-z_]+/)+[\w.]+)`", text))
    assert len(paths) > 40
    assert {path for path in paths if not (PACKAGE / path).exists()} == set()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_path_that_a_document_names_in_full_exists(document: Path) -> None:
    if document.name == "CHANGELOG.md":  # it names what earlier editions had
        return
    text = document.read_text(encoding="utf-8")
    found = re.findall(r"(?<![\w/.])((?:bot|tests)/[\w./-]*\w)", text)
    named = {path for path in found if "NAME" not in path}  # a pattern
    assert {path for path in named if not (ROOT / path).exists() and not (ROOT / f"{path}.py").exists()} == set()
