"""The records of a journal: the events of its run and the run's end, one JSON object a line with the field ``type``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

from bot.course.session.commands import GameEnded
from bot.course.session.events import Column, Event, GameNumber, LargeCount, Seconds

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


@dataclass(frozen=True, slots=True)
class OldEnd:
    """The end of a game in a journal of the third edition, which recorded it beside the facts. It is only read."""

    game: GameNumber
    result: float
    known_by: str
    moves: tuple[Column, ...] = ()
    we_started: bool | None = None
    at: Seconds = 0.0
    time: str = ""
    type: Literal["game_end"] = "game_end"

    @property
    def end(self) -> GameEnded:
        """The game's end as the session tells it."""
        return GameEnded(self.game, self.result, self.known_by, self.moves, self.we_started, self.at)


Record = Event | RunEnded
"""Everything that a run writes."""

OLD_TYPES = {"run": "started", "intent": "chosen", "reply": "replied", "statistics": "counted", "run_end": "ended"}
"""Types of records in journals of the third edition, schema 3, and their names today; other names are the same."""
_LEFT_OUT = ("note", "waited")
"""Types of records in those journals that held no fact."""


@cache
def _records() -> TypeAdapter[Record | OldEnd]:
    """Return the reader and writer of records, made at its first use: that takes longer than to import this module."""
    from pydantic import Field, TypeAdapter

    return TypeAdapter(Annotated[Record | OldEnd, Field(discriminator="type")])


def as_line(record: Record, time: str) -> bytes:
    """Return ``record`` as a line of a journal; ``time`` is the wall-clock time, UTC, ISO 8601.

    Numbers of numpy, which an agent from outside may have put into a choice, become plain ones. Raises ValueError, as
    `parse_line` would, for a value that could not be read again.
    """
    timed = replace(record, time=time)
    content = _records().dump_json(timed, fallback=lambda value: value.tolist(), warnings=False)
    parse_line(content)
    return content + b"\n"


def parse_line(line: bytes) -> Record | OldEnd | None:
    """Return the record in a line of a journal; None for a line of an old journal that holds no fact.

    Raises ValueError with a clause such as "its field move is wrong" if the line is no record.
    """
    from pydantic import ValidationError

    try:
        return _records().validate_json(line)
    except ValidationError as error:
        problem: Any = error.errors()[0]
    if problem["type"] == "union_tag_invalid":  # pydantic quotes the type that it does not know
        tag = problem["ctx"]["tag"].strip("'")
        if tag in (*OLD_TYPES, *_LEFT_OUT):
            return _parse_old(line)
    raise ValueError(_reason(problem)) from None


def _parse_old(line: bytes) -> Record | OldEnd | None:
    from pydantic import ValidationError
    from pydantic_core import from_json

    fields = from_json(line)
    if fields["type"] in _LEFT_OUT:
        return None
    fields["type"] = OLD_TYPES[fields["type"]]
    try:
        return _records().validate_python(fields)
    except ValidationError as error:
        problem = error.errors()[0]
    raise ValueError(_reason(problem)) from None


def _reason(problem: Any) -> str:
    """Return a clause about what is wrong with a record."""
    if problem["type"] == "json_invalid":
        return "it is not JSON"
    place = ".".join(map(str, problem["loc"][1:]))
    return f"its field {place} is wrong" if place else "it is not a record of this edition"
