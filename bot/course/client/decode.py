"""Decode a body that should be one JSON object, or name the problem with it. Pure: no HTTP here.

The content type does not matter, only whether the body is a JSON object and nothing else: no duplicate keys, no deep
nesting, no numbers that exhaust memory or time, no bytes after the object.
"""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass
from typing import Any

MAX_DEPTH = 32
"""Maximum nesting of arrays and objects; a reply of the course server needs 3."""
MAX_DIGITS = 400
"""Maximum length of a number, characters. Python needs quadratic time for long ones."""
_MAX_COMPLETE = 1 << 16
"""Maximum size of a body that is examined while it arrives, bytes."""

_HALF = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Halves of surrogate pairs that do not stand for a byte."""
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]', re.DOTALL)
"""A string, terminated or not, or a bracket."""


class NotAnObjectError(ValueError):
    """The body is not one JSON object. ``kind`` is one of the kinds in bot.course.client.failures."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Shape:
    """The brackets of a text that begins with an object."""

    depth: int
    """Maximum nesting."""
    end: int | None
    """Index after the object's last bracket; None if it is not closed."""


def shape(text: str) -> Shape | None:
    """Return the brackets of ``text``; None if it does not begin with an object."""
    start = len(text) - len(text.lstrip())
    if not text.startswith("{", start):
        return None
    depth = deepest = 0
    for match in _TOKEN.finditer(text, start):
        token = match.group()
        if token in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif token in "]}":
            depth -= 1
            if depth == 0:
                return Shape(deepest, match.end())
    return Shape(deepest, None)


def decode_text(body: bytes, *, is_cut: bool = False) -> str:
    """Return the text of ``body``, which may be UTF-8, UTF-16 or UTF-32; raise UnicodeDecodeError.

    Bytes of another encoding, such as Latin-1, become surrogates, which `printable` replaces: only the server's
    messages have any. ``is_cut`` allows the last character to be incomplete.
    """
    encoding = json.detect_encoding(body)
    errors = "surrogateescape" if encoding.startswith("utf-8") else "strict"
    return codecs.getincrementaldecoder(encoding)(errors).decode(body, final=not is_cut)


def printable(text: str) -> str:
    """Return ``text`` with bytes that were not UTF-8 as \\xNN, and without halves of surrogate pairs."""
    return _HALF.sub("\ufffd", text).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def is_complete(body: bytes) -> bool:
    """Return whether ``body`` ends with the end of a JSON object, so that it is complete."""
    if len(body) > _MAX_COMPLETE or not body.rstrip(b" \t\r\n\0").endswith(b"}"):
        return False
    try:
        text = decode_text(body)
    except UnicodeDecodeError:
        return False
    found = shape(text)
    return found is not None and found.end is not None


def decode_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object that ``body`` consists of; raise NotAnObjectError with a kind and a reason."""
    try:
        text = decode_text(body)
    except UnicodeDecodeError:
        raise NotAnObjectError("not json", "it is not text") from None
    if not text.strip():
        raise NotAnObjectError("empty", "it is empty")
    if text.lstrip().startswith("<"):
        raise NotAnObjectError("html", "it is an HTML page")
    found = shape(text)
    if found is None:
        raise NotAnObjectError("not json", "it is not a JSON object")
    if found.depth > MAX_DEPTH:
        raise NotAnObjectError("not json", "it is nested too deeply")
    if found.end is None:
        raise NotAnObjectError("truncated", "it is cut short")
    if text[found.end :].strip(" \t\r\n\0"):
        raise NotAnObjectError("trailing bytes", "more text follows the JSON object")
    return _parsed(text[: found.end])


def _parsed(text: str) -> dict[str, Any]:
    try:
        parsed = decoder().decode(text)
    except DuplicateKeyError:
        raise NotAnObjectError("not json", "a field occurs twice in it") from None
    except (ValueError, RecursionError):
        raise NotAnObjectError("not json", "it is not valid JSON") from None
    assert isinstance(parsed, dict)
    return parsed


class DuplicateKeyError(ValueError):
    """A field occurs twice in a JSON object: its readers could disagree about its value."""


def decoder() -> json.JSONDecoder:
    """Return a JSON decoder that refuses duplicate keys, long numbers, NaN and Infinity."""
    return json.JSONDecoder(
        object_pairs_hook=_unique, parse_int=_integer, parse_float=_float, parse_constant=_no_constant
    )


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise DuplicateKeyError
    return fields


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError("The number is too long.")
    return int(digits)


def _float(digits: str) -> float:
    if len(digits) > MAX_DIGITS:
        raise ValueError("The number is too long.")
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ValueError("The number is too large.")
    return value


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON.")
