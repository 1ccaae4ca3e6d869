"""The fold of a journal's records: it restores the session, names what contradicts them, and goes on after damage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.course.session.belief import NO_GAME
from bot.course.session.events import (
    Choose,
    Chosen,
    Event,
    GameEnded,
    Note,
    Open,
    Record,
    Replied,
    RunEnded,
    Send,
    Sent,
    Started,
)
from bot.course.session.fold import Fold
from bot.course.session.machine import step
from bot.course.session.state import Session
from tests.course.session.build import COLUMNS, Walk, position, reply_at

EVENTFUL = (
    "run games=9; counted 4 2 1 0.5; new: not sent; new: ^d; play dc; c: lost reset; settled 4 2 1; "
    'e: ^ddcee; c: no "No game is running."; unread timeout; c: ggga; settled 5 2 2; '
    'b: no "No game is running."; settled 5 2 2; new: .; play ababab; a: chosen; run games=3; '
    "settled 5 2 2; a: +; settled 6 3 2; new: .; f: sent"
)
"""Three games with all that can happen on the way; it ends in the middle of a move."""
WON = "run; counted 0 0 0; new: .; play ababab; a: +"


def folded(records: Sequence[Record], *, is_damaged: bool = False) -> tuple[Fold, list[str]]:
    """Return the fold of the records and the problems that it names."""
    fold = Fold(is_damaged=is_damaged)
    return fold, [problem for record in records for problem in fold.take(record)]


def test_every_prefix_of_the_records_restores_the_session_and_says_which_news_are_missing() -> None:
    records = Walk()(EVENTFUL).records
    kinds = {record.type for record in records}
    assert kinds == {"run", "intent", "sent", "reply", "failed", "statistics", "waited", "game_end", "note"}
    session, missing = Session(), list[Record]()
    for count, record in enumerate(records):
        fold, problems = folded(records[:count])
        assert (fold.session, fold.expected, problems) == (session, missing, [])
        assert fold.session.answers == session.answers
        if isinstance(record, Event):
            session, _ = step(session, record)
            missing = list(session.news)
        else:
            missing.remove(record)
    assert folded([*records, RunEnded("interrupted")])[0].session == session


def test_news_that_a_crash_left_unrecorded_are_the_first_records_of_the_next_run() -> None:
    walk = Walk()(WON)
    fold, _ = folded(walk.records[:-1])
    assert fold.expected == walk.records[-1:]
    assert fold.take(walk.records[-1]) == []
    assert (fold.take(Started(200.0)), fold.expected) == ([], [])
    silent, problems = folded([*walk.records[:-1], Started(200.0)])
    assert problems == ["the record 'game_end' is missing."]
    assert silent.session == fold.session


def test_a_game_that_was_given_up_is_no_game() -> None:
    walk = Walk()(EVENTFUL)
    fold, problems = folded([*walk.records, GameEnded(walk.session.number, -1.0, "abandoned")])
    assert (fold.session.belief, problems) == ((NO_GAME,), [])
    assert Walk(fold.session)("run; unread http 404").command == Open(walk.session.number + 1)


END = GameEnded(1, 1.0, "reply", (0, 1, 0, 1, 0, 1, 0), True, 100.0)
NOTE = Note("resynchronised", "Oh.")
ALTERED: list[tuple[slice, list[Record], list[str]]] = [
    (slice(-1, None), [replace(END, result=0.5)], ["game_end"]),
    (slice(-1, None), [replace(END, known_by="inferred")], ["game_end"]),
    (slice(-1, None), [replace(END, moves=(1, 2))], ["game_end"]),
    (slice(-1, None), [replace(END, result=-1.0, we_started=False)], ["game_end"]),
    (slice(-1, None), [END, NOTE, END], ["note", "game_end"]),
    (slice(-4, -3), [], ["sent", "reply", "game_end"]),
]


@pytest.mark.parametrize(("place", "records", "types"), ALTERED)
def test_a_record_that_does_not_follow_is_named_and_taken_all_the_same(
    place: slice, records: list[Record], types: list[str]
) -> None:
    altered = Walk()(WON).records
    altered[place] = records
    fold, problems = folded(altered)
    assert problems == [f"the record {kind!r} does not follow from those before it." for kind in types]
    assert (fold.session.belief, fold.session.number, fold.expected) == ((NO_GAME,), 1, [])


AGREEING: list[tuple[str, dict[str, Any], bool]] = [
    ("another inferred result", {"result": 0.5}, True),
    ("another result from a reply", {"result": 0.5, "known_by": "reply"}, False),
    ("another game", {"game": 2}, False),
    ("another order of moves", {"moves": (2, 0, 3)}, True),
    ("other moves", {"moves": (3, 0, 4)}, False),
    ("impossible moves", {"moves": (3,) * 7}, False),
]


@pytest.mark.parametrize(("changes", "agrees"), [row[1:] for row in AGREEING], ids=[row[0] for row in AGREEING])
def test_an_end_agrees_in_what_depends_on_answers_that_only_the_run_knew(changes: dict[str, Any], agrees: bool) -> None:
    found = GameEnded(1, -1.0, "inferred", (3, 0, 2))
    assert (Fold(expected=[found]).take(replace(found, **changes)) == []) is agrees


# Damage


@pytest.mark.parametrize("width", [1, 3, 9])
def test_whatever_records_are_lost_the_next_board_is_followed_and_no_game_is_forfeited(width: int) -> None:
    walk = Walk()("run games=9; counted 0 0 0; new: .; play ddcdff; a: lost reset; settled 0 0 0; a: ddcdffaa")
    for start in range(1, len(walk.records) - width):
        fold, _ = folded(walk.records[:start] + walk.records[start + width :], is_damaged=True)
        again = Walk(fold.session, 500.0)("run is_damaged=1; settled 0 0 0; g: ddcdffaagg")
        assert again.session.position is not None, start
        assert again.session.position.board == position("ddcdffaagg").board


def test_a_first_request_whose_choice_is_lost_is_not_repeated() -> None:
    records = Walk()("run; counted 0 0 0; new: lost reset").records
    for end in (4, 5):
        fold, _ = folded(records[:2] + records[3:end])
        assert fold.session.number == 1
        assert isinstance(Walk(fold.session)("run; settled 0 0 0").command, Choose)


RUNNING = Replied(1.0, reply_at(position("dd")), 3)
BEHIND: list[tuple[list[Record], tuple[object, ...]]] = [
    ([RUNNING], (3, position("dd"), 0, True)),
    ([RUNNING, GameEnded(3, 1.0, "reply")], (3, None, 1, True)),
    ([RUNNING, GameEnded(2, 1.0, "reply")], (3, position("dd"), 1, True)),
    ([Sent(1.0, 2)], (2, None, 0, True)),
    ([], (0, None, 0, True)),
]


@pytest.mark.parametrize(("records", "expected"), BEHIND)
def test_a_record_behind_damaged_lines_says_which_game_it_is(
    records: list[Record], expected: tuple[object, ...]
) -> None:
    session = folded([Started(0.0, 5), *records], is_damaged=True)[0].session
    assert (session.number, session.position, session.played, session.run.is_damaged) == expected
    assert not session.news


def test_news_that_were_recorded_are_not_expected_again_after_a_record_that_does_not_follow() -> None:
    fold, _ = folded(Walk()("run; counted 0 0 0; new: .; d: lost reset; settled 0 0 0; d: dc").records)
    assert fold.session.news
    assert len(fold.take(Sent(101.0, 1))) == 1
    assert (fold.expected, fold.session.position) == ([], position("dc"))


def test_a_choice_behind_damaged_lines_may_have_been_sent() -> None:
    fold, _ = folded([Started(0.0, 5), Chosen(1.0, COLUMNS.index("e"), 3)], is_damaged=True)
    assert (fold.session.number, fold.session.command) == (3, Send(COLUMNS.index("e"), 1.0))


def test_a_missing_choice_is_damage_too_after_which_the_next_board_is_the_truth() -> None:
    fold, _ = folded([Started(0.0, 5)])
    assert not fold.session.run.is_damaged
    fold.session = replace(fold.session, has_adopted=True)
    fold.take(RUNNING)
    assert fold.session.run.is_damaged
    assert not fold.session.has_adopted
    assert fold.session.command == Choose(fold.session.belief, 0.0)
