"""What happens in a run, as values: every event of a session is also its record in the journal.

`step` (`bot.course.session.machine`) turns an event into a new session, which holds its news, and a command. The caller
performs the command and passes its outcome as the next event. Events, news and the run's end are written to the journal
as they are, one JSON object a line with the field ``type`` (`as_line`), and read back with all their fields checked
(`parse_line`). So a run is resumed, shown and verified by passing its records through `step` again.

``at`` is the time in seconds on any monotonic clock of the run; only differences matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Annotated, Literal

from annotated_types import Ge, Interval, Le

from bot.course.protocol import Dialect, MoveReply, Stats

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from bot.course.session.belief import Belief

SCHEMA = 3
"""Version of the journal's records; journals of earlier editions are not read."""

Seconds = Annotated[float, Interval(ge=-1e9, le=1e9)]
Game = Annotated[int, Interval(ge=0, le=10**9)]
"""The number of a game in its journal, from 1; 0 before the first."""
Move = Annotated[int, Interval(ge=-1, le=6)]
"""-1 for a new game, else a column 0..6."""
Column = Annotated[int, Interval(ge=0, le=6)]
Count = Annotated[int, Interval(ge=0, le=10**15)]
Probability = Annotated[float, Interval(ge=0, le=1)]
Wait_s = Annotated[float, Interval(ge=0, le=1e9)]


class Delivery(str, Enum):
    """Whether a request without a usable reply was delivered, as far as that is certain."""

    NOT_SENT = "not sent"
    """It was not sent: sending it again is harmless."""
    REJECTED = "rejected"
    """It was certainly not processed (form, method, certificate, proxy or address): sending it again cannot help."""
    UNKNOWN = "unknown"
    """It may or may not have been processed."""


# Events


@dataclass(frozen=True, slots=True)
class Started:
    """A process starts to play: the first record of a journal, and one more each time its game is resumed."""

    at: Seconds
    games: Count = 1
    """Games to finish before the session stops."""
    game: Game = 0
    """The game that is resumed; 0 in a new journal."""
    limit_s: Wait_s = 5.0
    """The server's time limit for a move, seconds."""
    patience_s: Wait_s = 30.0
    """Seconds without any usable reply after which the session stops; the game can be resumed."""
    careful: bool = False
    """Whether the session stops at the first game without an honest end."""
    is_damaged: bool = False
    """Whether lines of the resumed journal cannot be read: a board that contradicts them is then accepted at once."""
    server: str = ""
    """The server's address without a changing port: "embedded" for the embedded one."""
    url: str = ""
    stil_ids: tuple[str, ...] = ()
    engine: str = ""
    think_s: Wait_s = 0.0
    goal: Count = 20
    dialect: Dialect | None = "current"
    """What was known of the server's dialect; None if nothing. Earlier editions took it for the current one."""
    column_opens: bool = False
    """Whether a column has opened a game at this server before."""
    deliveries: Mapping[str, tuple[Count, Count]] = field(default_factory=dict)
    """What earlier runs have learnt of lost replies; see `bot.course.session.answers.Deliveries`."""
    is_giving_up: bool = False
    """Whether the first game is opened by -1 in any dialect, to give up one that is running."""
    versions: Mapping[str, str] = field(default_factory=dict, compare=False)
    schema: Annotated[int, Ge(SCHEMA), Le(SCHEMA)] = SCHEMA
    time: str = ""
    type: Literal["run"] = "run"


@dataclass(frozen=True, slots=True)
class Chosen:
    """The answer to Open or Choose: ``move`` is on the disk and about to be sent."""

    at: Seconds
    move: Move
    game: Game = 0
    ply: Annotated[int, Interval(ge=0, le=42)] = 0
    score: float | None = None
    proven: bool = False
    depth: Count | None = None
    nodes: Count | None = None
    pv: tuple[Column, ...] = ()
    """The principal variation, columns 0..6."""
    seconds: Wait_s = 0.0
    """Time of the choice."""
    source: str = ""
    """Method that found the column: those of `bot.engine.agent.Decision`, "plan" (of columns of the same outcome, the
    one whose lost reply costs least), or "hypotheses" (several boards were possible after a lost reply)."""
    move_s: Wait_s = 0.0
    """Seconds since the first byte of the last reply."""
    late: bool = False
    """Whether the move probably arrives after the time limit."""
    hypotheses: Count = 1
    """Number of hypotheses that the column had to serve."""
    safe: bool = True
    """Whether it is a best column in every one of them."""
    saved: Probability | None = None
    """Probability of not losing over all hypotheses."""
    note: str = ""
    """A sentence for the user where another agent had to choose."""
    time: str = ""
    type: Literal["intent"] = "intent"


@dataclass(frozen=True, slots=True)
class Sent:
    """The first byte of the request is being sent. The reply or failure follows, and no command is due."""

    at: Seconds
    game: Game = 0
    time: str = ""
    type: Literal["sent"] = "sent"


@dataclass(frozen=True, slots=True)
class Replied:
    """A reply to /move."""

    at: Seconds
    reply: MoveReply
    game: Game = 0
    first_byte_s: Wait_s | None = None
    """Seconds from just before the request is written to the reply's first byte; None where not measured."""
    body_s: Wait_s = 0.0
    """Seconds from the reply's first byte to its end. The server's move clock runs from the first byte."""
    time: str = ""
    type: Literal["reply"] = "reply"


@dataclass(frozen=True, slots=True)
class Failed:
    """A request to /move without a usable reply."""

    at: Seconds
    delivery: Delivery
    message: str
    """A sentence: what happened."""
    hint: str = ""
    """A sentence: what to do next."""
    kind: str = ""
    """How it failed, as a short stable name: "reset", "timeout", "http 502"."""
    delivered: Probability | None = None
    """Probability that the server processed the request, if the failure itself shows it: 1 after a partial reply."""
    game: Game = 0
    time: str = ""
    type: Literal["failed"] = "failed"


@dataclass(frozen=True, slots=True)
class Counted:
    """The answer to ReadStatistics."""

    at: Seconds
    stats: Stats | None
    """None if they could not be read, or the server keeps none: ``kind``, ``message`` and ``hint`` then say why, as in
    `Failed`; the kind is "not sent" if no request could leave."""
    kind: str = ""
    message: str = ""
    hint: str = ""
    game: Game = 0
    time: str = ""
    type: Literal["statistics"] = "statistics"


@dataclass(frozen=True, slots=True)
class Waited:
    """The answer to Wait."""

    at: Seconds
    game: Game = 0
    time: str = ""
    type: Literal["waited"] = "waited"


Event = Started | Chosen | Sent | Replied | Failed | Counted | Waited

# News: what a step found out, for the journal and the user


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game is over."""

    game: Game
    result: float
    """One of the server's results; 0 if the game ended without one, which then counts for neither side."""
    known_by: str
    """"reply": a reply shows it. "statistics": the server's counts rose accordingly. "inferred": no other hypothesis
    fits. "unknown": the statistics do not show it. "server_reset": the server no longer has the game. "abandoned": the
    user gave it up."""
    moves: tuple[Column, ...] = ()
    """Columns 0..6 in the order of play, if all of them are known."""
    we_started: bool | None = None
    at: Seconds = 0.0
    time: str = ""
    type: Literal["game_end"] = "game_end"


@dataclass(frozen=True, slots=True)
class Note:
    """Something unusual; ``kind`` is a stable name for it."""

    kind: str
    text: str
    """A sentence for the user."""
    quiet: bool = False
    """Whether only the journal gets it."""
    game: Game = 0
    at: Seconds = 0.0
    time: str = ""
    type: Literal["note"] = "note"


News = GameEnded | Note

# The end of a run


@dataclass(frozen=True, slots=True)
class RunEnded:
    """A process stops playing: the last record, unless the run is resumed."""

    reason: str
    """"finished", "interrupted" or "error"."""
    error: str = ""
    at: Seconds = 0.0
    time: str = ""
    type: Literal["run_end"] = "run_end"


Record = Event | GameEnded | Note | RunEnded
"""Everything that a journal holds."""


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
    content = _records().dump_json(replace(record, time=time), fallback=lambda value: value.tolist(), warnings=False)
    parse_line(content)
    return content + b"\n"


def parse_line(line: bytes) -> Record:
    """Return the record in a line of a journal.

    Raises ValueError with a clause such as "its field move is wrong" if the line is no record of this schema.
    """
    from pydantic import ValidationError

    try:
        return _records().validate_json(line)
    except ValidationError as error:
        problem = error.errors(include_input=False, include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in problem["loc"][1:])
        reason = f"its field {place} is wrong ({problem['msg']})" if place else "it is not a record of this edition"
        raise ValueError("it is not JSON" if problem["type"] == "json_invalid" else reason) from None


# Commands


@dataclass(frozen=True, slots=True)
class Open:
    """Put the intent to open game ``number`` on the disk; answer with Chosen(move=-1)."""

    number: int


@dataclass(frozen=True, slots=True)
class Choose:
    """Choose a column and put it on the disk; answer with Chosen. Where no game is running, the column opens one."""

    belief: Belief
    """One hypothesis: the position is known. Several: one column has to serve all of them."""
    left_s: float
    """Seconds until the move must be sent to arrive in time; negative if it is too late."""


@dataclass(frozen=True, slots=True)
class Send:
    """Send ``move`` to /move once; answer with Sent and then Replied or Failed."""

    move: int
    chosen_at: float = 0.0
    is_sent: bool = False
    """Whether its first byte may have been sent: then only its reply or failure is missing."""


@dataclass(frozen=True, slots=True)
class ReadStatistics:
    """Read /stats; answer with Counted. Reading changes nothing at the server and may be repeated."""

    patience_s: float | None
    """Seconds to keep trying; None between games, when the client's own time limits apply."""
    repeated: int = 0
    """How often the reading has been repeated, because its result contradicted what is known."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Let time pass; answer with Waited."""

    seconds: float


class Reason(Enum):
    """Why a session stops."""

    FINISHED = "finished"
    NETWORK = "network"
    REJECTED = "rejected"
    REFUSED = "refused"
    """The server refuses or loses one game after another."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The session is finished, or cannot continue."""

    reason: Reason
    message: str = ""
    hint: str = ""


Command = Open | Choose | Send | ReadStatistics | Wait | Stop
