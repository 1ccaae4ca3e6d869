"""Records of exchanges that are safe to keep: without the key and the players' ids, and limited in size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from bot.course.client.connection import Timing
from bot.course.client.decode import decode_text, printable
from bot.course.client.exchange import Exchange
from bot.course.client.redaction import Redactor
from bot.course.client.wire import one_line

MAX_TEXT = 1 << 16
"""Maximum length of a body in a trace, characters."""
_MAX_HEADERS = 64
_MAX_HEADER = 1024
_PRIVATE = frozenset(
    (
        "authentication-info",
        "authorization",
        "cookie",
        "proxy-authenticate",
        "proxy-authorization",
        "set-cookie",
        "set-cookie2",
        "www-authenticate",
    )
)
"""Headers that are left out of a trace: they may carry credentials."""


@dataclass(frozen=True, slots=True)
class TracedExchange:
    """One request and its result."""

    method: str
    path: str
    form: tuple[tuple[str, str], ...]
    """The fields in their order; ids and key are placeholders."""
    is_sent: bool
    """Whether any byte of the request may have been sent."""
    timing: Timing
    status: int | None = None
    """None if no reply began."""
    headers: tuple[tuple[str, str], ...] = ()
    """Names in lower case; cookies and credentials are left out."""
    body: str = ""
    """At most MAX_TEXT characters."""
    error: str = ""
    """One sentence; "" if the reply follows the protocol."""
    kind: str = ""
    """The kind of an ambiguous failure, see bot.course.client.failures.KINDS; otherwise the error's class, or ""."""


class Tracer:
    """Makes traces of one group's exchanges."""

    def __init__(self, stil_ids: Sequence[str], api_key: str) -> None:
        names = {stil_id: f"<id {number}>" for number, stil_id in enumerate(stil_ids, start=1)}
        self._redactor = Redactor({**names, api_key: "<key>"})
        self._names = names

    def trace(self, exchange: Exchange, *, error: str = "", kind: str = "") -> TracedExchange:
        """Return the trace of ``exchange``, which ended with ``error``."""
        request, reply = exchange.request, exchange.reply
        return TracedExchange(
            method=request.method,
            path=self._redactor.text(urlsplit(request.url).path),
            form=tuple((name, self._value(name, value)) for name, value in request.form or ()),
            is_sent=exchange.is_sent,
            timing=exchange.timing,
            status=reply.status if reply else None,
            headers=self._headers(reply.headers if reply else ()),
            body=self._body(reply.body) if reply else "",
            error=self._redactor.text(error),
            kind=kind,
        )

    def _value(self, name: str, value: str) -> str:
        if name == "api_key":
            return "<key>"
        return self._names.get(value, "<id>") if name == "stil_id" else value

    def _headers(self, headers: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        kept = [(name, value) for name, value in headers if name not in _PRIVATE][:_MAX_HEADERS]
        return tuple(
            (self._redactor.text(one_line(name)), self._redactor.text(value)[:_MAX_HEADER]) for name, value in kept
        )

    def _body(self, body: bytes) -> str:
        try:
            text = printable(decode_text(body, is_cut=True))
        except UnicodeDecodeError:
            text = body.decode("utf-8", "backslashreplace")
        return self._redactor.text(text)[:MAX_TEXT]
