"""Records of exchanges without secrets, and careful mode, `bot play --careful`, which keeps them.

Careful mode plays one game for the first contact with a server. Every HTTP exchange is shown, and all are written to a
file for a maintainer, without ids and key. The session stops at the first game without an honest end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus, urlsplit

from bot.course.client.exchange import Exchange

PLACEHOLDER = "***"
_PRIVATE = re.compile("auth|cookie", re.IGNORECASE)
"""Headers that are left out of a trace: they may carry credentials."""


Trace = dict[str, Any]
"""One request and its reply as they were on the wire, without secrets; what followed from them is in the journal."""


def traced(exchange: Exchange[Any], failure: str, names: Mapping[str, str]) -> Trace:
    """Return the trace of ``exchange``; ``failure`` is a sentence, "" if the reply follows the protocol.

    ``names`` maps each secret to the placeholder that stands for it. ``first_byte_s`` are the seconds from just before
    the request is written to the reply's headers. It and ``status`` are None if no reply began.
    """

    def shown(text: str) -> str:
        return redacted(text, names)

    headers = exchange.headers.items()
    return {
        "path": shown(urlsplit(exchange.url).path),
        "form": [(name, shown(text)) for name, text in exchange.form],
        "first_byte_s": exchange.first_byte_s,
        "end_at_s": exchange.end_at_s,
        "status": exchange.status,
        "headers": [(shown(name.lower()), shown(text)) for name, text in headers if not _PRIVATE.search(name)],
        "body": shown(exchange.body.decode("utf-8", "replace")),
        "failure": shown(failure),
    }


def redacted(text: str, names: Mapping[str, str]) -> str:
    """Return ``text`` with placeholders for secrets: as they are, as forms encode them, and in another case."""
    for secret in sorted(filter(None, names), key=len, reverse=True):
        pattern = "|".join(map(re.escape, (secret, quote(secret, safe=""), quote_plus(secret))))
        text = re.sub(pattern, names[secret], text, flags=re.IGNORECASE)
    return text


# Careful mode

_SHOWN = 300
"""Maximum length of a body on the console, characters."""


class CarefulLog:
    """Shows every exchange, and keeps all of them."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self.exchanges: list[Trace] = []

    def __call__(self, exchange: Trace) -> None:
        """Keep and show one exchange; `CourseClient` calls this after each."""
        self.exchanges.append(exchange)
        form = " ".join(f"{name}={value}" for name, value in exchange["form"])
        outcome = exchange["failure"]
        if exchange["status"]:
            outcome = f"HTTP {exchange['status']} {exchange['body'][:_SHOWN]} {outcome}".rstrip()
        sent = f"Exchange {len(self.exchanges)} as it was sent, columns 0 to 6: POST {exchange['path']} {form}"
        self._show(f"{sent} -> {outcome}")

    def write(self, path: Path) -> None:
        """Append the exchanges to a file, one JSON object a line, and say where they are. Raises OSError."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(exchange) + "\n" for exchange in self.exchanges)
        self._show(f"Exchanges for a maintainer, without ids and key: {path}.")
