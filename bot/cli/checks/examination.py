"""All checks in their order."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.cli.checks import engine, installation, journals
from bot.cli.checks.check_result import CheckResult, error, guarded
from bot.config import EMBEDDED_ID, Settings, load_settings
from bot.errors import UsageError


@dataclass(frozen=True, slots=True)
class Examination:
    """What to check; None stands for the value in the settings."""

    server: str | None = None
    stil_ids: Sequence[str] = ()
    api_key: str | None = None
    logs: Path = Path("logs")
    limit_s: float = 5.0
    compile_anew: bool = False


def examine(wanted: Examination) -> Iterator[CheckResult]:
    """Yield all results as they are found; a few seconds in all once the engine is compiled."""
    yield from guarded("python", installation.check_python)
    yield from guarded("packages", installation.check_packages)
    yield from guarded("cache", engine.check_cache)
    yield from guarded("compiling", lambda: engine.check_compiling(wanted.compile_anew))
    yield from guarded("solver", engine.check_solver)
    folder = journals.nearest_folder(wanted.logs) or Path(tempfile.gettempdir())
    yield from guarded("time", lambda: engine.check_time(wanted.limit_s, folder))
    yield from guarded("book", engine.check_book)
    yield from guarded("folder", lambda: journals.check_folder(wanted.logs))
    yield from guarded("journals", lambda: journals.check_journals(wanted.logs))
    yield from guarded("server", lambda: _check_server(wanted))


def _check_server(wanted: Examination) -> Iterator[CheckResult]:
    """Check the settings, then the server if one is given."""
    from bot.cli.checks.server import check_server, check_settings, check_stats

    try:
        settings = load_settings(wanted.server, wanted.stil_ids, wanted.api_key)
    except UsageError as problem:
        yield error("settings", problem.message, problem.hint)
        named = _without_player(wanted)
        if named is None:
            return
        settings = named
    else:
        yield from check_settings(settings)
    if settings.is_embedded and settings.server == Settings.model_fields["server"].default:
        return
    reached = True
    for result in check_server(settings):
        reached = not result.exit_code
        yield result
    if reached and not settings.is_embedded:
        yield from check_stats(settings)


def _without_player(wanted: Examination) -> Settings | None:
    """Return the settings of a server without a STIL id: `play` rejects them, but the server's title can be read."""
    try:
        named = load_settings(wanted.server, [EMBEDDED_ID], wanted.api_key)
    except UsageError:
        return None
    return named.model_copy(update={"stil_id": ()})
