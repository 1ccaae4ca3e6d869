"""Recover a reply that was cut short. Pure: no HTTP here.

Every field of a JSON object that ends before the cut is as reliable as in the whole reply. A partial reply with
``"status": true`` proves that the request was processed; the result and the bot's column determine the board. A body
that is damaged in another way (see bot.course.client.decode) is not a partial reply: nothing in it is used.
"""

from __future__ import annotations

from typing import Any

from bot.course.client.decode import MAX_DEPTH, NotAnObjectError, decode_object, decode_text, decoder, shape
from bot.course.client.wire import BadReplyError, MoveReply, parse_move_reply

_MAX_TEXT = 4096
"""Maximum length of a partial reply that is examined, characters."""


def complete_fields(body: bytes) -> dict[str, Any]:
    """Return the fields of a JSON object that are complete in its beginning ``body``; {} if it is not a beginning."""
    try:
        text = decode_text(body, is_cut=True).lstrip()
    except UnicodeDecodeError:
        return {}
    found = shape(text)
    if len(text) > _MAX_TEXT or found is None or found.end is not None or found.depth > MAX_DEPTH:
        return {}
    fields: dict[str, Any] = {}
    position = 1
    while True:
        field = _field(text, position)
        if field is None:
            return fields
        name, value, position = field
        if name in fields:
            return {}
        fields[name] = value


def _field(text: str, position: int) -> tuple[str, Any, int] | None:
    """Return a field's name, its value and the position after its comma; None if it is not complete."""
    try:
        name, position = decoder().raw_decode(text, _skip(text, position))
        position = _skip(text, position)
        if not isinstance(name, str) or text[position] != ":":
            return None
        value, position = decoder().raw_decode(text, _skip(text, position + 1))
    except (ValueError, IndexError, RecursionError):
        return None
    position = _skip(text, position)
    if position == len(text):  # more digits could follow a number; a string or a list ends with its own mark
        return (name, value, position) if isinstance(value, (str, list, dict)) else None
    return (name, value, position + 1) if text[position] == "," else None


def _skip(text: str, position: int) -> int:
    """Return the position of the next character that is not white space."""
    return len(text) - len(text[position:].lstrip(" \t\r\n"))


def was_processed(body: bytes) -> bool:
    """Return whether a partial reply proves that the server processed the request."""
    return complete_fields(body).get("status") is True


def recover(body: bytes) -> MoveReply | None:
    """Return the reply if its beginning determines the position: by the board, or by the bot's column and the result.

    A reply without the board is the same as in the January 2021 dialect.
    """
    fields = complete_fields(body)
    if fields.get("status") is not True or fields.get("result") is None:
        return None
    try:
        reply = parse_move_reply(fields)
    except BadReplyError:
        return None
    return reply if reply.state is not None or reply.botmove is not None else None


def complete(body: bytes) -> MoveReply | None:
    """Return the whole reply if it is one of success with a board, whatever the HTTP status that a proxy gave it."""
    try:
        reply = parse_move_reply(decode_object(body))
    except (NotAnObjectError, BadReplyError):
        return None
    return reply if reply.status and reply.state is not None else None
