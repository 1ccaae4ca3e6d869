"""First contact: before the server's first answer in the protocol, one request leaves and nothing is guessed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from bot.course.protocol import NEW_GAME, MoveReply, Stats
from bot.course.session.belief import NO_GAME
from bot.course.session.events import (
    Choose,
    Counted,
    Event,
    Failed,
    GameEnded,
    Note,
    Open,
    ReadStatistics,
    Reason,
    Record,
    Send,
    Started,
    Stop,
    Wait,
)
from bot.course.session.fold import Fold
from bot.course.session.machine import WRONG_ADDRESS
from bot.course.session.statistics import ELSEWHERE
from tests.course.session.build import (
    NOT_SENT,
    REJECTED,
    RESUME,
    WINNING,
    Walk,
    lost,
    opened,
    position,
    reply_at,
    running,
    stats,
    stopped,
)

HINT = "Check the address."


@dataclass
class Server:
    """Answers all requests in the same way."""

    reading: str = ""
    """Kind of failure of every reading; "" if the statistics can be read."""
    move: Failed | None = None
    """Failure of every request to /move; None if a game can be opened."""
    reading_s: float = 0.1
    """Seconds that a request takes."""

    def play(self, walk: Walk, **settings: object) -> Walk:
        """Begin a run and go on until it stops, or until a game is known."""
        walk.feed(Started(0.0, **settings))  # type: ignore[arg-type]
        while not isinstance(walk.command, Stop):
            walk.rest()
            walk.at += self.reading_s
            if isinstance(walk.command, ReadStatistics):
                walk.feed(Counted(0.0, None, self.reading, "No.", HINT) if self.reading else Counted(0.0, stats()))
                continue
            move = NEW_GAME if isinstance(walk.command, Open) else 3
            if self.move is None:
                walk.move(move, opened() if move == NEW_GAME else reply_at(position((3, 2)), botmove=2))
                walk.expect(Choose)
                break
            walk.fail(move, self.move)
        return walk


def requests(records: list[Record]) -> list[int]:
    """Return the moves whose first byte was sent."""
    moves = [record.move for record in records if record.type == "intent"]
    sent = [records[index + 1].type == "sent" for index, record in enumerate(records) if record.type == "intent"]
    return [move for move, was_sent in zip(moves, sent, strict=True) if was_sent]


def again(walk: Walk) -> Walk:
    """Return the walk of the next process: its session is the fold of the records."""
    fold = Fold()
    for record in walk.records:
        assert fold.take(record) == []
    assert fold.session == walk.session
    return Walk(fold.session, walk.at + 100.0)


@pytest.mark.parametrize(
    ("server", "sent", "reason", "lasts_s"),
    [
        (Server("html", lost("html")), [], Reason.REFUSED, 1.0),
        (Server("redirect", lost("redirect")), [], Reason.REFUSED, 1.0),
        (Server("certificate", REJECTED), [], Reason.REFUSED, 1.0),
        (Server("not sent", NOT_SENT), [], Reason.NETWORK, 1.0),
        (Server("http 404", lost("http 404", delivered=0.02)), [-1], Reason.REFUSED, 1.0),
        (Server("http 403", lost("http 403", delivered=0.02)), [-1], Reason.REFUSED, 1.0),
        (Server("http 404", lost("html")), [-1], Reason.REFUSED, 1.0),
        (Server("http 404", lost("redirect")), [-1], Reason.REFUSED, 1.0),
        (Server("bad reply", lost("bad reply")), [-1], Reason.REFUSED, 1.0),
        (Server("not json", lost("not json")), [-1], Reason.REFUSED, 1.0),
        (Server("trailing bytes", lost("trailing bytes")), [-1], Reason.REFUSED, 1.0),
        (Server("http 503", lost("http 503")), [-1], Reason.NETWORK, 30.0),
        (Server("timeout", lost("timeout"), reading_s=5.0), [-1], Reason.NETWORK, 30.0),
        (Server("empty", lost("empty")), [-1], Reason.NETWORK, 30.0),
        (Server("http 404", NOT_SENT), [], Reason.NETWORK, 30.0),
    ],
    ids=[
        "a login page", "a redirect to a login page", "no trusted certificate", "closed port", "404", "403",
        "HTML on /move alone",
        "a redirect of /move alone", "JSON of something else", "text", "two objects", "503", "no answer", "empty",
        "/move cannot be reached",
    ],
)  # fmt: skip
def test_what_is_no_course_server_gets_one_request_and_leaves_no_game(
    server: Server, sent: list[int], reason: Reason, lasts_s: float
) -> None:
    walk = server.play(Walk())
    assert requests(walk.records) == sent
    assert stopped(walk).reason is reason
    assert lasts_s - 1.0 <= walk.at - 100.0 <= lasts_s + 3 * server.reading_s + 2.0
    assert RESUME not in stopped(walk).hint, "nothing shows that there is a game"
    assert not any(isinstance(record, GameEnded) for record in walk.records)
    assert (walk.session.played, walk.session.wasted, walk.session.in_contact) == (0, 0, False)

    # The same command after the address is right: game 1 of 1, and never -1 over a game.
    right = Server().play(again(walk))
    assert requests(right.records) == ([3] if sent else [-1])
    assert right.session.number == 1
    assert right.session.base == stats()
    assert not any(isinstance(record, GameEnded) for record in right.records)
    while right.session.position is not None and not right.session.position.board.wins_with(3):
        right.play((3, 0))
    right.win(3)
    assert right.ends == [(1, 1.0, "reply")]
    assert stopped(right) == Stop(Reason.FINISHED)


@pytest.mark.parametrize("kind", WRONG_ADDRESS)
def test_what_shows_a_wrong_address_stops_the_run_with_its_own_words(kind: str) -> None:
    walk = Walk().start()
    walk.fail(NEW_GAME, lost(kind, hint="Open the login page."))
    assert stopped(walk) == Stop(Reason.REFUSED, "The connection broke.", "Open the login page.")
    assert walk.session.news == ()


@pytest.mark.parametrize("kind", ELSEWHERE)
def test_what_the_first_reading_shows_stops_the_run_before_anything_is_sent(kind: str) -> None:
    walk = Walk()
    walk.feed(Started(0.0))
    walk.count(None, kind=kind)
    reason = Reason.NETWORK if kind == "not sent" else Reason.REFUSED
    assert stopped(walk) == Stop(reason, "They cannot be read.", HINT)


@pytest.mark.parametrize("kind", ["timeout", "http 503", "empty", "reset", "http 429"])
def test_an_unclear_failure_is_waited_for_with_readings_alone(kind: str) -> None:
    walk = Walk().start()
    walk.fail(NEW_GAME, lost(kind))
    assert walk.notes == ["reply_lost"]
    pauses = []
    for _ in range(8):
        walk.expect(ReadStatistics)
        walk.at += 0.1
        walk.count(None, kind=kind)
        pauses.append(walk.expect(Wait).seconds)
        walk.rest()
    assert pauses == pytest.approx([0.1, 0.3, 0.7, 1.5, 2.0, 2.0, 2.0, 2.0])
    walk.count(stats())
    assert walk.session.in_contact
    walk.move(3, reply_at(position((3, 2)), botmove=2))
    assert (walk.session.number, walk.session.played, walk.session.blind) == (1, 0, 0)


def test_a_network_that_fails_while_the_first_answer_is_waited_for_is_waited_for_too() -> None:
    walk = Walk().start()
    walk.fail(NEW_GAME, lost("http 503"))
    for kind in ("http 503", "not sent", "not sent"):
        walk.count(None, kind=kind)
        walk.expect(Wait)
    walk.settle(stats())
    walk.expect(Choose)


@pytest.mark.parametrize("reading", ["http 404", "timeout"])
def test_a_server_that_takes_its_time_for_the_first_answer_is_waited_for(reading: str) -> None:
    walk = Walk()
    walk.feed(Started(0.0))
    walk.at += 8.0
    walk.count(None, kind=reading)
    walk.send(NEW_GAME)
    walk.at += 8.0
    walk.reply(opened())
    assert isinstance(walk.command, Choose)


def test_a_server_without_statistics_is_playable() -> None:
    walk = Walk().start().open().play(WINNING)
    walk.win(0)
    assert walk.ends == [(1, 1.0, "reply")]
    assert stopped(walk).reason is Reason.FINISHED


@pytest.mark.parametrize("move", [NEW_GAME, 3])
def test_at_a_server_without_statistics_a_crash_is_resumed_with_a_column(move: int) -> None:
    walk = Walk().start() if move == NEW_GAME else Walk().start().open()
    walk.send(move)
    resumed = again(walk).start()
    assert isinstance(resumed.command, Choose)
    assert isinstance(resumed.move(2, reply_at(position((2, 4)), botmove=4)), Choose)


def test_at_a_server_without_statistics_a_lost_first_reply_ends_the_run_and_the_next_one_sends_a_column() -> None:
    server = Server("http 404", lost("timeout"))
    walk = server.play(Walk())
    assert (requests(walk.records), stopped(walk).reason) == ([-1], Reason.NETWORK)
    right = Server("http 404").play(again(walk))
    assert requests(right.records) == [3]


@pytest.mark.parametrize("kind", ["timeout", "http 503"])
def test_a_resumed_game_sends_one_move_before_the_first_good_answer(kind: str) -> None:
    walk = running((3, 3), counted=stats())
    resumed = again(walk)
    resumed.feed(Started(0.0))
    resumed.count(None, kind=kind)
    resumed.fail(2, lost(kind))
    while not isinstance(resumed.command, Stop):
        resumed.count(None, kind=kind)
        resumed.rest()
    assert requests(resumed.records) == [2]
    assert stopped(resumed) == Stop(Reason.NETWORK, "They cannot be read.", f"{HINT} {RESUME}")
    assert 129.0 < resumed.at - 100.0 < 232.0


def test_a_resumed_run_in_doubt_sends_nothing_before_the_first_good_answer() -> None:
    walk = running((3, 3), counted=stats())
    walk.send(2)
    resumed = again(walk)
    resumed.feed(Started(0.0))
    while not isinstance(resumed.command, Stop):
        resumed.count(None, kind="http 503")
        resumed.rest()
    assert requests(resumed.records) == []
    assert stopped(resumed).hint == f"{HINT} {RESUME}"


@pytest.mark.parametrize("kind", ELSEWHERE)
def test_a_login_page_leaves_the_end_of_a_game_to_be_looked_for(kind: str) -> None:
    walk = running((3, 3), counted=stats(), games=3)
    walk.move(2, reply_at(position((2, 4)), botmove=4))
    walk.feed(Started(0.0, 3))
    walk.count(None, kind=kind)
    assert isinstance(walk.command, Stop)
    assert walk.session.unseen == 1
    walk.start(games=3, counted=stats(1, 1))
    assert walk.ends == [(1, 1.0, "statistics")]


def test_a_refusal_of_the_key_is_an_answer_that_opens_nothing() -> None:
    walk = Walk().start()
    walk.move(NEW_GAME, MoveReply(False, "Incorrect API key."))
    assert stopped(walk).reason is Reason.REJECTED
    assert (walk.session.belief, walk.session.number) == ((NO_GAME,), 0)


def test_games_that_a_first_request_opened_or_not_agree_with_the_server() -> None:
    """If the request did open a game, the column continues it; if not, it starts one. Either is game 1."""
    walk = Server("http 503", lost("http 503")).play(Walk())
    for answer in (position((3, 2)), position((6, 3, 2), we_start=False)):
        right = again(walk).start(counted=Stats(7, 3, 4, 0))
        right.move(3, reply_at(answer, botmove=2))
        assert right.session.position == answer
        assert (right.session.number, right.ends) == (1, [])
        assert right.session.base == Stats(7, 3, 4, 0)


def test_the_first_answer_of_a_run_does_not_count_for_the_next() -> None:
    walk = running((3, 3), counted=stats())
    assert walk.session.in_contact
    events: list[Event] = [Started(0.0), Counted(0.0, None, "timeout")]
    for event in events:
        walk.feed(event)
    assert not walk.session.in_contact
    walk.fail(2, replace(lost("html"), hint="Open the login page."))
    assert stopped(walk) == Stop(Reason.REFUSED, "The connection broke.", f"Open the login page. {RESUME}")
    assert not any(isinstance(item, Note) for item in walk.session.news)
    assert not isinstance(walk.session.command, Send)
