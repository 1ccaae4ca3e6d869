"""Follow-up: the player who answers every disc in the same column (claimeven), proven against every line of play.

The rules of the follower, in this order: make four; block the opponent's four; play directly above the opponent's disc.
The opponent's choices are enumerated completely, so what is said here holds against all of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.game import Board
from bot.game.board import COLUMNS, ROWS, STRIDE, bits, completing_cells, playable_cells

_MOST_NODES = 20_000
_ODD_HEIGHTS = sum(0b101010 << column * STRIDE for column in range(COLUMNS))
"""The cells with an odd number of cells below them; where one is playable, the column has an odd number of empty ones.
"""


@dataclass(frozen=True, slots=True)
class FollowUp:
    """What follow-up achieves against the side to move."""

    wins: bool
    """Whether it makes four in every line; otherwise it never loses."""
    line: tuple[int, ...]
    """Columns of both sides: where it wins, the longest line of play; else one that ends in a draw."""
    zugzwang: bool
    """Whether that line ends with a move of the opponent that had to open the cell of the four: no cell was open in
    which the follower threatened four, and every other column was full or lost at once too."""
    pairs: tuple[tuple[int, int], ...]
    """The pairs of empty cells (lower, upper; column * 6 + row): the follower answers the lower with the upper."""


def follow_up(board: Board, *, to_win: bool = False) -> FollowUp | None:
    """Return what the player who is not to move of an unfinished board achieves by follow-up.

    None where it may lose so, and with ``to_win`` also where it may only draw. Not searched where two or more columns
    have an odd number of empty cells: the follower would have no answer to the last disc in one of them.
    """
    if (playable_cells(board.mask) & _ODD_HEIGHTS).bit_count() > 1:
        return None
    search = _Search(least=1 if to_win else 0)
    outcome, plies = search.value(board.current, board.mask)
    if outcome < search.least:
        return None
    line = search.line(board)
    last = board
    for column in line[:-2]:
        last = last.play(column)
    quiet = not completing_cells(last.opponent, last.mask) & playable_cells(last.mask)
    return FollowUp(outcome > 0, line, outcome > 0 and plies > 1 and quiet, _pairs(board))


def _pairs(board: Board) -> tuple[tuple[int, int], ...]:
    found = []
    for column in range(COLUMNS):
        height = (board.mask >> column * STRIDE & (1 << ROWS) - 1).bit_length()
        found += [(column * ROWS + row, column * ROWS + row + 1) for row in range(height, ROWS - 1, 2)]
    return tuple(found)


class _Search:
    """The follower's outcome against every line of play, from positions in which the opponent is to move."""

    def __init__(self, least: int) -> None:
        self.least = least
        """The outcome below which nothing more is searched."""
        self._known: dict[tuple[int, int], tuple[int, int]] = {}

    def value(self, mover: int, mask: int) -> tuple[int, int]:
        """Return 1 where the follower always wins, 0 where it never loses, else -1; and the most plies of the game.

        -1 also where the rules give the follower no move, and where the search is too large.
        """
        key = (mover, mask)
        if key in self._known:
            return self._known[key]
        if len(self._known) >= _MOST_NODES:
            return -1, 0
        playable = playable_cells(mask)
        if not playable:
            return 0, 0
        worst = (2, 0)
        if completing_cells(mover, mask) & playable:
            worst = (-1, 0)
        for move in bits(playable):
            if worst[0] < self.least:
                break
            worst = min(worst, self.after(mover, mask, move), key=_by_resistance)
        self._known[key] = worst
        return worst

    def after(self, mover: int, mask: int, move: int) -> tuple[int, int]:
        """Return the value after the opponent's disc on ``move``, which makes no four."""
        answer = follower_cell(mover, mask, move)
        mover, mask = mover | move, mask | move
        if answer is None:
            return (0, 1) if not playable_cells(mask) else (-1, 1)
        if completing_cells(mover ^ mask, mask) & answer:
            return 1, 2
        outcome, plies = self.value(mover, mask | answer)
        return outcome, plies + 2

    def line(self, board: Board) -> tuple[int, ...]:
        """Return the line of most resistance."""
        columns: list[int] = []
        while not board.is_over:
            mover, mask = board.current, board.mask
            move = min(bits(playable_cells(mask)), key=lambda bit: _by_resistance(self.after(mover, mask, bit)))
            answer = follower_cell(mover, mask, move)
            for bit in (move, answer):
                if bit is not None:
                    columns.append((bit.bit_length() - 1) // STRIDE)
                    board = board.play(columns[-1])
        return tuple(columns)


def follower_cell(mover: int, mask: int, move: int) -> int | None:
    """Return the cell of the follower's answer to a disc on ``move``; None where the rules give none."""
    mover, mask = mover | move, mask | move
    playable = playable_cells(mask)
    for cells in (completing_cells(mover ^ mask, mask) & playable, completing_cells(mover, mask) & playable):
        if cells:
            return cells & -cells
    return move << 1 & playable or None


def _by_resistance(value: tuple[int, int]) -> tuple[int, int]:
    return value[0], -value[1]
