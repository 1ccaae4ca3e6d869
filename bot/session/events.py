"""What a session is fed (events) and what it asks for (commands). Plain values.

Every event has ``at``: seconds on a monotonic clock of the caller's choice. Only differences matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.protocol import MoveReply, Stats
from bot.session.belief import Belief


class Delivery(Enum):
    """What is provable about a request without a usable reply."""

    NOT_SENT = "not sent"
    """It never left this machine: sending it again is harmless."""
    REJECTED = "rejected"
    """The server said that it did not process it (wrong key, form or address): sending it again cannot help."""
    UNKNOWN = "unknown"
    """It may or may not have been processed."""


# Events


@dataclass(frozen=True, slots=True)
class Started:
    """A run begins, or begins again after a crash when the session has a past."""

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
    """The first byte of the request has left. No command follows; the reply or failure comes next."""

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
    """A short stable word for the way in which it failed: "reset", "timeout", "http 502"."""
    first_byte_s: float | None = None
    """Seconds from the request's last byte sent to the failure; None where not measured."""
    delivered: float | None = None
    """Probability that the server processed the request, where the failure itself shows it: 1 after a partial reply."""
    retry_after_s: float = 0.0
    """How long the server asks to wait."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The answer to ReadStatistics."""

    at: float
    stats: Stats | None
    """None when the server gives none."""


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
    """One hypothesis: the position is known. Several: the column must do for all."""
    left_s: float
    """Seconds until the move must be sent to arrive in time; negative when it is too late."""


@dataclass(frozen=True, slots=True)
class Send:
    """Send ``move`` to /move once; answer with Sent and then Replied or Failed."""

    move: int


@dataclass(frozen=True, slots=True)
class ReadStatistics:
    """Read /stats; answer with Counted. Reading changes nothing at the server and may be repeated."""

    patience_s: float | None
    """Seconds to keep trying; None between games: as long as the client's own patience."""


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
    """The server refuses or forgets our games one after another."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The session is over, or cannot go on."""

    reason: Reason
    message: str = ""
    hint: str = ""


Command = Open | Choose | Send | ReadStatistics | Wait | Stop


# News: what a step found out, for the journal and for people


@dataclass(frozen=True, slots=True)
class GameStarted:
    """Game ``number`` is running and known."""

    number: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """Game ``number`` is over."""

    number: int
    result: float
    """One of the server's results; 0 when the server lost the game, which counts for neither side."""
    known_by: str
    """"reply": the server said so. "statistics": its counts rose accordingly. "inferred": nothing else fits.
    "server_reset": the server no longer knows the game."""
    moves: tuple[int, ...] = ()
    we_started: bool | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """Something unusual, with the journal's word for it."""

    kind: str
    text: str
    quiet: bool = False
    """Whether it is for the journal only."""


News = GameStarted | GameEnded | Note
