"""Validate decoded replies: accept every form of the protocol, reject everything else with one sentence.

A value in another form whose meaning is certain is accepted too, since a client that calls such a reply lost plays
blindly.
"""

from __future__ import annotations

import json
import math
import re
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator

from bot.course.client.decode import printable
from bot.course.protocol import RESULTS, MoveReply, Stats
from bot.errors import ProtocolError

__all__ = ["BadReplyError", "MoveReply", "RefusedError", "Stats", "one_line", "parse_move_reply", "parse_stats"]


class BadReplyError(ProtocolError):
    """A reply that does not follow the protocol."""


class RefusedError(BadReplyError):
    """A refusal that follows the protocol: repeating the request would not help."""


_NUMBER = re.compile(r"-?[0-9]{1,3}(\.[0-9]{1,6})?")
_TRUTH = {1: True, 0: False, "true": True, "false": False}
"""Other forms of a truth value."""


def text_of(value: Any) -> str | None:
    """Return a server's message as text that can be written and printed; no value is refused, since none matters."""
    if value is None:
        return None
    return printable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


Cell = Annotated[int, Field(ge=-1, le=1)]
Text = Annotated[str | None, BeforeValidator(text_of)]


class _MoveWire(BaseModel):
    """The JSON of /move. Strict: a truth value is not a number."""

    model_config = ConfigDict(strict=True, extra="ignore")

    status: bool
    msg: Text = None
    botmove: Annotated[int, Field(ge=-1, le=6)] | None = None
    result: float | None = None
    state: list[list[Cell]] | None = None

    @model_validator(mode="before")
    @classmethod
    def _board_means_success(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields with status true where it is missing: a refusal shows no board and has no result."""
        is_success = fields.get("status") is None and None not in (fields.get("state"), fields.get("result"))
        return {**fields, "status": True} if is_success else fields

    @model_validator(mode="before")
    @classmethod
    def _board_shows_the_answer(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields without a ``botmove`` that is no column, such as a 7, if there is a board to show it."""
        column = _whole(fields.get("botmove"))
        is_column = type(column) is int and -1 <= column <= 6
        return fields if is_column or fields.get("state") is None else {**fields, "botmove": None}

    @field_validator("status", mode="before")
    @classmethod
    def _truth(cls, value: Any) -> Any:
        known = value.lower() if isinstance(value, str) else value
        return _TRUTH.get(known, value) if isinstance(known, (str, int)) else value

    @field_validator("botmove", mode="before")
    @classmethod
    def _whole_column(cls, value: Any) -> Any:
        return _whole(value)

    @field_validator("state", mode="before")
    @classmethod
    def _whole_cells(cls, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return [[_whole(cell) for cell in row] if isinstance(row, list) else row for row in value]

    @field_validator("result", mode="before")
    @classmethod
    def _known_result(cls, value: Any) -> Any:
        value = _whole(value)
        if isinstance(value, (int, float)) and value not in RESULTS:
            raise ValueError("must be 0, 1, 0.5, -1 or -10")
        return value

    @field_validator("state")
    @classmethod
    def _six_by_seven(cls, value: list[list[int]] | None) -> list[list[int]] | None:
        if value is not None and (len(value) != 6 or any(len(row) != 7 for row in value)):
            raise ValueError("must be 6 rows of 7 cells")
        return value


def _whole(value: Any) -> Any:
    """Return a number in a string as a number, and 1.0 as 1; return other values unchanged."""
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        value = float(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


Count = Annotated[int, Field(ge=0, le=10**9)]


class _StatsWire(BaseModel):
    """The JSON of /stats; its ``status`` is null on success."""

    model_config = ConfigDict(extra="ignore")

    status: bool | None = None
    msg: Text = None
    played: Count
    won: Count
    lost: Count
    streak: Count = 0
    streak_max: Count | None = None
    total_reward: float | None = None

    @field_validator("total_reward")
    @classmethod
    def _finite(cls, value: float | None) -> float | None:
        if value is not None and not math.isfinite(value):
            raise ValueError("must be a finite number")
        return value


def parse_move_reply(payload: object, latency_s: float = 0.0) -> MoveReply:
    """Return the reply in the decoded JSON ``payload``; raise BadReplyError."""
    if not isinstance(payload, dict):
        raise _bad("/move", "it is not a JSON object")
    try:
        wire = _MoveWire.model_validate(payload)
    except ValidationError as error:
        raise _bad("/move", _first_problem(error)) from None
    except (RecursionError, OverflowError):
        raise _bad("/move", "its values are out of range") from None
    state = None if wire.state is None else tuple(tuple(row) for row in wire.state)
    return MoveReply(
        status=wire.status,
        msg=wire.msg,
        botmove=wire.botmove,
        result=wire.result,
        state=state,
        latency_s=latency_s,
    )


def parse_stats(payload: object) -> Stats:
    """Return the statistics in the decoded JSON ``payload``; raise BadReplyError, RefusedError if refused."""
    if not isinstance(payload, dict):
        raise _bad("/stats", "it is not a JSON object")
    if payload.get("status") is False:
        raise RefusedError(f"The server refuses to show its statistics: {one_line(payload.get('msg'))}.")
    try:
        wire = _StatsWire.model_validate(payload)
    except ValidationError as error:
        raise _bad("/stats", _first_problem(error)) from None
    except (RecursionError, OverflowError):
        raise _bad("/stats", "its values are out of range") from None
    return Stats(
        played=wire.played,
        won=wire.won,
        lost=wire.lost,
        streak=wire.streak,
        streak_max=wire.streak_max,
        total_reward=wire.total_reward,
    )


def _bad(endpoint: str, reason: str) -> BadReplyError:
    return BadReplyError(
        f"The server's reply to {endpoint} does not follow the protocol: {reason}.",
        "Check the address given as --server; the journal keeps the game so far.",
    )


def _first_problem(error: ValidationError) -> str:
    detail = error.errors(include_input=False, include_url=False, include_context=False)[0]
    field = ".".join(str(part) for part in detail["loc"])
    return f"{field}: {one_line(detail['msg'].removeprefix('Value error, '))}"


def one_line(text: object) -> str:
    """Return a server's text in a form for messages: one line, at most 200 characters, no full stop at its end."""
    words = "".join(character if character.isprintable() else " " for character in str(text or "no reason given"))
    return " ".join(words.split())[:200].rstrip(".")
