"""The journal's records: one JSON object a line, one file a run.

Every record has ``type`` and ``time`` (UTC, milliseconds); unknown types and fields are ignored by readers.

| type | when | fields |
|---|---|---|
| ``run`` | first line | ``schema`` 1, ``run``, ``server`` (its lasting name), ``url``, ``stil_ids``, ``engine``, ``limit_s``, ``think_s``, ``games``, ``goal``, ``versions`` |
| ``intent`` | before every POST to /move, fsynced | ``game`` (1, 2, ...), ``move`` (-1 opens a game, else 0..6), ``ply``; for moves ``score``, ``proven``, ``depth``, ``nodes``, ``pv``, ``seconds``, ``source``, ``move_s`` |
| ``reply`` | after every reply | ``game``, ``status``, ``msg``, ``botmove``, ``result``, ``state`` (6 x 7, row 0 on top, 1 ours), ``latency_s`` |
| ``event`` | something unusual | ``game``, ``kind``, ``text`` and what belongs to the kind |
| ``game_end`` | a game is over | ``game``, ``result`` (1, 0.5, -1, -10), ``outcome``, ``moves`` (columns 1-7), ``we_started``, ``slowest_move_s``, ``known_by`` ("reply", "stats" or "abandoned") |
| ``run_end`` | last line of an orderly run | ``played``, ``won``, ``drawn``, ``lost``, ``reason`` ("finished", "interrupted", "error"), ``error`` |

The API key is in none of them.
"""  # noqa: E501 - a table

from __future__ import annotations

from typing import Any

SCHEMA = 1

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
    for name, kinds in REQUIRED.get(record["type"], ()):
        value = record.get(name)
        if not isinstance(value, kinds) or isinstance(value, bool):
            return f"its field {name!r} is missing or of the wrong kind"
    if record["type"] == "run" and record["schema"] > SCHEMA:
        return f"it is of schema {record['schema']}, this program knows up to {SCHEMA}"
    return None


def outcome_of(result: float) -> str:
    """A result in a word: won, drawn, lost or illegal."""
    if result > 0:
        return "won" if result == 1 else "drawn"
    return "illegal" if result == -10 else "lost"
