"""The page's JavaScript: its types, checked by TypeScript's compiler where it is installed, and what imports what."""

from __future__ import annotations

import re
import shutil
import subprocess
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import bot.web

STATIC = Path(bot.web.__file__).with_name("static")
TSC = shutil.which("tsc")
IMPORT = r'^(?:import|\} from|export).*"(\..+?\.js)"'
"""The script that a statement imports; the imports of types stand in comments."""


@pytest.mark.skipif(TSC is None, reason="tsc is not installed: `npm install -g typescript`, as .ci/run does")
def test_the_types_of_the_scripts_are_right() -> None:
    command = [str(TSC), "--project", str(Path(__file__).with_name("jsconfig.json")), "--pretty", "false"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_scripts_import_one_another_without_a_circle() -> None:
    imported = {
        script: {(script.parent / name).resolve() for name in re.findall(IMPORT, script.read_text(), re.MULTILINE)}
        for script in STATIC.resolve().rglob("*.js")
    }
    order = list(TopologicalSorter(imported).static_order())  # CycleError names a circle
    assert order.index(STATIC.resolve() / "rules.js") < order.index(STATIC.resolve() / "app.js")
