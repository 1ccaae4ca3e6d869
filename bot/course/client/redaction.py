"""Remove secrets from texts that are kept or printed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote, quote_plus

PLACEHOLDER = "***"
SHORT = 4
"""Length below which secrets are removed as whole words only, characters: otherwise ordinary text would be garbled."""


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
    spellings = "|".join(re.escape(spelling) for spelling in (secret, quote(secret, safe=""), quote_plus(secret)))
    return re.compile(rf"(?<!\w)(?:{spellings})(?!\w)" if len(secret) < SHORT else spellings, re.IGNORECASE)
