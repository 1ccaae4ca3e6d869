"""The coach's types: reasons, which are proven lines, and lessons, which are what is said of one move."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.engine.review import MoveVerdict

SIGHT = 5
"""Plies that a person can look ahead: two threats and the four."""


class ReasonKind(str, Enum):
    """What decides the game at the end of a reason's quiet moves; the plainest first."""

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
    QUIET_MOVE = "quiet move"
    """The player makes four within `SIGHT` plies after every reply, though some move on the way threatens nothing."""
    ZUGZWANG = "win by leaving the opponent no safe column"
    """The player answers every disc in the same column, until each column left lets it make four on top (zugzwang)."""
    FOLLOW_UP_WIN = "follow-up that wins"
    """The player answers every disc in the same column and makes four in every line."""
    FOLLOW_UP = "follow-up that holds"
    """The player answers every disc in the same column and never loses."""

    @property
    def rank(self) -> int:
        """How hard it is to see, 0 for the plainest: its place in this list."""
        return list(ReasonKind).index(self)


FOLLOW_UPS = (ReasonKind.ZUGZWANG, ReasonKind.FOLLOW_UP_WIN, ReasonKind.FOLLOW_UP)
"""The kinds in which a player only answers: the other side is to move where they begin."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One proven reason why a move was a mistake.

    ``line`` begins in the position before the mistake. Its first ``quiet`` plies are the move in question and best play
    of both sides; after them `kind` holds for ``player``, against every defence.
    """

    kind: ReasonKind
    missed: bool
    """True: the line begins with a better move, and shows what the mover missed. False: it begins with the mistake, and
    shows how the opponent uses it; or it is that of a puzzle."""
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

    @property
    def is_at_once(self) -> bool:
        """Whether no best play comes before the pattern, except one move of the player who follows up."""
        return self.quiet == (0 if self.missed else 1) + (self.kind in FOLLOW_UPS)


@dataclass(frozen=True, slots=True)
class Try:
    """What follows a column that is tried in place of a mistake."""

    text: str
    """What it achieves or allows, in one sentence."""
    line: tuple[int, ...]
    """The column and the opponent's best reply; or how the opponent makes four, where that can be seen."""
    hint: str = ""
    """The text without the cell or column that would tell the answer; empty where the text names none."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What the coach knows about one move."""

    ply: int
    """Discs before the move."""
    column: int
    verdict: MoveVerdict
    text: str
    """What happened, in at most twelve words."""
    question: str = ""
    """What to look for in the position before the move; empty where the move was best."""
    name: str = ""
    """What kind of mistake it was, such as "missed block"; empty where no reason is known."""
    reasons: tuple[Reason, ...] = ()
    """Proven reasons, the most immediate first; empty: only the lines are known."""
    is_visible: bool = False
    """Whether a person could have seen it: the first reason needs at most `SIGHT` plies, whatever the defence."""
    only_delays: bool = False
    """Whether even the right columns lose within `SIGHT` plies, though later."""
    right: tuple[int, ...] = ()
    """The columns that answer the question, the best one first: those that avoid what could be seen, else those that
    keep the outcome or, where the mistake kept it, the score."""
    tries: tuple[Try | None, ...] = ()
    """For each column, None where it is full or was played; empty where the move was best."""
    was_lost: bool = False
    """Whether exact play lost the position before the move."""
    line: tuple[int, ...] = ()
    """A best line after the move, as far as time allowed: what happens now."""
    better: tuple[int, ...] = ()
    """A best line from the position before the move; empty where the move was best."""
