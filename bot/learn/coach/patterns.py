"""What decides a position at once: forced sequences for the side to move, follow-up for the other side."""

from __future__ import annotations

from dataclasses import dataclass

from bot.game import Board
from bot.learn.coach.follow_up import follow_up
from bot.learn.coach.forcing import double_threat, forced_win
from bot.learn.coach.reason import Kind

_FEWEST_PAIRS = 3
"""Pairs of cells from which on a draw by follow-up explains anything: on the last cells everything holds."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A proven way for a player to win, or not to lose, from one position."""

    kind: Kind
    line: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...] = ()

    @property
    def wins(self) -> bool:
        """Whether it wins; otherwise it never loses."""
        return self.kind is not Kind.FOLLOW_UP


def pattern_for(board: Board, player: int, *, to_win: bool) -> Pattern | None:
    """Return what decides an unfinished ``board`` for ``player`` (1 or 2): a win, or with not ``to_win`` a draw."""
    if board.ply % 2 == player - 1:
        return _by_force(board) if to_win else None
    found = follow_up(board, to_win=to_win)
    if found is None:
        return None
    if not to_win:
        if len(found.pairs) < _FEWEST_PAIRS:
            return None
        return Pattern(Kind.FOLLOW_UP, found.line, found.pairs)
    return Pattern(Kind.ZUGZWANG if found.zugzwang else Kind.FOLLOW_UP_WIN, found.line, found.pairs)


def _by_force(board: Board) -> Pattern | None:
    line = forced_win(board)
    if line is None:
        return None
    if len(line) == 1:
        return Pattern(Kind.FOUR, line)
    is_double = len(line) == 3 and double_threat(board, line)
    return Pattern(Kind.DOUBLE_THREAT if is_double else Kind.FORCED_SEQUENCE, line)
