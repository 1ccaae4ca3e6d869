"""Requests that were not sent or were rejected: the time to wait, and the end of the run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.course.protocol import NEW_GAME
from bot.course.session.belief import NO_GAME
from bot.course.session.events import Choose, Open, ReadStatistics, Reason, Started, Stop, Wait
from bot.course.session.state import Session
from tests.course.session.build import (
    NOT_SENT,
    REJECTED,
    RESUME,
    Walk,
    fail,
    nearly,
    position,
    reply_at,
    running,
    stats,
    stopped,
)

# Not sent


def test_a_move_that_was_not_sent_is_chosen_again_after_growing_pauses() -> None:
    walk = running((3, 3), counted=stats())
    pauses = []
    for _ in range(8):
        fail(walk, 2, NOT_SENT)
        pauses.append(walk.expect(Wait).seconds)
        assert walk.session.position == position((3, 3))
        assert (walk.notes, walk.session.pending, walk.session.lost_replies) == ([], None, 0)
    assert pauses == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0, 2.0])
    assert walk.session.attempts == 8


def test_the_pauses_stay_the_same_however_often_it_fails() -> None:
    walk = running((3, 3))
    walk.session = replace(walk.session, attempts=5000)
    fail(walk, 2, NOT_SENT)
    assert walk.command == Wait(2.0)


def test_an_opening_that_was_not_sent_keeps_its_number() -> None:
    walk = Walk().start()
    fail(walk, NEW_GAME, NOT_SENT)
    assert walk.session.number == 0
    assert walk.session.belief == (NO_GAME,)
    assert walk.command == Wait(0.1)
    assert walk.rest() == Open(1)


def test_at_first_contact_the_session_gives_up_after_three_seconds() -> None:
    walk = Walk().start()
    fail(walk, NEW_GAME, NOT_SENT)
    walk.at += 2.8
    fail(walk, NEW_GAME, NOT_SENT)
    assert isinstance(walk.command, Wait)
    walk.at = 103.0
    fail(walk, NEW_GAME, NOT_SENT)
    assert stopped(walk) == Stop(Reason.NETWORK, "The server cannot be reached.", "Check the network.")


def test_a_shorter_patience_holds_at_first_contact_too() -> None:
    walk = Walk(Session(patience_s=1.0)).start()
    fail(walk, NEW_GAME, NOT_SENT)
    walk.at = 101.0
    fail(walk, NEW_GAME, NOT_SENT)
    assert stopped(walk).reason is Reason.NETWORK


def test_in_a_game_the_session_waits_for_its_patience_and_says_that_the_game_is_kept() -> None:
    walk = running((3, 3))
    fail(walk, 2, NOT_SENT)
    walk.at = 129.8
    fail(walk, 2, NOT_SENT)
    assert isinstance(walk.command, Wait)
    walk.at = 130.0
    fail(walk, 2, NOT_SENT)
    assert stopped(walk) == Stop(Reason.NETWORK, "The server cannot be reached.", RESUME)
    assert isinstance(walk.feed(Started(0.0, 1)), Choose)


def test_a_usable_reply_ends_the_trouble() -> None:
    walk = running((3, 3))
    fail(walk, 2, NOT_SENT)
    walk.at += 20.0
    walk.rest()
    walk.move(2, reply_at(position((3, 3, 2, 4)), botmove=4))
    assert (walk.session.trouble_since, walk.session.attempts) == (None, 0)
    walk.at += 20.0
    fail(walk, 2, NOT_SENT)
    assert walk.command == Wait(0.1)


def test_when_the_move_clock_has_run_out_the_statistics_are_read_before_the_next_move() -> None:
    walk = running((3, 3), counted=stats())
    walk.at += 5.0
    fail(walk, 2, NOT_SENT)
    assert walk.rest() == Choose(walk.session.belief, nearly(5.0 - 5.1 - 0.35))
    walk.at += 0.1
    fail(walk, 2, NOT_SENT)
    assert walk.rest() == ReadStatistics(0.5)


def test_between_games_no_clock_runs_and_nothing_is_read() -> None:
    walk = Walk().start(counted=stats())
    walk.at += 1000.0
    fail(walk, NEW_GAME, NOT_SENT)
    assert walk.rest() == Open(1)


def test_without_statistics_nothing_is_read_either() -> None:
    walk = running((3, 3))
    walk.at += 60.0
    fail(walk, 2, NOT_SENT)
    assert isinstance(walk.rest(), Choose)


# Retry-After


def test_the_servers_wish_is_followed_between_games() -> None:
    walk = Walk().start()
    fail(walk, NEW_GAME, replace(NOT_SENT, retry_after_s=20.0))
    assert walk.command == Wait(20.0)


@pytest.mark.parametrize(("wish_s", "wait_s"), [(0.05, 0.1), (2.0, 2.0), (20.0, 3.65)])
def test_the_servers_wish_is_followed_in_a_game_as_far_as_the_clock_allows(wish_s: float, wait_s: float) -> None:
    walk = running((3, 3))
    fail(walk, 2, replace(NOT_SENT, retry_after_s=wish_s))
    assert walk.command == Wait(nearly(wait_s))


def test_with_no_time_left_the_servers_wish_is_not_followed() -> None:
    walk = running((3, 3))
    walk.at += 4.5
    fail(walk, 2, replace(NOT_SENT, retry_after_s=20.0))
    assert walk.command == Wait(0.1)


# Rejected


@pytest.mark.parametrize("move", [NEW_GAME, 2])
def test_a_rejection_stops_the_session_and_keeps_the_game(move: int) -> None:
    walk = running((3, 3)) if move == 2 else Walk().start()
    before = walk.session
    fail(walk, move, REJECTED)
    assert stopped(walk) == Stop(Reason.REJECTED, "The server denies access.", "Check --api-key.")
    assert walk.session.belief == before.belief
    assert walk.session.number == before.number
    assert walk.session.pending is None
    walk.start()
    walk.expect(Choose if move == 2 else Open)
