"""Properties of every sequence of events, in the notation of `build.py`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.course.events import Choose, Event, Failed, GameEnded, Open, ReadStatistics, Send, Started
from bot.course.failures import Delivery
from bot.course.journal.journal import Journal
from bot.course.journal.records import as_line, parse_line
from bot.course.protocol import NEW_GAME
from bot.course.session import BLIND
from tests.course.session.build import COLUMNS, Walk

FITTING = [f"+{answer}{change}" for answer in COLUMNS for change in ("", "", " state=no", " botmove=no", " result=-1")]
REFUSALS = [
    f'no "{text}"{result}'
    for text in ("Impossible move.", "No game is running.", "Incorrect API key.", "Not your turn.", "Busy.", "")
    for result in ("", " result=-1", " result=-10")
]
FAILURES = [
    *(f"lost {kind}{delivered}" for kind in ("reset", "http 404", "html") for delivered in ("", " delivered=1")),
    *("lost timeout delivered=0.02", "not sent", "rejected"),
]
BOARDS = [".", "^a", "^d", "^g", "gg", "aabbcc", "dddd", "null", "null result=-1", ". botmove=d", "^d result=no"]
OUTCOMES = st.sampled_from(FITTING) | st.sampled_from(REFUSALS) | st.sampled_from(FAILURES) | st.sampled_from(BOARDS)
READINGS = ("unread timeout", "unread http 404", *(f"counted {rise}" for rise in ("3 1 1", "4 2 1", "4 1 2", "4 1 1")))


@dataclass
class Checked(Walk):
    """A walk in which every step is checked."""

    journal: Journal = field(default_factory=lambda: Journal(Path("journal.jsonl")))
    told: list[GameEnded] = field(default_factory=list)
    unanswered: int = 0

    def feed(self, event: Event | None) -> None:
        """Pass an event to the session and to a journal."""
        before = self.session
        super().feed(event)
        if event is None:
            return
        session, command = self.session, self.command
        assert session.command == command
        assert sum(item.weight for item in session.hypotheses) == pytest.approx(1.0)
        assert not isinstance(command, Open) or session.is_idle, "-1 would forfeit a game"
        assert not isinstance(command, Choose) or not session.is_idle or session.opens_by_column
        assert session.blind < BLIND or not isinstance(command, Choose) or before.blind >= BLIND
        if isinstance(event, Started) or session.is_made:
            self.unanswered = 0
        elif isinstance(event, Failed) and event.delivery is Delivery.UNKNOWN:
            self.unanswered += 1
        assert self.unanswered <= 1, "before the first answer of a run, at most one request leaves"
        self._check_journal()

    def _check_journal(self) -> None:
        session = self.session
        self.told += [item for item in session.news if isinstance(item, GameEnded)]
        record = parse_line(as_line(self.records[-1], "now"))
        self.journal.take(record)
        assert self.journal.problems == [] and all(game.problems == [] for game in self.journal.games)
        restored = self.journal.session
        assert replace(restored, run=session.run) == session, "a journal's records restore the session"
        assert restored.answers == session.answers and restored.news == session.news
        assert [item.weight for item in restored.hypotheses] == [item.weight for item in session.hypotheses]
        assert self.journal.ends == self.told


def outcome(walk: Walk, move: int, drawn: str) -> str:
    """Return an outcome of a move that the likeliest position allows."""
    if not drawn.startswith("+"):
        return drawn
    after = walk.known.play(move) if move != NEW_GAME and walk.known.board.can_play(move) else None
    if after is None or after.board.is_over:
        return "." if after is None else "+"
    return drawn if after.board.can_play(COLUMNS.index(drawn[1])) else "+"


@settings(
    max_examples=settings().max_examples // 2,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.data())
def test_no_sequence_of_events_breaks_the_session(data: st.DataObject) -> None:
    walk = Checked()
    for _ in range(data.draw(st.integers(5, 40))):
        drawn, is_ending = data.draw(OUTCOMES), data.draw(st.integers(0, 12)) == 0
        match walk.session.command:
            case Open() if not is_ending:
                walk(f"new: {outcome(walk, NEW_GAME, drawn)}")
            case Choose() if not is_ending:
                column = data.draw(st.sampled_from(COLUMNS))
                walk(f"{column}: {outcome(walk, COLUMNS.index(column), drawn)}")
            case ReadStatistics() if not is_ending:
                walk(data.draw(st.sampled_from(READINGS)))
            case Send() if not is_ending:
                walk(f"then: {outcome(walk, walk.session.command.move, drawn)}")
            case None:
                walk("run games=3")
            case _:
                scripts = ["run games=2", "run is_damaged=1", "run games=0"]
                if isinstance(walk.session.command, (Open, Choose)):
                    scripts += ["new: chosen" if isinstance(walk.session.command, Open) else "c: chosen"]
                if walk.session.has_open_game:
                    scripts.append("abandoned")
                walk(data.draw(st.sampled_from(scripts)))
        walk.at += data.draw(st.sampled_from((0.0, 0.2, 1.0, 6.0)))
        if len(walk.session.hypotheses) > 200:
            break
