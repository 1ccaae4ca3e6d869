"""From an exchange to the reply of the protocol, or to the one event that says how it failed.

A failure is described here, once: its kind, its sentence, the next step, and whether the server can have processed the
request. No exception stands between the exchange and the event.

The kinds are stable names, which journals keep (`Failed.kind`, `Counted.kind`):

not sent:        the request was not sent; it may be later
certificate:     the server's certificate cannot be trusted, or the file of trusted certificates cannot be used
no tls:          the address begins with https, but the server does not use TLS
proxy:           the environment names a proxy that cannot be used
address:         the server's address cannot be used
timeout:         no reply began in time
reset:           the connection was reset before a reply began
closed:          the connection was closed before a reply began
broken:          the connection failed before a reply began, in another way
not http:        the reply is not HTTP
stalled:         a reply began, but did not end in time
truncated:       a reply began, but was cut short
too long:        a reply began, but did not end within 1 MB
redirect:        HTTP 3xx; possibly after the request was processed
http NNN:        another HTTP status than 2xx and 3xx, such as http 502
empty:           HTTP 2xx without a body
html:            HTTP 2xx with an HTML page
not json:        HTTP 2xx with a body that is not a JSON object
trailing bytes:  HTTP 2xx with more text after the JSON object
bad reply:       a JSON object, but not one of the protocol
refused:         the server refuses to show its statistics
"""

from __future__ import annotations

import http.client
import re
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import requests
from urllib3.exceptions import HTTPError

from bot.course.address import is_loopback
from bot.course.client.exchange import MAX_BODY, Exchange
from bot.course.client.wire import (
    UnreadableError,
    complete_fields,
    decode_object,
    one_line,
    parse_move_reply,
    parse_stats,
    recover_move_reply,
)
from bot.course.protocol import KEY_HINT, MoveReply, Stats, refuses_key
from bot.course.session.events import Delivery, Failed

T = TypeVar("T")

_HARDLY_PROCESSED = 0.02
"""Probability that a request was processed although the server, or a proxy before it, refused it."""
_LATER = "Try again later."
_CHECK_SERVER = "Check the address given as --server."
_PROXIES = "HTTPS_PROXY, HTTP_PROXY and ALL_PROXY"

_NEVER_SENT = (
    (
        "SSLCertVerificationError",
        "certificate",
        "The certificate of {server} cannot be trusted.",
        "Check the address given as --server, and this computer's clock.",
    ),
    ("WRONG_VERSION|RECORD_LAYER", "no tls", "{server} does not use TLS.", "Check the address given as --server."),
    (
        r"CA certificate bundle|\[X509",
        "certificate",
        "The file of trusted certificates that the environment names cannot be used.",
        "Correct or unset REQUESTS_CA_BUNDLE and CURL_CA_BUNDLE.",
    ),
    (
        "SOCKS support",
        "proxy",
        "The environment names a SOCKS proxy, and the package that speaks to one is missing.",
        f"Install it (pip install pysocks), or unset {_PROXIES}.",
    ),
    (
        r"InvalidProxyURL|ProxySchemeUnknown|\(LocationParseError",
        "proxy",
        "The environment names a proxy whose address cannot be used.",
        f"Correct or unset {_PROXIES}.",
    ),
    (
        r"InvalidURL|InvalidSchema|MissingSchema|Unicode\w*Error",
        "address",
        "{server!r} is not a usable address.",
        "Check --server.",
    ),
)
"""Why a request can never be sent: a pattern of the error, the kind, the message and the hint."""

_OBSTACLES: tuple[tuple[type[BaseException], str], ...] = (
    (socket.gaierror, "its name is unknown"),
    (ConnectionRefusedError, "the connection is refused"),
    (TimeoutError, "it does not answer"),
    (ConnectionError, "the connection is cut at once"),
    (ssl.SSLError, "no TLS connection can be set up"),
)
"""Why a request was not sent: types of the error and a clause."""

_NO_REPLY = (
    (TimeoutError, "timeout", "The server did not answer in time."),
    (http.client.RemoteDisconnected, "closed", "The server closed the connection without an answer."),
    (ConnectionError, "reset", "The connection was reset before the server answered."),
    ((http.client.HTTPException, HTTPError, ValueError), "not http", "The server's answer is not HTTP."),
)
"""Why no reply began although the request was sent: types of the error, the kind, and the message."""

_STATUSES = {
    401: (Delivery.UNKNOWN, "The server denies access", "Check BOT_API_KEY or --api-key-file, and --stil-id."),
    403: (Delivery.UNKNOWN, "The server denies access", "Check BOT_API_KEY or --api-key-file, and --stil-id."),
    404: (Delivery.UNKNOWN, "The server has no /{endpoint}", _CHECK_SERVER),
    422: (Delivery.REJECTED, "The server rejects the form", "Check --stil-id."),
    429: (Delivery.UNKNOWN, "The server receives too many requests", _LATER),
    **dict.fromkeys(
        (405, 410, 411, 413, 414, 415), (Delivery.REJECTED, "The server rejects the request", _CHECK_SERVER)
    ),
}
"""HTTP statuses with which a server, or a proxy before it, refuses a request without processing it."""
_CUT_SHORT = ("truncated", "stalled")
_REFUSALS = tuple(f"http {status}" for status in _STATUSES if status != 429)
_FINAL = ("redirect", "html", "refused", *_REFUSALS)
"""Kinds after which it does not help to request the statistics again, besides rejections."""
NOT_THE_PROTOCOL = ("address", "not json", "bad reply", *_FINAL)
"""Kinds of failures that show something else than a course server, or a server that refuses."""


def is_final(failed: Failed) -> bool:
    """Return whether repeating a request, even if that is harmless, cannot help."""
    return failed.delivery is Delivery.REJECTED or failed.kind in _FINAL


def move_reply_of(exchange: Exchange, server: str) -> MoveReply | Failed:
    """Return the reply to /move, or how the request failed.

    A complete reply with a board counts whatever HTTP status a proxy gave it. One that was cut short counts if it
    determines the position.
    """
    found = _reply_of(exchange, server, parse_move_reply)
    if not isinstance(found, Failed):
        return found
    if found.kind in _CUT_SHORT:
        return recover_move_reply(exchange.body) or found
    with suppress(UnreadableError):
        reply = parse_move_reply(decode_object(exchange.body))
        if reply.status and reply.state is not None:
            return reply
    return found


def stats_of(exchange: Exchange, server: str) -> Stats | Failed:
    """Return the reply to /stats, or how the request failed."""
    return _reply_of(exchange, server, parse_stats)


def _reply_of(exchange: Exchange, server: str, parse: Callable[[dict[str, object]], T]) -> T | Failed:
    if exchange.status is None:
        return _no_reply(exchange, server)
    if not 200 <= exchange.status <= 299:
        return _bad_status(exchange, exchange.status, server)
    try:
        return parse(decode_object(exchange.body))
    except UnreadableError as problem:
        return _unreadable(exchange, problem, server)


def _no_reply(exchange: Exchange, server: str) -> Failed:
    """Return how a request failed to which no reply began."""
    root = _root(exchange.error)
    if not exchange.is_sent:
        text = f"{exchange.error!r} {root!r}"
        for pattern, kind, message, hint in _NEVER_SENT:
            if re.search(pattern, text):
                return _failed(kind, message.format(server=server), hint, Delivery.REJECTED)
        if exchange.is_tracked:
            return _failed("not sent", *_not_sent(root, server), Delivery.NOT_SENT)
    for types, kind, message in _NO_REPLY:
        if isinstance(root, types):
            return _failed(kind, message, _CHECK_SERVER if kind == "not http" else _LATER)
    return _failed("broken", "The connection failed before the server answered.", _LATER)


def _failed(kind: str, message: str, hint: str, delivery: Delivery = Delivery.UNKNOWN) -> Failed:
    return Failed(0.0, delivery, message, hint, kind=kind)


def _root(error: BaseException | None) -> BaseException | None:
    """Return the error that requests and urllib3 have wrapped in their own."""
    while error is not None and error.__context__ is not None:
        error = error.__context__
    return error


def _not_sent(root: BaseException | None, server: str) -> tuple[str, str]:
    """Return the message and the hint for a request that was not sent, but may be later."""
    obstacle = "the proxy does not let the request through" if "unnel" in str(root) else "the connection fails"
    obstacle = next((clause for kind, clause in _OBSTACLES if isinstance(root, kind)), obstacle)
    hint = "Check the address and the network."
    if not is_loopback(server) and requests.utils.select_proxy(server, requests.utils.get_environ_proxies(server)):
        hint = f"The environment names a proxy: check {_PROXIES}, the address and the network."
    return f"The server {server} cannot be reached: {obstacle}.", hint


def _bad_status(exchange: Exchange, status: int, server: str) -> Failed:
    """Return how a request failed to which the server replied with an HTTP status other than 2xx."""
    if 300 <= status <= 399:
        where = one_line(exchange.headers.get("location") or "another address")
        return _failed(
            "redirect",
            f"{server} redirects the request to {where} (HTTP {status}).",
            "It may be a login page: open it in a browser and log in, or give it as --server if you trust it.",
        )
    default = (Delivery.UNKNOWN, "The server answered with an error", _LATER)
    delivery, message, hint = _STATUSES.get(status, default)
    is_doubtful = status in _STATUSES and delivery is Delivery.UNKNOWN
    return Failed(
        0.0,
        delivery,
        message.format(endpoint=exchange.url.rpartition("/")[2]) + f" (HTTP {status}).",
        hint,
        kind=f"http {status}",
        delivered=_HARDLY_PROCESSED if is_doubtful else None,
    )


def _unreadable(exchange: Exchange, problem: UnreadableError, server: str) -> Failed:
    """Return how a request failed to which the server replied with status 2xx and a body that cannot be used."""
    kind, message, hint = problem.kind, f"The server's reply cannot be used: {problem.reason}.", _LATER
    if kind == "html":
        message = "The server answered with an HTML page."
        hint = f"It may be the network's login page: open {server} in a browser and log in, or check --server."
    elif kind == "refused":
        message = f"The server refuses to show its statistics: {problem.reason}."
        hint = KEY_HINT if refuses_key(problem.reason) else _LATER
    elif kind == "bad reply":
        message, hint = f"The server's reply does not follow the protocol: {problem.reason}.", _CHECK_SERVER
    elif len(exchange.body) > MAX_BODY:
        kind, message = "too long", "The reply is far longer than any reply of the course server."
    elif isinstance(_root(exchange.error), TimeoutError):
        kind, message = "stalled", "The reply began, but did not end in time."
    elif exchange.error is not None:
        kind, message = "truncated", "The connection failed in the middle of the reply."
    is_processed = kind in _CUT_SHORT and complete_fields(exchange.body).get("status") is True
    return Failed(0.0, Delivery.UNKNOWN, message, hint, kind=kind, delivered=1.0 if is_processed else None)
