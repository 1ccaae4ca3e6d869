"""A recorded game as steps: each request of ours, its reply, and the problems that the verification found."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.course.journal.grid import OURS
from bot.course.journal.reader import Game
from bot.course.journal.schema import Record
from bot.course.protocol import Grid


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

    @property
    def number(self) -> int:
        """The number of our move in the game, from 1: that of our disc, so a move that is sent again keeps it."""
        return _ours_on(self.before if self.met is None else self.met) + 1


@dataclass(slots=True)
class Replay:
    """A game's steps, and every problem with them as a sentence."""

    game: Game
    steps: list[Step] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    we_started: bool | None = None
    notes: list[str] = field(default_factory=list)
    """Texts of the events before the first request."""

    @property
    def our_moves(self) -> int:
        """How many moves of ours the game has, as far as the records show; a request sent again is one move."""
        ended = self.game.ended or {}
        if ended.get("moves") and isinstance(ended.get("we_started"), bool):
            return (len(str(ended["moves"])) + int(ended["we_started"])) // 2
        return max((_ours_on(step.after) for step in self.steps if step.after is not None), default=0)


def _ours_on(grid: Grid) -> int:
    return sum(cell == OURS for row in grid for cell in row)
