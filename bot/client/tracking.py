"""The board, always rebuilt from the server's reply and checked against what we knew. Pure: no HTTP here."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bot.client.wire import BadReplyError, MoveReply
from bot.errors import BoardError
from bot.game import Board
from bot.game.notation import column_letter

QUIRK = 0.5
"""The server's result of a four made by the 42nd disc: it looks for a full top row first."""


@dataclass(frozen=True, slots=True)
class Position:
    """A game as far as the server has told it."""

    board: Board
    """The side to move is the student while the game runs."""
    we_started: bool
    result: float | None = None
    """1, 0.5, -1 or -10 once the game has ended, else None."""
    bot_column: int | None = None
    """The bot's last column, if it moved with this reply."""
    moves: tuple[int, ...] = field(default=(), compare=False)
    """One order of play that leads here, columns 0..6; the true one unless replies were lost."""

    def play(self, column: int) -> Position:
        """The position after one more disc, whoever's turn it is."""
        return Position(self.board.play(column), self.we_started, moves=(*self.moves, column))

    @classmethod
    def found(cls, reply: MoveReply) -> Position | None:
        """The running game that the reply's board shows, whatever went before; None when it shows none."""
        if reply.state is None or reply.is_over:
            return None
        try:
            board = _board(reply, to_move=1)
        except BadReplyError:
            return None
        return None if board.is_over else cls(board, we_started=board.ply % 2 == 0)

    @property
    def grid(self) -> list[list[int]]:
        """The server's way to write the board: 1 our discs, -1 the bot's, row 0 on top."""
        ours = self.board.ply % 2 == 0 if self.we_started else self.board.ply % 2 == 1
        return self.board.to_grid(1 if ours else -1)


def opening(reply: MoveReply) -> Position:
    """The position after the reply to -1: an empty board, or one disc of the bot's.

    Null state and null botmove are the January 2021 dialect, where the student always starts.
    Raises BadReplyError when the reply is no opening.
    """
    if reply.is_over:
        raise BadReplyError(f"The server says that a new game ended with {reply.result:g}.")
    if reply.state is None:
        if reply.botmove not in (None, -1):
            return replace(Position(Board(), False).play(reply.botmove), bot_column=reply.botmove)
        return Position(Board(), True)
    discs = sum(cell != 0 for row in reply.state for cell in row)
    if discs > 1 or any(1 in row for row in reply.state):
        raise BadReplyError(f"The server opens a game on a board that already holds {discs} discs.")
    board = _board(reply, to_move=1)
    column = _new_column(Board(), board) if discs else None
    _check_botmove(reply, column)
    return Position(board, not discs, bot_column=column, moves=() if column is None else (column,))


def after_move(known: Position, column: int, reply: MoveReply) -> Position:
    """The position after our ``column`` in ``known`` and the reply to it.

    Raises BadReplyError when the reply does not continue ``known`` by our disc and at most one of the bot's, or when
    its botmove or result contradict the board.
    """
    ours = known.play(column)
    if reply.state is None:
        return _without_state(ours, reply)
    for bot_column in (None, *ours.board.legal_columns()):
        candidate = ours if bot_column is None else replace(ours.play(bot_column), bot_column=bot_column)
        if tuple(tuple(row) for row in candidate.grid) == reply.state:
            _check_botmove(reply, bot_column)
            return _with_result(candidate, reply)
    _board(reply, to_move=1 if _counts_even(reply) == known.we_started else -1)  # the better complaint, if it has one
    raise BadReplyError(
        f"The server's board does not continue the game by our disc in {column_letter(column)} and one of the bot's."
    )


def _without_state(ours: Position, reply: MoveReply) -> Position:
    """A reply without a board still tells the game if it names the bot's column."""
    if reply.botmove in (None, -1):
        if not ours.board.is_over and not reply.is_over:
            raise BadReplyError("The server's reply holds neither a board nor the bot's column.")
        return _with_result(ours, reply)
    if reply.botmove not in ours.board.legal_columns():
        raise BadReplyError(f"The server says that its bot played {column_letter(reply.botmove)}, which is not legal.")
    return _with_result(replace(ours.play(reply.botmove), bot_column=reply.botmove), reply)


def _with_result(position: Position, reply: MoveReply) -> Position:
    """The position with its result, once reply and board agree on it."""
    board, moved = position.board, position.bot_column is not None
    expected: float | None = None
    if board.has_winner:
        expected = -1.0 if moved else 1.0
    elif board.is_full:
        expected = 0.5
    elif not moved and not reply.is_over:
        raise BadReplyError("The server's board lacks the bot's answer, and the game is not over.")
    told = reply.result if reply.is_over else None
    quirk = board.is_full and told == QUIRK
    if told is None and expected is not None and reply.result is None:
        told = expected  # a null result: the board speaks for itself
    if told != expected and not quirk:
        said = "is still running" if told is None else f"ended with {told:g}"
        shown = "goes on" if expected is None else f"ended with {expected:g}"
        raise BadReplyError(f"The server says that the game {said}, but its board shows that it {shown}.")
    return replace(position, result=told)


def _check_botmove(reply: MoveReply, column: int | None) -> None:
    if reply.botmove is None or (column is None and reply.botmove == -1) or reply.botmove == column:
        return
    seen = "no disc of its" if column is None else f"its disc in {column_letter(column)}"
    named = "none" if reply.botmove == -1 else column_letter(reply.botmove)
    raise BadReplyError(f"The server says that its bot played {named}, but its board shows {seen}.")


def _board(reply: MoveReply, to_move: int) -> Board:
    assert reply.state is not None
    try:
        return Board.from_grid(reply.state, to_move)
    except BoardError as error:
        raise BadReplyError(f"The server's board is impossible: {error.message}") from None


def _new_column(before: Board, after: Board) -> int:
    return next(column for column in before.legal_columns() if before.play(column).mask == after.mask)


def _counts_even(reply: MoveReply) -> bool:
    assert reply.state is not None
    return sum(cell != 0 for row in reply.state for cell in row) % 2 == 0
