"""Remove a secret from text that comes from a server, in whatever spelling the server repeats it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html.entities import html5

PLACEHOLDER = "***"
SHORT = 4
"""Secrets with fewer characters are removed as whole words only; anything else would garble ordinary text."""
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
    return lambda _match: name  # as a function: in a plain string, backslashes would have a meaning


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
