"""Go on behind damaged lines of a journal, where records are missing."""

from __future__ import annotations

from dataclasses import replace

from bot.course.events import Choose, Chosen, Event, Failed, ReadStatistics, Replied, Send, Sent
from bot.course.hypotheses import shown
from bot.course.protocol import NEW_GAME
from bot.course.session import Session, step


def rescued(session: Session, event: Event) -> Session:
    """Return the session after an event that is no outcome of what was due.

    The server's board is the truth: a reply that shows one sets the position, and so does the next one that fits
    nothing. A move that was chosen is about to be sent. All else changes nothing.
    """
    session = replace(session, news=(), run=replace(session.run, is_damaged=True), has_adopted=False)
    match event:
        case Replied():
            _go_to_game(session, event.game)
            _take_reply(session, event)
        case Chosen():
            _go_to_game(session, event.game)
            session.command = Send(event.move, event.at, event.answers)
        case Sent() | Failed() if session.is_idle:  # only -1 is sent then
            _go_to_game(session, event.game)
            session.command = Send(NEW_GAME)
            return step(session, event)[0]
    return session


def _go_to_game(session: Session, number: int) -> None:
    """Make this the current game: damaged lines hide the games before it."""
    number = max(1, number)
    hidden = (0.0,) * (number - session.game)
    session.results = (*session.results, *hidden)[: number - 1]


def _take_reply(session: Session, event: Replied) -> None:
    """Take a reply whose request is missing."""
    reply = event.reply
    if reply.is_over:
        session.end_game(reply.result or 0.0, "reply", at=event.at)
        session.know(None)
        session.command = ReadStatistics()
        return
    position = shown(reply)
    if position is not None:
        session.play_on(position)
    session.command = Choose()
