"""What happens in a run, as values: events, which are the journal's records; commands; and news for the user.

`step` (`bot.course.session`) turns an event into a new session, which holds its news, and a command. The caller
performs the command and passes its outcome as the next event. Events are written to the journal as they are; nothing
that a session concludes from them is. So a run is resumed, shown and verified by passing its records through `step`
again.

``at`` is the time in seconds on any monotonic clock of the run; only differences matter. ``game`` is the number of the
game in its journal, ``time`` the wall-clock time, UTC, ISO 8601: the writer fills it in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Literal

from annotated_types import Ge, Interval, Le, Predicate

from bot.course.failures import Delivery
from bot.course.protocol import Dialect, MoveReply, Stats, is_known_result

SCHEMA = 5
"""Version of the journal's records: the number of the edition."""
OLDEST_SCHEMA = 4
"""The oldest one that is read."""

Seconds = Annotated[float, Interval(ge=-1e9, le=1e9)]
GameNumber = Annotated[int, Interval(ge=0, le=10**6)]
"""The number of a game in its journal, from 1; 0 where no game is meant."""
Request = Annotated[int, Interval(ge=-1, le=6)]
"""-1 for a new game, else a column 0..6."""
Column = Annotated[int, Interval(ge=0, le=6)]
LargeCount = Annotated[int, Interval(ge=0, le=10**15)]
Probability = Annotated[float, Interval(ge=0, le=1)]


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked of a run."""

    games: LargeCount = 1
    """Games to finish before the session stops."""
    limit_s: Seconds = 5.0
    """The server's time limit for a move, seconds."""
    patience_s: Seconds = 120.0
    """Seconds without any usable reply after which the session stops; the game can be resumed."""
    careful: bool = False
    """Whether the session stops at the first game without an honest end."""
    is_giving_up: bool = False
    """Whether the first game is opened by -1 in any dialect, to give up one that is running."""
    server: str = ""
    """The server's address without a changing port: "embedded" for the embedded one."""
    url: str = ""
    stil_ids: tuple[str, ...] = ()
    engine: str = ""
    think_s: Seconds = 0.0
    goal: LargeCount = 20


@dataclass(frozen=True, slots=True)
class Learnt:
    """What earlier runs have learnt, of the server and of the game that is resumed."""

    dialect: Dialect | None = "current"
    """The server's dialect; None if nothing is known of it. Earlier editions took it for the current one."""
    column_opens: bool = False
    """Whether a column has opened a game at this server."""
    keeps_statistics: bool = False
    """Whether the server has shown its statistics: then nothing is sent first while they cannot be read."""
    deliveries: Mapping[str, tuple[LargeCount, LargeCount]] = field(default_factory=dict)
    """How often requests had been processed whose replies were lost; see `bot.course.hypotheses.Deliveries`."""
    may_run_elsewhere: bool = False
    """Whether a game may be running that was opened on another computer: then a column opens the first game."""
    is_damaged: bool = False
    """Whether lines of the resumed journal cannot be read: a board that contradicts them is then accepted at once."""


@dataclass(frozen=True, slots=True)
class Started:
    """A process starts to play: the first record of a journal, and one more each time its game is resumed.

    It holds what the run began with, so that one journal alone shows what its run told the user. In the file, the
    fields of ``options`` and ``learnt`` stand beside the others (`bot.course.journal.records`).
    """

    at: Seconds
    options: Options = Options()
    learnt: Learnt = Learnt()
    game: GameNumber = 0
    """The game that is resumed; 0 in a new journal."""
    schema: Annotated[int, Ge(OLDEST_SCHEMA), Le(SCHEMA)] = SCHEMA
    time: str = ""
    type: Literal["started"] = "started"


@dataclass(frozen=True, slots=True)
class Chosen:
    """The answer to Open or Choose: ``move`` is on the disk and about to be sent."""

    at: Seconds
    move: Request
    game: GameNumber = 0
    ply: Annotated[int, Interval(ge=0, le=42)] = 0
    score: float | None = None
    proven: bool = False
    depth: LargeCount | None = None
    nodes: LargeCount | None = None
    pv: tuple[Column, ...] = ()
    """The principal variation, columns 0..6."""
    seconds: Seconds = 0.0
    """Time of the choice."""
    source: str = ""
    """Method that found the column: those of `bot.engine.agent.Decision`, "plan" (of columns of the same outcome, the
    one whose lost reply costs least), or "hypotheses" (several boards were possible after a lost reply)."""
    move_s: Seconds = 0.0
    """Seconds since the first byte of the last reply."""
    late: bool = False
    """Whether the move probably arrives after the time limit."""
    hypotheses: LargeCount = 1
    """Number of hypotheses that the column had to serve."""
    safe: bool = True
    """Whether it is a best column in every one of them."""
    saved: Probability | None = None
    """Probability of not losing over all hypotheses."""
    answers: tuple[tuple[Probability, ...], ...] = ()
    """What was known of the bot's answers to this move, for each hypothesis in their order, at most the likeliest ones
    (`bot.course.hypotheses.MOST_EXPECTED`): the probability of each column 0..6. If the reply is lost, results are
    inferred from these. Empty where the move ends the game, or where nothing is known."""
    note: str = ""
    """A sentence for the user where another agent had to choose."""
    time: str = ""
    type: Literal["chosen"] = "chosen"


@dataclass(frozen=True, slots=True)
class Replied:
    """A reply to /move."""

    at: Seconds
    reply: MoveReply
    game: GameNumber = 0
    first_byte_s: Seconds | None = None
    """Seconds from just before the request is written to the reply's headers; None where not measured."""
    body_s: Seconds = 0.0
    """Seconds from the reply's headers to its end. The server's move clock runs from the headers."""
    is_outage: bool = False
    """Whether the move was sent again, or the server did not answer other requests either: its time is no usual one."""
    time: str = ""
    type: Literal["replied"] = "replied"


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
    is_outage: bool = False
    """Whether the server did not answer other requests either: how often it has processed such ones is learnt apart."""
    game: GameNumber = 0
    time: str = ""
    type: Literal["failed"] = "failed"


@dataclass(frozen=True, slots=True)
class Counted:
    """The answer to ReadStatistics."""

    at: Seconds
    stats: Stats | None
    """None if they could not be read, or the server keeps none: ``kind``, ``message`` and ``hint`` then say why, as in
    `Failed`, of the last request."""
    kind: str = ""
    message: str = ""
    hint: str = ""
    game: GameNumber = 0
    time: str = ""
    type: Literal["counted"] = "counted"


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The user gave up the running game, or the one that was asked for."""

    at: Seconds
    game: GameNumber = 0
    time: str = ""
    type: Literal["abandoned"] = "abandoned"


Event = Started | Chosen | Replied | Failed | Counted | Abandoned


# Commands; ``after_s`` is the pause before one is performed, seconds


@dataclass(frozen=True, slots=True)
class Open:
    """Put it on the disk that a game is about to be opened by -1; answer with Chosen(move=-1)."""

    after_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Choose:
    """Choose a column and put it on the disk; answer with Chosen. Where no game is running, the column opens one.

    With one hypothesis, the position is known; of several, the column has to serve all.
    """

    after_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Send:
    """Send ``move`` to /move once; answer with Replied or Failed."""

    move: int
    chosen_at: float = 0.0
    answers: tuple[tuple[float, ...], ...] = ()
    """See `Chosen.answers`."""


@dataclass(frozen=True, slots=True)
class ReadStatistics:
    """Read /stats; answer with Counted. Reading changes nothing at the server and may be repeated."""

    patience_s: float | None = None
    """Seconds to keep trying, or for the one request where that is less than the client's own time limit; None between
    games, when that limit applies."""
    repeated: int = 0
    """How often the reading has been repeated, because it may lag behind."""
    after_s: float = 0.0


class StopReason(Enum):
    """Why a session stops."""

    FINISHED = "finished"
    NETWORK = "network"
    REJECTED = "rejected"
    REFUSED = "refused"
    """The server refuses or loses one game after another."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The session is finished, or cannot continue."""

    reason: StopReason
    message: str = ""
    hint: str = ""


Command = Open | Choose | Send | ReadStatistics | Stop

# News: what a step found out, for the user


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game is over."""

    game: GameNumber
    result: Annotated[float, Predicate(is_known_result)]
    """One of the server's results; 0 if the game ended without one, which then counts for neither side."""
    known_by: str
    """"reply": a reply shows it. "statistics": the server's counts rose accordingly. "unknown": neither shows it.
    "server_reset": the server no longer has the game, and has not counted it. "abandoned": the user gave it up.
    "inferred": no other hypothesis fitted; journals of the fourth edition have it."""
    moves: tuple[Column, ...] = ()
    """Columns 0..6 in the order of play, if all of them are known."""
    we_started: bool | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """Something unusual; ``kind`` is a stable name for it."""

    kind: str
    text: str
    """A sentence for the user."""
    quiet: bool = False
    """Whether it stands in the replay only."""
    game: int = 0


News = GameEnded | Note
