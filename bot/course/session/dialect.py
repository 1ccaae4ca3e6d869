"""Which dialect a server speaks, and how a game is opened there.

In January 2021 every -1 counted as a loss, whether a game was running or not, and only a column opened one. A column
never forfeits a game; where no game is running it opens one, or is refused.
"""

from __future__ import annotations

from dataclasses import replace

from bot.course.protocol import LOST, MoveReply, Stats
from bot.course.session.contact import Contact
from bot.course.session.due import Transition, go_on, read
from bot.course.session.ledger import with_result
from bot.course.session.position import EMPTY, Position
from bot.course.session.session import Session


def after_opening(session: Session, position: Position, reply: MoveReply, at: float) -> Transition:
    """Go on after a reply to -1, having looked for the mark of January 2021: it shows no board.

    Another server may merely leave the board out. Where the statistics can be read, they decide: -1 has counted as a
    loss, although nothing was given up.
    """
    contact = session.contact
    has_mark = reply.state is None and reply.is_whole and position == EMPTY
    if contact.dialect == "current" or not has_mark:
        return go_on(_with(session, contact.with_mark(False)), at)
    contact = contact.with_column_refused(False)  # -1 has opened a game where it may be a loss: a column may, too
    session = _with(session, contact)
    if contact.dialect == "jan21" or (session.ledger.base is not None and session.gives_up_now):
        return go_on(session, at)
    if session.ledger.base is None:
        return go_on(_january(session, at), at)
    return read(_with(session, contact.with_mark(True)), at)


def confirmed(session: Session, base: Stats, now: Stats, at: float) -> Session:
    """Return the session after comparing a reading of the statistics with the mark of January 2021.

    The reading may lag: it may show the loss for -1 and not yet the game that followed.
    """
    belief = session.belief
    is_certain = belief.is_certainly_idle or belief.position is not None
    if not session.contact.is_marked or not is_certain:
        return session
    if now.lost - base.lost == 1 and now.played - base.played in (0, 1):  # 0: the game that followed is not counted yet
        ledger = session.ledger.counted(with_result(base, LOST))
        return _january(replace(session, ledger=ledger), at)
    if belief.is_idle and (now.played, now.lost) == (base.played, base.lost):  # it merely leaves the board out
        return _with(session, session.contact.speaking("current"))
    return session


def _with(session: Session, contact: Contact) -> Session:
    return replace(session, contact=contact)


def _january(session: Session, at: float) -> Session:
    text = "The server counts every request for a new game as a loss: from now on, a column opens each game."
    return _with(session.noting("dialect", text, at=at), session.contact.speaking("jan21"))


def column_refused(session: Session, said: str, at: float, *, is_final: bool) -> Transition:
    """Go on after a column that should have opened a game was refused: -1 opens it.

    As -1 may count as a loss, a refusal that is not final is first taken for a passing one.
    """
    contact = session.contact.blinded()
    if not is_final and not contact.is_blind:
        text = f"The server refuses the first move: {said}. Trying again."
        session = session.noting("refused", text, at=at)
        then = go_on if session.ledger.base is None else read
        return then(_with(session, contact), at, after_s=0.15 * contact.blind)
    text = f"The server opens no game by a column: {said}. A new game is requested instead."
    session = session.usable().noting("refused", text, at=at, quiet=True)
    return go_on(_with(session, session.contact.with_column_refused(True)), at)
