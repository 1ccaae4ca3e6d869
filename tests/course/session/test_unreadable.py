"""Replies of an unknown form, and redirects: not the network's fault."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.course.protocol import NEW_GAME
from bot.course.session.events import Reason, Started
from bot.course.session.machine import LOST_IN_ROW
from tests.course.session.build import (
    RESUME,
    Walk,
    lost,
    position,
    reply_at,
    running,
    stats,
    stopped,
)


@pytest.mark.parametrize("kind", ["bad reply", "not json", "trailing bytes"])
def test_the_second_whole_reply_that_cannot_be_read_stops_the_run(kind: str) -> None:
    walk = running((3, 3), counted=stats())
    walk.fail(2, lost(kind))
    assert walk.session.stop is None
    walk.count(stats())
    walk.fail(2, lost(kind))
    assert stopped(walk).reason is Reason.REFUSED
    assert stopped(walk).message == "The connection broke."
    assert stopped(walk).hint.endswith(RESUME) and "--careful" in stopped(walk).hint


def test_the_fourth_empty_reply_stops_the_run() -> None:
    walk = running((3, 3), counted=stats())
    for _ in range(3):
        walk.fail(2, lost("empty"))
        walk.count(stats())
    walk.fail(2, lost("empty"))
    assert stopped(walk).reason is Reason.REFUSED


def test_a_readable_reply_or_another_failure_between_them_counts_as_it_should() -> None:
    walk = running((3, 3), counted=stats())
    walk.fail(2, lost("bad reply"))
    walk.count(stats())
    walk.move(2, reply_at(position((3, 3, 2, 4)), botmove=4))
    walk.fail(2, lost("bad reply"))
    assert walk.session.stop is None, "a reply that can be read starts the count anew"
    walk.count(stats())
    walk.fail(2, lost("timeout"))
    assert walk.session.stop is None
    walk.count(stats())
    walk.fail(2, lost("not json"))
    assert stopped(walk).reason is Reason.REFUSED


def test_a_resumed_run_sends_one_more_move_to_a_server_that_it_cannot_read() -> None:
    walk = running((3, 3), counted=stats())
    walk.fail(2, lost("bad reply"))
    walk.count(stats())
    walk.fail(2, lost("bad reply"))
    walk.feed(Started(0.0, 1))
    walk.count(stats())
    walk.fail(2, lost("bad reply"))
    assert stopped(walk).reason is Reason.REFUSED


@pytest.mark.parametrize("kind", ["html", "not http", "http 500", "closed"])
def test_moves_are_not_sent_blindly_to_a_server_that_answers_only_statistics(kind: str) -> None:
    walk = running((3, 3), counted=stats())
    walk.feed(Started(0.0, 1))
    for _ in range(LOST_IN_ROW - 1):
        walk.fail(2, lost(kind))
        assert walk.session.stop is None
        walk.count(stats())
    walk.fail(2, lost(kind))
    assert stopped(walk).reason is Reason.NETWORK
    assert f"the last {LOST_IN_ROW} replies were lost" in stopped(walk).message
    assert stopped(walk).hint == RESUME
    walk.feed(Started(0.0, 1))
    walk.count(stats())
    walk.fail(2, lost(kind))
    assert stopped(walk).reason is Reason.NETWORK, "a resumed run sends one more move"


@pytest.mark.parametrize(
    "relief", ["a reply arrived before", "statistics fail too", "a reply arrives", "probably not processed"]
)
def test_lost_replies_with_signs_of_an_outage_or_of_life_do_not_end_the_run(relief: str) -> None:
    walk = running((3, 3), counted=stats())
    if relief != "a reply arrived before":
        walk.feed(Started(0.0, 1))
    for number in range(2 * LOST_IN_ROW):
        walk.fail(2, lost("http 429", delivered=0.02 if relief == "probably not processed" else None))
        assert walk.session.stop is None
        walk.count(None if relief == "statistics fail too" and number % 2 else stats())
        if relief == "a reply arrives" and number == 1:
            walk.move(2, reply_at(position((3, 3, 2, 4)), botmove=4))
            assert walk.session.lost_in_row == 0
            return


def test_a_redirect_before_any_answer_is_a_wrong_address() -> None:
    """Waiting would not help, and the hint names the address."""
    named = replace(lost("redirect"), hint="It names https://other.test.")
    walk = Walk().start()
    walk.fail(NEW_GAME, named)
    assert stopped(walk).reason is Reason.REFUSED
    assert stopped(walk).hint.startswith("It names https://other.test.")


def test_a_redirect_in_a_game_is_an_outage_whose_hint_is_kept() -> None:
    named = replace(lost("redirect"), hint="It names https://other.test.")
    walk = running((3, 3), counted=stats())
    walk.fail(2, named)
    assert walk.session.stop is None
    walk.count(stats())
    walk.at = 130.0
    walk.fail(2, named)
    assert stopped(walk).reason is Reason.NETWORK
    assert stopped(walk).hint == f"It names https://other.test. {RESUME}"
