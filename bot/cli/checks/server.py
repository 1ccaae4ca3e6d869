"""Checks of the course server. Only its title and its statistics are requested, never a move."""

from __future__ import annotations

import json
from collections.abc import Iterator

from bot.cli.checks.check_result import CheckResult, error, ok, warning
from bot.config import COURSE_KEY, Settings
from bot.course.client.exchange import Reply, Request, Transport
from bot.course.client.failures import AmbiguousError, reply_of
from bot.course.client.http import CourseClient, Timeouts
from bot.course.client.redaction import PLACEHOLDER, Redactor
from bot.course.client.wire import RefusedError, one_line
from bot.course.protocol import refuses_key
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
    transport = Transport(connect_s=PATIENCE_S / 2, read_s=PATIENCE_S)
    exchange = transport.exchange(Request(f"{server}/"), total_s=PATIENCE_S)
    redactor = Redactor({settings.api_key.get_secret_value(): PLACEHOLDER})
    try:
        reply = reply_of(exchange, server)
    except AmbiguousError as problem:
        text = f"{server}: {problem.message[0].lower()}{problem.message[1:]}"
        yield error("server", text, "Check the address, the network and, if need be, the proxy.", ExitCode.NETWORK)
    except BotError as problem:
        yield error("server", problem.message, problem.hint, problem.exit_code)
    else:
        yield _judged(server, reply, exchange.timing.end_at_s, redactor)


def _judged(server: str, reply: Reply, took_s: float, redactor: Redactor) -> CheckResult:
    answers, took = f"{server} answers", f"in {took_s * 1000:.0f} ms"
    if 300 <= reply.status <= 399:
        where = one_line(redactor.text(reply.header("location") or "nowhere"))
        next_step = "Give that address as --server, if you trust it."
        return error("server", f"{answers} with a redirect to {where}.", next_step, ExitCode.PROTOCOL)
    if reply.status >= 500:
        return error("server", f"{answers} HTTP {reply.status} {took}.", "Try again later.", ExitCode.NETWORK)
    if reply.status != 200:
        next_step = "Check the address: the course server answers with a title."
        return warning("server", f"{answers} HTTP {reply.status} {took}.", next_step)
    title = _title(reply, redactor)
    if title is None:
        kind = one_line(redactor.text(reply.header("content-type") or "something"))
        text = f"{answers} {took}, but with {kind}, not as a course server."
        return warning("server", text, "Check the address given as --server.")
    if took_s > SLOW_S:
        next_step = "Play from a faster network: every move loses the time of the round trip."
        return warning("server", f"{answers} {took}: {title}", next_step)
    return ok("server", f"{answers} {took}: {title}")


def _title(reply: Reply, redactor: Redactor) -> str | None:
    """Return the service's title, one line of printable characters; None if the body has none."""
    try:
        body = json.loads(reply.body[:LONGEST_TITLE])
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
        Timeouts(total_s=PATIENCE_S, first_contact_s=0.5, patience_s=0.5, statistics_s=0.5),
    )
    try:
        books = client.stats()
    except BotError as problem:
        wrong_key = isinstance(problem, RefusedError) and refuses_key(problem.message)
        next_step = problem.hint or ("Check --api-key." if wrong_key else "Try again later.")
        yield error("stats", problem.message, next_step, problem.exit_code)
        return
    if books is None:
        next_step = "Nothing to do: the journals are counted instead, and lost replies are resolved without statistics."
        yield warning("stats", "The server keeps no statistics (HTTP 404).", next_step)
        return
    yield ok("stats", f"{books.played} played, {books.won} won, {books.lost} lost, streak {books.streak}")
