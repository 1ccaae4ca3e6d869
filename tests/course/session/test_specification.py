"""One player's games as a pure function: `step(session, event)` returns the session after an event and what to do next.

The server applies a move whenever one arrives, and shows the board only in its reply. So a move is not idempotent, and
after a lost reply the session plays on with every possibility. A -1, which opens a game, would forfeit a running one.
No test does anything but pass events: the session has no clock, no network and no disk. The notation is in `build.py`;
`transcripts/` has the details, state by state.
"""

from __future__ import annotations

import pytest

from bot.course.events import (
    Abandoned,
    Choose,
    Chosen,
    Command,
    Counted,
    Event,
    Failed,
    Note,
    Open,
    ReadStatistics,
    Replied,
    Send,
    Started,
    Stop,
    StopReason,
)
from bot.course.failures import Delivery
from bot.course.hypotheses import EMPTY, MOST_HYPOTHESES, Hypothesis
from bot.course.protocol import NEW_GAME, MoveReply
from bot.course.session import Session, UnexpectedEventError, step
from tests.course.session.build import Walk, position, stats

EVENTS: dict[str, Event] = {
    "started": Started(1.0),
    "new game chosen": Chosen(1.0, NEW_GAME),
    "column chosen": Chosen(1.0, 3),
    "replied": Replied(1.0, MoveReply(True)),
    "failed": Failed(1.0, Delivery.UNKNOWN, "It failed."),
    "counted": Counted(1.0, None),
    "abandoned": Abandoned(1.0),
}
PLAYING = (Hypothesis(EMPTY),)
OUTCOMES: list[tuple[Command | None, str]] = [
    (None, "started"),
    (Open(), "started, new game chosen, abandoned"),
    (Choose(), "started, column chosen, counted, abandoned"),
    (Send(3), "started, replied, failed, abandoned"),
    (ReadStatistics(None), "started, counted, abandoned"),
    (Stop(StopReason.NETWORK), "started, abandoned"),
]
"""What brings the outcome of each command that is due; a process can die, and another start, at any moment."""


@pytest.mark.parametrize(("command", "outcomes"), OUTCOMES, ids=lambda value: type(value).__name__)
def test_only_the_outcome_of_the_command_that_is_due_is_taken(command, outcomes):
    session = Session(hypotheses=PLAYING, command=command)
    for name, event in EVENTS.items():
        if name in outcomes.split(", "):
            after, due = step(session, event)
            assert due == after.command
        else:
            with pytest.raises(UnexpectedEventError):
                step(session, event)


def test_after_a_lost_reply_the_move_was_not_processed_or_was_answered_by_any_column():
    walk = Walk()("run; unread http 404; new: .; play dd; c: lost reset")
    boards = {item.playing.board for item in walk.session.hypotheses}
    assert boards == {position("dd").board, *(position(f"ddc{answer}").board for answer in "abcdefg")}
    assert sum(item.weight for item in walk.session.hypotheses) == pytest.approx(1.0)
    walk("7 times c: lost reset")
    assert len(walk.session.hypotheses) == MOST_HYPOTHESES
    assert sum(item.weight for item in walk.session.hypotheses) == pytest.approx(1.0)


WON = "run; counted 0 0 0; new: .; play ababab; a: +"
TOLD = [
    (WON, None),
    (f"{WON}; unread timeout", (None, "timeout")),
    (f"{WON}; counted 0 0 0; unread timeout", (stats(), "")),
    (f"{WON}; counted 0 0 0; counted 1 1 0", (stats(1, 1), "")),
    ("run games=2; counted 0 0 0; new: .; play dd; c: ce; counted 1 1 0", (stats(1, 1), "")),
]


@pytest.mark.parametrize(("script", "told"), TOLD)
def test_the_last_good_reading_since_a_reply_ended_a_game_is_told(script, told):
    counted = Walk()(script).session.counted
    assert told == (counted and (counted.stats, counted.kind))


def test_a_note_names_what_happened_and_numbers():
    walk = Walk()("run games=9; counted 0 0 0; new: .; play ababab; a: +; counted 2 1 1")
    (text,) = [item.text for item in walk.news if isinstance(item, Note)]
    assert text == "The server counts 1 game more than were finished here, 1 of them lost."
