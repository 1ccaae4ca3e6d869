"""The page's JavaScript: types checked by TypeScript's compiler where it is installed, and lines of readable length."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[2] / "bot" / "web" / "static"
SOURCES = sorted(path for path in STATIC.rglob("*.*[ls]") if "vendor" not in path.parts)
"""Scripts, styles and pages; what others wrote is in `vendor`."""
TSC = shutil.which("tsc")


@pytest.mark.skipif(TSC is None, reason="tsc is not installed: `npm install -g typescript`, as .ci/run does")
def test_the_types_of_the_scripts_are_right() -> None:
    assert TSC is not None
    command = [TSC, "--project", str(Path(__file__).with_name("jsconfig.json")), "--pretty", "false"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_no_line_is_longer_than_120_characters(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    long = [number for number, line in enumerate(lines, start=1) if len(line) > 120]
    assert not long
