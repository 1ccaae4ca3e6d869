"""The course server: does it answer, and is it one? Only what reads is asked, never a move."""

from __future__ import annotations

import ipaddress
import json
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import requests

from bot.client.http import CourseClient, Timeouts
from bot.client.wire import one_line
from bot.config import COURSE_KEY, Settings
from bot.doctor.finding import Finding, error, ok, warning
from bot.errors import BotError, ExitCode

PATIENCE_S = 6.0
LONGEST_TITLE = 4096
SLOW_S = 1.0


def check_settings(settings: Settings) -> Iterator[Finding]:
    """As whom we play and where; whether the key is the course's own or another one, but never the key."""
    key = "the course's" if settings.api_key.get_secret_value() == COURSE_KEY else "your own"
    if settings.is_embedded:
        yield ok("settings", f"no STIL id: `bot play` plays the embedded server; key: {key}")
    else:
        yield ok("settings", f"{'+'.join(settings.player)} at {settings.server}; key: {key}")


@dataclass(frozen=True, slots=True)
class Answer:
    """What GET / brought."""

    status: int
    kind: str
    location: str
    body: bytes
    seconds: float


def check_server(settings: Settings) -> Iterator[Finding]:
    """GET /, which names the service."""
    server = settings.server
    try:
        answer = _get(f"{server}/")
    except (requests.exceptions.RequestException, OSError, ValueError) as problem:
        text = f"{server} cannot be reached: {_reason(problem)}."
        yield error("server", text, "Check the address, the network and, if need be, the proxy.", ExitCode.NETWORK)
        return
    if answer is None:
        text = f"{server} did not answer within {PATIENCE_S:g} s."
        yield error("server", text, "Try again later.", ExitCode.NETWORK)
        return
    yield _judged(server, answer)


def _judged(server: str, answer: Answer) -> Finding:
    said, took = f"{server} answers", f"in {answer.seconds * 1000:.0f} ms"
    if answer.status in (301, 302, 303, 307, 308):
        where = one_line(answer.location or "nowhere")
        return error("server", f"{said} with a redirect to {where}.", "Give that address as --server, if you trust it.",
                     ExitCode.PROTOCOL)  # fmt: skip
    if answer.status >= 500:
        return error("server", f"{said} HTTP {answer.status} {took}.", "Try again later.", ExitCode.NETWORK)
    if answer.status != 200:
        return warning("server", f"{said} HTTP {answer.status} {took}.", "Check the address: the course's has a title.")
    title = _title(answer)
    if title is None:
        kind = one_line(answer.kind or "something")
        return warning(
            "server", f"{said} {took}, but with {kind}, not as a course server.", "Check the address given as --server."
        )
    if answer.seconds > SLOW_S:
        next_step = "Play where the network is faster: the way there and back is taken off every move."
        return warning("server", f"{said} {took}: {title}", next_step)
    return ok("server", f"{said} {took}: {title}")


def _title(answer: Answer) -> str | None:
    """The service's title, one line of printable characters; None where the body is no such thing."""
    if answer.kind.partition(";")[0].strip().lower() != "application/json":
        return None
    try:
        told = json.loads(answer.body)
    except (ValueError, RecursionError):
        return None
    if isinstance(told, dict):
        told = next((value for value in told.values() if isinstance(value, str)), None)
    return one_line(told)[:80] if isinstance(told, str) and told.strip() else None


def check_stats(settings: Settings) -> Iterator[Finding]:
    """POST /stats, which changes nothing."""
    client = CourseClient(
        settings.server,
        settings.player,
        settings.api_key,
        Timeouts(total_s=PATIENCE_S, first_contact_s=0.5, patience_s=0.5, books_s=0.5),
    )
    try:
        books = client.stats()
    except BotError as problem:
        next_step = problem.hint or "Try again later."
        yield error("stats", problem.message, next_step, problem.exit_code)
        return
    if books is None:
        next_step = "Nothing to do: the journals count instead, and lost replies are resolved without it."
        yield warning("stats", "The server keeps no statistics (HTTP 404).", next_step)
        return
    yield ok("stats", f"{books.played} played, {books.won} won, {books.lost} lost, streak {books.streak}")


def _get(url: str) -> Answer | None:
    """The answer, its body cut at some length; None when it takes too long, however it drips."""
    outcome: list[Answer | Exception] = []

    def run() -> None:
        try:
            outcome.append(_fetch(url))
        except Exception as problem:
            outcome.append(problem)

    worker = threading.Thread(target=run, name="doctor", daemon=True)
    worker.start()
    worker.join(PATIENCE_S)
    if not outcome:
        return None
    if isinstance(outcome[0], Exception):
        raise outcome[0]
    return outcome[0]


def _fetch(url: str) -> Answer:
    start = time.perf_counter()
    with requests.Session() as session:
        session.trust_env = not _is_loopback(url)
        session.auth = lambda request: request  # nothing from the user's ~/.netrc
        timeouts = (PATIENCE_S / 2, PATIENCE_S)
        with session.get(url, timeout=timeouts, allow_redirects=False, stream=True) as reply:
            body = b""
            for piece in reply.iter_content(256):
                body += piece
                if len(body) > LONGEST_TITLE:
                    break
            headers = reply.headers
            kind, location = headers.get("Content-Type", ""), headers.get("Location", "")
            return Answer(reply.status_code, kind, location, body, time.perf_counter() - start)


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _reason(problem: Exception) -> str:
    """The cause in a few words; what requests prints names objects in memory."""
    for kind, said in (
        (requests.exceptions.SSLError, "no trusted TLS connection comes about"),
        (requests.exceptions.ConnectTimeout, "it does not answer"),
        (requests.exceptions.Timeout, "it does not answer in time"),
        (requests.exceptions.ProxyError, "the proxy does not let us through"),
    ):
        if isinstance(problem, kind):
            return said
    text = str(problem)
    if re.search("refused", text):
        return "the connection is refused"
    if re.search("resol|getaddrinfo|Name or service", text):
        return "its name is not known"
    return "the connection breaks, or it does not speak HTTP"
