"""The projection of a journal's records: it restores the session, names what contradicts them, goes on after damage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bot.course.journal.journal import Journal, Line
from bot.course.journal.records import Record, RunEnded
from bot.course.session.commands import Choose, GameEnded, Open, Send
from bot.course.session.events import Abandoned, Chosen, Replied, Sent, Started
from bot.course.session.machine import step
from bot.course.session.session import Session
from tests.course.session.build import COLUMNS, Walk, position, reply_at

EVENTFUL = (
    "run games=9; counted 4 2 1 0.5; new: not sent; new: ^d; play dc; c: lost reset; settled 4 2 1; "
    'e: ^ddcee; c: no "No game is running."; unread timeout; c: ggga; settled 5 2 2; '
    'b: no "No game is running."; settled 5 2 2; new: .; play ababab; a: chosen; run games=3; '
    "settled 5 2 2; a: +; settled 6 3 2; new: .; f: sent"
)
"""Three games with all that can happen on the way; it ends in the middle of a move."""
WON = "run; counted 0 0 0; new: .; play ababab; a: +"


def projected(records: Sequence[Record], *, is_damaged: bool = False) -> Journal:
    """Return the projection of the records."""
    journal = Journal(Path("journal.jsonl"), damaged=[Line(1, problem="it is not JSON")] if is_damaged else [])
    for line, record in enumerate(records, start=1):
        journal.take(record, line)
    return journal


def problems(journal: Journal) -> list[str]:
    """Return all that a journal names."""
    return [*journal.problems, *(text for game in journal.games for text in game.problems)]


def test_every_prefix_of_the_records_restores_the_session() -> None:
    records = Walk()(EVENTFUL).records
    assert {record.type for record in records} == {"started", "chosen", "sent", "replied", "failed", "counted"}
    session, told = Session(), list[GameEnded]()
    for count, record in enumerate(records):
        journal = projected(records[:count])
        assert (journal.session, problems(journal)) == (session, [])
        assert journal.session.belief.answers == session.belief.answers
        assert journal.ends == told
        session, _ = step(session, record)
        told += [item for item in session.news if isinstance(item, GameEnded)]
    assert projected([*records, RunEnded("interrupted", games=tuple(told))]).session == session


@pytest.mark.parametrize(("script", "result"), [(EVENTFUL, -1.0), ("run; counted 0 0 0; new: sent", 0.0)])
def test_a_game_that_was_given_up_is_lost_if_the_server_has_it(script: str, result: float) -> None:
    walk = Walk()(script)
    number = walk.session.ledger.game
    journal = projected([*walk.records, Abandoned(500.0, number)])
    assert journal.ends[-1] == GameEnded(number, result, "abandoned", at=500.0)
    assert (journal.unfinished, problems(journal)) == (None, [])
    assert Walk(journal.session)("run; unread http 404").command == Open()


def test_the_end_of_a_run_is_a_witness_of_what_the_records_show() -> None:
    records: list[Record] = [*Walk()(WON).records]
    told = projected(records).ends
    assert problems(projected([*records, RunEnded("finished", games=tuple(told))])) == []
    other = replace(told[0], result=0.5)
    journal = projected([*records, RunEnded("finished", games=(other,))])
    line = len(records) + 1
    assert problems(journal) == [f"Line {line}: the run told an end (result 0.5), its records show another one (1)."]
    damaged = projected([*records[:-1], RunEnded("finished", games=(other,))], is_damaged=True)
    assert (damaged.ends, problems(damaged)) == ([other], []), "damaged lines hide its end"


def test_a_record_that_does_not_follow_is_named_and_taken_all_the_same() -> None:
    altered = Walk()(WON).records
    altered[-3:-2] = []
    journal = projected(altered)
    assert [text.partition(": ")[2] for text in problems(journal)] == [
        f"the record {kind!r} does not follow from those before it." for kind in ("sent", "replied")
    ]
    assert [(end.game, end.result) for end in journal.ends] == [(1, 1.0)]
    assert journal.unfinished is None


# Damage


@pytest.mark.parametrize("width", [1, 3, 9])
def test_whatever_records_are_lost_the_next_board_is_followed_and_no_game_is_forfeited(width: int) -> None:
    walk = Walk()("run games=9; counted 0 0 0; new: .; play ddcdff; a: lost reset; settled 0 0 0; a: ddcdffaa")
    for start in range(1, len(walk.records) - width):
        journal = projected(walk.records[:start] + walk.records[start + width :], is_damaged=True)
        again = Walk(journal.session, 500.0)("run is_damaged=1; settled 0 0 0; g: ddcdffaagg")
        known = again.session.belief.position
        assert known is not None, start
        assert known.board == position("ddcdffaagg").board


def test_a_first_request_whose_choice_is_lost_is_not_repeated() -> None:
    records = Walk()("run; counted 0 0 0; new: lost reset").records
    for end in (4, 5):
        journal = projected(records[:2] + records[3:end])
        assert journal.session.ledger.game == 1
        assert isinstance(Walk(journal.session)("run; settled 0 0 0").command, Choose)


RUNNING = Replied(1.0, reply_at(position("dd")), 3)
OVER = Replied(2.0, reply_at(position("ababab").play(0)), 3)


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([RUNNING], (3, position("dd"), [], True)),
        ([RUNNING, OVER], (4, None, [(3, 1.0)], True)),
        ([Sent(1.0, 2)], (2, None, [], True)),
        ([], (1, None, [], True)),
    ],
)
def test_a_record_behind_damaged_lines_says_which_game_it_is(
    records: list[Record], expected: tuple[object, ...]
) -> None:
    journal = projected([Started(0.0, 5), *records], is_damaged=True)
    session, ends = journal.session, [(end.game, end.result) for end in journal.ends]
    assert (session.ledger.game, session.belief.position, ends, session.run.is_damaged) == expected


def test_a_game_whose_end_damaged_lines_hide_counts_for_neither_side() -> None:
    records = Walk()(f"{WON.replace('run', 'run games=2')}; counted 1 1 0; new: .; play dd").records
    last = max(number for number, record in enumerate(records) if isinstance(record, Replied) and record.game == 1)
    journal = projected(records[:last] + records[last + 1 :], is_damaged=True)
    assert [(end.game, end.result) for end in journal.ends] == [(1, 0.0)]
    assert journal.unfinished == 2


def test_a_choice_behind_damaged_lines_may_have_been_sent() -> None:
    journal = projected([Started(0.0, 5), Chosen(1.0, COLUMNS.index("e"), 3)], is_damaged=True)
    assert (journal.session.ledger.game, journal.session.command) == (3, Send(COLUMNS.index("e"), 1.0))


def test_a_missing_choice_is_damage_too_after_which_the_next_board_is_the_truth() -> None:
    journal = projected([Started(0.0, 5)])
    assert not journal.session.run.is_damaged
    contact = replace(journal.session.contact, has_adopted=True)
    journal.session = replace(journal.session, contact=contact)
    journal.take(RUNNING)
    assert journal.session.run.is_damaged
    assert not journal.session.contact.has_adopted
    assert journal.session.command == Choose()
