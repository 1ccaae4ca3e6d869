"""The wire: what a reply may look like. Everything the protocol knows is accepted, all else refused in one sentence."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from bot.errors import ProtocolError
from bot.protocol import RESULTS, MoveReply, Stats

__all__ = ["BadReplyError", "MoveReply", "RefusedError", "Stats", "one_line", "parse_move_reply", "parse_stats"]


class BadReplyError(ProtocolError):
    """A reply that is none of the forms that the protocol knows."""


class RefusedError(BadReplyError):
    """The server says no, in a form that the protocol knows: asking again would not help."""


Cell = Annotated[int, Field(ge=-1, le=1)]


class _MoveWire(BaseModel):
    """The JSON of /move. Strict: a number written as a string is no number, a truth value is none either."""

    model_config = ConfigDict(strict=True, extra="ignore")

    status: bool
    msg: str | None = None
    botmove: Annotated[int, Field(ge=-1, le=6)] | None = None
    result: float | None = None
    state: list[list[Cell]] | None = None

    @field_validator("botmove", "state", mode="before")
    @classmethod
    def _whole_numbers(cls, value: Any) -> Any:
        """1.0 is a whole number in JSON, as it is in JavaScript; 1.5 is none."""
        if isinstance(value, list):
            return [cls._whole_numbers(entry) for entry in value]
        return int(value) if isinstance(value, float) and value.is_integer() else value

    @field_validator("result")
    @classmethod
    def _known_result(cls, value: float | None) -> float | None:
        if value is not None and value not in RESULTS:
            raise ValueError("is none of 0, 1, 0.5, -1 and -10")
        return value

    @field_validator("state")
    @classmethod
    def _six_by_seven(cls, value: list[list[int]] | None) -> list[list[int]] | None:
        if value is not None and (len(value) != 6 or any(len(row) != 7 for row in value)):
            raise ValueError("is not 6 rows of 7 cells")
        return value


Count = Annotated[int, Field(ge=0)]


class _StatsWire(BaseModel):
    """The JSON of /stats; its ``status`` is null on success."""

    model_config = ConfigDict(extra="ignore")

    status: bool | None = None
    msg: str | None = None
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
            raise ValueError("is no finite number")
        return value


def parse_move_reply(payload: object, latency_s: float = 0.0) -> MoveReply:
    """The reply in decoded JSON ``payload``; raises BadReplyError."""
    if not isinstance(payload, dict):
        raise _bad("/move", "it is no JSON object")
    try:
        wire = _MoveWire.model_validate(payload)
    except ValidationError as error:
        raise _bad("/move", _first_complaint(error)) from None
    state = None if wire.state is None else tuple(tuple(row) for row in wire.state)
    return MoveReply(wire.status, wire.msg, wire.botmove, wire.result, state, latency_s)


def parse_stats(payload: object) -> Stats:
    """The statistics in decoded JSON ``payload``; raises BadReplyError, RefusedError with its message if it refused."""
    if not isinstance(payload, dict):
        raise _bad("/stats", "it is no JSON object")
    if payload.get("status") is False:
        raise RefusedError(f"The server refuses to tell the statistics: {one_line(payload.get('msg'))}.")
    try:
        wire = _StatsWire.model_validate(payload)
    except ValidationError as error:
        raise _bad("/stats", _first_complaint(error)) from None
    return Stats(wire.played, wire.won, wire.lost, wire.streak, wire.streak_max, wire.total_reward)


def _bad(where: str, why: str) -> BadReplyError:
    return BadReplyError(
        f"The server's reply to {where} makes no sense: {why}.", "Check --server; the journal holds the game so far."
    )


def _first_complaint(error: ValidationError) -> str:
    detail = error.errors(include_input=False, include_url=False)[0]
    field = ".".join(str(part) for part in detail["loc"])
    return f"{field}: {detail['msg'].removeprefix('Value error, ')}"


def one_line(text: object) -> str:
    """A server's message, fit for a sentence: one line, bounded, no full stop of its own."""
    words = "".join(character if character.isprintable() else " " for character in str(text or "no reason given"))
    return " ".join(words.split())[:200].rstrip(".")
