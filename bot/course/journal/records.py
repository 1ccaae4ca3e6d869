"""The records of a journal: the events of its run and the run's end, one JSON object a line with the field ``type``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

from bot.course.events import Event, GameEnded, LargeCount, Seconds

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True)
class RunEnded:
    """A process stops playing: the last record, unless the run is resumed.

    It repeats what the user was told: as a witness beside the games that follow from the records, and so that a list
    of runs need not read them.
    """

    reason: str
    """"finished", "interrupted" or "error"."""
    error: str = ""
    games: tuple[GameEnded, ...] = ()
    """The ends of all games of the journal, in order."""
    substituted_moves: LargeCount = 0
    """Moves of the journal that another agent had to choose."""
    at: Seconds = 0.0
    time: str = ""
    type: Literal["ended"] = "ended"


Record = Event | RunEnded
"""Everything that a run writes."""


@cache
def _records() -> TypeAdapter[Record]:
    """Return the reader and writer of records, made at its first use: that takes longer than to import this module."""
    from pydantic import Field, TypeAdapter

    return TypeAdapter(Annotated[Record, Field(discriminator="type")])


def as_line(record: Record, time: str) -> bytes:
    """Return ``record`` as a line of a journal; ``time`` is the wall-clock time, UTC, ISO 8601.

    Numbers of numpy, which an agent from outside may have put into a choice, become plain ones. Raises ValueError, as
    `parse_line` would, for a value that could not be read again.
    """
    timed = replace(record, time=time)
    content = _records().dump_json(timed, fallback=lambda value: value.tolist(), warnings=False)
    parse_line(content)
    return content + b"\n"


def parse_line(line: bytes) -> Record:
    """Return the record in a line of a journal.

    Raises ValueError with a clause such as "its field move is wrong" if the line is no record.
    """
    from pydantic import ValidationError

    try:
        return _records().validate_json(line)
    except ValidationError as error:
        raise ValueError(_reason(error.errors()[0])) from None


def _reason(problem: Any) -> str:
    """Return a clause about what is wrong with a record."""
    if problem["type"] == "json_invalid":
        return "it is not JSON"
    place = ".".join(map(str, problem["loc"][1:]))
    return f"its field {place} is wrong" if place else "it is not a record of this edition"
