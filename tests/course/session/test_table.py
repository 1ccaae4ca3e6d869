"""The table of states: which event is an outcome of which command, and how many fields a reader has to hold."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import get_args

import pytest

from bot.course.protocol import NEW_GAME
from bot.course.session.belief import Hypothesis, Trust
from bot.course.session.clock import MoveClock
from bot.course.session.events import (
    Choose,
    Chosen,
    Command,
    Counted,
    Event,
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
from bot.course.session.machine import TABLE, UnexpectedEventError, step
from bot.course.session.position import EMPTY
from bot.course.session.state import Session
from tests.course.session.build import NOT_SENT, opened, position, reply_at

PLAYING = (Hypothesis(EMPTY),)
STATES: dict[Command | None, Session] = {
    command: Session(agenda=() if command is None else (command,), number=1, belief=belief)
    for command, belief in {
        None: Session().belief,
        Open(1): Session().belief,
        Choose(PLAYING, 4.65): PLAYING,
        Send(3): PLAYING,
        Send(3, is_sent=True): PLAYING,
        Send(NEW_GAME): Session().belief,
        ReadStatistics(None): PLAYING,
        Wait(0.1): PLAYING,
        Stop(Reason.NETWORK): PLAYING,
    }.items()
}
REPLY = reply_at(position((3, 2)), botmove=2)
EVENTS: tuple[Event, ...] = (
    Started(1.0),
    Chosen(1.0, 3),
    Chosen(1.0, NEW_GAME),
    Sent(1.0),
    Replied(1.0, REPLY),
    replace(NOT_SENT, at=1.0),
    Counted(1.0, None, "http 404"),
    Waited(1.0),
)
OUTCOMES = {
    "None": "run",
    "Open": "run, intent of -1",
    "Choose": "run, intent",
    "Send": "run, sent, reply, failed",
    "ReadStatistics": "run, statistics",
    "Wait": "run, waited",
    "Stop": "run",
}
"""What README.md says about each command, written down independently of the table."""


def name_of(event: Event) -> str:
    return "intent of -1" if isinstance(event, Chosen) and event.move == NEW_GAME else event.type


@pytest.mark.parametrize("event", EVENTS, ids=name_of)
@pytest.mark.parametrize("command", STATES, ids=str)
def test_an_event_is_taken_where_it_is_an_outcome_and_refused_elsewhere(command: Command | None, event: Event) -> None:
    before = STATES[command]
    name = "None" if command is None else type(command).__name__
    if isinstance(event, Replied) and isinstance(command, Send) and command.move == NEW_GAME:
        event = replace(event, reply=opened())
    if name_of(event) in OUTCOMES[name].split(", "):
        session, due = step(before, event)
        assert session.agenda
        assert due == (None if isinstance(event, Sent) else session.command)
    else:
        with pytest.raises(UnexpectedEventError, match=re.escape(str(command))):
            step(before, event)


def test_the_table_has_every_command_and_every_event() -> None:
    assert set(TABLE) == {type(None), *get_args(Command)}
    assert {event for handlers in TABLE.values() for event in handlers} == set(get_args(Event))
    assert set(map(type, EVENTS)) == set(get_args(Event))
    assert {type(command) for command in STATES} == set(TABLE)


def test_the_session_has_few_fields() -> None:
    """Those of nested values count too; games, positions and the answer book are values of their own."""
    names = [field.name for owner in (Session, Trust, MoveClock) for field in fields(owner)]
    assert len(names) - 2 <= 20, names
