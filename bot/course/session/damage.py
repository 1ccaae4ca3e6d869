"""Go on behind damaged lines of a journal, where records are missing."""

from __future__ import annotations

from dataclasses import replace

from bot.course.protocol import NEW_GAME
from bot.course.session.commands import Choose, ReadStatistics, Send
from bot.course.session.events import Chosen, Event, Failed, Replied, Sent
from bot.course.session.machine import step
from bot.course.session.position import shown
from bot.course.session.session import Session


def rescued(session: Session, event: Event) -> Session:
    """Return the session after an event that is no outcome of what was due.

    The server's board is the truth: a reply that shows one sets the position, and so does the next one that fits
    nothing. A move that was chosen is about to be sent. All else changes nothing.
    """
    run = replace(session.run, is_damaged=True)
    contact = replace(session.contact, has_adopted=False)
    session = replace(session, news=(), run=run, contact=contact)
    match event:
        case Replied():
            return _after_reply(_at_game(session, event.game), event)
        case Chosen():
            command = Send(event.move, event.at, event.answers)
            return replace(_at_game(session, event.game), command=command)
        case Sent() | Failed() if session.belief.is_idle:  # only -1 is sent then
            asked = replace(_at_game(session, event.game), command=Send(NEW_GAME))
            return step(asked, event)[0]
    return session


def _at_game(session: Session, number: int) -> Session:
    return replace(session, ledger=session.ledger.at_game(max(1, number)))


def _after_reply(session: Session, event: Replied) -> Session:
    """Return the session after a reply whose request is missing."""
    reply = event.reply
    if reply.is_over:
        session = session.ending(reply.result or 0.0, "reply", at=event.at)
        return replace(session, belief=session.belief.at(None), command=ReadStatistics())
    position = shown(reply)
    if position is not None:
        session = session.running(position)
    return replace(session, command=Choose())
