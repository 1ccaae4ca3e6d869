"""Checks of the course server. Only its title and its statistics are requested, never a move."""

from __future__ import annotations

import json
from collections.abc import Iterator

from bot.cli.checks.check_result import CheckResult, error, ok, warning
from bot.config import COURSE_KEY, Settings
from bot.course.client.exchange import Exchange
from bot.course.client.failures import no_reply
from bot.course.client.http import CourseClient, Timeouts
from bot.course.client.redaction import PLACEHOLDER, Redactor
from bot.course.client.wire import one_line
from bot.errors import BotError, ExitCode

PATIENCE_S = 6.0
"""Time limit of a request, seconds."""
LONGEST_TITLE = 4096
"""Bytes of a reply that are read as a title."""
SLOW_S = 1.0
"""Reply time above which a warning is given, seconds."""


def check_settings(settings: Settings) -> Iterator[CheckResult]:
    """Report server, ids and whether the key is the course's or another one; never the key itself."""
    key = "the course's" if settings.api_key.get_secret_value() == COURSE_KEY else "your own"
    if settings.is_embedded:
        yield ok("settings", f"no STIL id: `bot play` plays the embedded server; key: {key}")
    else:
        yield ok("settings", f"{'+'.join(settings.player)} at {settings.server}; key: {key}")


def check_server(settings: Settings) -> Iterator[CheckResult]:
    """Request the title of the service: GET /."""
    server = settings.server
    exchange = Exchange(f"{server}/")
    exchange.run(Timeouts(connect_s=PATIENCE_S / 2, read_s=PATIENCE_S, total_s=PATIENCE_S))
    failed = no_reply(exchange, server)
    if failed is not None:
        text = failed.message if server in failed.message else f"{server}: {failed.message}"
        yield error("server", text, failed.hint, ExitCode.NETWORK)
    else:
        yield _judged(server, exchange, Redactor({settings.api_key.get_secret_value(): PLACEHOLDER}))


def _judged(server: str, exchange: Exchange, redactor: Redactor) -> CheckResult:
    status, took_s = exchange.status or 0, exchange.end_at_s
    answers, took = f"{server} answers", f"in {took_s * 1000:.0f} ms"
    if 300 <= status <= 399:
        where = one_line(redactor.text(exchange.headers.get("location") or "nowhere"))[:200]
        next_step = "Give that address as --server, if you trust it."
        return error("server", f"{answers} with a redirect to {where}.", next_step, ExitCode.PROTOCOL)
    if status >= 500:
        return error("server", f"{answers} HTTP {status} {took}.", "Try again later.", ExitCode.NETWORK)
    if status != 200:
        next_step = "Check the address: the course server answers with a title."
        return warning("server", f"{answers} HTTP {status} {took}.", next_step)
    title = _title(exchange, redactor)
    if title is None:
        kind = one_line(redactor.text(exchange.headers.get("content-type") or "something"))[:80]
        text = f"{answers} {took}, but with {kind}, not as a course server."
        return warning("server", text, "Check the address given as --server.")
    if took_s > SLOW_S:
        next_step = "Play from a faster network: every move loses the time of the round trip."
        return warning("server", f"{answers} {took}: {title}", next_step)
    return ok("server", f"{answers} {took}: {title}")


def _title(exchange: Exchange, redactor: Redactor) -> str | None:
    """Return the service's title, one line of printable characters; None if the body has none."""
    try:
        body = json.loads(exchange.body[:LONGEST_TITLE])
    except (ValueError, RecursionError):
        return None
    if isinstance(body, dict):
        body = next((value for value in body.values() if isinstance(value, str)), None)
    return one_line(redactor.text(body))[:80] if isinstance(body, str) and body.strip() else None


def check_stats(settings: Settings) -> Iterator[CheckResult]:
    """Request the statistics: POST /stats, which changes nothing."""
    client = CourseClient(
        settings.server,
        settings.player,
        settings.api_key,
        timeouts=Timeouts(total_s=PATIENCE_S, statistics_s=0.5),
    )
    try:
        books = client.read_statistics()
    except BotError as problem:
        yield error("stats", problem.message, problem.hint, problem.exit_code)
        return
    if books is None:
        next_step = "Nothing to do: the journals are counted instead, and lost replies are resolved without statistics."
        yield warning("stats", "The server keeps no statistics (HTTP 404).", next_step)
        return
    yield ok("stats", f"{books.played} played, {books.won} won, {books.lost} lost, streak {books.streak}")
