"""Remove secrets from texts, and keep records of exchanges without them, limited in size."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, quote_plus, urlsplit

from bot.course.client.exchange import Exchange

PLACEHOLDER = "***"
SHORT = 4
"""Length below which secrets are removed as whole words only, characters: otherwise ordinary text would be garbled."""
MAX_TEXT = 1 << 16
"""Maximum length of a body in a trace, characters."""
_MAX_HEADER = 1024
_PRIVATE = re.compile("auth|cookie", re.IGNORECASE)
"""Headers that are left out of a trace: they may carry credentials."""


@dataclass(frozen=True, slots=True)
class TracedExchange:
    """One request and its reply as they were on the wire; what followed from them is in the journal."""

    path: str
    form: tuple[tuple[str, str], ...]
    """The fields in their order; ids and key are placeholders."""
    first_byte_s: float | None
    """Seconds from just before the request is written to the reply's headers; None if no reply began."""
    end_at_s: float
    """Seconds of the whole exchange."""
    status: int | None
    """None if no reply began."""
    headers: tuple[tuple[str, str], ...]
    """Names in lower case; cookies and credentials are left out."""
    body: str
    """At most MAX_TEXT characters."""
    failure: str
    """One sentence; "" if the reply follows the protocol."""


def traced(exchange: Exchange[Any], failure: str, names: Mapping[str, str]) -> TracedExchange:
    """Return the trace of ``exchange``; ``failure`` is a sentence, "" if the reply follows the protocol.

    ``names`` maps each secret to the placeholder that stands for it.
    """

    def shown(text: str) -> str:
        return redacted(text, names)

    headers = exchange.headers.items()
    return TracedExchange(
        path=shown(urlsplit(exchange.url).path),
        form=tuple((name, shown(text)) for name, text in exchange.form),
        first_byte_s=exchange.first_byte_s,
        end_at_s=exchange.end_at_s,
        status=exchange.status,
        headers=tuple(
            (shown(name.lower()), shown(text)[:_MAX_HEADER]) for name, text in headers if not _PRIVATE.search(name)
        ),
        body=shown(exchange.body.decode("utf-8", "replace"))[:MAX_TEXT],
        failure=shown(failure),
    )


def redacted(text: str, names: Mapping[str, str]) -> str:
    """Return ``text`` with placeholders for secrets: as they are, as forms encode them, and in another case."""
    for secret in sorted(filter(None, names), key=len, reverse=True):
        pattern = "|".join(map(re.escape, (secret, quote(secret, safe=""), quote_plus(secret))))
        if len(secret) < SHORT:
            pattern = rf"(?<!\w)(?:{pattern})(?!\w)"
        text = re.sub(pattern, names[secret], text, flags=re.IGNORECASE)
    return text
