"""Remove secrets from texts, and keep records of exchanges without them, limited in size."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
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
    """Seconds from just before the request is written to the reply's first byte or to the failure; None if unsent."""
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


def traced(exchange: Exchange, failure: str, redactor: Redactor) -> TracedExchange:
    """Return the trace of ``exchange``; ``failure`` is a sentence, "" if the reply follows the protocol."""
    headers: list[tuple[str, str]] = []
    for name, text in exchange.headers.items():
        if not _PRIVATE.search(name):
            shown = redactor.text(text)[:_MAX_HEADER]
            headers.append((redactor.text(name.lower()), shown))
    return TracedExchange(
        path=redactor.text(urlsplit(exchange.url).path),
        form=tuple((name, redactor.text(text)) for name, text in exchange.form),
        first_byte_s=exchange.first_byte_s,
        end_at_s=exchange.end_at_s,
        status=exchange.status,
        headers=tuple(headers),
        body=redactor.text(exchange.body.decode("utf-8", "replace"))[:MAX_TEXT],
        failure=redactor.text(failure),
    )


class Redactor:
    """Replaces secrets in texts: as they are, as forms encode them, and in another case."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        """``secrets`` maps each secret to the placeholder that stands for it. Empty secrets are ignored."""
        self._patterns = [
            (_pattern(secret), name)
            for secret, name in sorted(secrets.items(), key=lambda pair: -len(pair[0]))
            if secret
        ]

    def text(self, text: str) -> str:
        """Return ``text`` without the secrets."""
        for pattern, name in self._patterns:
            text = pattern.sub(lambda _match, name=name: name, text)  # type: ignore[misc]
        return text


def _pattern(secret: str) -> re.Pattern[str]:
    ways = (secret, quote(secret, safe=""), quote_plus(secret))
    spellings = "|".join(map(re.escape, ways))
    pattern = spellings
    if len(secret) < SHORT:
        pattern = rf"(?<!\w)(?:{spellings})(?!\w)"
    return re.compile(pattern, re.IGNORECASE)
