"""Command lines in the tests' own process."""

from __future__ import annotations

import io
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.programs import Cli
from tests.processes import bot_here


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Run a command line in the test's folder; ``typed`` is its input."""

    def run(line: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        return bot_here(*shlex.split(line), cwd=tmp_path, **environment)

    return run
