"""What can be said of one position at sight: threats, forced sequences, dangerous columns, follow-up."""

from __future__ import annotations

from dataclasses import dataclass

from bot.errors import GameOverError
from bot.game import Board
from bot.learn.coach.follow_up import FollowUp, follow_up
from bot.learn.coach.forcing import forced_sequence, forced_win
from bot.learn.coach.threats import Threat, threats


@dataclass(frozen=True, slots=True)
class View:
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


def view(board: Board) -> View:
    """Return what is proven of an unfinished position at sight, without the solver; raise GameOverError else."""
    if board.is_over:
        raise GameOverError
    legal = board.legal_columns()
    children = {column: board.play(column) for column in legal}
    losing = tuple(
        column
        for column, child in children.items()
        if not child.is_over and any(child.wins_with(reply) for reply in child.legal_columns())
    )
    found = threats(board)
    attacked = any(threat.playable and threat.player != board.ply % 2 + 1 for threat in found)
    return View(
        threats=found,
        forced=forced_win(board) or (),
        danger=forced_sequence(board.opponent, board.mask) or (),
        losing=losing,
        follow_up=follow_up(board),
        zugzwang=not attacked and losing == legal,
    )
