"""Requests that were not sent or were rejected: the time to wait, and the end of the run."""

from __future__ import annotations

import pytest

from bot.course.protocol import NEW_GAME
from bot.course.session.belief import NO_GAME
from bot.course.session.events import Choose, Open, ReadStatistics, Reason, Stop, Wait
from tests.course.session.build import (
    NOT_SENT,
    REJECTED,
    RESUME,
    Walk,
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
        walk.fail(2, NOT_SENT)
        pauses.append(walk.expect(Wait).seconds)
        assert walk.session.position == position((3, 3))
        assert (walk.notes, walk.session.blind) == ([], 0)
        walk.rest()
    assert pauses == pytest.approx([0.1, 0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0])


def test_an_opening_that_was_not_sent_keeps_its_number() -> None:
    walk = Walk().start()
    walk.fail(NEW_GAME, NOT_SENT)
    assert walk.session.number == 0
    assert walk.session.belief == (NO_GAME,)
    assert walk.command == Wait(0.1)
    assert walk.rest() == Open(1)


def test_in_a_game_the_session_waits_for_its_patience_and_says_that_the_game_is_kept() -> None:
    walk = running((3, 3))
    walk.fail(2, NOT_SENT)
    walk.at = 129.8
    walk.fail(2, NOT_SENT)
    assert isinstance(walk.command, Wait)
    walk.at = 130.0
    walk.fail(2, NOT_SENT)
    assert stopped(walk) == Stop(Reason.NETWORK, "The server cannot be reached.", f"Check the network. {RESUME}")
    assert isinstance(walk.start().command, Choose)


def test_a_usable_reply_ends_the_trouble() -> None:
    walk = running((3, 3))
    walk.fail(2, NOT_SENT)
    walk.at += 20.0
    walk.rest()
    walk.move(2, reply_at(position((3, 3, 2, 4)), botmove=4))
    assert walk.session.trouble_since is None
    walk.at += 20.0
    walk.fail(2, NOT_SENT)
    assert walk.command == Wait(0.1)


def test_when_the_move_clock_has_run_out_the_statistics_are_read_before_the_next_move() -> None:
    walk = running((3, 3), counted=stats())
    walk.at += 5.0
    walk.fail(2, NOT_SENT)
    assert walk.rest() == Choose(walk.session.belief, nearly(5.0 - 5.1 - 0.35))
    walk.at += 0.1
    walk.fail(2, NOT_SENT)
    assert walk.rest() == ReadStatistics(0.5)


def test_between_games_no_clock_runs_and_nothing_is_read() -> None:
    walk = Walk().start(counted=stats())
    walk.at += 1000.0
    walk.fail(NEW_GAME, NOT_SENT)
    assert walk.rest() == Open(1)


def test_without_statistics_nothing_is_read_either() -> None:
    walk = running((3, 3))
    walk.at += 60.0
    walk.fail(2, NOT_SENT)
    assert isinstance(walk.rest(), Choose)


# Rejected


@pytest.mark.parametrize("move", [NEW_GAME, 2])
def test_a_rejection_stops_the_session_and_keeps_the_game(move: int) -> None:
    walk = running((3, 3)) if move == 2 else Walk().start()
    before = walk.session
    walk.fail(move, REJECTED)
    assert stopped(walk) == Stop(Reason.REJECTED, "The server rejects the form.", "Check --stil-id.")
    assert walk.session.belief == before.belief
    assert walk.session.number == before.number
    walk.start()
    walk.expect(Choose if move == 2 else Open)
