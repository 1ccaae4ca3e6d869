"""Remove secrets from texts of a server, also if the server repeats them in another encoding."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html.entities import html5

PLACEHOLDER = "***"
SHORT = 4
"""Length below which secrets are removed as whole words only, characters: otherwise ordinary text would be garbled."""
_NAMED = {character: name for name, character in html5.items() if name.endswith(";")}


class Redactor:
    """Replaces secrets in texts, also URL-encoded, JSON-escaped, HTML-escaped and in another case."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        """``secrets`` maps each secret to the placeholder that stands for it. Empty secrets are ignored."""
        ordered = sorted(((secret, name) for secret, name in secrets.items() if secret), key=lambda pair: -len(pair[0]))
        self._patterns: list[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]] = [
            (_pattern(secret), _constant(name)) for secret, name in ordered
        ]

    def text(self, text: str) -> str:
        """Return ``text`` without the secrets."""
        for pattern, replacement in self._patterns:
            text = pattern.sub(replacement, text)
        return text


def _constant(name: str) -> Callable[[re.Match[str]], str]:
    return lambda _match: name  # a function, since re.sub interprets backslashes in a string


def _pattern(secret: str) -> re.Pattern[str]:
    body = "".join(_spellings(character) for character in secret)
    if len(secret) < SHORT:
        body = rf"(?<!\w){body}(?!\w)"
    return re.compile(body, re.IGNORECASE)


def _spellings(character: str) -> str:
    """Return a pattern for every way to write ``character``."""
    ways = {re.escape(variant) for variant in (character, character.lower(), character.upper())}
    for variant in {character, character.lower(), character.upper()}:
        if len(variant) != 1:  # the upper case of a ligature is two characters
            continue
        ways.add("".join(rf"%(?:25)*{byte:02x}" for byte in variant.encode("utf-8", "surrogatepass")))
        ways.add("".join(rf"\\+u{unit:04x}" for unit in _utf16_units(variant)))
        ways.add(rf"\\+x{ord(variant):02x}")
        ways.add(rf"&(?:amp;)*#0*{ord(variant)};")
        ways.add(rf"&(?:amp;)*#x0*{ord(variant):x};")
        if variant in _NAMED:
            ways.add(rf"&(?:amp;)*{re.escape(_NAMED[variant])}")
    if character == " ":
        ways.add(r"\+")
    if character in '"\\/':
        ways.add(r"\\+" + re.escape(character))
    return f"(?:{'|'.join(sorted(ways, key=len, reverse=True))})"


def _utf16_units(character: str) -> list[int]:
    encoded = character.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(encoded[index : index + 2], "big") for index in range(0, len(encoded), 2)]
