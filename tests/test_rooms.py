"""Every folder of the package has a README.md, which names its modules; and what documents name or link to exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "bot"
DOCUMENTS = sorted([ROOT / "README.md", *ROOT.glob(".github/*.md"), *ROOT.glob("logs/*.md"), *PACKAGE.rglob("*.md")])
MODULES = {path.name for folder in (PACKAGE, ROOT / "tests") for path in folder.rglob("*.py")}


def anchors(document: Path, level: str = "#+") -> set[str]:
    """Return the anchors of a document's headings, as Markdown viewers make them."""
    headings = re.findall(rf"^{level} (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


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


def test_every_room_has_a_readme_that_names_its_modules_and_no_others():
    for folder in {path.parent for path in PACKAGE.rglob("*/__init__.py")} - {*PACKAGE.rglob("kernels")}:
        text = (folder / "README.md").read_text(encoding="utf-8")
        examples = {*re.findall(r"<!-- (\w+\.py) -->", text)}
        named = {name for name in re.findall(r"`(\w+\.py)`", text) if "NAME" not in name} - examples
        assert named <= MODULES, folder
        if folder.parent == PACKAGE:
            assert {path.stem for path in folder.glob("*.py")} - {"__init__"} <= {*re.findall(r"\w+", text)}, folder


def test_every_path_in_the_map_of_the_code_exists():
    paths = re.findall(r"`((?:[a-z_]+/)+[\w.]+)`", (PACKAGE / "README.md").read_text(encoding="utf-8"))
    assert len(paths) > 40 and all((PACKAGE / path).exists() for path in paths)
