"""The session event by event: starting, starting again, and opening a game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.course.protocol import NEW_GAME, MoveReply
from bot.course.session.belief import Hypothesis
from bot.course.session.clock import MoveClock
from bot.course.session.events import (
    Choose,
    Chosen,
    Counted,
    Open,
    ReadStatistics,
    Reason,
    Sent,
    Started,
    Stop,
    Wait,
)
from bot.course.session.position import EMPTY
from bot.course.session.state import Session
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


def test_a_run_of_no_games_is_finished() -> None:
    assert Walk().feed(Started(0.0, 0)) == Stop(Reason.FINISHED)


def test_a_restart_in_a_known_game_reads_the_statistics_and_goes_on_with_a_move_and_a_new_clock() -> None:
    walk = running((3, 3), counted=stats())
    walk.at += 1000.0
    assert walk.feed(Started(0.0, 3)) == ReadStatistics(None)
    assert walk.count(stats()) == Choose(walk.session.belief, nearly(4.65))
    assert walk.session.position == position((3, 3))


@pytest.mark.parametrize(("is_sent", "moved"), [(False, 0.02), (True, 0.85)])
def test_a_restart_with_a_pending_move_reads_statistics_and_weighs_both_cases(is_sent: bool, moved: float) -> None:
    walk = running((3, 3), counted=stats())
    walk.feed(Chosen(0.0, 2))
    if is_sent:
        walk.feed(Sent(0.0))
    assert walk.feed(Started(0.0, 1)) == ReadStatistics(None)
    known = next(item for item in walk.session.belief if item.position == position((3, 3)))
    assert known.weight == pytest.approx(1 - moved)
    assert len(walk.session.belief) == 8
    assert isinstance(walk.count(stats()), Choose)


@pytest.mark.parametrize("is_sent", [False, True])
def test_a_restart_with_a_pending_opening_never_opens_again(is_sent: bool) -> None:
    walk = Walk().start(counted=stats())
    assert not walk.session.is_opening
    walk.feed(Chosen(0.0, NEW_GAME))
    assert walk.session.is_opening
    if is_sent:
        walk.feed(Sent(0.0))
    assert walk.feed(Started(0.0, 1)) == ReadStatistics(None)
    assert walk.boards == {None, EMPTY.board, *(position([column], we_start=False).board for column in range(7))}
    assert isinstance(walk.count(stats()), Choose)
    assert walk.session.number == 1


def test_a_restart_begins_anew_what_a_run_counts_and_keeps_what_it_knows() -> None:
    walk = running((3, 3), counted=stats())
    calm = walk.session
    walk.session = replace(
        calm,
        run=Started(0.0, 9, limit_s=1.0),
        agenda=(Wait(1.0),),
        played=3,
        clock=MoveClock(5.0, 5.0, (0.1,)),
        in_contact=True,
        trouble_since=90.0,
        wasted=5,
        has_adopted=True,
    )
    walk.feed(Started(0.0, 2, limit_s=4.0))
    fresh = Session()
    for name in ("played", "in_contact", "trouble_since", "wasted", "has_adopted"):
        assert getattr(walk.session, name) == getattr(fresh, name), name
    for name in ("number", "belief", "answers", "base", "trust", "unseen", "blind"):
        assert getattr(walk.session, name) == getattr(calm, name), name
    assert walk.session.run == Started(100.0, 2, limit_s=4.0)
    assert walk.session.clock == MoveClock(104.0, 104.0)
    assert walk.session.agenda == (ReadStatistics(None),)


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
    assert walk.session.news == ()
    assert walk.session.number == 1


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
