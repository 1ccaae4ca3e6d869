"""Every folder of the package has a README.md, or the one above it has, which names its modules."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "bot"
MODULES = {path.name for folder in (PACKAGE, ROOT / "tests") for path in folder.rglob("*.py")}


def test_every_room_has_a_readme_that_names_its_modules_and_no_others():
    papers = {path.parent for path in PACKAGE.rglob("notes.md")}  # what they hold is in papers/README.md
    for folder in {path.parent for path in PACKAGE.rglob("*/__init__.py")} - {*PACKAGE.rglob("kernels")} - papers:
        documents = (folder / "README.md", folder.parent / "README.md")
        text = next(each for each in documents if each.exists()).read_text(encoding="utf-8")
        examples = {*re.findall(r"<!-- (\w+\.py) -->", text), "skeleton.py"}  # the last one is a student's
        named = {name for name in re.findall(r"`(\w+\.py)`", text) if "NAME" not in name} - examples
        assert named <= MODULES, folder
        if folder.parent == PACKAGE:
            assert {path.stem for path in folder.glob("*.py")} - {"__init__"} <= {*re.findall(r"\w+", text)}, folder


def test_every_path_in_the_map_of_the_code_exists():
    paths = re.findall(r"`((?:[a-z_]+/)+[\w.]+)`", (PACKAGE / "README.md").read_text(encoding="utf-8"))
    assert len(paths) > 40 and all((PACKAGE / path).exists() for path in paths)
