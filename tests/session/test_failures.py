"""Requests without a usable reply: the hypotheses after them, the time to wait, and the end of the run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.protocol import NEW_GAME, Stats
from bot.session.belief import NO_GAME, Hypothesis
from bot.session.clock import MoveClock
from bot.session.events import Choose, Chosen, Delivery, Failed, Open, ReadStatistics, Reason, Sent, Started, Stop, Wait
from bot.session.machine import LOST_IN_ROW
from bot.session.position import EMPTY
from bot.session.state import LostRequest, Session
from tests.session.build import (
    NOT_SENT,
    QUIRK,
    REJECTED,
    WINNING,
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

RESUME = "The game is kept: run the same command again to resume it."


def fail(walk: Walk, move: int, failure: Failed) -> None:
    """Send a move and fail; if the failure proves that nothing was sent, no Sent event comes before it."""
    walk.rest()
    walk.feed(Chosen(0.0, move))
    if failure.delivery is not Delivery.NOT_SENT:
        walk.feed(Sent(0.0))
    walk.feed(failure)


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


# Unknown


def test_a_lost_reply_leaves_the_move_unprocessed_or_answered_by_any_column() -> None:
    walk = running((3, 3))
    known = position((3, 3))
    walk.lose_reply(2)
    assert walk.boards == {known.board, *(known.play(2).play(answer).board for answer in range(7))}
    assert sum(item.weight for item in walk.session.belief) == pytest.approx(1.0)
    assert walk.session.belief[0].position == known
    assert walk.session.belief[0].weight == pytest.approx(0.5)
    assert walk.notes == ["reply_lost"]
    assert walk.session.lost_replies == 1
    assert walk.session.lost_request is not None
    assert walk.session.lost_request == LostRequest(walk.session.lost_request.before, "reset", None)
    assert walk.session.lost_request.before.position == known


def test_after_the_first_lost_reply_the_statistics_are_read_at_once_and_later_ones_after_a_pause() -> None:
    walk = running((3, 3), counted=stats())
    assert walk.lose_reply(2) == ReadStatistics(2.0)
    walk.count(stats())
    assert walk.lose_reply(2) == Wait(0.2)
    assert walk.session.lost_request is None, "more than one request is in doubt"
    walk.count(stats())
    assert walk.lose_reply(2) == Wait(0.4)


def test_without_statistics_a_move_is_chosen_at_once() -> None:
    walk = running((3, 3))
    assert isinstance(walk.lose_reply(2), Choose)
    assert len(walk.expect(Choose).belief) == 8


def test_a_lost_opening_is_followed_by_a_move() -> None:
    walk = Walk().start(counted=stats())
    walk.lose_reply(NEW_GAME)
    assert walk.session.number == 1
    assert walk.boards == {None, EMPTY.board, *(position([column], we_start=False).board for column in range(7))}
    assert isinstance(walk.count(stats()), Choose)
    walk.move(3, reply_at(position((3, 2)), botmove=2))
    assert walk.starts == [1]
    assert walk.session.number == 1
    assert walk.ends == []


@pytest.mark.parametrize("answer", [None, 5])
def test_the_reply_after_a_lost_opening_shows_who_started(answer: int | None) -> None:
    walk = Walk().start()
    walk.lose_reply(NEW_GAME)
    known = EMPTY if answer is None else position([answer], we_start=False)
    walk.move(3, reply_at(known.play(3).play(2), botmove=2))
    assert walk.session.position == known.play(3).play(2)
    assert walk.notes == ["reconciled"]
    assert walk.starts == [1]


def test_the_start_of_a_game_is_announced_once() -> None:
    walk = running()
    walk.lose_reply(3)
    walk.move(3, reply_at(position((3, 2)), botmove=2))
    assert walk.starts == []


@pytest.mark.parametrize("was_processed", [False, True])
def test_the_next_board_shows_what_happened_and_teaches_odds_and_answers(was_processed: bool) -> None:
    walk = running((3, 3))
    walk.lose_reply(2, lost(kind="reset", first_byte_s=0.1))
    truth = position((3, 3, 2, 5)) if was_processed else position((3, 3))
    after = truth.play(4).play(6)
    walk.move(4, reply_at(after, botmove=6))
    assert walk.session.position == after
    assert walk.session.position is not None
    assert walk.session.position.moves == after.moves
    assert walk.notes == ["reconciled"]
    assert walk.session.delivery.cases == {("reset", None): (int(was_processed), 1)}
    learnt = walk.session.answers.counts(position((3, 3, 2)).board)[5]
    assert learnt == was_processed
    assert walk.session.answers.counts(truth.play(4).board)[6] == 1, "an answer that was received counts once"
    assert walk.session.lost_request is None


def test_a_win_right_after_a_request_that_was_not_processed_shows_no_answer_to_it() -> None:
    walk = running(WINNING, games=2)
    walk.lose_reply(3, lost(kind="reset"))
    walk.move(0, reply_at(position((*WINNING, 0)), result=1.0))
    assert walk.ends == [(1, 1.0, "reply")]
    assert walk.session.delivery.cases == {("reset", None): (0, 1)}
    assert walk.session.answers.counts(position((*WINNING, 3)).board) == [0.0] * 7


def test_a_partial_reply_proves_that_the_request_was_processed() -> None:
    walk = running((3, 3))
    walk.lose_reply(2, lost(delivered=1.0))
    assert position((3, 3)).board not in walk.boards
    assert len(walk.boards) == 7
    assert walk.session.lost_request is None


def test_a_lost_reply_at_first_contact_is_an_answer() -> None:
    walk = Walk().start()
    walk.lose_reply(NEW_GAME)
    walk.at += 10.0
    walk.lose_reply(3)
    assert isinstance(walk.command, Wait)
    walk.at = 130.0
    walk.lose_reply(3)
    assert stopped(walk) == Stop(Reason.NETWORK, "The connection broke.", RESUME)


def test_after_a_lost_reply_two_seconds_are_granted() -> None:
    walk = running((3, 3))
    walk.at += 4.9
    walk.lose_reply(2)
    assert walk.expect(Choose).left_s == pytest.approx(2.0 - 0.35)
    assert walk.session.clock.started_at == 100.0


def test_a_move_in_every_hypothesis_won_is_the_games_end() -> None:
    walk = running(WINNING, games=2)
    walk.lose_reply(0, lost(delivered=1.0))
    assert walk.ends == [(1, 1.0, "inferred")]
    assert walk.command == ReadStatistics(None)
    assert walk.count(None) == Open(2)


@pytest.mark.parametrize(("counted", "result"), [(stats(1, 1), 1.0), (stats(1), 0.5)])
def test_whether_a_four_by_the_42nd_disc_won_is_known_by_the_statistics(counted: Stats, result: float) -> None:
    walk = Walk(Session(belief=(Hypothesis(position(QUIRK, we_start=False)),), number=1, base=stats())).start(games=2)
    walk.lose_reply(1, lost(delivered=1.0))
    assert (walk.ends, walk.command) == ([], ReadStatistics(None))
    walk.count(counted)
    assert walk.ends == [(1, result, "statistics")]
    assert walk.session.base == replace(counted, streak=1)
    assert walk.command == Open(2)


# The sleeping laptop


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
    assert walk.feed(lost(kind="timeout")) == ReadStatistics(nearly(1.65 / 2))
    walk.count(stats(), times=1)
    assert walk.command == Choose(walk.session.belief, nearly(1.65))
    assert len(walk.session.belief) == 8


def test_a_game_that_ended_while_the_machine_slept_is_found_by_the_next_board() -> None:
    walk = running((3, 3), counted=stats(), games=2)
    walk.at += 8 * 3600.0
    fresh = position((2, 4))
    walk.move(2, reply_at(fresh, botmove=4))
    assert walk.notes == ["silent_start"]
    assert walk.starts == [2]
    walk.count(stats(1, 0, 1))
    assert walk.ends == [(1, -1.0, "statistics")]
    assert walk.session.number == 2
    assert walk.session.position == fresh
    assert isinstance(walk.command, Choose)


def test_trouble_that_began_before_the_machine_slept_ends_the_run_but_not_the_game() -> None:
    walk = running((3, 3))
    fail(walk, 2, NOT_SENT)
    walk.at += 8 * 3600.0
    fail(walk, 2, NOT_SENT)
    assert stopped(walk).hint == RESUME
    assert isinstance(walk.feed(Started(0.0, 1)), Choose)


def test_a_clock_of_another_limit_is_used_throughout() -> None:
    walk = Walk(Session(clock=MoveClock(limit_s=2.0))).start()
    walk.send(NEW_GAME).reply(opened())
    assert walk.expect(Choose).left_s == pytest.approx(1.65)


# Replies of an unknown form, and redirects: not the network's fault


@pytest.mark.parametrize("kind", ["bad reply", "not json", "trailing bytes"])
def test_the_second_whole_reply_that_cannot_be_read_stops_the_run(kind: str) -> None:
    walk = running((3, 3), counted=stats())
    fail(walk, 2, lost(kind=kind))
    assert walk.session.stop is None
    walk.count(stats())
    fail(walk, 2, lost(kind=kind))
    assert stopped(walk).reason is Reason.REFUSED
    assert stopped(walk).message == "The connection broke."
    assert stopped(walk).hint.endswith(RESUME) and "--careful" in stopped(walk).hint


def test_the_fourth_empty_reply_stops_the_run() -> None:
    walk = running((3, 3), counted=stats())
    for _ in range(3):
        fail(walk, 2, lost(kind="empty"))
        walk.count(stats())
    fail(walk, 2, lost(kind="empty"))
    assert stopped(walk).reason is Reason.REFUSED


def test_a_readable_reply_or_another_failure_between_them_counts_as_it_should() -> None:
    walk = running((3, 3), counted=stats())
    fail(walk, 2, lost(kind="bad reply"))
    walk.count(stats())
    walk.move(2, reply_at(position((3, 3, 2, 4)), botmove=4))
    fail(walk, 2, lost(kind="bad reply"))
    assert walk.session.stop is None, "a reply that can be read starts the count anew"
    walk.count(stats())
    fail(walk, 2, lost(kind="timeout"))
    assert walk.session.stop is None
    walk.count(stats())
    fail(walk, 2, lost(kind="not json"))
    assert stopped(walk).reason is Reason.REFUSED


def test_a_resumed_run_sends_one_more_move_to_a_server_that_it_cannot_read() -> None:
    walk = running((3, 3), counted=stats())
    fail(walk, 2, lost(kind="bad reply"))
    walk.count(stats())
    fail(walk, 2, lost(kind="bad reply"))
    walk.feed(Started(0.0, 1))
    walk.count(stats())
    fail(walk, 2, lost(kind="bad reply"))
    assert stopped(walk).reason is Reason.REFUSED


@pytest.mark.parametrize("kind", ["html", "not http", "http 500", "closed"])
def test_moves_are_not_sent_blindly_to_a_server_that_answers_only_statistics(kind: str) -> None:
    walk = running((3, 3), counted=stats())
    for _ in range(LOST_IN_ROW - 1):
        fail(walk, 2, lost(kind=kind))
        assert walk.session.stop is None
        walk.count(stats())
    fail(walk, 2, lost(kind=kind))
    assert stopped(walk).reason is Reason.NETWORK
    assert f"the last {LOST_IN_ROW} replies were lost" in stopped(walk).message
    assert stopped(walk).hint == RESUME
    walk.feed(Started(0.0, 1))
    walk.count(stats())
    fail(walk, 2, lost(kind=kind))
    assert stopped(walk).reason is Reason.NETWORK, "a resumed run sends one more move"


@pytest.mark.parametrize("relief", ["statistics fail too", "a reply arrives", "probably not processed"])
def test_lost_replies_with_signs_of_an_outage_or_of_life_do_not_end_the_run(relief: str) -> None:
    walk = running((3, 3), counted=stats())
    for number in range(2 * LOST_IN_ROW):
        fail(walk, 2, lost(kind="http 429", delivered=0.02 if relief == "probably not processed" else None))
        assert walk.session.stop is None
        walk.count(None if relief == "statistics fail too" and number % 2 else stats())
        if relief == "a reply arrives" and number == 1:
            walk.move(2, reply_at(position((3, 3, 2, 4)), botmove=4))
            assert walk.session.lost_in_row == 0
            return


def test_a_redirect_before_any_answer_is_a_wrong_address() -> None:
    """Waiting would not help, and the hint names the address."""
    named = replace(lost(kind="redirect"), hint="It names https://other.test.")
    walk = Walk().start()
    fail(walk, NEW_GAME, named)
    assert stopped(walk).reason is Reason.REFUSED
    assert stopped(walk).hint.startswith("It names https://other.test.")


def test_a_redirect_in_a_game_is_an_outage_whose_hint_is_kept() -> None:
    named = replace(lost(kind="redirect"), hint="It names https://other.test.")
    walk = running((3, 3), counted=stats())
    fail(walk, 2, named)
    assert walk.session.stop is None
    walk.count(stats())
    walk.at = 130.0
    fail(walk, 2, named)
    assert stopped(walk).reason is Reason.NETWORK
    assert stopped(walk).hint == f"It names https://other.test. {RESUME}"
