"""The session event by event: starting, starting again, and opening a game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.course.protocol import NEW_GAME, MoveReply
from bot.course.session.belief import Hypothesis
from bot.course.session.events import (
    Choose,
    Chosen,
    Counted,
    GameStarted,
    Open,
    ReadStatistics,
    Reason,
    Sent,
    Started,
    Stop,
    Wait,
)
from bot.course.session.position import EMPTY
from bot.course.session.state import Pending, Reading, Session
from tests.course.session.build import (
    JANUARY_2021,
    WINNING,
    Walk,
    grid_of,
    nearly,
    opened,
    position,
    reply_at,
    running,
    stats,
)

BOT_FIRST = position([3], we_start=False)


# Starting


def test_a_new_session_reads_the_statistics_before_it_opens_a_game() -> None:
    walk = Walk()
    assert walk.feed(Started(0.0, 2)) == ReadStatistics(None)
    assert walk.feed(Counted(0.0, stats(7, 5, 1))) == Open(1)
    assert walk.session.base == stats(7, 5, 1)
    assert walk.session.run.games == 2


def test_without_statistics_the_first_game_is_opened_all_the_same() -> None:
    walk = Walk().start(counted=None)
    assert walk.command == Open(1)
    assert walk.session.base is None
    assert walk.session.unanswered == 1


def test_a_run_of_no_games_is_finished() -> None:
    assert Walk().feed(Started(0.0, 0)) == Stop(Reason.FINISHED)


def test_a_restart_in_a_known_game_begins_with_a_move_and_a_new_clock() -> None:
    walk = running((3, 3), counted=stats())
    walk.at += 1000.0
    assert walk.feed(Started(0.0, 3)) == Choose(walk.session.belief, nearly(4.65))
    assert walk.session.position == position((3, 3))


@pytest.mark.parametrize(("is_sent", "moved"), [(False, 0.02), (True, 0.85)])
def test_a_restart_with_a_pending_move_reads_statistics_and_weighs_both_cases(is_sent: bool, moved: float) -> None:
    walk = running((3, 3), counted=stats())
    walk.feed(Chosen(0.0, 2))
    if is_sent:
        walk.feed(Sent(0.0))
    assert walk.session.pending == Pending(2, is_sent)
    command = walk.feed(Started(0.0, 1))
    assert command == ReadStatistics(2.0)
    known = next(item for item in walk.session.belief if item.position == position((3, 3)))
    assert known.weight == pytest.approx(1 - moved)
    assert len(walk.session.belief) == 8
    assert walk.session.pending is None
    assert isinstance(walk.count(stats()), Choose)


@pytest.mark.parametrize("is_sent", [False, True])
def test_a_restart_with_a_pending_opening_never_opens_again(is_sent: bool) -> None:
    walk = Walk().start(counted=stats())
    walk.feed(Chosen(0.0, NEW_GAME))
    if is_sent:
        walk.feed(Sent(0.0))
    assert walk.feed(Started(0.0, 1)) == ReadStatistics(2.0)
    assert walk.boards == {None, EMPTY.board, *(position([column], we_start=False).board for column in range(7))}
    assert isinstance(walk.count(stats()), Choose)
    assert walk.session.number == 1


def test_a_restart_forgets_the_trouble_and_the_counts_of_the_run_before() -> None:
    walk = running()
    walk.fail(3)
    walk.feed(Started(0.0, 4))
    session = walk.session
    assert (session.trouble_since, session.attempts, session.has_answered, session.lost_replies) == (None, 0, False, 0)
    assert (session.played, session.games, session.wait_s, session.stop) == (0, 4, 0.0, None)


def test_a_restart_begins_all_counts_of_trouble_anew() -> None:
    """Whatever had happened before: the run goes on as if nothing had failed yet."""
    walk = running((3, 3), counted=stats())
    troubled = replace(
        walk.session,
        played=3,
        reading=Reading(1.0),
        wait_s=2.0,
        rereads=4,
        unanswered=5,
        trouble_since=90.0,
        attempts=6,
        has_answered=True,
        conflicts=2,
        rejections=2,
        bad_games=2,
        unopened=6,
        lost_replies=7,
        rise=(1, 1, 0),
        stop=Stop(Reason.REFUSED),
    )
    calm = Walk(walk.session)
    calm.feed(Started(0.0, 2))
    walk.session = troubled
    assert isinstance(walk.feed(Started(0.0, 2)), Choose)
    assert walk.session == calm.session
    fresh = Session()
    counts = ("played", "rereads", "unanswered", "attempts", "conflicts", "rejections", "bad_games", "unopened")
    for name in (*counts, "trouble_since", "has_answered", "lost_replies", "rise", "stop"):
        assert getattr(walk.session, name) == getattr(fresh, name), name


def test_a_restart_while_an_end_is_looked_for_reads_the_statistics_first() -> None:
    walk = running((3, 3), counted=stats())
    known = position((2, 4))
    walk.move(2, reply_at(known, botmove=4))
    assert walk.session.unseen == 1
    assert isinstance(walk.feed(Started(0.0, 1)), ReadStatistics)


# Opening


@pytest.mark.parametrize(
    ("reply", "known"),
    [
        (JANUARY_2021, EMPTY),
        (opened(), EMPTY),
        (MoveReply(True, "You start.", None, None, grid_of(EMPTY)), EMPTY),
        (MoveReply(True, None, -1, None, None), EMPTY),
        (opened(3), BOT_FIRST),
        (MoveReply(True, "The bot starts.", None, None, grid_of(BOT_FIRST)), BOT_FIRST),
        (MoveReply(True, None, 3, 0.0, None), BOT_FIRST),
    ],
    ids=["January 2021", "we start", "no botmove", "-1 alone", "bot starts", "board alone", "botmove alone"],
)
def test_every_dialect_of_an_opening_is_understood(reply: MoveReply, known: object) -> None:
    walk = Walk().start()
    assert walk.send(NEW_GAME).reply(reply) == Choose(walk.session.belief, nearly(4.65))
    assert walk.session.belief == (Hypothesis(known),)  # type: ignore[arg-type]
    assert walk.session.news == (GameStarted(1),)
    assert walk.session.number == 1


def test_the_first_opening_of_a_run_is_checked_for_a_game_that_it_forfeited() -> None:
    walk = Walk().start(counted=stats(3, 2, 1))
    walk.send(NEW_GAME).reply(opened())
    assert walk.command == ReadStatistics(2.0)
    assert isinstance(walk.count(stats(3, 2, 1)), Choose)
    assert walk.notes == []
    assert not walk.session.checks_forfeit


def test_a_loss_that_the_first_opening_caused_is_named_and_counted_in() -> None:
    walk = Walk().start(counted=stats(3, 2, 1))
    walk.send(NEW_GAME).reply(opened())
    assert isinstance(walk.count(stats(4, 2, 2)), Choose)
    assert walk.notes == ["forfeited"]
    assert walk.session.base == stats(4, 2, 2)
    assert walk.session.bad_games == 1
    assert walk.session.position == EMPTY


def test_a_win_that_is_booked_late_is_no_forfeit() -> None:
    walk = Walk().start(counted=stats(3, 2, 1))
    walk.send(NEW_GAME).reply(opened())
    assert isinstance(walk.count(stats(4, 3, 1)), Choose)
    assert walk.notes == []
    assert walk.session.bad_games == 0
    assert walk.session.base == stats(4, 3, 1)
    assert walk.session.position == EMPTY


def test_only_the_first_opening_is_checked() -> None:
    walk = running(WINNING, counted=stats(), games=2)
    walk.win(0)
    walk.count(stats(1, 1))
    assert isinstance(walk.send(NEW_GAME).reply(opened()), Choose)


def test_an_opening_on_an_impossible_board_counts_as_a_lost_reply() -> None:
    walk = Walk().start(counted=stats())
    walk.send(NEW_GAME).reply(MoveReply(True, None, -1, 0.0, grid_of(position([3]))))
    assert walk.notes == ["conflicting_reply"]
    assert len(walk.session.belief) == 9
    assert walk.command == Wait(0.2)
    assert walk.rest() == ReadStatistics(2.0)
    assert isinstance(walk.count(stats()), Choose)


def test_an_opening_whose_botmove_its_board_denies_goes_on_from_the_board() -> None:
    walk = Walk().start()
    walk.send(NEW_GAME).reply(MoveReply(True, None, 3, 0.0, grid_of(EMPTY)))
    assert walk.notes == ["resynchronised"]
    assert walk.session.position == EMPTY


def test_a_server_that_answers_an_opening_with_its_running_game_is_followed() -> None:
    walk = Walk().start()
    known = position((3, 3, 2, 4))
    walk.send(NEW_GAME).reply(reply_at(known, botmove=4))
    assert walk.notes == ["resynchronised"]
    assert walk.session.position == known
    assert isinstance(walk.command, Choose)


def test_an_old_end_in_the_reply_to_an_opening_is_not_a_result() -> None:
    walk = running(WINNING, counted=stats(), games=5)
    walk.win(0)
    walk.count(stats(1, 1))
    walk.send(NEW_GAME).reply(reply_at(position((*WINNING, 0)), result=1.0))
    assert walk.ends == []
    assert walk.notes == ["conflicting_reply"]
    walk.count(stats(1, 1))
    assert isinstance(walk.command, Choose), "the request may have opened a game"
