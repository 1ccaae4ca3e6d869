"""What the server means by ``"status": false``."""

from __future__ import annotations

import re
from enum import Enum

from bot.client.http import NEW_GAME, RejectedError
from bot.client.wire import MoveReply, one_line
from bot.errors import ProtocolError

_NO_GAME = re.compile(r"\bno\b.*\bgame\b|\bgame\b.*\b(over|ended|finished|not|no)\b|\bnot\b.*\bgame\b", re.IGNORECASE)


class Refusal(Enum):
    """Why; UNKNOWN where the message is none that is known."""

    KEY = "the key is wrong"
    ILLEGAL = "the move is impossible"
    NO_GAME = "no game is running"
    UNKNOWN = "who knows"


def refusal_of(move: int, reply: MoveReply, may_be_idle: bool) -> Refusal:
    """Which refusal ``reply`` to ``move`` is; ``may_be_idle`` says that no game may be running for all we know."""
    reason = (reply.msg or "").lower()
    if "key" in reason:
        return Refusal.KEY
    if move != NEW_GAME and (may_be_idle or _NO_GAME.search(reason)):
        return Refusal.NO_GAME
    return Refusal.ILLEGAL if move != NEW_GAME and "impossible" in reason else Refusal.UNKNOWN


def refused(move: int, reply: MoveReply) -> ProtocolError:
    """The refusal in a sentence."""
    reason = one_line(reply.msg)
    if "key" in reason.lower():
        return RejectedError(f"The server refuses us: {reason}.", "Check --api-key.")
    return ProtocolError(
        f"The server refuses {'a new game' if move == NEW_GAME else 'our move'}: {reason}.",
        "The game is kept: run the same command again to take it up.",
    )
