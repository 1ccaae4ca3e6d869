"""Exchanges without a usable board in a row: when another one would be blind."""

from __future__ import annotations

import pytest

from bot.course.session.events import Choose, Reason, Started
from bot.course.session.machine import UNREADABLE
from bot.course.session.state import BLIND, WHOLE
from tests.course.session.build import (
    NO_GAME_RUNS,
    RESUME,
    Walk,
    lost,
    position,
    reply_at,
    running,
    stats,
    stopped,
)

AFTER = reply_at(position((3, 3, 2, 4)), botmove=4)
GARBAGE = reply_at(position((6, 6, 6, 0)), botmove=0)


def resumed() -> Walk:
    """Return a walk in a known game whose run has begun anew: the server has shown no board in it."""
    walk = running((3, 3), counted=stats())
    walk.start(counted=stats())
    return walk


@pytest.mark.parametrize("kind", UNREADABLE)
def test_the_third_whole_reply_that_cannot_be_read_stops_the_run(kind: str) -> None:
    walk = running((3, 3), counted=stats())
    for count in (2, 4):
        walk.fail(2, lost(kind))
        assert walk.session.blind == count
        walk.settle(stats())
        walk.expect(Choose)
    walk.fail(2, lost(kind, hint="Check it."))
    assert stopped(walk).reason is Reason.REFUSED
    assert stopped(walk).message == "The connection broke. No reply to the last moves could be used."
    assert stopped(walk).hint == f"Check it. {RESUME}"


@pytest.mark.parametrize("kind", ["html", "not http", "http 500", "closed"])
def test_moves_are_not_sent_blindly_to_a_server_that_answers_only_statistics(kind: str) -> None:
    walk = resumed()
    for count in range(1, BLIND):
        walk.fail(2, lost(kind))
        assert walk.session.blind == count
        walk.settle(stats())
        walk.expect(Choose)
    walk.fail(2, lost(kind))
    assert stopped(walk).reason is Reason.NETWORK
    assert stopped(walk).hint == RESUME
    walk.start(counted=stats()).settle(stats())
    walk.fail(2, lost(kind))
    assert stopped(walk).reason is Reason.NETWORK, "a resumed run sends one more move"


@pytest.mark.parametrize("has_statistics", [True, False])
def test_once_a_board_was_shown_only_time_limits_lost_replies(has_statistics: bool) -> None:
    counted = stats() if has_statistics else None
    walk = running((3, 3), counted=counted)
    for _ in range(2 * BLIND):
        walk.fail(2)
        walk.settle(counted)
        walk.expect(Choose)
    assert walk.session.blind == 0


@pytest.mark.parametrize("kind", ["http 404", "http 429"])
def test_requests_that_were_hardly_processed_are_not_blind(kind: str) -> None:
    walk = resumed()
    for _ in range(2 * BLIND):
        walk.fail(2, lost(kind, delivered=0.02))
        walk.settle(stats())
        walk.expect(Choose)
    assert walk.session.blind == 0


def test_all_kinds_of_exchanges_without_a_board_count_together_and_a_board_ends_the_count() -> None:
    walk = resumed()
    walk.fail(2)
    walk.settle(stats())
    walk.move(2, GARBAGE)
    walk.settle(stats())
    walk.move(3, NO_GAME_RUNS)
    walk.settle(stats())
    assert walk.session.blind == 1 + WHOLE + WHOLE
    walk.move(2, AFTER)
    assert walk.session.blind == 0
    walk.fail(5, lost("bad reply"))
    assert walk.session.blind == WHOLE


def test_the_count_goes_on_in_the_next_run_of_the_game() -> None:
    walk = running((3, 3), counted=stats())
    for _ in range(2):
        walk.fail(2, lost("bad reply"))
        walk.count(stats())
    walk.feed(Started(0.0, 1))
    walk.count(stats())
    walk.fail(2, lost("bad reply"))
    assert stopped(walk).reason is Reason.REFUSED


def test_a_redirect_in_a_game_is_an_outage_whose_hint_is_kept() -> None:
    named = lost("redirect", hint="It names https://other.test.")
    walk = running((3, 3), counted=stats())
    walk.fail(2, named)
    walk.count(stats())
    walk.at = 130.0
    walk.fail(2, named)
    assert stopped(walk).reason is Reason.NETWORK
    assert stopped(walk).hint == f"It names https://other.test. {RESUME}"


@pytest.mark.parametrize("kind", ["html", "http 401", "http 403", "http 404", "http 502"])
def test_after_a_good_reply_a_page_of_errors_has_the_patience_of_an_outage(kind: str) -> None:
    walk = running((3, 3), counted=stats())
    while walk.at < 129.0:
        walk.fail(2, lost(kind, delivered=0.02))
        walk.count(None)
        walk.at += 5.0
    walk.move(2, AFTER)
    assert walk.session.position == position((3, 3, 2, 4))
