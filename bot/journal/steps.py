"""A recorded game as steps: each request of ours, its reply, and the problems that the verification found."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.journal.reader import Game
from bot.journal.schema import Record
from bot.protocol import Grid


@dataclass(slots=True)
class Step:
    """One request of ours and its result."""

    move: int
    """-1, or our column 0..6."""
    intent: Record
    before: Grid
    """The board that we knew when we sent it."""
    after: Grid | None = None
    """The board of the reply; None if the reply shows none."""
    reply: Record | None = None
    certain: bool = True
    """Whether ``before`` is what the server held: after a lost reply, it may have moved on."""
    met: Grid | None = None
    """The board to which the server applied our move, if it is known or follows from the reply."""
    undone: bool = False
    """Whether the request provably was not processed."""
    is_silent_start: bool = False
    """Whether the move found no running game and opened this one; ``intent`` is then the event that says so."""
    notes: list[str] = field(default_factory=list)
    """Texts of the events between this request and the next."""


@dataclass(slots=True)
class Replay:
    """A game's steps, and every problem with them as a sentence."""

    game: Game
    steps: list[Step] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    we_started: bool | None = None
    notes: list[str] = field(default_factory=list)
    """Texts of the events before the first request."""
