"""Every folder of the package has a README.md, which names its modules; and what documents name or link to exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "bot"
DOCUMENTS = sorted([ROOT / "README.md", *ROOT.glob(".github/*.md"), *ROOT.glob("logs/*.md"), *PACKAGE.rglob("*.md")])
MODULES = {path.name for folder in (PACKAGE, ROOT / "tests") for path in folder.rglob("*.py")}


def anchors(document: Path) -> set[str]:
    """Return the anchors of a document's headings, as Markdown viewers make them."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_room_has_a_readme_that_names_its_modules():
    for room in sorted(path.parent for path in PACKAGE.glob("*/__init__.py")):
        text = (room / "README.md").read_text(encoding="utf-8")
        modules = {path.stem for path in room.glob("*.py")} - {"__init__"}
        assert modules <= set(re.findall(r"\w+", text)), room
    without = {path.parent for path in PACKAGE.rglob("*/__init__.py") if not path.with_name("README.md").exists()}
    assert {folder.name for folder in without} == {"kernels"}, "the README of the room describes them"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_a_document_names_or_links_to_exists(document):
    text = document.read_text(encoding="utf-8")
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        file, _, anchor = link.partition("#")
        target = document.parent / file if file else document
        if "://" not in link and not (target.exists() and (not anchor or anchor in anchors(target))):
            broken.append(link)
    if document.name != "CHANGELOG.md":  # it names what earlier editions had
        paths = re.findall(r"(?<![\w/.])((?:bot|tests)/[\w./-]*\w)", text)
        broken += [path for path in paths if not (ROOT / path).exists() and not (ROOT / f"{path}.py").exists()]
    assert [name for name in broken if "NAME" not in name] == []


def test_every_path_and_module_that_a_readme_of_the_package_names_exists():
    for document in PACKAGE.rglob("README.md"):
        text = document.read_text(encoding="utf-8")
        named = set(re.findall(r"`(\w+\.py)`", text)) - set(re.findall(r"<!-- (\w+\.py) -->", text))  # its examples
        assert named <= MODULES, document
    paths = re.findall(r"`((?:[a-z_]+/)+[\w.]+)`", (PACKAGE / "README.md").read_text(encoding="utf-8"))
    assert len(paths) > 40 and all((PACKAGE / path).exists() for path in paths), "the map of the code"
