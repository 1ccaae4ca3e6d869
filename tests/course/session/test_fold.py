"""A fold of the records restores the session of the run, and names what they lack or contradict."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.course.protocol import NEW_GAME, MoveReply, Stats
from bot.course.session.belief import NO_GAME
from bot.course.session.events import (
    Choose,
    Chosen,
    Counted,
    Delivery,
    Failed,
    GameEnded,
    Note,
    Open,
    ReadStatistics,
    Record,
    Replied,
    RunEnded,
    Send,
    Sent,
    Started,
    Waited,
    as_line,
    parse_line,
)
from bot.course.session.fold import Fold
from bot.course.session.machine import step
from bot.course.session.state import Session
from tests.course.session.build import (
    NO_GAME_RUNS,
    NOT_SENT,
    WINNING,
    Walk,
    lost,
    position,
    reply_at,
    stats,
    stopped,
)

TIME = "2026-11-22T18:00:00Z"


def eventful() -> Walk:
    """Return a walk through three games with all that can happen on the way; it ends in the middle of a move."""
    walk = Walk().start(games=9, counted=Stats(4, 2, 1, 1, 2, 0.5))
    walk.fail(NEW_GAME, NOT_SENT)
    walk.open(3).play((3, 2))
    walk.fail(2)
    walk.settle(stats(4, 2, 1))
    walk.move(4, reply_at(position((3, 3, 2, 4, 4), we_start=False), botmove=4))
    walk.move(2, NO_GAME_RUNS)
    walk.count(None)
    walk.move(2, reply_at(position((6, 6, 6, 0)), botmove=0))
    walk.settle(stats(5, 2, 2))
    walk.move(1, NO_GAME_RUNS)
    walk.settle(stats(5, 2, 2))
    walk.open().play(WINNING)
    walk.feed(Chosen(0.0, 0))
    walk.start(games=3, counted=stats(5, 2, 2)).settle(stats(5, 2, 2))
    walk.win(0)
    walk.settle(stats(6, 3, 2))
    walk.open().send(5)
    return walk


def folded(records: Sequence[Record], *, is_damaged: bool = False) -> tuple[Fold, list[str]]:
    """Return the fold of the records and the problems that it names."""
    fold = Fold(is_damaged=is_damaged)
    return fold, [problem for record in records for problem in fold.take(record)]


def test_every_prefix_of_the_records_restores_the_session_and_says_which_news_are_missing() -> None:
    records = eventful().records
    assert {record.type for record in records} == {
        "run", "intent", "sent", "reply", "failed", "statistics", "waited", "game_end", "note",
    }  # fmt: skip
    session = Session()
    missing: list[Record] = []
    for count, record in enumerate(records):
        fold, problems = folded(records[:count])
        assert (fold.session, fold.expected, problems) == (session, missing, [])
        assert fold.session.answers == session.answers
        if isinstance(record, (GameEnded, Note)):
            missing.remove(record)
        else:
            assert missing == []
            assert not isinstance(record, RunEnded)
            session, _ = step(session, record)
            missing = list(session.news)


def test_a_run_goes_on_from_its_folded_records_as_it_would_have() -> None:
    walk = eventful()
    fold, _ = folded(walk.records)
    again = Walk(fold.session, walk.at)
    for each in (walk, again):
        each.start(games=1, counted=stats(6, 3, 2)).settle(stats(6, 3, 2))
    assert (again.session, again.command) == (walk.session, walk.command)


def test_news_that_a_crash_left_unrecorded_are_the_first_records_of_the_next_run() -> None:
    walk = Walk().start(counted=stats()).open().play(WINNING)
    walk.win(0)
    fold, _ = folded(walk.records[:-1])
    assert fold.expected == [walk.records[-1]]
    (end,) = fold.expected
    assert isinstance(end, GameEnded)
    assert fold.take(end) == []
    assert (fold.take(Started(200.0)), fold.expected) == ([], [])
    silent, problems = folded([*walk.records[:-1], Started(200.0)])
    assert problems == ["the record 'game_end' is missing."]
    assert silent.session == fold.session


def test_the_end_of_a_process_changes_nothing() -> None:
    walk = eventful()
    fold, problems = folded([*walk.records, RunEnded("interrupted")])
    assert (fold.session, problems) == (walk.session, [])


def test_a_game_that_was_given_up_is_no_game() -> None:
    walk = eventful()
    fold, problems = folded([*walk.records, GameEnded(walk.session.number, -1.0, "abandoned")])
    assert (fold.session.belief, problems) == ((NO_GAME,), [])
    fold.take(Started(0.0))
    fold.take(Counted(0.0, None, "http 404"))
    assert fold.session.command == Open(walk.session.number + 1)


# Contradictions


def won() -> list[Record]:
    """Return the records of a game that was won."""
    walk = Walk().start(counted=stats()).open().play(WINNING)
    walk.win(0)
    assert [record.type for record in walk.records[-2:]] == ["reply", "game_end"]
    return walk.records


END = GameEnded(1, 1.0, "reply", (*WINNING, 0), True, 100.0)


@pytest.mark.parametrize(
    "changes",
    [
        {"result": 0.5},
        {"known_by": "inferred"},
        {"moves": (1, 2)},
        {"result": -1.0, "we_started": False},
    ],
)
def test_an_end_that_differs_from_the_records_before_it_is_named(changes: dict[str, object]) -> None:
    fold, problems = folded([*won()[:-1], replace(END, **changes)])  # type: ignore[arg-type]
    assert problems == ["the record 'game_end' does not follow from those before it."]
    assert fold.expected == []


def test_news_that_do_not_follow_are_named() -> None:
    _, problems = folded([*won(), Note("resynchronised", "Oh."), END])
    assert problems == [
        "the record 'note' does not follow from those before it.",
        "the record 'game_end' does not follow from those before it.",
    ]


def test_news_that_are_missing_are_named() -> None:
    walk = Walk().start(counted=stats()).open()
    walk.fail(3)
    walk.count(stats())
    records = [record for record in walk.records if not isinstance(record, Note)]
    assert folded(records)[1] == ["the record 'note' is missing."]


def test_an_event_that_does_not_follow_is_named_and_taken_all_the_same() -> None:
    records = won()
    index = next(index for index, record in enumerate(records) if isinstance(record, Chosen) and record.move == 0)
    fold, problems = folded(records[:index] + records[index + 1 :])
    assert problems == [
        "the record 'sent' does not follow from those before it.",
        "the record 'reply' does not follow from those before it.",
        "the record 'game_end' does not follow from those before it.",
    ]
    assert (fold.session.belief, fold.session.number, fold.session.played) == ((NO_GAME,), 1, 1)


# Damage


def test_news_that_were_recorded_are_not_expected_again_after_an_event_that_says_nothing() -> None:
    walk = Walk().start(counted=stats()).open()
    walk.fail(3)
    walk.count(stats())
    walk.move(3, reply_at(position((3, 2)), botmove=2))
    assert walk.notes == ["reconciled"]
    fold, _ = folded(walk.records)
    fold.take(Sent(101.0, 1))
    assert (fold.expected, fold.session.position) == ([], position((3, 2)))


@pytest.mark.parametrize("width", [1, 2, 3, 9])
def test_whatever_records_are_lost_the_next_board_is_followed_and_no_game_is_forfeited(width: int) -> None:
    """Damage in a running game: the first board of the next run is the truth at once."""
    walk = Walk().start(games=9, counted=stats()).open().play((3, 3, 2, 3, 5, 5))
    walk.fail(0)
    walk.settle(stats())
    truth = position((3, 3, 2, 3, 5, 5, 0, 0))
    walk.move(0, reply_at(truth, botmove=0))
    for start in range(1, len(walk.records) - width):
        fold, _ = folded(walk.records[:start] + walk.records[start + width :], is_damaged=True)
        again = Walk(fold.session, 500.0)
        again.feed(Started(0.0, 1, is_damaged=True))
        again.settle(stats())
        assert not isinstance(again.command, Open), start
        after = truth.play(6).play(6)
        again.move(6, reply_at(after, botmove=6))
        assert again.session.position is not None, start
        assert again.session.position.board == after.board


def test_a_first_request_whose_intent_is_lost_is_not_repeated() -> None:
    for outcome in (None, replace(lost(), game=1)):
        walk = Walk().start(counted=stats())
        records = [*walk.records, Sent(100.0, 1), *([outcome] if outcome else [])]
        fold, _ = folded(records)
        assert fold.session.number == 1
        again = Walk(fold.session)
        again.feed(Started(0.0))
        assert not isinstance(again.count(stats()), Open)


def test_a_finished_game_whose_records_are_lost_in_part_is_over() -> None:
    for index in range(1, len(won()) - 2):
        records = won()
        del records[index]
        fold, _ = folded(records, is_damaged=True)
        again = Walk(fold.session).start(counted=stats(1, 1))
        assert again.settle(stats(1, 1)) is not None
        assert again.session.is_idle or index > 4, index


# Lines

GAME = {"game": 0, "time": ""}


@pytest.mark.parametrize(
    ("record", "others"),
    [
        (
            Started(1.0),
            {
                "games": 1, "game": 0, "limit_s": 5.0, "patience_s": 30.0, "careful": False, "is_damaged": False,
                "server": "", "url": "", "stil_ids": [], "engine": "", "think_s": 0.0, "goal": 20, "versions": {},
                "schema": 3, "time": "",
            },
        ),
        (
            Chosen(1.0, 3),
            {
                "ply": 0, "score": None, "proven": False, "depth": None, "nodes": None, "pv": [], "seconds": 0.0,
                "source": "", "move_s": 0.0, "late": False, "hypotheses": 1, "safe": True, "saved": None, "note": "",
                **GAME,
            },
        ),
        (Sent(1.0), GAME),
        (Replied(1.0, MoveReply(True)), {"first_byte_s": None, "body_s": 0.0, **GAME}),
        (
            Failed(1.0, Delivery.UNKNOWN, "No."),
            {"hint": "", "kind": "", "delivered": None, **GAME},
        ),
        (Counted(1.0, None), {"kind": "", "message": "", "hint": "", **GAME}),
        (Waited(1.0), GAME),
        (GameEnded(1, 0.5, "reply"), {"moves": [], "we_started": None, "at": 0.0, "time": ""}),
        (Note("k", "t"), {"quiet": False, "at": 0.0, **GAME}),
        (RunEnded("error"), {"error": "", "at": 0.0, "time": ""}),
    ],
    ids=lambda value: value.type if hasattr(value, "type") else "",
)  # fmt: skip
def test_a_line_has_every_field_and_an_absent_one_means_its_default(record: Record, others: dict[str, object]) -> None:
    line = json.loads(as_line(record, ""))
    assert {name: line[name] for name in others} == others
    needed = {name: value for name, value in line.items() if name not in others}
    assert parse_line(json.dumps(needed).encode()) == record


@pytest.mark.parametrize(
    "record",
    [
        *eventful().records[:60],
        Started(1.0, 20, 3, 4.0, 60.0, True, True, "https://s", "https://s:1", ("ab",), "me", 2.0, 9, {"bot": "3"}),
        Chosen(1.0, 3, 1, 7, 2.5, True, 9, 100, (3, 2), 0.5, "book", 0.7, True, 8, False, 0.93, "A note."),
        Replied(1.0, MoveReply(True, "Hi", None, None, None), 2, 0.5, 0.25),
        Failed(1.0, Delivery.REJECTED, "No.", "Do.", "x", 1.0, 3),
        Counted(1.0, Stats(1, 1, 0, 1, 1, None)),
        Waited(1.0),
        RunEnded("error", "It broke.", 9.0),
    ],
    ids=lambda record: record.type,
)  # fmt: skip
def test_a_record_is_read_as_it_was_written(record: Record) -> None:
    line = as_line(record, TIME)
    assert line.endswith(b"}\n") and line.count(b"\n") == 1
    assert parse_line(line) == replace(record, time=TIME)
    assert parse_line(line.rstrip()) == replace(record, time=TIME)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"", "it is not JSON"),
        (b'{"type": "sent"', "it is not JSON"),
        (b"[1, 2]", "it is not a record of this edition"),
        (b'{"type": "move"}', "it is not a record of this edition"),
        (b'{"at": 1.0}', "it is not a record of this edition"),
        (b'{"type": "intent", "at": 1.0}', "its field move is wrong (Field required)"),
        (
            b'{"type": "intent", "at": 1.0, "move": 7}',
            "its field move is wrong (Input should be less",
        ),
        (b'{"type": "waited", "at": NaN}', "its field at is wrong"),
        (b'{"type": "reply", "at": 1, "reply": {"status": true, "botmove": 9}}', "its field reply.botmove is wrong"),
        (b'{"type": "run", "at": 1, "schema": 2}', "its field schema is wrong"),
    ],
)
def test_a_line_that_is_no_record_says_why(line: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        parse_line(line)
    assert str(caught.value).startswith(reason)


def test_the_first_request_of_a_run_without_an_answer_leaves_one_fact() -> None:
    """The journal keeps a request for a game that was not answered: no game and no count."""
    walk = Walk().start()
    walk.fail(NEW_GAME, lost("html"))
    assert stopped(walk).message == "The connection broke."
    assert [record for record in walk.records if isinstance(record, (GameEnded, Note))] == []
    fold, _ = folded(walk.records)
    again = Walk(fold.session)
    assert again.feed(Started(0.0)) == ReadStatistics(None)
    again.count(stats())
    again.move(3, reply_at(position((3, 2)), botmove=2))
    assert (again.session.number, again.session.played, again.ends) == (1, 0, [])


def damaged(*records: Record) -> Session:
    """Return the session after a header, damaged lines, and these records."""
    return folded([Started(0.0, 5), *records], is_damaged=True)[0].session


def test_a_record_behind_damaged_lines_says_which_game_it_is() -> None:
    running = position((3, 3))
    replied = damaged(Replied(1.0, reply_at(running, botmove=3), 3))
    assert (replied.number, replied.position) == (3, running)
    chosen = damaged(Chosen(1.0, 4, 3))
    assert chosen.number == 3
    assert chosen.command == Send(4, 1.0), "the move may have been sent: it is no new choice"


@pytest.mark.parametrize("game", [1, 2])
def test_a_recorded_end_that_nothing_shows_ends_the_game_that_it_names(game: int) -> None:
    """With its own number it ends the running game, with another it ends one that damaged lines hide."""
    session = damaged(Replied(1.0, reply_at(position((3, 3)), botmove=3), 2), GameEnded(game, 1.0, "reply"))
    assert session.number == 2
    assert session.is_idle is (game == 2)
    assert session.played == 1 and not session.news


def test_damage_is_remembered_by_the_run_so_that_the_next_board_is_the_truth() -> None:
    assert damaged().run.is_damaged
    fold, _ = folded([Started(0.0, 5)])
    assert not fold.session.run.is_damaged
    fold.session = replace(fold.session, has_adopted=True)
    fold.take(Replied(1.0, reply_at(position((3, 3)), botmove=3), 1))  # its choice is missing
    assert fold.session.run.is_damaged and not fold.session.has_adopted
    assert fold.session.command == Choose(fold.session.belief, 0.0)


@pytest.mark.parametrize(
    ("recorded", "problems"),
    [
        (GameEnded(1, 0.5, "inferred"), 0),
        (GameEnded(1, 0.5, "reply"), 1),
        (GameEnded(2, -1.0, "inferred"), 1),
        (GameEnded(1, -1.0, "inferred", (2, 0, 3)), 0),
        (GameEnded(1, -1.0, "inferred", (3, 0, 4)), 1),
        (GameEnded(1, -1.0, "inferred", (3, 3, 3, 3, 3, 3, 3)), 1),
    ],
)
def test_an_end_agrees_in_another_order_of_moves_and_with_another_inferred_result(
    recorded: GameEnded, problems: int
) -> None:
    """Both depend on answers that only the run knew."""
    found = GameEnded(1, -1.0, "inferred", recorded.moves and (3, 0, 2))
    fold = Fold(expected=[replace(found, game=1)])
    assert len(fold.take(recorded)) == problems
