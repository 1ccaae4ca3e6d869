"""Rebuild the board from every reply of the server, and check it against the known position."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bot.course.protocol import DRAWN, LOST, WON, MoveReply, StateGrid
from bot.errors import BoardError
from bot.game import Board


@dataclass(frozen=True, slots=True)
class Position:
    """A game up to the server's last reply."""

    board: Board
    """The student is to move while the game is running."""
    we_started: bool
    result: float | None = None
    """The server's result once the game has ended, else None."""
    bot_column: int | None = field(default=None, compare=False)
    """The column of the bot's last disc, if it moved with this reply."""
    moves: tuple[int, ...] = field(default=(), compare=False)
    """An order of play that leads to this position, columns 0..6: the true one unless a reply was lost."""

    def play(self, column: int) -> Position:
        """Return the position after one more disc, of the side to move."""
        moves = (*self.moves, column)
        return Position(self.board.play(column), self.we_started, moves=moves)

    @property
    def grid(self) -> StateGrid:
        """The board as the server writes it."""
        is_our_turn = (self.board.ply % 2 == 0) == self.we_started
        to_move = 1 if is_our_turn else -1
        return tuple(map(tuple, self.board.to_grid(to_move)))


EMPTY = Position(Board(), we_started=True)
"""The position to which a move is applied when no game is running: it opens one in which our disc is the first."""
BOT_FIRST = Position(Board(), we_started=False)
"""The beginning of a game in which the bot's disc is the first; no reply shows it before that disc."""


def opening(reply: MoveReply) -> Position | None:
    """Return the position after the reply to -1: an empty board, or one disc of the bot's; None if it shows neither.

    A null state with a null botmove is the January 2021 dialect, in which the student always starts.
    """
    position = None if reply.is_over else _answered(BOT_FIRST, reply)
    return EMPTY if position is BOT_FIRST else position


def after_move(known: Position, column: int, reply: MoveReply) -> Position | None:
    """Return the position after our ``column`` in ``known`` and the reply to it.

    None if the reply does not continue ``known`` by our disc and at most one of the bot's, or if its botmove or result
    contradict the board.
    """
    position = _answered(known.play(column), reply)
    if position is None:
        return None
    board, bot_moved = position.board, position.bot_column is not None
    result: float | None = None
    if board.has_winner:
        result = LOST if bot_moved else WON
    elif board.is_full:
        result = DRAWN
    elif not bot_moved:
        return None  # the bot's answer is missing
    if board.is_full and reply.result == DRAWN:
        result = DRAWN  # the server looks for a full top row before it looks for a four
    if reply.result is not None and (reply.result or None) != result:
        return None
    return replace(position, result=result)


def _answered(known: Position, reply: MoveReply) -> Position | None:
    """Return ``known``, or the position after one more disc of the bot's, as the reply shows; None if it shows neither.

    The board decides, and botmove must agree with it; without a board, botmove decides.
    """
    for column in (None, *known.board.legal_columns()):
        position = known if column is None else replace(known.play(column), bot_column=column)
        is_named = reply.botmove in ((None, -1) if column is None else (column,))
        if reply.state is None and is_named:
            return position
        if reply.state == position.grid:
            return position if is_named or reply.botmove is None else None
    return None


def shown(reply: MoveReply) -> Position | None:
    """Return the running position that the reply's board shows by itself, whatever was known; None if it shows none.

    We are to move; the order of play is unknown.
    """
    if reply.state is None or reply.is_over:
        return None
    try:
        board = Board.from_grid(reply.state)
    except BoardError:
        return None
    return None if board.is_over else Position(board, we_started=board.ply % 2 == 0)


def continues(known: Board, position: Position) -> bool:
    """Return whether ``position``, with the same starter, holds all discs of ``known``."""
    later = position.board
    same_side = (later.ply - known.ply) % 2 == 0
    ours, theirs = (later.current, later.opponent) if same_side else (later.opponent, later.current)
    return not known.current & ~ours and not known.opponent & ~theirs
