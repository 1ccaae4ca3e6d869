"""A session's input (events), output (commands) and news, as plain values.

Every event has ``at``: seconds on any monotonic clock of the caller. Only differences matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.course.protocol import MoveReply, Stats
from bot.course.session.belief import Belief


class Delivery(Enum):
    """Whether a request without a usable reply was delivered, as far as that is certain."""

    NOT_SENT = "not sent"
    """It was not sent: sending it again is harmless."""
    REJECTED = "rejected"
    """The server replied that it did not process it (wrong key, form or address): sending it again cannot help."""
    UNKNOWN = "unknown"
    """It may or may not have been processed."""


# Events


@dataclass(frozen=True, slots=True)
class Started:
    """A run starts, or is resumed after a crash if the session has a past."""

    at: float
    games: int
    """Games to finish before the session stops."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The answer to Open or Choose: ``move`` is journaled and about to be sent."""

    at: float
    move: int
    """-1 for a new game, else 0..6."""
    record_s: float = 0.0
    """Seconds that the journal took to put the move on the disk."""


@dataclass(frozen=True, slots=True)
class Sent:
    """The first byte of the request is being sent. No command follows; the reply or failure comes next."""

    at: float


@dataclass(frozen=True, slots=True)
class Replied:
    """A reply to /move."""

    at: float
    reply: MoveReply


@dataclass(frozen=True, slots=True)
class Failed:
    """A request to /move without a usable reply."""

    at: float
    delivery: Delivery
    message: str
    hint: str = ""
    kind: str = ""
    """How it failed, as a short stable name: "reset", "timeout", "http 502"."""
    first_byte_s: float | None = None
    """Seconds from the request's last byte sent to the failure; None where not measured."""
    delivered: float | None = None
    """Probability that the server processed the request, if the failure itself shows it: 1 after a partial reply."""
    retry_after_s: float = 0.0
    """How long the server asks clients to wait, seconds."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The answer to ReadStatistics."""

    at: float
    stats: Stats | None
    """None if they could not be read, or the server keeps none."""


@dataclass(frozen=True, slots=True)
class Waited:
    """The answer to Wait."""

    at: float


Event = Started | Chosen | Sent | Replied | Failed | Counted | Waited


# Commands


@dataclass(frozen=True, slots=True)
class Open:
    """Journal the intent to open game ``number``; answer with Chosen(move=-1)."""

    number: int


@dataclass(frozen=True, slots=True)
class Choose:
    """Choose a column and journal it; answer with Chosen."""

    belief: Belief
    """One hypothesis: the position is known. Several: one column has to serve all of them."""
    left_s: float
    """Seconds until the move must be sent to arrive in time; negative if it is too late."""


@dataclass(frozen=True, slots=True)
class Send:
    """Send ``move`` to /move once; answer with Sent and then Replied or Failed."""

    move: int


@dataclass(frozen=True, slots=True)
class ReadStatistics:
    """Read /stats; answer with Counted. Reading changes nothing at the server and may be repeated."""

    patience_s: float | None
    """Seconds to keep trying; None between games, when the client's own time limits apply."""


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


# News: what a step found out, for the journal and the user


@dataclass(frozen=True, slots=True)
class GameStarted:
    """Game ``number`` is running and known."""

    number: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """Game ``number`` is over."""

    number: int
    result: float
    """One of the server's results; 0 if the server lost the game, which then counts for neither side."""
    known_by: str
    """"reply": a reply shows it. "statistics": the server's counts rose accordingly. "inferred": no other hypothesis
    fits. "unknown": the statistics do not show it. "server_reset": the server no longer has the game."""
    moves: tuple[int, ...] = ()
    we_started: bool | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """Something unusual; ``kind`` is the journal's name for it."""

    kind: str
    text: str
    quiet: bool = False
    """Whether only the journal gets it."""


News = GameStarted | GameEnded | Note
