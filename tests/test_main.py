"""The start of the command line: streams that the caller closed, and Ctrl-C while modules are imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import ROOT, bot


def test_the_version_is_printed(tmp_path: Path) -> None:
    done = bot("--version", cwd=tmp_path)
    assert done.returncode == 0 and done.stdout.startswith("bot ")


@pytest.mark.parametrize("command", [["play"], ["streak"], ["doctor"]])
def test_a_key_among_the_arguments_is_refused(command: list[str], tmp_path: Path) -> None:
    """Every user of a machine can read the arguments of its processes."""
    done = bot(*command, "--api-key", "sekrit-key-1234", cwd=tmp_path)
    assert done.returncode == 2
    assert "--api-key-file" in done.stderr and "sekrit" not in done.stdout


def test_an_interrupt_while_modules_are_imported_is_no_traceback(tmp_path: Path) -> None:
    script = (
        "import sys; from bot import __main__ as start\n"
        "def interrupted(): raise KeyboardInterrupt\n"
        "start._run = interrupted\n"
        "start.main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "Interrupted.\n")
