"""Rebuild the board from every reply of the server, and check it against the known position."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bot.course.protocol import DRAWN, LOST, WON, MoveReply
from bot.errors import BoardError, ProtocolError
from bot.game import Board
from bot.game.notation import column_name


class ConflictingReplyError(ProtocolError):
    """A reply that does not continue the known position."""


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
        return Position(self.board.play(column), self.we_started, moves=(*self.moves, column))

    @property
    def grid(self) -> list[list[int]]:
        """The board as the server writes it: 6 rows of 7 cells, 1 our discs, -1 the bot's, row 0 on top."""
        ours = self.board.ply % 2 == 0 if self.we_started else self.board.ply % 2 == 1
        return self.board.to_grid(1 if ours else -1)


EMPTY = Position(Board(), we_started=True)
"""The position to which a move is applied when no game is running: it opens one in which our disc is the first."""


def opening(reply: MoveReply) -> Position:
    """Return the position after the reply to -1: an empty board, or one disc of the bot's.

    A null state with a null botmove is the January 2021 dialect, in which the student always starts.
    Raises ConflictingReplyError if the reply shows no opening.
    """
    if reply.is_over:
        raise ConflictingReplyError(f"The server says that a new game has already ended ({reply.result:g}).")
    if reply.state is None:
        if reply.botmove in (None, -1):
            return EMPTY
        return _answered(Position(Board(), we_started=False), reply.botmove)
    discs = sum(cell != 0 for row in reply.state for cell in row)
    if discs > 1 or any(1 in row for row in reply.state):
        raise ConflictingReplyError(f"The server opens a new game on a board with {discs} discs.")
    board = board_of(reply)
    if not discs:
        _check_botmove(reply, None)
        return EMPTY
    column = next(column for column in range(7) if Board().play(column).mask == board.mask)
    _check_botmove(reply, column)
    return _answered(Position(Board(), we_started=False), column)


def after_move(known: Position, column: int, reply: MoveReply) -> Position:
    """Return the position after our ``column`` in ``known`` and the reply to it.

    Raises ConflictingReplyError if the reply does not continue ``known`` by our disc and at most one of the bot's, or
    if its botmove or result contradict the board.
    """
    ours = known.play(column)
    if reply.state is None:
        return _without_state(ours, reply)
    for bot_column in (None, *ours.board.legal_columns()):
        candidate = ours if bot_column is None else _answered(ours, bot_column)
        if tuple(tuple(row) for row in candidate.grid) == reply.state:
            _check_botmove(reply, bot_column)
            return _with_result(candidate, reply)
    raise ConflictingReplyError(
        f"The server's board does not continue the game by our disc in {column_name(column)} and one of the bot's."
    )


def shown(reply: MoveReply) -> Position | None:
    """Return the running position that the reply's board shows by itself, whatever was known; None if it shows none.

    We are to move; the order of play is unknown.
    """
    try:
        board = board_of(reply)
    except ConflictingReplyError:
        return None
    return None if board.is_over or reply.is_over else Position(board, we_started=board.ply % 2 == 0)


def continues(known: Board, position: Position) -> bool:
    """Return whether ``position``, with the same starter, holds all discs of ``known``."""
    later = position.board
    same_side = (later.ply - known.ply) % 2 == 0
    ours, theirs = (later.current, later.opponent) if same_side else (later.opponent, later.current)
    return not known.current & ~ours and not known.opponent & ~theirs


def board_of(reply: MoveReply) -> Board:
    """Return the reply's board, us to move; raises ConflictingReplyError if it has none or an impossible one."""
    if reply.state is None:
        raise ConflictingReplyError("The server's reply has no board.")
    try:
        return Board.from_grid(reply.state)
    except BoardError as error:
        raise ConflictingReplyError(f"The server's board is impossible: {error.message}") from None


def _answered(position: Position, bot_column: int | None) -> Position:
    assert bot_column is not None
    return replace(position.play(bot_column), bot_column=bot_column)


def _without_state(ours: Position, reply: MoveReply) -> Position:
    """Return the position after a reply without a board, by the bot's column and the result."""
    if reply.botmove in (None, -1):
        if not ours.board.is_over and not reply.is_over:
            raise ConflictingReplyError("The server's reply has neither a board nor the bot's column.")
        return _with_result(ours, reply)
    if reply.botmove not in ours.board.legal_columns():
        raise ConflictingReplyError(
            f"The server says that its bot played {column_name(reply.botmove)}, which is not legal."
        )
    return _with_result(_answered(ours, reply.botmove), reply)


def _with_result(position: Position, reply: MoveReply) -> Position:
    """Return the position with its result; raise ConflictingReplyError if reply and board disagree on it.

    The server scores a four made by the 42nd disc as a draw, because it looks for a full top row first.
    """
    board, bot_moved = position.board, position.bot_column is not None
    expected: float | None = None
    if board.has_winner:
        expected = LOST if bot_moved else WON
    elif board.is_full:
        expected = DRAWN
    elif not bot_moved and not reply.is_over:
        raise ConflictingReplyError("The server's board lacks the bot's answer, and the game is not over.")
    result = reply.result if reply.is_over else None
    if result is None and expected is not None and reply.result is None:
        result = expected  # a null result: the board shows it
    if result != expected and not (board.is_full and result == DRAWN):
        said = "is running" if result is None else f"ended with {result:g}"
        seen = "is running" if expected is None else f"ended with {expected:g}"
        raise ConflictingReplyError(f"The server says that the game {said}; its board shows that it {seen}.")
    return replace(position, result=result)


def _check_botmove(reply: MoveReply, column: int | None) -> None:
    if reply.botmove is None or (column is None and reply.botmove == -1) or reply.botmove == column:
        return
    seen = "no new disc of the bot's" if column is None else f"a new disc in {column_name(column)}"
    named = "no column" if reply.botmove == -1 else column_name(reply.botmove)
    raise ConflictingReplyError(f"The server says that its bot played {named}; its board shows {seen}.")
