"""Checks of Python and the packages: installed and required versions."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Iterator
from importlib import metadata

from bot import __version__
from bot.cli.checks.check_result import CheckResult, error, ok, warning

DISTRIBUTION = "bot-connect-four"
OLDEST_PYTHON = (3, 10)
INSTALL = "Install the package again: pip install ."
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)\s*(?:>=\s*([0-9][0-9.]*))?[^;]*$")
"""A requirement without a condition: extras, and what only an older Python needs, have one."""


def check_python() -> Iterator[CheckResult]:
    """Check the interpreter's version and word size."""
    needed = ".".join(map(str, OLDEST_PYTHON))
    text = f"{platform.python_implementation()} {platform.python_version()} (64 bits, {needed} or later is required)"
    if sys.version_info[:2] < OLDEST_PYTHON or sys.maxsize < 1 << 62:
        yield error("python", text, f"Make a new virtual environment with a 64-bit Python {needed} or later.")
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
    fine: list[str] = []
    wrong: list[str] = []
    for requirement in required:
        if (match := _REQUIREMENT.match(requirement)) is None:
            continue
        name, oldest = match.groups()
        needed = f">={oldest}" if oldest else "any"
        try:
            installed = metadata.version(name)
        except metadata.PackageNotFoundError:
            wrong.append(f"{name} is missing ({needed})")
            continue
        is_old = oldest is not None and _numbers(installed) < _numbers(oldest)
        (wrong if is_old else fine).append(f"{name} {installed}{' is too old' if is_old else ''} ({needed})")
    if own != __version__:
        yield warning("packages", f"bot {__version__} runs, but version {own} is installed.", INSTALL)
    if wrong:
        yield error("packages", "; ".join(wrong), INSTALL)
    else:
        yield ok("packages", ", ".join(fine))


def _numbers(version: str) -> tuple[int, ...]:
    """Return (2, 10, 1) for "2.10.1rc1", for comparison with an oldest version."""
    release = re.match(r"[0-9]+(\.[0-9]+)*", version)
    return tuple(int(part) for part in release[0].split(".")) if release else ()
