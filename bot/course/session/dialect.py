"""Which dialect a server speaks, and how a game is opened there.

In January 2021 every -1 counted as a loss, whether a game was running or not, and only a column opened one. A column
never forfeits a game; where no game is running it opens one, or is refused.
"""

from __future__ import annotations

from dataclasses import replace

from bot.course.protocol import LOST, MoveReply, Stats
from bot.course.session.belief import NO_GAME
from bot.course.session.events import Failed, Wait
from bot.course.session.position import EMPTY, Position
from bot.course.session.state import BLIND, WHOLE, Session, counted_in

NO_OPENING = ("http 400", "http 409", "http 422")
"""Kinds of failure with which a server refuses a column that should open a game."""


def marked(session: Session, position: Position, reply: MoveReply, at: float) -> Session:
    """Return the session after looking for the mark of January 2021 in the reply to -1: it shows no board.

    Another server may merely leave the board out. Where the statistics can be read, they decide: -1 has counted as a
    loss, although nothing was given up.
    """
    has_mark = reply.state is None and reply.is_whole and position == EMPTY
    if session.dialect == "current" or not has_mark:
        return replace(session, is_marked=False)
    session = replace(session, is_column_refused=False)
    if session.dialect == "jan21":
        return session
    if session.base is None:
        return _january(session, at)
    if session.is_giving_up_now:
        return session
    return replace(session, is_marked=True).reading(at)


def confirmed(session: Session, base: Stats, now: Stats, at: float) -> Session:
    """Return the session after comparing a reading of the statistics with the mark of January 2021.

    The reading may lag: it may show the loss for -1 and not yet the game that followed.
    """
    is_certain = session.belief == (NO_GAME,) or session.position is not None
    if not session.is_marked or not is_certain:
        return session
    if now.lost - base.lost == 1 and now.played - base.played in (0, 1):
        return _january(replace(session, base=counted_in(base, LOST)), at)
    if session.is_idle and (now.played, now.lost) == (base.played, base.lost):  # it merely leaves the board out
        return replace(session, dialect="current", is_marked=False)
    return session


def _january(session: Session, at: float) -> Session:
    text = "The server counts every request for a new game as a loss: from now on, a column opens each game."
    return replace(session.noting("dialect", text, at=at), dialect="jan21", is_marked=False)


def column_refused(session: Session, said: str, at: float, *, is_final: bool) -> Session:
    """Return the session after a column that should have opened a game was refused: -1 opens it.

    As -1 may count as a loss, a refusal that is not final is first taken for a passing one.
    """
    session = replace(session, number=session.number - 1)  # nothing was opened
    if not is_final and session.blind + WHOLE < BLIND:
        text = f"The server refuses the first move: {said}. Trying again."
        session = replace(session.noting("refused", text, at=at), blind=session.blind + WHOLE)
        return replace(session, agenda=(Wait(0.15 * session.blind),))
    text = f"The server opens no game by a column: {said}. A new game is requested instead."
    return replace(session.usable().noting("refused", text, at=at, quiet=True), is_column_refused=True)


def column_failed(session: Session, event: Failed) -> Session | None:
    """Return the session in which -1 opens the game, if a failure shows that a column opens none; else None."""
    if session.column_opens or event.kind not in NO_OPENING:
        return None
    text = f"{event.message} A new game is requested instead."
    session = session.noting("refused", text, at=event.at, quiet=True)
    return replace(session, is_column_refused=True, number=session.number - 1)  # nothing was opened
