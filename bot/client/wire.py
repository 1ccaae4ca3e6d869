"""Validate decoded replies: accept every form of the protocol, reject everything else with one sentence."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator

from bot.errors import ProtocolError
from bot.protocol import RESULTS, MoveReply, Stats

__all__ = ["BadReplyError", "MoveReply", "RefusedError", "Stats", "one_line", "parse_move_reply", "parse_stats"]


class BadReplyError(ProtocolError):
    """A reply that does not follow the protocol."""


class RefusedError(BadReplyError):
    """A refusal that follows the protocol: repeating the request would not help."""


def _text(value: str) -> str:
    """Return ``value``; raise ValueError if it holds half a surrogate pair, which cannot be written or printed."""
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise ValueError("must be valid Unicode")
    return value


Cell = Annotated[int, Field(ge=-1, le=1)]
Text = Annotated[str, AfterValidator(_text)]


class _MoveWire(BaseModel):
    """The JSON of /move. Strict: a number written as a string, or a truth value, is not a number."""

    model_config = ConfigDict(strict=True, extra="ignore")

    status: bool
    msg: Text | None = None
    botmove: Annotated[int, Field(ge=-1, le=6)] | None = None
    result: float | None = None
    state: list[list[Cell]] | None = None

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
    """Return 1.0 as 1, which are the same in JSON; return other values unchanged."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Count = Annotated[int, Field(ge=0, le=10**9)]


class _StatsWire(BaseModel):
    """The JSON of /stats; its ``status`` is null on success."""

    model_config = ConfigDict(extra="ignore")

    status: bool | None = None
    msg: Text | None = None
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
