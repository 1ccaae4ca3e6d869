"""Gaps in a game's records: requests that were sent and of which no outcome is recorded."""

from __future__ import annotations

from collections.abc import Sequence

from bot.course.journal.schema import Record

_OUTCOMES = ("reply", "reply_lost", "not_sent", "unconfirmed", "resumed")
"""What follows a sent request: its reply, its failure, or the next run, after this one was cut off."""


def after_gaps(records: Sequence[Record]) -> set[int]:
    """Return the indices of the intents before which the outcome of a sent request is missing.

    A run sends no request before it has recorded the outcome of the last one, so a record has been lost or removed.
    """
    found = set()
    is_open = False
    for index, record in enumerate(records):
        kind = record["kind"] if record["type"] == "event" else record["type"]
        if kind == "intent":
            if is_open:
                found.add(index)
            is_open = False
        elif kind == "sent":
            is_open = True
        elif kind in _OUTCOMES:
            is_open = False
    return found
