"""Properties of every sequence of events."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.course.protocol import NEW_GAME, MoveReply, Stats
from bot.course.session.belief import is_idle
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
    Replied,
    Send,
    Sent,
    Started,
    Wait,
    Waited,
    as_line,
    parse_line,
)
from bot.course.session.fold import Fold
from bot.course.session.machine import step
from bot.course.session.state import BLIND, Session
from tests.course.session.build import position, reply_at, stats

MESSAGES = (None, "Impossible move.", "No game is running.", "Incorrect API key.", "Not your turn.", "Busy.")


# Any events


def any_reply(draw: st.DataObject, session: Session) -> MoveReply:
    """Return a reply that a server could give, more often than not one that fits some hypothesis."""
    kind = draw.draw(st.sampled_from(("fitting", "fitting", "fitting", "opening", "refusal", "changed", "foreign")))
    if kind == "refusal":
        result = draw.draw(st.sampled_from((None, None, -1.0, -10.0)))
        return MoveReply(False, draw.draw(st.sampled_from(MESSAGES)), None, result)
    if kind == "opening" or (session.is_opening and kind == "fitting"):
        column = draw.draw(st.sampled_from((None, 0, 3, 6)))
        known = position() if column is None else position([column], we_start=False)
        return draw.draw(st.sampled_from((reply_at(known, botmove=column), MoveReply(True))))
    known = draw.draw(st.sampled_from(session.belief)).playing
    if kind == "foreign":
        known = position(draw.draw(st.sampled_from(((6, 6), (0, 0, 1, 1, 2, 2), (3, 3, 3, 3), ()))))
    assert isinstance(session.command, Send)
    move = session.command.move
    if move != NEW_GAME and known.board.can_play(move):
        known = known.play(move)
    answer = None
    result = 1.0 if known.board.has_winner else 0.5 if known.board.is_full else 0.0
    if not known.board.is_over:
        answer = draw.draw(st.sampled_from(known.board.legal_columns()))
        known = known.play(answer)
        result = -1.0 if known.board.has_winner else 0.5 if known.board.is_full else 0.0
    reply = reply_at(known, botmove=answer, result=result, state=draw.draw(st.booleans()))
    if kind == "changed":
        change = draw.draw(
            st.sampled_from(({"botmove": None}, {"botmove": 6}, {"result": None}, {"result": -1.0}, {"state": None}))
        )
        return replace(reply, **change)  # type: ignore[arg-type]
    return reply


def any_failure(draw: st.DataObject, at: float) -> Failed:
    """Return a failure of any kind."""
    delivery = draw.draw(st.sampled_from((Delivery.UNKNOWN, Delivery.UNKNOWN, Delivery.NOT_SENT, Delivery.REJECTED)))
    kind = draw.draw(st.sampled_from(("reset", "timeout", "http 404", "html", "bad reply", "empty")))
    delivered = draw.draw(st.sampled_from((None, None, 1.0, 0.02)))
    return Failed(at, delivery, "It failed.", kind=kind, delivered=delivered)


def any_reading(draw: st.DataObject, session: Session, at: float) -> Counted:
    """Return a reading near the session's own count, or one that failed."""
    base = session.base or stats()
    rise = draw.draw(st.sampled_from(((0, 0, 0), (0, 0, 0), (1, 1, 0), (1, 0, 1), (1, 0, 0), (-1, 0, 0), None)))
    if rise is None:
        return Counted(at, None, draw.draw(st.sampled_from(("http 404", "timeout", "html", "not sent"))))
    played, won, lost = rise
    return Counted(at, Stats(max(0, base.played + played), base.won + won, base.lost + lost, 0))


def any_event(draw: st.DataObject, session: Session, at: float) -> Event:
    """Return an event that answers the command that is due, or now and then the start of the next run."""
    command = session.command
    if command is None or not draw.draw(st.integers(0, 12)):
        return Started(at, draw.draw(st.integers(0, 5)), is_damaged=draw.draw(st.booleans()))
    match command:
        case Open():
            return Chosen(at, NEW_GAME, session.number + 1)
        case Choose():
            return Chosen(at, draw.draw(st.integers(0, 6)), session.number)
        case Send(is_sent=is_sent):
            kind = draw.draw(st.sampled_from(("reply", "reply", "failure") if is_sent else ("sent", "sent", "failure")))
            if kind == "sent":
                return Sent(at)
            return Replied(at, any_reply(draw, session)) if kind == "reply" else any_failure(draw, at)
        case ReadStatistics():
            return any_reading(draw, session, at)
        case Wait():
            return Waited(at)
    return Started(at, draw.draw(st.integers(1, 5)))


def contents(session: Session) -> tuple[object, ...]:
    """Return copies of what a frozen session could still change."""
    return (session, dict(session.answers.known), session.news, repr(session.base))


thoroughly = settings(
    max_examples=settings().max_examples // 2, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def any_run(draw: st.DataObject, steps: int) -> list[tuple[Session, Event, Session, Command | None]]:
    """Return the steps of a session through events that fit: before, event, after, command."""
    session, at, taken = Session(), 0.0, []
    for _ in range(draw.draw(st.integers(5, steps))):
        event = any_event(draw, session, at)
        after, command = step(session, event)
        taken.append((session, event, after, command))
        session = after
        if len(session.belief) > 400:
            break
        at += draw.draw(st.sampled_from((0.0, 0.2, 1.0, 6.0)))
    return taken


@thoroughly
@given(st.data())
def test_no_sequence_of_events_breaks_the_session(draw: st.DataObject) -> None:
    for before, event, session, command in any_run(draw, 40):
        copy = contents(before)
        assert step(before, event) == (session, command)
        assert contents(before) == copy
        assert (command is None) is isinstance(event, Sent)
        assert session.agenda, "something is always due"
        assert sum(item.weight for item in session.belief) == pytest.approx(1.0)
        assert not isinstance(command, Open) or is_idle(session.belief), "-1 would forfeit a game"
        assert not isinstance(command, Choose) or command.belief == session.belief
        assert not isinstance(command, Choose) or not is_idle(session.belief)
        assert session.number >= 0
        assert session.blind < BLIND or not isinstance(command, Choose) or before.blind >= BLIND


@thoroughly
@given(st.data())
def test_before_the_first_answer_of_a_run_at_most_one_request_leaves(draw: st.DataObject) -> None:
    leaving = 0
    for before, event, session, _command in any_run(draw, 30):
        if isinstance(event, Started) or session.in_contact:
            leaving = 0
        is_lost = isinstance(event, Failed) and event.delivery is Delivery.UNKNOWN
        leaving += is_lost and not session.in_contact
        assert leaving <= 1, (before, event)


@thoroughly
@given(st.data())
def test_a_folded_journal_restores_the_session_after_every_event(draw: st.DataObject) -> None:
    fold = Fold()
    for _before, event, session, _command in any_run(draw, 40):
        assert fold.take(parse_line(as_line(event, "now"))) == []
        assert replace(fold.session, run=session.run) == session
        assert replace(fold.session.run, time="") == session.run
        assert fold.session.answers == session.answers
        assert [item.weight for item in fold.session.belief] == [item.weight for item in session.belief]
        for news in session.news:
            assert fold.take(parse_line(as_line(news, "now"))) == []
        assert fold.expected == []
