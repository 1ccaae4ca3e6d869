"""All checks in their order."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from bot import __version__
from bot.cli.checks import engine, journals, server
from bot.cli.checks.check_result import CheckResult, Level, error, guarded, ok
from bot.config import Settings, load_settings
from bot.errors import UsageError


def examine(url: str | None, stil_ids: Sequence[str], api_key: str | None, logs: Path) -> Iterator[CheckResult]:
    """Yield all results as they are found; a few seconds in all once the engine is compiled.

    ``url``, ``stil_ids`` and ``api_key`` are options; where they are missing, the settings count.
    """
    versions = f"{platform.python_implementation()} {platform.python_version()}, bot {__version__}"
    yield ok("python", f"{versions} on {platform.system()}")
    yield from guarded("cache", engine.check_cache)
    folder = list(guarded("folder", partial(journals.check_folder, logs)))
    later: dict[str, Callable[[], Iterator[CheckResult]]] = {}
    if not engine.is_interpreted():
        later |= {"loading": engine.check_loading, "solver": engine.check_solver}
        if folder[0].level is not Level.ERROR:  # a move's time includes its record in the journal
            later["time"] = partial(engine.check_time, journals.nearest_folder(logs))
    later |= {"book": engine.check_book, "folder": lambda: iter(folder)}
    later |= {"journals": partial(journals.check_journals, logs)}
    later |= {"server": partial(_check_server, url, stil_ids, api_key)}
    for name, check in later.items():
        yield from guarded(name, check)


def _check_server(url: str | None, stil_ids: Sequence[str], api_key: str | None) -> Iterator[CheckResult]:
    """Check the settings, then the server if one is given."""
    try:
        settings: Settings = load_settings(url, stil_ids, api_key)
    except UsageError as problem:
        yield error("settings", problem.message, problem.hint)
        return
    yield from server.check_settings(settings)
    if settings.is_embedded:
        return
    title = list(server.check_server(settings))
    yield from title
    if title[0].level is not Level.ERROR:
        yield from server.check_stats(settings)
