"""A machine that sleeps in the middle of a game."""

from __future__ import annotations

import pytest

from bot.course.protocol import NEW_GAME
from bot.course.session.events import Choose, ReadStatistics
from tests.course.session.build import (
    NOT_SENT,
    RESUME,
    Walk,
    lost,
    nearly,
    opened,
    position,
    reply_at,
    running,
    stats,
    stopped,
)


def test_a_machine_that_slept_between_two_events_sends_its_move_late() -> None:
    walk = running((3, 3), counted=stats())
    walk.at += 8 * 3600.0
    walk.send(2)
    after = position((3, 3, 2, 4))
    assert walk.reply(reply_at(after, botmove=4)) == Choose(walk.session.belief, nearly(4.65))
    assert walk.session.position == after


def test_a_machine_that_slept_through_a_request_reads_the_statistics_and_moves() -> None:
    walk = running((3, 3), counted=stats())
    walk.send(2)
    walk.at += 8 * 3600.0
    assert walk.feed(lost("timeout")) == ReadStatistics(nearly(1.65 / 2))
    walk.count(stats(), times=1)
    assert walk.command == Choose(walk.session.belief, nearly(1.65))
    assert len(walk.session.belief) == 8


def test_a_game_that_ended_while_the_machine_slept_is_found_by_the_next_board() -> None:
    walk = running((3, 3), counted=stats(), games=2)
    walk.at += 8 * 3600.0
    fresh = position((2, 4))
    walk.move(2, reply_at(fresh, botmove=4))
    assert walk.notes == ["silent_start"]
    assert walk.session.number == 2
    walk.count(stats(1, 0, 1))
    assert walk.ends == [(1, -1.0, "statistics")]
    assert walk.session.number == 2
    assert walk.session.position == fresh
    assert isinstance(walk.command, Choose)


def test_trouble_that_began_before_the_machine_slept_ends_the_run_but_not_the_game() -> None:
    walk = running((3, 3))
    walk.fail(2, NOT_SENT)
    walk.at += 8 * 3600.0
    walk.fail(2, NOT_SENT)
    assert stopped(walk).hint == f"Check the network. {RESUME}"
    assert isinstance(walk.start().command, Choose)


def test_a_clock_of_another_limit_is_used_throughout() -> None:
    walk = Walk().start(limit_s=2.0)
    walk.send(NEW_GAME).reply(opened())
    assert walk.expect(Choose).left_s == pytest.approx(1.65)
