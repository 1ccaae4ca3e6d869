"""Patterns: what decides a position at sight, proven against every defence without the solver."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from bot.game import CENTRE_FIRST, Board
from bot.game.board import bits
from bot.learn.coach.follow_up import follow_up
from bot.learn.coach.forcing import double_threat, forced_win
from bot.learn.coach.position import cell_of
from bot.learn.coach.reason import Reason, ReasonKind
from bot.learn.coach.words import sentence

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
    quiet: int = 0
    """Plies of ``line`` before the sequence of threats or the follow-up begins."""

    @property
    def wins(self) -> bool:
        """Whether it wins; otherwise it never loses."""
        return self.kind is not ReasonKind.FOLLOW_UP


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
        return Pattern(ReasonKind.FOLLOW_UP, found.line, found.pairs)
    return Pattern(ReasonKind.ZUGZWANG if found.zugzwang else ReasonKind.FOLLOW_UP_WIN, found.line, found.pairs)


def _by_force(board: Board) -> Pattern | None:
    line = forced_win(board)
    if line is None:
        return None
    if len(line) == 1:
        return Pattern(ReasonKind.FOUR, line)
    is_double = len(line) == 3 and double_threat(board, line)
    return Pattern(ReasonKind.DOUBLE_THREAT if is_double else ReasonKind.FORCED_SEQUENCE, line)


@lru_cache(maxsize=1 << 14)
def winning(board: Board, quiet: int = 0) -> Pattern | None:
    """Return how the side to move wins at sight, or None.

    It makes four, threatens fours until it makes one, or wins by follow-up after a move of its own. With ``quiet`` it
    may first play that many moves after each of which every reply of the opponent loses to the rest.
    """
    if board.is_over:
        return None
    player = board.ply % 2 + 1
    children = [(column, board.play(column)) for column in CENTRE_FIRST if board.can_play(column)]
    if quiet == 0:
        found = pattern_for(board, player, to_win=True)
        for column, child in children:
            if found is None and not child.is_over:
                found = pattern_for(child, player, to_win=True)
                found = found and replace(found, line=(column, *found.line), quiet=1)
        return found
    found = winning(board, quiet - 1)
    for column, child in children:
        if found is None:
            answers = refutations(child, quiet - 1)
            if answers:
                reply, longest = max(answers.items(), key=lambda answer: len(answer[1].line))
                found = Pattern(ReasonKind.QUIET_MOVE, (column, reply, *longest.line), longest.pairs)
    return found


def refutations(board: Board, quiet: int = 0) -> dict[int, Pattern]:
    """Return how the opponent of the side to move wins after each column; empty unless it does after all of them."""
    found: dict[int, Pattern] = {}
    for column in board.legal_columns():
        pattern = winning(board.play(column), quiet)
        if pattern is None:
            return {}
        found[column] = pattern
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
    quiet = len(line) + pattern.quiet
    reason = Reason(kind, missed, player, (*line, *pattern.line), quiet, cells, pattern.pairs, "")
    return replace(reason, text=sentence(reason, exact=not pattern.quiet))
