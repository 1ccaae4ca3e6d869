"""What a score means: its scale, bounds, the score at a game's end, the distance to it, and words for people.

The scale of the field: 0 is a draw, +n a win and -n a loss of the side to move, where n is 22 minus the number of discs
that the winner will have played. A higher score is therefore a faster win or a slower loss; scores lie in -21..+21.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.game import Board

DISCS = 21
"""Discs of each side."""
LOWEST, HIGHEST = -DISCS, DISCS
"""Bounds of every score."""

OUTCOMES = {1: "win", 0: "draw", -1: "loss", None: None}
"""Words for `Bounds.outcome`."""


def sign(score: float) -> int:
    """Return the outcome of a score: 1 win, 0 draw, -1 loss."""
    if score == 0:
        return 0
    return 1 if score > 0 else -1


def winning_score(ply: int) -> int:
    """Return the winner's score when the disc played after ``ply`` discs completes four in a row."""
    return DISCS - ply // 2


def field_score(value: int, win: int) -> int:
    """Return a search's value on the field's scale: values beyond ``win`` are proven, that sum or its negative."""
    if value > win:
        return value - win
    if value < -win:
        return value + win
    return value


def finished_score(board: Board) -> int:
    """Return the score of a finished board for the side that would move next: a loss or 0."""
    return -winning_score(board.ply - 1) if board.has_winner else 0


@dataclass(slots=True, unsafe_hash=True)
class Bounds:
    """A score that is known to lie between two bounds, both included; for the side to move unless stated otherwise.

    It is never changed. It is not frozen, because setting frozen fields takes longer than proving a late position.
    """

    lower: int
    upper: int

    @classmethod
    def of(cls, score: int) -> Bounds:
        """Return the bounds of a known score."""
        return Bounds(score, score)

    @property
    def exact(self) -> bool:
        """Whether the score is known."""
        return self.lower == self.upper

    @property
    def score(self) -> int | None:
        """The exact score, or None where only bounds are known."""
        return self.lower if self.lower == self.upper else None

    @property
    def outcome(self) -> int | None:
        """1 win, 0 draw, -1 loss; None where the bounds allow several outcomes."""
        outcome = sign(self.lower)
        return outcome if outcome == sign(self.upper) else None


@dataclass(slots=True, unsafe_hash=True)
class Solved(Bounds):
    """Bounds, and the work that proved them; a book entry costs none."""

    nodes: int = 0
    """Positions visited."""
    seconds: float = 0.0
    """Elapsed time."""


def plies_to_end(score: int, ply: int) -> int:
    """Return how many discs are played after ``ply`` discs until the game ends, if both sides play best.

    ``score`` is exact and for the side to move. A draw fills the board.
    """
    if score > 0:
        return 2 * (DISCS + 1 - score - ply // 2) - 1
    if score < 0:
        return 2 * (DISCS + 1 + score - (ply + 1) // 2)
    return 2 * DISCS - ply


def moves_to_end(score: int, ply: int) -> int:
    """Return how many discs the winner still plays, the last one included; in a draw, the side to move."""
    return (plies_to_end(score, ply) + 1) // 2


def _said(bounds: Bounds, *words: str) -> str:
    """Return the one of six words that says what is proven: five from a loss to a win, and one for nothing."""
    if bounds.lower < 0 < bounds.upper:
        return words[-1]
    return words[2 + sign(bounds.lower) + sign(bounds.upper)]


def explain(bounds: Bounds, ply: int) -> str:
    """Return what is proven for the side to move after ``ply`` discs as a short predicate.

    Examples
    --------
    >>> explain(Bounds.of(3), 10)
    'wins in 14 moves'
    >>> explain(Bounds(0, 5), 10)
    'draws or wins'
    >>> explain(Bounds(-12, 20), 10)
    'not solved'
    """
    verb = _said(bounds, "loses", "draws or loses", "draws", "draws or wins", "wins", "not solved")
    if not bounds.score:
        return verb
    moves = moves_to_end(bounds.score, ply)
    return f"{verb} in {moves} move" if moves == 1 else f"{verb} in {moves} moves"


def sentence(bounds: Bounds, ply: int, side: str) -> str:
    """Return what is proven for ``side``, to move after ``ply`` discs, as a whole sentence.

    Examples
    --------
    >>> sentence(Bounds.of(-17), 7, "O")
    'O to move loses in 1 move.'
    >>> sentence(Bounds(-12, 20), 10, "X")
    'Not solved: the score lies between -12 and +20.'
    """
    if bounds.lower < 0 < bounds.upper:
        return f"Not solved: the score lies between {number(bounds.lower)} and {number(bounds.upper)}."
    return f"{side} to move {explain(bounds, ply)}."


def label(bounds: Bounds, ply: int) -> str:
    """Return what is proven as a noun phrase for small spaces.

    Examples
    --------
    >>> label(Bounds.of(3), 10), label(Bounds(1, 5), 10), label(Bounds(-12, 20), 10)
    ('win in 14', 'win', 'open')
    """
    noun = _said(bounds, "loss", "draw or worse", "draw", "draw or better", "win", "open")
    return f"{noun} in {moves_to_end(bounds.score, ply)}" if bounds.score else noun


def number(score: int) -> str:
    """Return a score with its sign: '+3', '-3', '0'."""
    return f"{score:+d}" if score else "0"


def interval(bounds: Bounds) -> str:
    """Return the score as a number: '+3', or the bounds '-2..+5'."""
    return number(bounds.lower) if bounds.exact else f"{bounds.lower:+d}..{bounds.upper:+d}"
