"""The journal's records: one JSON object a line, one file a run.

Every record has ``type`` and ``time`` (UTC, milliseconds; for people only, since clocks jump: order is the order of
lines, and of file names, which begin with a running number). Unknown types and fields are ignored by readers.

| type | when | fields |
|---|---|---|
| ``run`` | first line | ``schema`` 1, ``run``, ``server`` (its lasting name), ``url``, ``stil_ids``, ``engine``, ``limit_s``, ``think_s``, ``games``, ``goal``, ``versions`` |
| ``intent`` | before every POST to /move, fsynced | ``game`` (1, 2, ...), ``move`` (-1 opens a game, else 0..6), ``ply``; for moves ``score``, ``proven``, ``depth``, ``nodes``, ``pv``, ``seconds``, ``source``, ``move_s`` (since the last reply arrived), ``late`` where it was sent after the limit; where several worlds were possible, ``worlds`` (how many) and ``safe`` |
| ``reply`` | after every reply | ``game``, ``status``, ``msg``, ``botmove``, ``result``, ``state`` (6 x 7, row 0 on top, 1 ours; null where the server sent none), ``latency_s`` (the round trip), ``wait_s`` (from the request's departure to the reply's first byte) |
| ``event`` | something unusual | ``game``, ``kind``, ``text`` and what belongs to the kind |
| ``game_end`` | a game is over | ``game``, ``result`` (1, 0.5, -1, -10; 0: the server lost the game, nobody counts it), ``outcome``, ``moves`` (columns 1-7), ``we_started``, ``slowest_move_s``, ``known_by`` ("reply", "stats", "abandoned" or "forgotten") |
| ``run_end`` | last line of an orderly run | ``played``, ``won``, ``drawn``, ``lost``, ``reason`` ("finished", "interrupted", "error"), ``error`` |

Kinds of events that a reader relies on: ``books`` (``played``, ``won``, ``lost`` before the game is opened), ``unknown``
(a request of unknown fate; ``odds`` that it was processed, ``wait_s``: how soon after its departure it failed), ``departed`` (the request is about to leave; not fsynced), ``not_processed`` (the last intent provably did nothing), ``resolved`` (which world was true;
``processed`` and ``wait_s``), ``no_safe_column``, ``silent_start`` (the game before ended unseen and a move without a game opened this one, in which ``moves`` had been
played when ``move`` got its reply: ``botmove``, ``state``, ``result``; ``ended``: the games before, as in game_end),
``carried_over`` (the same, but ``move`` got no reply and may have opened this game), ``contradiction`` (the reply before
is left aside: its board contradicts ours), ``adopted`` (the game goes on from ``state``, whatever went before),
``forgotten`` (the server lost the game), ``resumed``. A run that is taken up again goes on in the same file.

The API key is in none of them.
"""  # noqa: E501 - a table

from __future__ import annotations

import math
from typing import Any

SCHEMA = 1
SESSION_SCHEMA = 2
"""Version of the journals that `bot.session` leads to: other kinds of events."""

Record = dict[str, Any]

REQUIRED: dict[str, tuple[tuple[str, tuple[type, ...]], ...]] = {
    "run": (("schema", (int,)), ("server", (str,)), ("stil_ids", (list,))),
    "intent": (("game", (int,)), ("move", (int,))),
    "reply": (("game", (int,)),),
    "event": (("kind", (str,)),),
    "game_end": (("game", (int,)), ("result", (int, float))),
    "run_end": (("reason", (str,)),),
}
"""What a reader relies on, by record type: field names and their JSON types."""


def complaint(record: object) -> str | None:
    """Why ``record`` is no journal record, in a few words; None when it is one (or of a type from the future)."""
    if not isinstance(record, dict) or not isinstance(record.get("type"), str):
        return "it is no record"
    kind = record["type"]
    for name, kinds in REQUIRED.get(kind, ()):
        value = record.get(name)
        if not isinstance(value, kinds) or isinstance(value, bool):
            return f"its field {name!r} is missing or of the wrong kind"
    if kind == "run" and record["schema"] > SESSION_SCHEMA:
        return f"it is of schema {record['schema']}, this program knows up to {SESSION_SCHEMA}"
    if kind == "intent" and not -1 <= record["move"] <= 6:
        return f"its move {record['move']} is none of -1 to 6"
    if kind == "game_end" and not math.isfinite(record["result"]):
        return "its result is no number"
    return None


def outcome_of(result: float) -> str:
    """A result in a word: won, drawn, lost or illegal; void for 0, a game that the server lost."""
    if result > 0:
        return "won" if result == 1 else "drawn"
    if result == 0:
        return "void"
    return "illegal" if result == -10 else "lost"
