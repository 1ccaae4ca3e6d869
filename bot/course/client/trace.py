"""Records of exchanges that are safe to keep: without the key and the players' ids, and limited in size."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from bot.course.client.exchange import Exchange
from bot.course.client.redaction import Redactor
from bot.course.session.events import Failed

MAX_TEXT = 1 << 16
"""Maximum length of a body in a trace, characters."""
_MAX_HEADER = 1024
_PRIVATE = re.compile("auth|cookie", re.IGNORECASE)
"""Headers that are left out of a trace: they may carry credentials."""


@dataclass(frozen=True, slots=True)
class TracedExchange:
    """One request and its result."""

    path: str
    form: tuple[tuple[str, str], ...]
    """The fields in their order; ids and key are placeholders."""
    is_sent: bool
    """Whether any byte of the request may have been sent."""
    first_byte_s: float | None
    """Seconds from just before the request is written to the reply's first byte or to the failure; None if unsent."""
    end_at_s: float
    """Seconds of the whole exchange."""
    status: int | None
    """None if no reply began."""
    headers: tuple[tuple[str, str], ...]
    """Names in lower case; cookies and credentials are left out."""
    body: str
    """At most MAX_TEXT characters."""
    error: str
    """One sentence; "" if the reply follows the protocol."""
    kind: str
    """The kind of a failure, see the kinds of `bot.course.client.failures`; otherwise ""."""


def traced(exchange: Exchange, failed: Failed | None, redactor: Redactor) -> TracedExchange:
    """Return the trace of ``exchange``, which ended with ``failed`` or with a reply of the protocol."""
    return TracedExchange(
        path=redactor.text(urlsplit(exchange.url).path),
        form=tuple((name, redactor.text(value)) for name, value in exchange.form),
        is_sent=exchange.is_sent,
        first_byte_s=exchange.first_byte_s,
        end_at_s=exchange.end_at_s,
        status=exchange.status,
        headers=tuple(
            (redactor.text(name.lower()), redactor.text(value)[:_MAX_HEADER])
            for name, value in exchange.headers.items()
            if not _PRIVATE.search(name)
        ),
        body=redactor.text(exchange.body.decode("utf-8", "replace"))[:MAX_TEXT],
        error=redactor.text(failed.message) if failed else "",
        kind=failed.kind if failed else "",
    )
