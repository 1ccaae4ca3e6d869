"""What can be said of one position at sight: threats, forced sequences, dangerous columns, follow-up."""

from __future__ import annotations

from dataclasses import dataclass

from bot.errors import GameOverError
from bot.game import Board
from bot.game.board import ROWS, STRIDE, bits, completing_cells, playable_cells
from bot.game.notation import column_letter
from bot.learn.coach.follow_up import FollowUp, follow_up
from bot.learn.coach.forcing import forced_sequence, forced_win


@dataclass(frozen=True, slots=True)
class Threat:
    """An empty cell where a player would complete four in a row."""

    cell: int
    """column * 6 + row, row 0 at the bottom."""
    player: int
    """1 or 2: whose four it would be."""
    playable: bool
    """Whether a disc dropped now would land there."""
    useless: bool
    """Whether the opponent has a threat directly below: the player can reach the cell only by a disc below it, which
    the opponent then answers in the cell itself."""

    @property
    def odd(self) -> bool:
        """Whether the row, counted from 1, is odd: such threats favour the first player, even ones the second."""
        return self.cell % ROWS % 2 == 0

    @property
    def kind(self) -> str:
        """Return "playable", "useless", "odd" or "even"."""
        if self.playable:
            return "playable"
        if self.useless:
            return "useless"
        return "odd" if self.odd else "even"


def threats(board: Board) -> tuple[Threat, ...]:
    """Return all threats of both players on an unfinished board, by cell."""
    playable = playable_cells(board.mask)
    sides = {board.ply % 2 + 1: board.current, 2 - board.ply % 2: board.opponent}
    cells = {player: completing_cells(discs, board.mask) for player, discs in sides.items()}
    found = [
        Threat(cell_of(bit), player, bool(bit & playable), bool(bit & ~playable & cells[3 - player] << 1))
        for player, threatened in cells.items()
        for bit in bits(threatened)
    ]
    return tuple(sorted(found, key=lambda threat: (threat.cell, threat.player)))


def cell_of(bit: int) -> int:
    """Return the number column * 6 + row of a single bit of a board."""
    column, row = divmod(bit.bit_length() - 1, STRIDE)
    return column * ROWS + row


def cell_name(cell: int) -> str:
    """Return the name of a cell: a letter for the column and the row from 1, such as "d3"."""
    return f"{column_letter(cell // ROWS)}{cell % ROWS + 1}"


@dataclass(frozen=True, slots=True)
class PositionView:
    """The proven facts about an unfinished position."""

    threats: tuple[Threat, ...]
    forced: tuple[int, ...]
    """Columns of a forced sequence with which the side to move makes four; empty if there is none."""
    danger: tuple[int, ...]
    """The same for the opponent if the side to move could pass: what it threatens to do; empty if nothing."""
    losing: tuple[int, ...]
    """Columns after which the opponent makes four at once."""
    follow_up: FollowUp | None
    """What the side that is not to move achieves by answering every disc in the same column."""

    zugzwang: bool
    """Whether every column of the side to move lets the opponent make four directly above, where it could not before.
    """


def view(board: Board) -> PositionView:
    """Return what is proven of an unfinished position at sight, without the solver; raise GameOverError else."""
    if board.is_over:
        raise GameOverError
    legal = board.legal_columns()
    children = {column: board.play(column) for column in legal}
    losing = tuple(
        column
        for column, child in children.items()
        if not child.is_over and completing_cells(child.current, child.mask) & playable_cells(child.mask)
    )
    found = threats(board)
    attacked = any(threat.playable and threat.player != board.ply % 2 + 1 for threat in found)
    return PositionView(
        threats=found,
        forced=forced_win(board) or (),
        danger=forced_sequence(board.opponent, board.mask) or (),
        losing=losing,
        follow_up=follow_up(board),
        zugzwang=not attacked and losing == legal,
    )
