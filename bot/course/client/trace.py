"""Records of exchanges without secrets, and careful mode, `bot play --careful`, which keeps them.

Careful mode plays one game for the first contact with a server. Every HTTP exchange is shown, everything that deviates
from the protocol is named, and all is written to a bundle for a maintainer: the exchanges, the deviations, and the
journal, without ids and key. The session stops at the first game without an honest end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus, urlsplit

from bot.course.client.exchange import Exchange
from bot.course.protocol import MoveReply, Stats, UnreadableError, decode_object

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


# Careful mode

_MOVE_FIELDS = {field.name for field in fields(MoveReply)}
_STATS_FIELDS = {"msg", "status", "stil_id", *(field.name for field in fields(Stats))}
_SHOWN = 300
"""Maximum length of a body on the console, characters."""


class CarefulLog:
    """Shows every exchange, collects deviations from the protocol, and writes the bundle."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self.exchanges: list[TracedExchange] = []
        self.unknown: list[str] = []
        """Deviations from the protocol, a sentence each."""

    def __call__(self, exchange: TracedExchange) -> None:
        """Record and show one exchange; `CourseClient` calls this after each."""
        self.exchanges.append(exchange)
        number = len(self.exchanges)
        form = " ".join(f"{name}={value}" for name, value in exchange.form)
        outcome = exchange.failure
        if exchange.status:
            outcome = f"HTTP {exchange.status} {exchange.body[:_SHOWN]}"
        self._show(f"Exchange {number} as it was sent, columns 0 to 6: POST {exchange.path} {form} -> {outcome}")
        for text in surprises(exchange):
            self.unknown.append(f"Exchange {number}: {text}")
            self._show(f"Not in the protocol: {text}")

    def write(self, folder: Path, journal: Path, stil_ids: Sequence[str]) -> Path:
        """Write the bundle into ``folder``, say where it is, and return its path; earlier bundles stay.

        It holds the exchanges, the deviations, and the journal, whose first record has the versions; placeholders stand
        for ids and key. Raises OSError.
        """
        import tempfile
        import zipfile

        names = {stil_id: f"<id {number}>" for number, stil_id in enumerate(stil_ids, start=1)}
        folder.mkdir(parents=True, exist_ok=True)
        name = f"careful-{journal.name.partition('-')[0]}-"
        with (  # only its owner may read it
            tempfile.NamedTemporaryFile(prefix=name, suffix=".zip", dir=folder, delete=False) as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
        ):
            lines = [json.dumps(asdict(exchange)) + "\n" for exchange in self.exchanges]
            archive.writestr("exchanges.jsonl", "".join(lines))
            archive.writestr("deviations.txt", "\n".join(self.unknown))
            archive.writestr("journal.jsonl", redacted(journal.read_text(encoding="utf-8"), names))
        unknown = f" Deviations from the protocol in it: {len(self.unknown)}." if self.unknown else ""
        self._show(f"Bundle for a maintainer, without ids and key: {file.name}.{unknown}")
        return Path(file.name)


def surprises(exchange: TracedExchange) -> list[str]:
    """Return how an exchange's reply deviates from the protocol, a phrase each; [] without a reply."""
    if exchange.status is None:
        return []
    if exchange.status != 200:
        return [f"HTTP status {exchange.status}."]
    if exchange.failure:
        return [exchange.failure]
    try:
        reply = decode_object(exchange.body.encode())
    except UnreadableError:
        return ["The body is not a JSON object."]
    is_stats = exchange.path.rstrip("/").endswith("stats")
    known = _STATS_FIELDS if is_stats else _MOVE_FIELDS
    found = [f"The field {name!r}." for name in sorted(set(reply) - known)]
    found += [f"The field {name!r} is missing." for name in sorted(known - set(reply)) if not is_stats]
    if not is_stats and reply.get("status") is not True:
        found.append(f"A refusal: {reply.get('msg')!r}.")
    return found
