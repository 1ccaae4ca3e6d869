"""Properties of every sequence of events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.course.failures import Delivery
from bot.course.journal.journal import Journal
from bot.course.journal.records import as_line, parse_line
from bot.course.protocol import NEW_GAME, MoveReply
from bot.course.session.commands import Choose, Command, Open, ReadStatistics, Send
from bot.course.session.contact import BLIND
from bot.course.session.events import Abandoned, Chosen, Counted, Event, Failed, Replied, Sent, Started
from bot.course.session.machine import step
from bot.course.session.session import Session
from tests.course.session.build import position, reply_at, stats

MESSAGES = (None, "Impossible move.", "No game is running.", "Incorrect API key.", "Not your turn.", "Busy.")
CHANGES: tuple[dict[str, float | None], ...] = (
    {}, {}, {}, {}, {"botmove": None}, {"botmove": 6}, {"result": None}, {"result": -1.0}, {"state": None},
)  # fmt: skip
KINDS = ("reset", "timeout", "http 404", "html", "bad reply", "empty", "not sent")
RISES = ((0, 0, 0), (0, 0, 0), (1, 1, 0), (1, 0, 1), (1, 0, 0), (-1, 0, 0), None)


@st.composite
def replies(draw: st.DrawFn, session: Session, move: int) -> MoveReply:
    """Return a reply that a server could give, more often than not one that fits some hypothesis."""
    kind = draw(st.sampled_from(("fitting", "fitting", "fitting", "refusal", "opening", "foreign")))
    if kind == "refusal":
        result = draw(st.sampled_from((None, None, -1.0, -10.0)))
        return MoveReply(False, draw(st.sampled_from(MESSAGES)), None, result)
    known = draw(st.sampled_from(session.belief.hypotheses)).playing
    if kind == "opening" or move == NEW_GAME:
        known = position(draw(st.sampled_from((".", "^a", "^d", "^g"))))
    elif kind == "foreign":
        known = position(draw(st.sampled_from(("gg", "aabbcc", "dddd"))))
    for column in (move, draw(st.integers(0, 6))):
        if kind != "opening" and move != NEW_GAME and known.board.can_play(column) and not known.board.is_over:
            known = known.play(column)
    return reply_at(known, **draw(st.sampled_from(CHANGES)))


@st.composite
def events(draw: st.DrawFn, session: Session, at: float) -> Event:
    """Return an event that answers the command that is due, or now and then the start of the next run."""
    command = session.command if draw(st.integers(0, 12)) else None
    match command:
        case Open():
            return Chosen(at, NEW_GAME, session.ledger.game, answers=session.belief.expected(NEW_GAME))
        case Choose():
            column = draw(st.integers(0, 6))
            return Chosen(at, column, session.ledger.game, answers=session.belief.expected(column))
        case Send(move=move, is_sent=is_sent):
            kind = draw(st.sampled_from(("reply", "reply", "failure") if is_sent else ("sent", "sent", "failure")))
            if kind == "sent":
                return Sent(at)
            if kind == "reply":
                return Replied(at, draw(replies(session, move)))
            delivery = draw(st.sampled_from((Delivery.UNKNOWN, *Delivery)))
            delivered = draw(st.sampled_from((None, None, 1.0, 0.02)))
            return Failed(at, delivery, "It failed.", "", draw(st.sampled_from(KINDS)), delivered)
        case ReadStatistics():
            base, rise = session.ledger.base or stats(3, 1, 1), draw(st.sampled_from(RISES))
            if rise is None:
                return Counted(at, None, draw(st.sampled_from(KINDS)))
            played, won, lost = rise
            return Counted(at, stats(max(0, base.played + played), base.won + won, base.lost + lost))
    if session.command is not None and not session.belief.is_idle and not draw(st.integers(0, 5)):
        return Abandoned(at)
    return Started(at, draw(st.integers(0, 5)), is_damaged=draw(st.booleans()))


@st.composite
def runs(draw: st.DrawFn) -> list[tuple[Session, Event]]:
    """Return events that fit, each with the session before it."""
    session, at, taken = Session(), 0.0, []
    for _ in range(draw(st.integers(5, 40))):
        event = draw(events(session, at))
        taken.append((session, event))
        session, _ = step(session, event)
        if len(session.belief.hypotheses) > 200:
            break
        at += draw(st.sampled_from((0.0, 0.2, 1.0, 6.0)))
    return taken


def steps(run: list[tuple[Session, Event]]) -> Iterator[tuple[Session, Event, Session, Command | None]]:
    """Yield the steps of a run: before, event, after, command."""
    for before, event in run:
        yield (before, event, *step(before, event))


@settings(
    max_examples=settings().max_examples // 2,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(runs())
def test_no_sequence_of_events_breaks_the_session(run: list[tuple[Session, Event]]) -> None:
    journal, unanswered = Journal(Path("journal.jsonl")), 0
    for before, event, session, command in steps(run):
        belief = session.belief
        assert session.command == command
        assert sum(item.weight for item in belief.hypotheses) == pytest.approx(1.0)
        assert not isinstance(command, Open) or belief.is_idle, "-1 would forfeit a game"
        assert not isinstance(command, Choose) or not belief.is_idle or session.opens_by_column
        assert session.contact.blind < BLIND or not isinstance(command, Choose) or before.contact.blind >= BLIND
        if isinstance(event, Started) or session.contact.is_made:
            unanswered = 0
        elif isinstance(event, Failed) and event.delivery is Delivery.UNKNOWN:
            unanswered += 1
        assert unanswered <= 1, "before the first answer of a run, at most one request leaves"
        record = parse_line(as_line(event, "now"))
        assert record is not None
        journal.take(record)
        assert journal.problems == [] and all(game.problems == [] for game in journal.games)
        assert replace(journal.session, run=session.run) == session, "a journal's records restore the session"
        assert journal.session.belief.answers == belief.answers
        assert [item.weight for item in journal.session.belief.hypotheses] == [
            item.weight for item in belief.hypotheses
        ]
        assert journal.session.news == session.news
