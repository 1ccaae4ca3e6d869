"""What a session does next, and what it tells the user."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Annotated

from annotated_types import Predicate

from bot.course.protocol import is_known_result
from bot.course.session.events import Column, GameNumber, Seconds

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
    """Send ``move`` to /move once; answer with Sent and then Replied, or with Failed."""

    move: int
    chosen_at: float = 0.0
    answers: tuple[tuple[float, ...], ...] = ()
    """See `Chosen.answers`."""
    is_sent: bool = False
    """Whether its first byte may have been sent: then only its reply or failure is missing."""


@dataclass(frozen=True, slots=True)
class ReadStatistics:
    """Read /stats; answer with Counted. Reading changes nothing at the server and may be repeated."""

    patience_s: float | None = None
    """Seconds to keep trying; None between games, when the client's own time limits apply."""
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
    at: Seconds = 0.0


@dataclass(frozen=True, slots=True)
class Note:
    """Something unusual; ``kind`` is a stable name for it."""

    kind: str
    text: str
    """A sentence for the user."""
    quiet: bool = False
    """Whether it stands in the replay only."""
    game: int = 0
    at: float = 0.0


News = GameEnded | Note


def outdate_reading(news: Iterable[News]) -> bool:
    """Return whether a game has ended that the last reading of the server's statistics does not show."""
    return any(isinstance(item, GameEnded) and item.known_by != "statistics" for item in news)
