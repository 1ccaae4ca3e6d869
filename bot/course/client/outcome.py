"""From an exchange to the reply of the protocol, or to the one event that says how it failed.

No exception stands between the exchange and the event. What a kind of failure means is in `bot.course.failures`; here
stands how each is recognised.
"""

from __future__ import annotations

import http.client
import os
import re
import socket
import ssl
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime, timezone
from email.utils import format_datetime, parsedate_to_datetime
from typing import TypeVar

from urllib3.exceptions import HTTPError

from bot.course.address import is_loopback
from bot.course.client.exchange import MAX_BODY, Exchange
from bot.course.client.wire import (
    UnreadableError,
    complete_fields,
    decode_object,
    parse_move_reply,
    parse_stats,
    recover_move_reply,
)
from bot.course.events import Failed
from bot.course.failures import about
from bot.course.protocol import KEY_HINT, MoveReply, Stats, refuses_key
from bot.errors import one_line

Parsed = TypeVar("Parsed")

_NEVER_SENT = (
    ("SSLCertVerificationError", "certificate", "", ""),
    ("WRONG_VERSION|RECORD_LAYER", "no tls", "", ""),
    (
        r"CA certificate bundle|\[X509|SSLError\(Permission",
        "certificate",
        "The environment's {bundle} names no file or folder of certificates that can be used.",
        "Correct or unset it.",
    ),
    (
        "SOCKS support",
        "proxy",
        "The environment's {proxy} names a SOCKS proxy, and the package that speaks to one is missing.",
        "Install it (pip install pysocks), or unset the variable.",
    ),
    (
        "'$",
        "no tls",
        "The environment's SSLKEYLOGFILE names a file that cannot be written: {root.strerror}.",
        "Correct or unset it.",
    ),
    (r"InvalidProxyURL|ProxySchemeUnknown|\(LocationParseError", "proxy", "", ""),
    (r"InvalidURL|InvalidSchema|MissingSchema|Unicode\w*Error", "address", "", ""),
)
"""Why a request can never be sent: a pattern of the error, the kind, and sentence and hint other than the kind's.

The error ends with the name of a file if it has one: only that of TLS keys is opened for a request.
"""

_OBSTACLES: tuple[tuple[type[BaseException], str], ...] = (
    (socket.gaierror, "its name is unknown"),
    (ConnectionRefusedError, "the connection is refused"),
    (TimeoutError, "it does not answer"),
    (ConnectionError, "the connection is cut at once"),
    (ssl.SSLError, "no TLS connection can be set up"),
)
"""Why a request was not sent: types of the error and a clause."""

_NO_REPLY = (
    (TimeoutError, "timeout"),
    (http.client.RemoteDisconnected, "closed"),
    (ConnectionError, "reset"),
    ((http.client.HTTPException, HTTPError, ValueError), "not http"),
)
"""Why no reply began although the request was sent: types of the error and the kind."""
_CUT_SHORT = ("truncated", "stalled")


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


def retry_after_s(headers: Mapping[str, str]) -> float:
    """Return how long a reply asks to wait, seconds: as a number or as a date, by the server's clock; 0 if it does not.

    A text of another form asks for nothing.
    """
    text = headers.get("retry-after") or ""
    with suppress(ValueError, TypeError, OverflowError):
        if re.fullmatch(r"\s*\d+(\.\d*)?\s*", text):
            return float(text)
        until = parsedate_to_datetime(text)
        now = parsedate_to_datetime(headers.get("date") or format_datetime(datetime.now(timezone.utc)))
        return max(0.0, (until - now).total_seconds())
    return 0.0


def _reply_of(exchange: Exchange, server: str, parse: Callable[[dict[str, object]], Parsed]) -> Parsed | Failed:
    if exchange.status is None:
        return _no_reply(exchange, server)
    if not 200 <= exchange.status <= 299:
        return _bad_status(exchange, exchange.status, server)
    try:
        return parse(decode_object(exchange.body))
    except UnreadableError as problem:
        return _unreadable(exchange, problem, server)


def _failed(
    kind: str, *, sentence: str = "", hint: str = "", delivered: float | None = None, **names: object
) -> Failed:
    """Return a failure of this kind; ``names`` fill in its sentence and hint, unless there are others."""
    row = about(kind)
    message = (sentence or row.sentence).format(**names)
    hint = (hint or row.hint).format(**names)
    if delivered is None:
        delivered = row.delivered
    return Failed(0.0, row.delivery, message, hint, kind=kind, delivered=delivered)


def _no_reply(exchange: Exchange, server: str) -> Failed:
    """Return how a request failed to which no reply began."""
    root = _root(exchange.error)
    if not exchange.is_sent:
        text = f"{exchange.error!r} {root!r} {getattr(root, 'filename', None)!r}"
        bundle = _first_set("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
        proxy = _proxy_of(server) or "setting"
        for pattern, kind, sentence, hint in _NEVER_SENT:
            if re.search(pattern, text):
                return _failed(kind, sentence=sentence, hint=hint, server=server, root=root, bundle=bundle, proxy=proxy)
        if exchange.is_tracked:
            return _failed("not sent", server=server, reason=_obstacle(root), hint=_proxy_hint(server))
    if isinstance(root, http.client.LineTooLong) or "got more than" in str(root):
        return _failed("long headers")
    for types, kind in _NO_REPLY:
        if isinstance(root, types):
            return _failed(kind)
    return _failed("broken")


def _root(error: BaseException | None) -> BaseException | None:
    """Return the error that requests and urllib3 have wrapped in their own."""
    while error is not None and error.__context__ is not None:
        error = error.__context__
    return error


def _obstacle(root: BaseException | None) -> str:
    """Return why a request was not sent, a clause."""
    for kind, clause in _OBSTACLES:
        if isinstance(root, kind):
            return clause
    if "unnel" in str(root):  # "Tunnel connection failed"
        return "the proxy does not let the request through"
    return "the connection fails"


def _proxy_hint(server: str) -> str:
    """Return what to do next if requests lead through a proxy; empty if they do not."""
    if is_loopback(server) or not (proxy := _proxy_of(server)):
        return ""
    return f"The environment's {proxy} names a proxy: check it, NO_PROXY, the address and the network."


def _proxy_of(server: str) -> str:
    """Return the environment's variable that names a proxy for ``server``; empty if there is none."""
    scheme = server.partition(":")[0]
    return _first_set(f"{scheme}_proxy", f"{scheme}_proxy".upper(), "all_proxy", "ALL_PROXY")


def _first_set(*variables: str) -> str:
    """Return the first of these variables of the environment that has a value; empty if none has."""
    return next(filter(os.environ.get, variables), "")


def _bad_status(exchange: Exchange, status: int, server: str) -> Failed:
    """Return how a request failed to which the server replied with an HTTP status other than 2xx."""
    if 300 <= status <= 399:
        where = one_line(exchange.headers.get("location") or "another address")
        return _failed("redirect", server=server, reason=where, status=status)
    endpoint = exchange.url.rpartition("/")[2]
    return _failed(f"http {status}", endpoint=endpoint, status=status)


def _unreadable(exchange: Exchange, problem: UnreadableError, server: str) -> Failed:
    """Return how a request failed to which the server replied with status 2xx and a body that cannot be used."""
    if problem.kind == "refused" and refuses_key(problem.reason):
        return _failed("refused", reason=problem.reason, hint=KEY_HINT)
    if problem.kind in ("html", "refused", "bad reply"):
        return _failed(problem.kind, reason=problem.reason, server=server)
    if len(exchange.body) > MAX_BODY:
        return _failed("too long")
    is_processed = complete_fields(exchange.body).get("status") is True
    if exchange.error is None and problem.kind not in _CUT_SHORT:
        return _failed(problem.kind, reason=problem.reason)
    delivered = 1.0 if is_processed else None
    if exchange.error is None:
        return _failed(problem.kind, sentence=about("empty").sentence, reason=problem.reason, delivered=delivered)
    kind = "stalled" if isinstance(_root(exchange.error), TimeoutError) else "truncated"
    return _failed(kind, delivered=delivered)
