"""Read the bodies of replies: accept every form of the protocol, reject everything else with one sentence.

A value in another form whose meaning is certain is accepted too, since a client that calls such a reply lost plays
blindly. For the same reason the content type does not matter, only whether the body is a JSON object and nothing else;
and a reply that was cut short is recovered if its beginning determines the position. Pure: no HTTP here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from bot.course.protocol import MoveReply, Stats
from bot.errors import one_line

T = TypeVar("T")

_PROBLEMS = (
    ("EOF", "truncated", "it is cut short"),
    ("trailing characters", "trailing bytes", "more text follows the JSON object"),
)
"""How the parser's message begins, the kind, and the reason."""
MOVE_FIELDS = ("msg", "status", "result", "botmove", "state")
"""Fields of a reply to /move."""
_MOVE_REPLY, _STATS = TypeAdapter(MoveReply), TypeAdapter(Stats)


class UnreadableError(ValueError):
    """The body is not a reply of the protocol. ``kind`` is one of the kinds of `bot.course.failures`."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


def _text(body: bytes) -> str:
    """Return the body as text; bytes of another encoding are replaced, since only messages have any."""
    return body.decode("utf-8-sig", "replace").strip(" \t\r\n\0")


def decode_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object that ``body`` consists of; raise UnreadableError."""
    text = _text(body)
    if not text:
        raise UnreadableError("empty", "it is empty")
    if text.startswith("<"):
        raise UnreadableError("html", "it is an HTML page")
    try:
        found = from_json(text)
    except ValueError as error:
        for beginning, kind, reason in _PROBLEMS:
            if str(error).startswith(beginning) and text.startswith("{"):
                raise UnreadableError(kind, reason) from None
        raise UnreadableError("not json", "it is not valid JSON") from None
    if not isinstance(found, dict):
        raise UnreadableError("not json", "it is not a JSON object")
    return found


def complete_fields(body: bytes) -> dict[str, Any]:
    """Return the fields of a JSON object that are complete in its beginning ``body``; {} if it is not a beginning.

    Such a field is as reliable as in the whole object. The text behind the last comma is left out: it may be the
    beginning of a longer number. A list or an object at the end may lack elements.
    """
    try:
        fields = from_json(_text(body).rpartition(",")[0], allow_partial=True)
    except ValueError:
        return {}
    if not isinstance(fields, dict):
        return {}
    if fields and isinstance(list(fields.values())[-1], (list, dict)):
        fields.popitem()
    return fields


def recover_move_reply(body: bytes) -> MoveReply | None:
    """Return the reply if its beginning determines the position: by the board, or by the bot's column and the result.

    A reply without the board is the same as in the January 2021 dialect.
    """
    fields = complete_fields(body)
    if fields.get("status") is not True or fields.get("result") is None:
        return None
    with suppress(UnreadableError):
        reply = parse_move_reply(fields)
        if reply.state is not None or reply.botmove is not None:
            return replace(reply, is_whole=False)
    return None


def parse_move_reply(fields: Mapping[str, Any]) -> MoveReply:
    """Return the reply to /move in the fields of its JSON object; raise UnreadableError."""
    reply = {name: fields.get(name) for name in MOVE_FIELDS}
    if reply["status"] is None and None not in (reply["result"], reply["state"]):
        reply["status"] = True  # a refusal shows no board and has no result
    if reply["state"] is not None and reply["botmove"] not in range(-1, 7):
        reply["botmove"] = None  # the board shows the bot's column
    if reply["msg"] is not None and not isinstance(reply["msg"], str):
        reply["msg"] = json.dumps(reply["msg"], ensure_ascii=False)  # no message is refused, since none matters
    return _validated(_MOVE_REPLY, reply)


def parse_stats(fields: Mapping[str, Any]) -> Stats:
    """Return the statistics in the fields of their JSON object; raise UnreadableError, of kind "refused" if refused."""
    if fields.get("status") is False:
        raise UnreadableError("refused", one_line(fields.get("msg")))
    names = ("played", "won", "lost", "streak", "streak_max", "total_reward")
    return _validated(_STATS, {"streak": 0, **{name: fields[name] for name in names if name in fields}})


def _validated(kind: TypeAdapter[T], fields: dict[str, Any]) -> T:
    """Return the value of ``fields``; a number may be in a string, 1.0 is 1, and 1 is true."""
    try:
        return kind.validate_python(fields)
    except ValidationError as error:
        field = ".".join(map(str, error.errors()[0]["loc"]))
        raise UnreadableError("bad reply", f"its field {field} has no value of the protocol") from None
