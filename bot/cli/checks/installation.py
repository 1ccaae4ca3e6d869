"""Checks of Python and the packages: installed and required versions."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Iterator
from importlib import metadata

from bot import __version__
from bot.cli.checks.check_result import CheckResult, error, ok, warning
from bot.errors import ExitCode

DISTRIBUTION = "bot-connect-four"
OLDEST_PYTHON = (3, 10)
INSTALL = "Install the package again: pip install ."
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)\s*(?:>=\s*([0-9][0-9.]*))?[^;]*(;.*)?$")
_OLDER_PYTHON = re.compile(r"python_version\s*<\s*['\"]([0-9.]+)")


def check_python() -> Iterator[CheckResult]:
    """Check the interpreter's version and word size."""
    needed = ".".join(map(str, OLDEST_PYTHON))
    text = f"{platform.python_implementation()} {platform.python_version()} ({needed} or later is required)"
    if sys.version_info[:2] < OLDEST_PYTHON:
        yield error("python", text, f"Install Python {needed} or later and make a new virtual environment with it.")
    elif sys.maxsize < 1 << 62:
        yield error("python", f"{text}, 32 bits", "Install a 64-bit Python: boards are 64-bit numbers.")
    else:
        yield ok("python", text)


def check_packages() -> Iterator[CheckResult]:
    """Check every required package: missing, too old, or right."""
    try:
        required = metadata.requires(DISTRIBUTION) or []
        own = metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        yield warning("packages", f"bot {__version__} runs from its folder without being installed.", INSTALL)
        return
    fine, wrong = [], []
    for name, oldest in _needed(required):
        installed = _installed(name)
        needed = f">={oldest}" if oldest else "any"
        if installed is None:
            wrong.append(f"{name} is missing ({needed})")
        elif oldest and _numbers(installed) < _numbers(oldest):
            wrong.append(f"{name} {installed} is too old ({needed})")
        else:
            fine.append(f"{name} {installed} ({needed})")
    if own != __version__:
        yield warning("packages", f"bot {__version__} runs, but version {own} is installed.", INSTALL)
    if wrong:
        yield error("packages", "; ".join(wrong), INSTALL, ExitCode.USAGE)
    else:
        yield ok("packages", ", ".join(fine))


def _needed(required: list[str]) -> Iterator[tuple[str, str | None]]:
    """Yield names and oldest versions, without the extras and what only an older Python needs."""
    for requirement in required:
        found = _REQUIREMENT.match(requirement)
        marker = (found[3] or "") if found else ""
        older = _OLDER_PYTHON.search(marker)
        is_for_older = older is not None and sys.version_info[:2] >= _numbers(older[1])
        if found and "extra" not in marker and not is_for_older:
            yield found[1], found[2]


def _installed(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _numbers(version: str) -> tuple[int, ...]:
    """Return (2, 10, 1) for "2.10.1rc1", for comparison with an oldest version."""
    release = re.match(r"[0-9]+(\.[0-9]+)*", version)
    return tuple(int(part) for part in release[0].split(".")) if release else ()
