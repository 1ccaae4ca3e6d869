"""The journal's record types and fields, and the translation of older journals. README.md describes each of them.

Schema 2 only renames events and fields of schema 1: the reader translates them, and no other code uses names of schema
1. These names are not used again, so translating a record twice is harmless: a journal may begin with schema 1 and
continue with schema 2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.course.journal.grid import as_grid

SCHEMA = 2

Record = dict[str, Any]

KINDS_OF_SCHEMA_1 = {
    "books": "statistics",
    "unknown": "reply_lost",
    "departed": "sent",
    "not_processed": "not_sent",
    "contradiction": "conflicting_reply",
    "adopted": "resynchronised",
    "forgotten": "server_reset",
    "carried_over": "unconfirmed",
    "resolved": "reconciled",
}
"""Event kinds that schema 2 has renamed."""
FIELDS_OF_SCHEMA_1 = {"wait_s": "first_byte_s", "odds": "delivered", "worlds": "hypotheses"}
"""Fields of intents, replies and events that schema 2 has renamed."""
KNOWN_BY_OF_SCHEMA_1 = {"stats": "statistics", "forgotten": "server_reset"}
"""Values of ``known_by`` that schema 2 has renamed."""


def translated(record: Record) -> Record:
    """Return a record of schema 1 with the names of schema 2; a record of schema 2 is returned unchanged."""
    kind = record.get("type")
    if kind == "game_end":
        return _known_by(record)
    if kind not in ("intent", "reply", "event"):
        return record
    renamed = {FIELDS_OF_SCHEMA_1.get(name, name): value for name, value in record.items()}
    if kind == "event":
        if isinstance(renamed.get("kind"), str):
            renamed["kind"] = KINDS_OF_SCHEMA_1.get(renamed["kind"], renamed["kind"])
        if isinstance(renamed.get("ended"), list):
            renamed["ended"] = [_known_by(end) if isinstance(end, dict) else end for end in renamed["ended"]]
    return renamed


def _known_by(record: Record) -> Record:
    known_by = record.get("known_by")
    if not _text(known_by) or known_by not in KNOWN_BY_OF_SCHEMA_1:
        return record
    return {**record, "known_by": KNOWN_BY_OF_SCHEMA_1[known_by]}


def outcome_of(result: float) -> str:
    """Return a result as a word: won, drawn, lost, illegal, or void (0: the server lost the game)."""
    if result > 0:
        return "won" if result == 1 else "drawn"
    if result == 0:
        return "void"
    return "illegal" if result == -10 else "lost"


# Types.

_LARGEST = 1e15
"""Largest number that a field may hold; larger ones are damage."""


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -_LARGEST <= value <= _LARGEST


def _duration(value: Any) -> bool:
    return _number(value) and value >= 0


def _probability(value: Any) -> bool:
    return _number(value) and 0 <= value <= 1


def _whole(low: int, high: int = int(_LARGEST)) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and low <= value <= high


def _list_of(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(check(entry) for entry in value)


def _grid(value: Any) -> bool:
    return as_grid(value) is not None


def _ends(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(end, dict) and complaint({**end, "type": "game_end"}) is None for end in value
    )


@dataclass(frozen=True, slots=True)
class Field:
    """The type of a record's field."""

    check: Callable[[Any], bool]
    is_required: bool = False
    """Required fields are present and not null; others may be absent or null."""


_REQUIRED_GAME = Field(_whole(1), True)
_MOVE = _whole(-1, 6)
_COUNTS = {name: Field(_whole(0)) for name in ("played", "won", "drawn", "lost", "streak")}

FIELDS: dict[str, dict[str, Field]] = {
    "run": {
        "schema": Field(_whole(1), True),
        "server": Field(_text, True),
        "stil_ids": Field(_list_of(_text), True),
        "games": Field(_whole(0)),
    },
    "intent": {
        "game": _REQUIRED_GAME,
        "move": Field(_MOVE, True),
        "ply": Field(_whole(0, 42)),
        "score": Field(_number),
        "pv": Field(_list_of(_whole(0, 6))),
        "source": Field(_text),
        **dict.fromkeys(("depth", "nodes", "hypotheses"), Field(_whole(0))),
        **dict.fromkeys(("seconds", "move_s"), Field(_duration)),
        "at": Field(_number),
        **dict.fromkeys(("proven", "late", "safe"), Field(_flag)),
    },
    "reply": {
        "game": _REQUIRED_GAME,
        "status": Field(_flag),
        "msg": Field(_text),
        "botmove": Field(_MOVE),
        "result": Field(_number),
        "state": Field(_grid),
        **dict.fromkeys(("latency_s", "first_byte_s", "body_s"), Field(_duration)),
        "at": Field(_number),
    },
    "event": {
        "kind": Field(_text, True),
        "game": Field(_whole(0)),
        "text": Field(_text),
        "move": Field(_MOVE),
        "botmove": Field(_MOVE),
        "state": Field(_grid),
        "result": Field(_number),
        "moves": Field(_text),
        "ended": Field(_ends),
        "delivered": Field(_probability),
        "at": Field(_number),
        **dict.fromkeys(("first_byte_s", "retry_after_s"), Field(_duration)),
        **dict.fromkeys(("hypotheses", "games"), Field(_whole(0))),
        "total_reward": Field(_number),
        **dict.fromkeys(("processed", "killed"), Field(_flag)),
        **dict.fromkeys(("failure", "fate", "engine", "url"), Field(_text)),
        **_COUNTS,
    },
    "game_end": {
        "game": _REQUIRED_GAME,
        "result": Field(_number, True),
        **dict.fromkeys(("outcome", "moves", "known_by"), Field(_text)),
        "we_started": Field(_flag),
        "slowest_move_s": Field(_duration),
        "at": Field(_number),
    },
    "run_end": {"reason": Field(_text, True), "error": Field(_text), **_COUNTS},
}
"""Every field that a reader relies on, by record type; other types and fields are not checked. Other fields of a header
are only shown to people, so a wrong one must not hide the run.
"""

REQUIRED_OF_EVENT: dict[str, tuple[str, ...]] = {
    "silent_start": ("move",),
    "unconfirmed": ("move",),
    "resynchronised": ("state",),
}
"""Required fields by kind of event."""


def complaint(record: object) -> str | None:
    """Return in a clause why ``record`` is not a journal record; None if it is one, or has an unknown type."""
    if not isinstance(record, dict) or not isinstance(record.get("type"), str):
        return "it is not a JSON object with a type"
    fields = FIELDS.get(record["type"])
    if fields is None:
        return None
    for name, field in fields.items():
        value = record.get(name)
        if value is None:
            if field.is_required:
                return f"its field {name!r} is missing"
        elif not field.check(value):
            return f"its field {name!r} has a wrong value"
    if record["type"] == "event":
        needed = REQUIRED_OF_EVENT.get(record["kind"], ())
        if record["kind"] == "statistics" and record.get("played") is not None:
            needed = ("won", "lost")
        missing = next((name for name in needed if record.get(name) is None), None)
        return None if missing is None else f"its field {missing!r} is missing"
    return None
