"""All checks in their order."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from pathlib import Path

from bot import __version__
from bot.cli.checks import engine, journals, server
from bot.cli.checks.check_result import CheckResult, Level, guarded, ok
from bot.config import load_settings


def examine(url: str | None, stil_ids: Sequence[str], api_key: str | None, logs: Path) -> Iterator[CheckResult]:
    """Yield all results as they are found; a few seconds in all once the engine is compiled.

    ``url``, ``stil_ids`` and ``api_key`` are options; where they are missing, the settings count.
    """
    versions = f"{platform.python_implementation()} {platform.python_version()}, bot {__version__}"
    yield ok("python", f"{versions} on {platform.system()}")
    yield from guarded("cache", engine.check_cache)
    folder = list(guarded("folder", journals.check_folder, logs))
    yield from folder
    if not engine.is_interpreted():
        yield from guarded("engine", engine.check_engine)
        if folder[0].level is not Level.ERROR:  # a move's time includes its record in the journal
            yield from guarded("time", engine.check_time, journals.nearest_folder(logs))
    yield from guarded("book", engine.check_book)
    yield from guarded("journals", journals.check_journals, logs)
    yield from guarded("settings", _check_settings, url, stil_ids, api_key)


def _check_settings(url: str | None, stil_ids: Sequence[str], api_key: str | None) -> Iterator[CheckResult]:
    """Check the settings, then the server if one is given. Raises UsageError for settings that cannot be used."""
    settings = load_settings(url, stil_ids, api_key)
    yield from server.check_settings(settings)
    if not settings.is_embedded:
        yield from guarded("server", server.check_server, settings)
