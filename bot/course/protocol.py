"""The course server's protocol as plain data without I/O: moves, results, boards, replies and statistics.

The annotations are limits in pydantic's notation. Whatever is read from outside is checked by them: replies in
`bot.course.client.http`, journals in `bot.course.events`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Interval, Len, Predicate

NEW_GAME = -1
"""The move that opens a new game. Sent while a game is running, it forfeits that game."""

Dialect = Literal["current", "jan21"]
"""Version of the protocol. In January 2021 every -1 counts as a loss, whether a game is running or not; the reply to it
has no board, and there is no /stats. Only a column opens a game."""

RUNNING, WON, DRAWN, LOST, ILLEGAL = 0.0, 1.0, 0.5, -1.0, -10.0
"""The server's results, from the student's view; an illegal move loses the game."""
RESULTS = (RUNNING, WON, DRAWN, LOST, ILLEGAL)

StateCell = Annotated[int, Interval(ge=-1, le=1)]
StateGrid = Annotated[tuple[Annotated[tuple[StateCell, ...], Len(7, 7)], ...], Len(6, 6)]
"""6 rows of 7 cells, row 0 on top: 1 our discs, -1 the bot's, 0 empty."""


def is_known_result(result: float) -> bool:
    """Return whether ``result`` is one of RESULTS."""
    return result in RESULTS


KEY_HINT = (
    "The key in use is that of --api-key-file, else of BOT_API_KEY, else api_key in bot.toml, else the course's own: "
    "correct it there."
)
"""The next step after the server has refused the key."""


def refuses_key(message: str | None) -> bool:
    """Return whether the server's message says that it refuses the key, so that it did not process the request."""
    return "key" in (message or "").lower()


@dataclass(frozen=True, slots=True)
class MoveReply:
    """A reply to /move. The server may leave out any field but ``status``."""

    status: bool
    msg: str | None = None
    botmove: Annotated[int, Interval(ge=-1, le=6)] | None = None
    """The bot's column 0..6; -1 or None when it did not move."""
    result: Annotated[float, Predicate(is_known_result)] | None = None
    """One of RESULTS; None if the reply has none."""
    state: StateGrid | None = None

    @property
    def is_over(self) -> bool:
        """Whether the server says that the game has ended."""
        return self.result is not None and self.result != RUNNING


Count = Annotated[int, Interval(ge=0, le=10**9)]


@dataclass(frozen=True, slots=True)
class Stats:
    """A reply to /stats: the server's counts of finished games."""

    played: Count
    won: Count
    lost: Count
    streak: Count
    streak_max: Count | None = None
    total_reward: Annotated[float, Interval(ge=-1e10, le=1e10)] | None = None
