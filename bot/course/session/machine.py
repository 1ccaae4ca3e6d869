"""``step(session, event) -> session, command``: the whole session as one pure function, and the table of its states.

The caller performs the command and passes its outcome as the next event. The events in a journal, passed in
their order (`fold.py`), restore the session of the run.

A session is in the state of the command that is due; `TABLE` says which events bring its outcome, and what handles
them. `Started` is taken in every state: a process can die at any moment, and the next one resumes the game. Any other
event raises UnexpectedEventError.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bot.course.protocol import NEW_GAME
from bot.course.session.answers import Deliveries
from bot.course.session.belief import NO_GAME
from bot.course.session.clock import MoveClock
from bot.course.session.dialect import column_failed
from bot.course.session.events import (
    Choose,
    Chosen,
    Command,
    Counted,
    Delivery,
    Event,
    Failed,
    Open,
    ReadStatistics,
    Reason,
    Replied,
    Send,
    Sent,
    Started,
    Stop,
    Wait,
    Waited,
)
from bot.course.session.replies import refused, understood
from bot.course.session.state import BLIND, WASTED, WHOLE, Session
from bot.course.session.statistics import concluded, counted

UNREADABLE = ("bad reply", "not json", "trailing bytes", "empty")
"""Kinds of failure in which a whole reply arrived that cannot be read."""
WRONG_ADDRESS = (
    "html",
    "redirect",
    "not http",
    "http 401",
    "http 403",
    "http 404",
    "bad reply",
    "not json",
    "trailing bytes",
)
"""Kinds of failure that, before the server's first answer in the protocol, show that something else answers there: a
login page, or another server."""


class UnexpectedEventError(Exception):
    """An event that is not an outcome of the command that is due."""


def step(session: Session, event: Event) -> tuple[Session, Command | None]:
    """Return the session after ``event`` and what to do next; None after `Sent`, which another event follows."""
    command = session.command
    handler = TABLE[type(command)].get(type(event))
    if handler is None:
        raise UnexpectedEventError(f"{event.type!r} is no outcome of {command}")
    session = handler(replace(session, news=(), agenda=session.agenda[1:]), command, event)
    if isinstance(event, Sent):
        return session, None
    if not session.agenda and session.is_idle and session.belief != (NO_GAME,):
        session = concluded(session, event.at).reading(event.at)
    if not isinstance(session.command, Stop) and session.wasted >= (WASTED // 2 if session.run.careful else WASTED):
        session = session.stopping(
            Reason.REFUSED,
            "The server refuses, loses or does not open one game after another.",
            "Play one game with --careful and send the bundle to a maintainer.",
        )
    if not session.agenda:
        session = _proceeding(session, event.at)
    return session, session.command


def _proceeding(session: Session, at: float) -> Session:
    """Return the session with its next move due, or its end after the run's games."""
    due: Command
    if session.is_idle and session.played >= session.run.games:
        due = Stop(Reason.FINISHED)
    elif session.is_idle and not session.opens_by_column:
        due = Open(session.number + 1)
    else:
        if session.is_idle:  # the server's clock does not run between games
            session = replace(session, clock=session.clock.start(at, session.run.limit_s))
        due = Choose(session.belief, session.clock.left_s(at))
    return replace(session, agenda=(due,))


def _started(session: Session, command: Command | None, event: Started) -> Session:
    """Begin a run. In a resumed one, a crash may have interrupted the last request."""
    session = replace(
        session,
        run=event,
        agenda=(),
        played=0,
        clock=MoveClock().start(event.at, event.limit_s),
        in_contact=False,
        trouble_since=None,
        wasted=0,
        has_adopted=False,
        dialect=event.dialect,
        lacks_statistics=False,
        column_opens=event.column_opens,
        is_column_refused=False,
        is_marked=False,
        deliveries=Deliveries({**session.deliveries.cases, **event.deliveries}),
    )
    if isinstance(command, Send):
        session = session.lost(command.move, f"crashed {'after' if command.is_sent else 'before'} sending")
    return session.reading(event.at)


def _chosen(session: Session, command: Open | Choose, event: Chosen) -> Session:
    if (event.move == NEW_GAME) is not isinstance(command, Open):
        raise UnexpectedEventError(f"the move {event.move} is no outcome of {command}")  # -1 would forfeit the game
    number = session.number + session.is_idle
    return replace(session, agenda=(Send(event.move, event.at),), number=number)


def _sent(session: Session, command: Send, _event: Sent) -> Session:
    return replace(session, agenda=(replace(command, is_sent=True),))


def _waited(session: Session, _command: Wait, _event: Waited) -> Session:
    return session


def _replied(session: Session, command: Send, event: Replied) -> Session:
    clock = session.clock.replied(event.at - event.body_s, command.chosen_at, session.run.limit_s)
    session = replace(session, in_contact=True, clock=clock)
    return (understood if event.reply.status else refused)(session, command.move, event.reply, event.at)


def _failed(session: Session, command: Send, event: Failed) -> Session:
    is_opening = session.opens(command.move)
    by_request = column_failed(session, event) if is_opening and command.move != NEW_GAME else None
    if by_request is not None:
        return by_request
    if is_opening and event.delivery is not Delivery.UNKNOWN:
        session = replace(session, number=session.number - 1)  # nothing was opened
    if event.delivery is Delivery.REJECTED:
        return session.stopping(Reason.REJECTED, event.message, event.hint)
    if event.delivery is Delivery.NOT_SENT:
        return _again(session, event)
    has_shown_board = bool(session.clock.overheads_s)
    is_blind = not has_shown_board and session.base is not None and (event.delivered or 0.5) >= 0.5
    counts = WHOLE if event.kind in UNREADABLE else int(is_blind)
    session = session.lost(command.move, event.kind, event.delivered)
    session = replace(session, blind=session.blind + counts, clock=session.clock.lost(event.at))
    if not session.in_contact and event.kind in WRONG_ADDRESS:
        return session.stopping(Reason.REFUSED, event.message, event.hint)
    what = "request for a new game" if command.move == NEW_GAME else "move"
    text = f"{event.message} The server may or may not have received the {what}."
    session = session.noting("reply_lost", text, at=event.at)
    if session.blind >= BLIND:
        reason = Reason.REFUSED if event.kind in UNREADABLE else Reason.NETWORK
        return session.stopping(reason, f"{event.message} No reply to the last moves could be used.", event.hint)
    return _again(session, event)


def _again(session: Session, event: Failed) -> Session:
    """Return the session that tries again, after a pause and perhaps a reading, as long as its patience lasts.

    The statistics are read where they can help: after lost replies, and once the server may have ended a game whose
    move was late. Before the server's first answer in the protocol, nothing more is sent to /move after a request that
    may have been received: only the statistics are read, which changes nothing.
    """
    is_first = session.trouble_since is None and event.delivery is Delivery.UNKNOWN
    session = session.troubled(event)
    if session.agenda:
        return session
    pause_s = 0.0 if is_first else session.pause_s(event.at)
    is_late = not session.is_idle and session.clock.until_late_s(event.at) < 0
    is_blind = not session.in_contact and event.delivery is Delivery.UNKNOWN
    if is_blind or (session.base is not None and (is_late or len(session.belief) > 1)):
        return session.reading(event.at, after_s=pause_s)
    return replace(session, agenda=(Wait(pause_s),)) if pause_s > 0 else session


Handler = Callable[[Session, Any, Any], Session]
TABLE: Mapping[type[Command] | type[None], Mapping[type[Event], Handler]] = {
    type(None): {Started: _started},
    Open: {Chosen: _chosen, Started: _started},
    Choose: {Chosen: _chosen, Started: _started},
    Send: {Sent: _sent, Replied: _replied, Failed: _failed, Started: _started},
    ReadStatistics: {Counted: counted, Started: _started},
    Wait: {Waited: _waited, Started: _started},
    Stop: {Started: _started},
}
"""What handles which event in which state: a handler takes the session, the command and the event that answers it."""
