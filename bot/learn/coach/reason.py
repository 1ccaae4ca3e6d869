"""The reason types: what a reason says, and the line that shows it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class ReasonKind(str, Enum):
    """What decides the game at the end of a reason's quiet moves."""

    FOUR = "four"
    """The player makes four at once."""
    UNBLOCKED = "four left open"
    """The player makes four in a cell that was playable before the mistake, too."""
    OPENED = "cell below a four opened"
    """The player makes four in the cell above the disc of the mistake."""
    DOUBLE_THREAT = "double threat"
    """One move opens two fours at the same time."""
    FORCED_SEQUENCE = "forced sequence"
    """Every move threatens four and leaves one answer, until a four is made."""
    ZUGZWANG = "zugzwang"
    """The player answers every disc in the same column; the other columns run out, and the opponent must open the cell
    below a threat."""
    FOLLOW_UP_WIN = "follow-up that wins"
    """The player answers every disc in the same column and makes four in every line."""
    FOLLOW_UP = "follow-up that holds"
    """The player answers every disc in the same column and never loses."""
    QUIET_MOVE = "quiet move"
    """The player threatens nothing, but every reply loses to one of the winning kinds above. Of insights only."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One proven reason why a move was a mistake.

    ``line`` begins in the position before the mistake. Its first ``quiet`` plies are the move in question and best play
    of both sides; after them `kind` holds for ``player``, against every defence.
    """

    kind: ReasonKind
    missed: bool
    """True: the line begins with a better move, and shows what the mover missed. False: it begins with the mistake, and
    shows how the opponent uses it."""
    player: int
    """1 or 2: who wins, or never loses, at the end of the line."""
    line: tuple[int, ...]
    """Columns 0..6."""
    quiet: int
    cells: tuple[int, ...]
    """The cells of the final four, column * 6 + row; empty where no four is made."""
    pairs: tuple[tuple[int, int], ...]
    """Follow-up only: the pairs of cells (lower, upper) when it begins."""
    text: str
    """The reason in one or two sentences."""


@dataclass(frozen=True, slots=True)
class Insight:
    """What a person could have seen about a move, proven by a pattern; another column avoids it."""

    kind: str
    """A short name for people, such as "missed block"."""
    missed: bool
    """True: the line begins with a better move that wins. False: it begins with the move, and shows how the opponent
    wins."""
    player: int
    """1 or 2: who wins at the end of the line."""
    line: tuple[int, ...]
    """Columns 0..6 from the position before the move."""
    cells: tuple[int, ...]
    """The cells of the final four, column * 6 + row."""
    pairs: tuple[tuple[int, int], ...]
    """Follow-up only: the pairs of cells (lower, upper) when it begins."""
    text: str
    """The same in one sentence."""
    better: tuple[int, ...]
    """The columns, left to right, that avoid it; exact play need not call them best."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What the coach knows about one move."""

    ply: int
    """Discs before the move."""
    column: int
    verdict: str
    """The kind of `bot.engine.review.MoveVerdict`: "best", "slower", "sooner", "blunder"."""
    grave: bool
    text: str
    """The verdict in words."""
    line: tuple[int, ...]
    """A best line after the move, as far as time allowed: what happens now."""
    better: tuple[int, ...]
    """A best line from the position before the move; empty where the move was best."""
    reasons: tuple[Reason, ...]
    """Proven reasons, the most immediate first; empty: only the lines are known."""
    insight: Insight | None = None
    """What a person could have seen; None where the move was best, and where only longer reasons are known."""
