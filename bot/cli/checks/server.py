"""Checks of the course server. Only its title and its statistics are requested, never a move."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

from bot.cli.checks.check_result import CheckResult, error, ok, warning
from bot.cli.formatting import duration
from bot.config import COURSE_KEY, Settings
from bot.course.address import is_loopback
from bot.course.client.http import CourseClient, Timeouts
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
    """Request the title of the service, GET /, without the key."""
    import requests

    server = settings.server
    session = requests.Session()
    session.trust_env = not is_loopback(server)  # no proxy on this machine
    start_s = time.monotonic()
    try:
        reply = session.get(f"{server}/", timeout=PATIENCE_S, allow_redirects=False)
    except requests.RequestException as problem:
        cause = "it did not answer" if isinstance(problem, requests.Timeout) else _innermost(problem)
        text = f"{server} cannot be reached or used: {cause}."
        yield error("server", text, "Check the address, the network and, if need be, the proxy.", ExitCode.NETWORK)
        return
    took_s = time.monotonic() - start_s
    title, answers = _title(reply.content), f"{server} answers HTTP {reply.status_code} in {duration(took_s)}"
    if reply.is_redirect:
        text = f"{answers}, a redirect to {_printable(reply.headers['location'])}."
        yield error("server", text, "Give that address as --server, if you trust it.", ExitCode.PROTOCOL)
    elif reply.status_code >= 500:
        yield error("server", f"{answers}.", "Try again later.", ExitCode.NETWORK)
    elif reply.status_code != 200 or title is None:
        kind = _printable(reply.headers.get("content-type", "something"))
        text = f"{answers}, but with {kind} and no title: it does not look like a course server."
        yield warning("server", text, "Check the address given as --server.")
    elif took_s > SLOW_S:
        next_step = "Play from a faster network: every move loses the time of the round trip."
        yield warning("server", f"{answers}: {title}", next_step)
    else:
        yield ok("server", f"{answers}: {title}")


def _innermost(problem: BaseException) -> str:
    """Return the system's own words for a failed request, such as "Connection refused"."""
    while problem.__context__ is not None:
        problem = problem.__context__
    return _printable(getattr(problem, "strerror", None) or str(problem))


def _title(body: bytes) -> str | None:
    """Return the service's title; None if the body has none."""
    try:
        found = json.loads(body[:LONGEST_TITLE])
    except (ValueError, RecursionError):
        return None
    if isinstance(found, dict):
        found = next((value for value in found.values() if isinstance(value, str)), None)
    return _printable(found) if isinstance(found, str) and found.strip() else None


def _printable(text: str) -> str:
    """Return one line of printable characters, at most 80 of them."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())[:80]


def check_stats(settings: Settings) -> Iterator[CheckResult]:
    """Request the statistics: POST /stats, which changes nothing."""
    client = CourseClient(
        settings.server,
        settings.player,
        settings.api_key,
        timeouts=Timeouts(total_s=PATIENCE_S, statistics_s=0.5),
    )
    try:
        counts = client.read_statistics()
    except BotError as problem:
        yield error("stats", problem.message, problem.hint, problem.exit_code)
        return
    if counts is None:
        next_step = "Nothing to do: the journals are counted instead, and lost replies are resolved without statistics."
        yield warning("stats", "The server keeps no statistics (HTTP 404).", next_step)
        return
    yield ok("stats", f"{counts.played} played, {counts.won} won, {counts.lost} lost, streak {counts.streak}")
