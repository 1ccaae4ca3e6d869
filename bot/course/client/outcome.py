"""From an exchange to the reply of the protocol, or to the one event that says how it failed.

No exception stands between the exchange and the event. What a kind of failure means, and how it is recognised where no
reply began, is in `bot.course.failures`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError
from urllib3.exceptions import HTTPError
from urllib3.util import Retry

from bot.course.address import is_loopback
from bot.course.client.exchange import MAX_BODY, Exchange, UnreadableError, decode_object
from bot.course.events import Failed
from bot.course.failures import KINDS, Delivery, about
from bot.course.protocol import KEY_HINT, MoveReply, Stats, refuses_key
from bot.errors import one_line

T = TypeVar("T")

_MOVE_REPLY, _STATS = TypeAdapter(MoveReply), TypeAdapter(Stats)

_OBSTACLES = (
    ("gaierror", "its name is unknown"),
    ("ConnectionRefusedError", "the connection is refused"),
    ("TimeoutError", "it does not answer"),
    ("ConnectionError", "the connection is cut at once"),
    ("SSLError", "no TLS connection can be set up"),
    ("unnel", "the proxy does not let the request through"),  # "Tunnel connection failed"
    ("", "the connection fails"),
)
"""Why a request was not sent: what is in the text of the error, and a clause."""


def reply_of(exchange: Exchange[Any], parse: Callable[[dict[str, Any]], T]) -> T | Failed:
    """Return the reply that ``parse`` finds in the body, or how the request failed.

    A complete reply with a board counts whatever HTTP status a proxy gave it.
    """
    if exchange.status is None:
        return _no_reply(exchange)
    is_good = 200 <= exchange.status <= 299
    try:
        reply = parse(decode_object(exchange.body))
        if is_good or getattr(reply, "state", None) is not None:
            return reply
    except UnreadableError as problem:
        if is_good:
            return _unreadable(exchange, *problem.args)
    return _failed(exchange, "redirect" if 300 <= exchange.status <= 399 else f"http {exchange.status}")


def parse_move_reply(fields: Mapping[str, Any]) -> MoveReply:
    """Return the reply to /move in the fields of its JSON object; raise UnreadableError."""
    return _validated(_MOVE_REPLY, fields)


def parse_stats(fields: Mapping[str, Any]) -> Stats:
    """Return the statistics in the fields of their JSON object; raise UnreadableError, of kind "refused" if refused."""
    if fields.get("status") is False:
        # Whole: the client cuts a message after it has removed the key, of which a part would not be found.
        raise UnreadableError("refused", one_line(fields.get("msg"), MAX_BODY))
    return _validated(_STATS, fields)


def _validated(kind: TypeAdapter[T], fields: Mapping[str, Any]) -> T:
    """Return the value of ``fields``, others left out; a number may be in a string, 1.0 is 1, and 1 is true."""
    try:
        return kind.validate_python(fields)
    except ValidationError as error:
        field = ".".join(map(str, error.errors()[0]["loc"]))
        raise UnreadableError("bad reply", f"its field {field} has no value of the protocol") from None


def retry_after_s(headers: Mapping[str, str]) -> float:
    """Return how long a reply asks to wait, seconds, as a number or as a date; 0 if it asks for nothing."""
    with suppress(HTTPError, ValueError, OverflowError):
        return Retry().parse_retry_after(headers.get("retry-after") or "0")
    return 0.0


def _no_reply(exchange: Exchange[Any]) -> Failed:
    """Return how a request failed to which no reply began."""
    root = _root(exchange.error)
    text = " ".join(each.__name__ for each in type(root).__mro__) + f" {root}"
    reason = next(clause for sign, clause in _OBSTACLES if sign in text)
    if not exchange.is_sent:
        text = f"{exchange.error!r} {text} {getattr(root, 'filename', None)!r}"
    for kind, row in KINDS.items():
        is_possible = exchange.is_sent in (None, row.delivery is Delivery.UNKNOWN)
        if is_possible and row.sign and re.search(row.sign, text):
            return _failed(exchange, kind, getattr(root, "strerror", ""))
    return _failed(exchange, "broken" if exchange.is_sent else "not sent", reason)


def _root(error: BaseException | None) -> BaseException | None:
    """Return the error that requests and urllib3 have wrapped in their own."""
    while error is not None and error.__context__ is not None:
        error = error.__context__
    return error


def _unreadable(exchange: Exchange[Any], kind: str, reason: str) -> Failed:
    """Return how a request failed to which the server replied with status 2xx and a body that cannot be used."""
    if kind == "refused" and refuses_key(reason):
        return replace(_failed(exchange, kind, reason), hint=KEY_HINT)
    if len(exchange.body) > MAX_BODY:
        kind = "too long"
    elif kind in ("empty", "cut short", "not json") and exchange.error:
        kind = "stalled" if isinstance(_root(exchange.error), TimeoutError) else "truncated"
    failed = _failed(exchange, kind, reason)
    return replace(failed, delivered=1.0) if re.search(rb'"status": *true\b', exchange.body) else failed


def _failed(exchange: Exchange[Any], kind: str, reason: str = "") -> Failed:
    """Return a failure of this kind, with the names in its sentence and hint filled in."""
    row = about(kind)
    server, _, endpoint = exchange.url.rpartition("/")
    scheme = server.partition(":")[0]
    proxy = _first_set(f"{scheme}_proxy", f"{scheme}_proxy".upper(), "all_proxy", "ALL_PROXY")
    way = "Check the address and the network."
    if proxy and not is_loopback(server):
        way = f"The environment's {proxy} names a proxy: check it, NO_PROXY, the address and the network."
    names = {
        "server": server,
        "endpoint": endpoint,
        "status": exchange.status,
        "location": one_line(exchange.headers.get("location") or "another address", MAX_BODY),
        "reason": reason,
        "proxy": proxy,
        "bundle": _first_set("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"),
        "way": way,
    }
    message, hint = row.sentence.format_map(names), row.hint.format_map(names)
    return Failed(0.0, row.delivery, message, hint, kind, row.delivered)


def _first_set(*variables: str) -> str:
    """Return the first of these variables of the environment that has a value; empty if none has."""
    return next(filter(os.environ.get, variables), "")
