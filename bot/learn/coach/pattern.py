"""Patterns: what decides a position at sight, proven against every defence without the solver."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from bot.game import CENTRE_FIRST, Board
from bot.game.board import bits
from bot.learn.coach.follow_up import follow_up
from bot.learn.coach.forcing import double_threat, forced_win
from bot.learn.coach.position import cell_of
from bot.learn.coach.reason import SIGHT, Reason, ReasonKind
from bot.learn.coach.sentences import sentence

_FEWEST_PAIRS = 3
"""Pairs of cells from which on a draw by follow-up explains anything: on the last cells everything holds."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A proven way for a player to win, or not to lose, from one position."""

    kind: ReasonKind
    line: tuple[int, ...]
    """Columns of both sides, from the position in which the pattern is found."""
    pairs: tuple[tuple[int, int], ...] = ()
    """Follow-up only: the pairs of cells (lower, upper) when it begins."""

    @property
    def wins(self) -> bool:
        """Whether it wins; otherwise it never loses."""
        return self.kind is not ReasonKind.FOLLOW_UP


def pattern_for(board: Board, player: int, *, to_win: bool) -> Pattern | None:
    """Return what decides an unfinished ``board`` for ``player`` (1 or 2): a win, or with not ``to_win`` a draw."""
    if board.ply % 2 == player - 1:
        line = forced_win(board) if to_win else None
        return _forced(board, line) if line else None
    found = follow_up(board, to_win=to_win)
    if found is None:
        return None
    if not to_win:
        if len(found.pairs) < _FEWEST_PAIRS:
            return None
        return Pattern(ReasonKind.FOLLOW_UP, found.line, found.pairs)
    return Pattern(ReasonKind.ZUGZWANG if found.zugzwang else ReasonKind.FOLLOW_UP_WIN, found.line, found.pairs)


@lru_cache(maxsize=1 << 14)
def visible_win(board: Board) -> Pattern | None:
    """Return how the side to move makes four soonest, within `SIGHT` plies against every defence; by threats if it can.

    All defences are tried, so None means that there is no such win.
    """
    for plies in range(1, SIGHT + 1, 2):
        forced = forced_win(board, most=plies // 2)
        if forced is not None:
            return _forced(board, forced)
        quiet = _win_within(board, plies)
        if quiet is not None:
            return Pattern(ReasonKind.QUIET_MOVE, quiet)
    return None


def _forced(board: Board, line: tuple[int, ...]) -> Pattern:
    if len(line) == 1:
        return Pattern(ReasonKind.FOUR, line)
    is_double = len(line) == 3 and double_threat(board, line)
    return Pattern(ReasonKind.DOUBLE_THREAT if is_double else ReasonKind.FORCED_SEQUENCE, line)


def _win_within(board: Board, plies: int) -> tuple[int, ...] | None:
    """Return a line with which the side to move makes four within ``plies`` plies, against the longest defence."""
    if board.is_over:
        return None
    columns = [column for column in CENTRE_FIRST if board.can_play(column)]
    for column in columns:
        if board.wins_with(column):
            return (column,)
    if plies == 1:
        return None
    for column in columns:
        tried = defences(board.play(column), plies - 2)
        if tried:
            return (column, *max(tried, key=len))
    return None


def defences(board: Board, plies: int) -> list[tuple[int, ...]]:
    """Return a line for each move of the side to move after which it loses within ``plies`` more; empty: one does not.

    The line is the move and the opponent's win.
    """
    found: list[tuple[int, ...]] = []
    for column in board.legal_columns():
        line = None if board.wins_with(column) else _win_within(board.play(column), plies)
        if line is None:
            return []
        found.append((column, *line))
    return found


def reason_of(pattern: Pattern, line: tuple[int, ...], board: Board, player: int, *, missed: bool) -> Reason:
    """Return the reason that a pattern in ``board`` gives, where ``line`` led."""
    kind = pattern.kind
    if kind is ReasonKind.FOUR and not missed and len(line) == 1:
        kind = ReasonKind.OPENED if pattern.line[0] == line[0] else ReasonKind.UNBLOCKED
    last = board
    for column in pattern.line:
        last = last.play(column)
    cells = tuple(map(cell_of, bits(last.winning_cells))) if pattern.wins else ()
    reason = Reason(kind, missed, player, (*line, *pattern.line), len(line), cells, pattern.pairs, "")
    return replace(reason, text=sentence(reason, board.ply))
