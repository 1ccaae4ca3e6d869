"""What a reply that was cut short still tells. Pure: no HTTP here.

The fields of a JSON object come one after another, so whatever stands before the cut is as good as in a whole reply. A
reply that says ``"status": true`` proves that the request was processed, and with the bot's column the board follows.
"""

from __future__ import annotations

import json
from typing import Any

from bot.client.wire import BadReplyError, MoveReply, parse_move_reply


def whole_fields(fragment: bytes) -> dict[str, Any]:
    """The fields of a JSON object that stand whole in its beginning ``fragment``; {} where none do."""
    text = fragment.decode("utf-8", errors="replace")[:4096].rstrip()
    if not text.startswith("{"):
        return {}
    ends = [index for index, character in enumerate(text) if character == ","]
    for end in [len(text)] * text.endswith(("]", '"')) + ends[::-1]:
        try:
            fields = json.loads(text[:end] + "}")
        except ValueError:
            continue
        return fields if isinstance(fields, dict) else {}
    return {}


def was_processed(fragment: bytes) -> bool:
    """Whether the beginning of the reply proves that the server took the move."""
    return whole_fields(fragment).get("status") is True


def salvage(fragment: bytes) -> MoveReply | None:
    """The reply, if its beginning tells the rest: the board, or the bot's column with which the game goes on.

    The reply then has no board of its own, as in the January 2021 dialect.
    """
    fields = whole_fields(fragment)
    if fields.get("status") is not True:
        return None
    try:
        reply = parse_move_reply(fields)
    except BadReplyError:
        return None
    tells_all = reply.state is not None and reply.result is not None
    return reply if tells_all or (reply.botmove is not None and reply.result is not None) else None
