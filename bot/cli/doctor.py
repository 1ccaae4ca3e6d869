"""`bot doctor`: is everything in order on this machine?"""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer
from typer import Exit, colors, style

from bot.cli.checks.check_result import CheckResult, guarded, ok
from bot.cli.formatting import echo, fitted, print_json, with_count
from bot.cli.options import AsJson, KeyFile, Logs, ServerUrl, StilIdOption


def doctor(
    server: ServerUrl = None,
    stil_id: StilIdOption = None,
    key_file: KeyFile = None,
    logs: Logs = Path("logs"),
    as_json: AsJson = False,
) -> None:
    """Check this machine: Python, packages, engine, speed, book, journals and server, each with a next step.

    Nothing is changed and no move is sent: a server is only asked for its statistics. --json prints a list of objects.

    Exit code 0: no errors; otherwise that of the first error.

    \b
    Examples:
      bot doctor                                   this machine
      bot doctor --stil-id ab1234cd-s              and the course's server
    """
    from bot.cli.progress import progress
    from bot.config import read_key

    found: list[CheckResult] = []
    results = examine(server, stil_id or (), read_key(key_file), logs)
    with progress("Checking") as line:
        for result in results:
            found.append(result)
            if not as_json:
                line.clear()
                _show(result)
    if as_json:
        print_json([result.as_json() for result in found])
    wrong = [result for result in found if result.state == "error"]
    if not as_json:
        warnings = sum(result.state == "warning" for result in found)
        echo(f"{with_count(len(wrong), 'error', 'no')}, {with_count(warnings, 'warning', 'no')}.")
    if wrong:
        raise Exit(wrong[0].exit_code)


def _show(result: CheckResult) -> None:
    colour = {"ok": colors.GREEN, "warning": colors.YELLOW, "error": colors.RED}
    line = fitted(f"{result.state:8} {result.name:11} {result.text}", sys.stdout, hang=21)
    typer.echo(style(line[:8], fg=colour[result.state]) + line[8:])
    if result.next_step:
        echo(f"{'':20} -> {result.next_step}")


def examine(url: str | None, stil_ids: Sequence[str], api_key: str | None, logs: Path) -> Iterator[CheckResult]:
    """Yield all results as they are found; a few seconds in all once the engine is compiled.

    ``url``, ``stil_ids`` and ``api_key`` are options; where they are missing, the settings count.
    """
    from bot import __version__
    from bot.cli.checks import engine, journals

    versions = f"{platform.python_implementation()} {platform.python_version()}, bot {__version__}"
    yield ok("python", f"{versions} on {platform.system()}")
    yield from guarded("cache", engine.check_cache)
    folder = list(guarded("folder", journals.check_folder, logs))
    yield from folder
    yield from guarded("engine", engine.check_engine)
    if folder[0].state != "error":  # a move's time includes its record in the journal
        yield from guarded("time", engine.check_time, journals.nearest_folder(logs))
    yield from guarded("book", engine.check_book)
    yield from guarded("journals", journals.check_journals, logs)
    yield from guarded("settings", _check_settings, url, stil_ids, api_key)


def _check_settings(url: str | None, stil_ids: Sequence[str], api_key: str | None) -> Iterator[CheckResult]:
    """Check the settings, then the server if one is given. Raises UsageError for settings that cannot be used."""
    from bot.cli.checks import server
    from bot.config import load_settings

    settings = load_settings(url, stil_ids, api_key)
    yield from server.check_settings(settings)
    if not settings.is_embedded:
        yield from guarded("server", server.check_server, settings)
