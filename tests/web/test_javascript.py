"""The types of the page's JavaScript, checked by TypeScript's compiler where it is installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

TSC = shutil.which("tsc")


@pytest.mark.skipif(TSC is None, reason="tsc is not installed: `npm install -g typescript`, as .ci/run does")
def test_the_types_of_the_scripts_are_right():
    command = [str(TSC), "--project", str(Path(__file__).with_name("jsconfig.json")), "--pretty", "false"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
