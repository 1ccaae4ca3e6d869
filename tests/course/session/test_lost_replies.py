"""Requests without a usable reply: the hypotheses after them."""

from __future__ import annotations

import pytest

from bot.course.protocol import NEW_GAME, Stats
from bot.course.session.belief import Hypothesis
from bot.course.session.events import Choose, Open, ReadStatistics, Wait
from bot.course.session.position import EMPTY
from bot.course.session.state import Session
from tests.course.session.build import (
    QUIRK,
    WINNING,
    Walk,
    lost,
    position,
    reply_at,
    running,
    stats,
)


def test_a_lost_reply_leaves_the_move_unprocessed_or_answered_by_any_column() -> None:
    walk = running((3, 3))
    known = position((3, 3))
    walk.fail(2)
    assert walk.boards == {known.board, *(known.play(2).play(answer).board for answer in range(7))}
    assert sum(item.weight for item in walk.session.belief) == pytest.approx(1.0)
    assert walk.session.belief[0].position == known
    assert walk.session.belief[0].weight == pytest.approx(0.5)
    assert walk.notes == ["reply_lost"]


def test_after_the_first_lost_reply_the_statistics_are_read_at_once_and_later_ones_after_a_pause() -> None:
    walk = running((3, 3), counted=stats())
    assert walk.fail(2) == ReadStatistics(2.0)
    walk.count(stats())
    assert walk.fail(2) == Wait(0.1)
    walk.count(stats())
    walk.at = 101.5
    assert walk.fail(2) == Wait(1.5)
    walk.count(stats())
    walk.at += 1.5
    assert walk.fail(2) == Wait(2.0)


def test_without_statistics_a_move_is_chosen_at_once() -> None:
    walk = running((3, 3))
    assert isinstance(walk.fail(2), Choose)
    assert len(walk.expect(Choose).belief) == 8


def test_a_lost_opening_is_followed_by_a_move() -> None:
    walk = Walk().start(counted=stats())
    walk.fail(NEW_GAME)
    assert walk.session.number == 1
    assert walk.boards == {None, EMPTY.board, *(position([column], we_start=False).board for column in range(7))}
    assert isinstance(walk.count(stats()), Choose)
    walk.move(3, reply_at(position((3, 2)), botmove=2))
    assert walk.session.number == 1
    assert walk.session.number == 1
    assert walk.ends == []


@pytest.mark.parametrize("answer", [None, 5])
def test_the_reply_after_a_lost_opening_shows_who_started(answer: int | None) -> None:
    walk = Walk().start(counted=stats())
    walk.fail(NEW_GAME)
    walk.count(stats())
    known = EMPTY if answer is None else position([answer], we_start=False)
    walk.move(3, reply_at(known.play(3).play(2), botmove=2))
    assert walk.session.position == known.play(3).play(2)
    assert walk.notes == ["reconciled"]
    assert walk.session.number == 1


@pytest.mark.parametrize("was_processed", [False, True])
def test_the_next_board_shows_what_happened_and_teaches_answers(was_processed: bool) -> None:
    walk = running((3, 3))
    walk.fail(2, lost())
    truth = position((3, 3, 2, 5)) if was_processed else position((3, 3))
    after = truth.play(4).play(6)
    walk.move(4, reply_at(after, botmove=6))
    assert walk.session.position == after
    assert walk.session.position is not None
    assert walk.session.position.moves == after.moves
    assert walk.notes == ["reconciled"]
    learnt = walk.session.answers.counts(position((3, 3, 2)).board)[5]
    assert learnt == was_processed
    assert walk.session.answers.counts(truth.play(4).board)[6] == 1, "an answer that was received counts once"


def test_a_win_right_after_a_request_that_was_not_processed_shows_no_answer_to_it() -> None:
    walk = running(WINNING, games=2)
    walk.fail(3, lost("reset"))
    walk.move(0, reply_at(position((*WINNING, 0)), result=1.0))
    assert walk.ends == [(1, 1.0, "reply")]
    assert walk.session.answers.counts(position((*WINNING, 3)).board) == [0.0] * 7


def test_a_partial_reply_proves_that_the_request_was_processed() -> None:
    walk = running((3, 3))
    walk.fail(2, lost(delivered=1.0))
    assert position((3, 3)).board not in walk.boards
    assert len(walk.boards) == 7


def test_after_a_lost_reply_two_seconds_are_granted() -> None:
    walk = running((3, 3))
    walk.at += 4.9
    walk.fail(2)
    assert walk.expect(Choose).left_s == pytest.approx(2.0 - 0.35)
    assert walk.session.clock.late_at == 105.0


def test_a_move_in_every_hypothesis_won_is_the_games_end() -> None:
    walk = running(WINNING, games=2)
    walk.fail(0, lost(delivered=1.0))
    assert walk.ends == [(1, 1.0, "inferred")]
    assert walk.command == ReadStatistics(1.0)
    assert walk.count(None) == Open(2)


@pytest.mark.parametrize(("counted", "result"), [(stats(1, 1), 1.0), (stats(1), 0.5)])
def test_whether_a_four_by_the_42nd_disc_won_is_known_by_the_statistics(counted: Stats, result: float) -> None:
    walk = Walk(Session(belief=(Hypothesis(position(QUIRK, we_start=False)),), number=1, base=stats())).start(
        games=2, counted=stats()
    )
    walk.fail(1, lost(delivered=1.0))
    assert (walk.ends, walk.command) == ([], ReadStatistics(None))
    walk.count(counted)
    assert walk.ends == [(1, result, "statistics")]
    assert walk.session.base == counted
    assert walk.command == Open(2)
