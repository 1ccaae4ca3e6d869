"""``step(session, event) -> session, command``: the whole session as one pure function, and the table of its states.

The caller performs the command and passes its outcome as the next event. The events in a journal, passed in their
order, restore the session of the run.

A session is in the state of the command that is due. `TABLE` says which events bring its outcome, and which function
handles each: that function returns the next command, and nothing else decides. `Started` and `Abandoned` are taken in
every state: a process can die at any moment, and the next one resumes the game or gives it up. Any other event raises
UnexpectedEventError.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bot.course.failures import Delivery, about
from bot.course.protocol import LOST, NEW_GAME
from bot.course.session.clock import MoveClock
from bot.course.session.commands import Choose, Command, Open, ReadStatistics, Send, Stop, StopReason
from bot.course.session.contact import WHOLE, Contact
from bot.course.session.deliveries import Deliveries
from bot.course.session.dialect import column_refused
from bot.course.session.due import Transition, read, read_between_games, stop, try_again
from bot.course.session.events import Abandoned, Chosen, Counted, Event, Failed, Replied, Sent, Started
from bot.course.session.refusals import refused
from bot.course.session.replies import understood
from bot.course.session.session import Session
from bot.course.session.statistics import on_counted
from bot.errors import clause


class UnexpectedEventError(Exception):
    """An event that is not an outcome of the command that is due."""


def step(session: Session, event: Event) -> Transition:
    """Return the session after ``event``, and what to do next."""
    handler = TABLE[type(session.command)].get(type(event))
    if handler is None:
        raise UnexpectedEventError(f"{event.type!r} is no outcome of {session.command}")
    session, command = handler(replace(session, news=()), session.command, event)
    return replace(session, command=command), command


def _on_started(session: Session, command: Command | None, event: Started) -> Transition:
    """Begin a run. In a resumed one, a crash may have interrupted the last request."""
    belief = replace(
        session.belief,
        clock=MoveClock().start(event.at, event.limit_s),
        deliveries=Deliveries({**session.belief.deliveries.cases, **event.deliveries}),
    )
    if isinstance(command, Send):
        kind = "crashed after sending" if command.is_sent else "crashed before sending"
        belief = belief.lost(command.move, command.answers, kind=kind)
    contact = Contact.of(event, session.contact)
    ledger = session.ledger.started()
    session = replace(session, run=event, ledger=ledger, contact=contact, belief=belief)
    return read(session, event.at)


def _on_abandoned(session: Session, _command: Command | None, event: Abandoned) -> Transition:
    """Give up the game: a loss, if the server has it."""
    if session.belief.is_idle and not session.is_opening:
        if session.belief.is_certainly_idle and session.ledger.unseen is None:
            raise UnexpectedEventError("no game is running that could be given up")
        return read_between_games(session.ending(0.0, "unknown", at=event.at), event.at)
    if session.ledger.unseen is not None:
        session = session.ending(0.0, "unknown", at=event.at)
    was_answered = session.ledger.answered == session.ledger.game
    result = LOST if was_answered else 0.0
    session = session.ending(result, "abandoned", at=event.at)
    return read_between_games(session, event.at)


def _on_chosen(session: Session, command: Open | Choose, event: Chosen) -> Transition:
    if (event.move == NEW_GAME) != isinstance(command, Open):
        raise UnexpectedEventError(f"the move {event.move} is no outcome of {command}")  # -1 would forfeit the game
    if event.late:
        session = replace(session, contact=session.contact.excused())
    return session, Send(event.move, event.at, event.answers)


def _on_sent(session: Session, command: Send, _event: Sent) -> Transition:
    return session, replace(command, is_sent=True)


def _on_replied(session: Session, command: Send, event: Replied) -> Transition:
    first_byte_at = event.at - event.body_s
    clock = session.belief.clock.replied(first_byte_at, command.chosen_at, session.run.limit_s)
    belief = session.belief.timed(clock)
    session = replace(session, contact=session.contact.made(), belief=belief)
    if not event.reply.status:
        return refused(session, command, event.reply, event.at)
    session = replace(session, ledger=session.ledger.with_answer())
    return understood(session, command, event.reply, event.at)


def _on_failed(session: Session, command: Send, event: Failed) -> Transition:
    """Go on after a request without a usable reply: the client has waited until the server answers again."""
    contact = session.contact
    is_opening_column = session.belief.opens(command.move) and command.move != NEW_GAME
    is_error = event.kind == "http 500" and session.meets_another_game and session.ledger.base is not None
    if is_opening_column and (about(event.kind).refuses_column or is_error) and not contact.column_opens:
        is_final = event.delivery is Delivery.REJECTED or (is_error and contact.blind > 0)
        return column_refused(session, clause(event.message), event.at, is_final=is_final)
    if event.delivery is Delivery.REJECTED:
        return stop(session, StopReason.REJECTED, event.message, event.hint)
    if event.delivery is Delivery.NOT_SENT:
        return try_again(session, command, event)
    return _on_lost_reply(session, command, event)


def _on_lost_reply(session: Session, command: Send, event: Failed) -> Transition:
    """Go on after a request that the server may have processed."""
    kind = about(event.kind)
    delivered = event.delivered
    if delivered is None and session.contact.trouble_since is not None:
        delivered = kind.delivered_later
    session = _blinded(session, event, delivered)
    learnt_kind = f"{event.kind} in an outage" if event.is_outage else event.kind
    belief = session.belief.lost(command.move, command.answers, kind=learnt_kind, delivered=delivered)
    session = replace(session, belief=belief.timed(belief.clock.lost(event.at)))
    if not session.contact.is_made and kind.wrong_address:
        return stop(session, StopReason.REFUSED, event.message, event.hint)
    what = "request for a new game" if command.move == NEW_GAME else "move"
    text = f"{event.message} The server may or may not have received the {what}."
    session = session.noting("reply_lost", text, at=event.at)
    if session.contact.is_blind:
        reason = StopReason.REFUSED if kind.is_whole else StopReason.NETWORK
        return stop(session, reason, f"{event.message} No reply to the last moves could be used.", event.hint)
    return try_again(session, command, event)


def _blinded(session: Session, event: Failed, delivered: float | None) -> Session:
    """Return the session with a lost reply counted, if every further move comes closer to a blind one."""
    if about(event.kind).is_whole:
        return replace(session, contact=session.contact.blinded(WHOLE))
    has_replied = session.belief.clock.has_measured
    is_probable = delivered is None or delivered >= 0.5
    if has_replied or session.ledger.base is None or not is_probable:
        return session
    return replace(session, contact=session.contact.blinded(1))


Handler = Callable[[Session, Any, Any], Transition]
_ALWAYS: Mapping[type[Event], Handler] = {Started: _on_started, Abandoned: _on_abandoned}
TABLE: Mapping[type[Command] | type[None], Mapping[type[Event], Handler]] = {
    type(None): {Started: _on_started},
    Open: {Chosen: _on_chosen, **_ALWAYS},
    Choose: {Chosen: _on_chosen, **_ALWAYS},
    Send: {Sent: _on_sent, Replied: _on_replied, Failed: _on_failed, **_ALWAYS},
    ReadStatistics: {Counted: on_counted, **_ALWAYS},
    Stop: _ALWAYS,
}
"""What handles which event in which state: a function of the session, the command and the event that answers it."""
