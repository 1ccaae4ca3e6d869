"""Patterns: what decides a position at sight, proven against every defence without the solver.

In a forced sequence, every move threatens four at once and leaves the opponent one answer, until two threats meet.

In follow-up, a player answers every disc in the same column (claimeven), by these rules in this order: make four; block
the opponent's four; play directly above the opponent's disc. The opponent's choices are enumerated completely, so what
is said of it holds against all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, reduce

from bot.game import CENTRE_FIRST, Board
from bot.game.board import COLUMNS, ROWS, STRIDE, bits, completing_cells, playable_cells
from bot.learn.coach.reason import FOLLOW_UPS, SIGHT, Reason, ReasonKind
from bot.learn.coach.sentences import sentence

MOST_THREATS = 8
"""Longest sequence that is searched for, in threats before the four."""
_MOST_NODES = 20_000
_FEWEST_PAIRS = 3
"""Pairs of cells from which on a draw by follow-up explains anything: on the last cells everything holds."""
_ODD_HEIGHTS = sum(0b101010 << column * STRIDE for column in range(COLUMNS))
"""The cells with an odd number of cells below them; where one is playable, the column has an odd number of empty ones.
"""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A proven way for a player to win, or not to lose, from one position."""

    kind: ReasonKind
    line: tuple[int, ...]
    """Columns of both sides, from the position in which the pattern is found; of follow-up that wins the longest line
    of play, of follow-up that holds one that ends in a draw."""
    pairs: tuple[tuple[int, int], ...] = ()
    """Follow-up only: the pairs of empty cells (lower, upper; column * 6 + row), whose lower one is answered with the
    upper one."""


def pattern_for(board: Board, player: int, *, to_win: bool) -> Pattern | None:
    """Return what decides an unfinished ``board`` for ``player`` (1 or 2): a win, or with not ``to_win`` a draw."""
    if board.ply % 2 == player - 1:
        line = forced_win(board) if to_win else None
        return _forced(board, line) if line else None
    found = follow_up(board, to_win=to_win)
    return found if found is not None and (to_win or len(found.pairs) >= _FEWEST_PAIRS) else None


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
    """Return the pattern of a forced sequence: a double threat where two fours are open at once, not stacked."""
    if len(line) == 1:
        return Pattern(ReasonKind.FOUR, line)
    after = board.play(line[0])
    wins = completing_cells(after.opponent, after.mask) & playable_cells(after.mask)
    is_double = len(line) == 3 and wins & wins - 1
    return Pattern(ReasonKind.DOUBLE_THREAT if is_double else ReasonKind.FORCED_SEQUENCE, line)


def forced_win(board: Board, most: int = MOST_THREATS) -> tuple[int, ...] | None:
    """Return the shortest sequence with which the side to move makes four by threats alone, or None.

    The columns of both sides, the last of which makes four. After each of the other moves of the side to move, the
    opponent must take one cell or lose at once; where it must take two, it takes the left one.
    """
    if board.is_over:
        return None
    for length in range(most + 1):
        nodes = [_MOST_NODES]
        line = _search(board.current, board.mask, length, nodes)
        if line is not None:
            return line
        if nodes[0] <= 0:
            return None
    return None


def _search(current: int, mask: int, length: int, nodes: list[int]) -> tuple[int, ...] | None:
    """Return a sequence of exactly ``length`` threats and the four, or None; ``nodes`` holds what is left to visit.

    Of several last threats, it takes one that opens two fours at the same time, which people see more easily.
    """
    playable = playable_cells(mask)
    wins = completing_cells(current, mask) & playable
    if wins:
        return (_column(wins & -wins),)
    if length == 0 or nodes[0] <= 0:
        return None
    nodes[0] -= 1
    other = current ^ mask
    urgent = completing_cells(other, mask) & playable
    found = None
    for move in bits(urgent or playable):  # of two urgent ones, each leaves the other open
        after = mask | move
        open_cells = playable_cells(after)
        threats = completing_cells(current | move, after) & open_cells
        if not threats or completing_cells(other, after) & open_cells:
            continue
        answer = threats & -threats
        rest = _search(current | move, after | answer, length - 1, nodes)
        if rest is not None:
            found = (_column(move), _column(answer), *rest)
            if length > 1 or threats & threats - 1:
                return found
    return found


def _column(bit: int) -> int:
    return (bit.bit_length() - 1) // STRIDE


def cell_of(bit: int) -> int:
    """Return the number column * 6 + row of a single bit of a board."""
    column, row = divmod(bit.bit_length() - 1, STRIDE)
    return column * ROWS + row


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


def reason_of(pattern: Pattern, board: Board, line: tuple[int, ...] = (), *, missed: bool = False) -> Reason:
    """Return the reason that a pattern in ``board`` gives, where ``line`` led."""
    kind = pattern.kind
    player = 1 + (board.ply + (kind in FOLLOW_UPS)) % 2
    if kind is ReasonKind.FOUR and not missed and len(line) == 1:
        kind = ReasonKind.OPENED if pattern.line[0] == line[0] else ReasonKind.UNBLOCKED
    cells = tuple(map(cell_of, bits(reduce(Board.play, pattern.line, board).winning_cells)))
    reason = Reason(kind, missed, player, (*line, *pattern.line), len(line), cells, pattern.pairs, "")
    return replace(reason, text=sentence(reason, board.ply))


def follow_up(board: Board, *, to_win: bool = False) -> Pattern | None:
    """Return what the player who is not to move of an unfinished board achieves by follow-up.

    None where it may lose so, and with ``to_win`` also where it may only draw. Not searched where two or more columns
    have an odd number of empty cells: the follower would have no answer to the last disc in one of them.

    It is zugzwang where the longest line ends with a move of the opponent that had to open the cell of the four: no
    cell was open in which the follower threatened four, and every other column was full or lost at once too.
    """
    playable = playable_cells(board.mask)
    if (playable & _ODD_HEIGHTS).bit_count() > 1:
        return None
    outcome, line = _FollowUp(least=int(to_win)).worst(board.current, board.mask)
    if outcome < to_win:
        return None
    kind = ReasonKind.FOLLOW_UP
    if outcome > 0:
        last = reduce(Board.play, line[:-2], board)
        is_open = completing_cells(last.opponent, last.mask) & playable_cells(last.mask)
        kind = ReasonKind.FOLLOW_UP_WIN if is_open else ReasonKind.ZUGZWANG
    lowest = map(cell_of, bits(playable))
    pairs = ((cell, cell + 1) for low in lowest for cell in range(low, low // ROWS * ROWS + ROWS - 1, 2))
    return Pattern(kind, line, tuple(pairs))


class _FollowUp:
    """The follower's outcome against every line of play, from positions in which the opponent is to move."""

    def __init__(self, least: int) -> None:
        self._least = least
        """The outcome below which nothing more is searched."""
        self._known: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {}

    def worst(self, mover: int, mask: int) -> tuple[int, tuple[int, ...]]:
        """Return 1 where the follower always wins, 0 where it never loses, else -1; and the line of most resistance.

        -1 also where the rules give the follower no move, and where the search is too large.
        """
        key = mover, mask
        if key in self._known:
            return self._known[key]
        playable = playable_cells(mask)
        if not playable:
            return 0, ()
        if completing_cells(mover, mask) & playable or len(self._known) >= _MOST_NODES:
            return -1, ()
        worst: tuple[int, tuple[int, ...]] = (2, ())
        for move in bits(playable):
            worst = min(worst, self._after(mover, mask, move), key=_by_resistance)
            if worst[0] < self._least:
                break
        self._known[key] = worst
        return worst

    def _after(self, mover: int, mask: int, move: int) -> tuple[int, tuple[int, ...]]:
        """Return the same after the opponent's disc on ``move``, which makes no four; the line begins with it."""
        mover, mask = mover | move, mask | move
        playable = playable_cells(mask)
        wins = completing_cells(mover ^ mask, mask) & playable
        answers = wins or completing_cells(mover, mask) & playable or move << 1 & playable
        if not answers:
            return -1 if playable else 0, (_column(move),)
        answer = answers & -answers
        line = _column(move), _column(answer)
        if wins:
            return 1, line
        outcome, rest = self.worst(mover, mask | answer)
        return outcome, (*line, *rest)


def _by_resistance(found: tuple[int, tuple[int, ...]]) -> tuple[int, int]:
    return found[0], -len(found[1])
