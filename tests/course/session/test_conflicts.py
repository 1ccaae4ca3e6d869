"""Replies that fit nothing: a game that ended unseen, a request sent twice, a reply kept by a cache, garbage."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.course.protocol import NEW_GAME, MoveReply
from bot.course.session.belief import NO_GAME, Hypothesis
from bot.course.session.events import Choose, Open, Reason, Started, Wait
from bot.course.session.state import WASTED, Session
from tests.course.session.build import WINNING, Walk, grid_of, lost, position, reply_at, running, stats, stopped

KNOWN = (3, 3)
GARBAGE = reply_at(position((6, 6, 6, 0)), botmove=0)


# A game that ended unseen


@pytest.mark.parametrize(
    ("counted", "end"),
    [
        (stats(5, 3, 1), (1, 1.0, "statistics")),
        (stats(5, 2, 1), (1, 0.5, "statistics")),
        (stats(5, 2, 2), (1, -1.0, "statistics")),
    ],
)
def test_the_statistics_say_how_a_game_ended_unseen(counted: object, end: tuple[int, float, str]) -> None:
    walk = running(KNOWN, counted=stats(4, 2, 1), games=3)
    fresh = position((2, 4))
    walk.move(2, reply_at(fresh, botmove=4))
    assert (walk.ends, walk.session.number, walk.session.unseen) == ([], 2, 1)
    walk.count(counted)  # type: ignore[arg-type]
    assert walk.ends == [end]
    assert (walk.session.number, walk.session.unseen) == (2, None)
    assert walk.session.position == fresh
    assert isinstance(walk.command, Choose)


def test_statistics_that_lag_are_read_again_while_the_clock_allows() -> None:
    walk = running(KNOWN, counted=stats(), games=3)
    walk.move(2, reply_at(position((2, 4)), botmove=4))
    for _ in range(3):
        walk.count(stats())
        assert walk.ends == []
        assert walk.command == Wait(0.5)
    walk.count(stats(1, 1))
    assert walk.ends == [(1, 1.0, "statistics")]


@pytest.mark.parametrize("counted", [None, stats(), stats(5, 1, 1)], ids=["absent", "behind", "far ahead"])
def test_an_end_that_the_statistics_do_not_show_stays_unknown(counted: object) -> None:
    walk = running(KNOWN, counted=stats(), games=3)
    walk.move(2, reply_at(position((2, 4)), botmove=4))
    while walk.session.unseen is not None:
        walk.count(counted)  # type: ignore[arg-type]
    assert walk.ends == [(1, 0.0, "unknown")]
    assert walk.session.number == 2
    assert walk.session.wasted == 3
    assert not walk.session.trust.counts_agree
    assert isinstance(walk.command, Choose)
    assert walk.session.base == (stats(5, 1, 1) if counted == stats(5, 1, 1) else stats())


def test_without_any_statistics_an_end_stays_unknown() -> None:
    walk = running(KNOWN, games=3)
    walk.move(2, reply_at(position((2, 4)), botmove=4))
    walk.count(stats(9, 9))
    assert walk.ends == [(1, 0.0, "unknown")]
    assert walk.session.base == stats(9, 9)


def unseen(walk: Walk) -> None:
    """Win a game whose last reply is lost; the next column opens another game, whose board shows that it was won."""
    walk.play(WINNING[len(walk.session.belief[0].playing.moves) :])
    walk.fail(0)
    walk.settle()
    walk.move(0, reply_at(position((0, 1)), botmove=1))


def test_games_whose_ends_only_the_next_one_shows_end_the_run_at_the_sixth() -> None:
    """Each move after such an end opens another game: without a limit, the run would never end."""
    walk = running(games=99)
    for count in range(1, WASTED):
        unseen(walk)
        assert walk.ends == [(count, 1.0, "inferred")]
        assert (walk.session.wasted, walk.session.number) == (count, count + 1)
        assert isinstance(walk.command, Choose)
    unseen(walk)
    assert walk.ends == [(WASTED, 1.0, "inferred")]
    assert stopped(walk).reason is Reason.REFUSED


def test_an_end_that_a_reply_shows_forgets_those_that_only_the_next_game_showed() -> None:
    walk = running(games=99)
    for _ in range(WASTED - 1):
        unseen(walk)
    walk.play(WINNING[2:])
    walk.win(0)
    assert (walk.ends, walk.session.wasted) == ([(WASTED, 1.0, "reply")], 0)


def test_an_end_that_was_looked_for_when_the_run_crashed_is_still_found() -> None:
    walk = running(KNOWN, counted=stats(), games=3)
    walk.move(2, reply_at(position((2, 4)), botmove=4))
    walk.feed(Started(0.0, 3))
    walk.count(stats(1, 1))
    assert walk.ends == [(1, 1.0, "statistics")]


# A request that was sent twice


def test_a_board_one_round_further_on_is_followed() -> None:
    walk = running(KNOWN, counted=stats())
    further = position((*KNOWN, 2, 4, 2, 4))
    walk.move(2, reply_at(further, botmove=4))
    assert walk.notes == ["resynchronised"]
    assert walk.session.position == further
    assert isinstance(walk.command, Choose)


def test_the_end_of_a_game_after_a_request_that_was_sent_twice_has_no_order_of_moves() -> None:
    walk = running((*KNOWN, 2, 6))
    walk.move(2, reply_at(position((*KNOWN, 2, 6, 2, 5, 2, 5)), botmove=5))
    assert walk.notes == ["resynchronised"]
    walk.move(2, reply_at(position((*KNOWN, 2, 6, 2, 5, 2, 5, 2)), result=1.0))
    (end,) = [item for item in walk.session.news if item.__class__.__name__ == "GameEnded"]
    assert (end.result, end.known_by, end.moves, end.we_started) == (1.0, "reply", (), True)  # type: ignore[union-attr]


@pytest.mark.parametrize("result", [1.0, None])
def test_a_game_that_the_second_of_two_requests_ended_gets_the_result_of_the_statistics(result: float | None) -> None:
    walk = running((2, 6, 2, 5), counted=stats())
    won = position((2, 6, 2, 5, 2, 5, 2))
    walk.move(2, MoveReply(True, None, None, result, grid_of(won)))
    assert (walk.ends, walk.notes) == ([], ["conflicting_reply"])
    walk.settle(stats(1, 1))
    walk.move(3, reply_at(position((3, 3)), botmove=3))
    assert walk.ends == [(1, 1.0, "inferred")]


@pytest.mark.parametrize(
    "columns",
    [(*KNOWN, 4, 2, 4, 2), (*KNOWN, 2, 4, 2, 4, 2, 4), (6, 6, 2, 4, 2, 4), (3, 3)],
    ids=["not our column", "two rounds too far", "not our game", "not even our move"],
)
def test_a_board_that_is_not_a_little_further_on_is_not_used(columns: tuple[int, ...]) -> None:
    walk = running(KNOWN, counted=stats())
    walk.move(2, MoveReply(True, None, None, 0.0, grid_of(position(columns))))
    assert walk.notes == ["conflicting_reply"]
    assert walk.command == Wait(0.2)
    assert len(walk.session.belief) == 8
    assert walk.session.blind == 2
    walk.count(stats())
    assert isinstance(walk.command, Choose)


def test_a_winning_move_that_was_sent_twice_opens_the_next_game() -> None:
    walk = running(WINNING, counted=stats(), games=3)
    walk.move(0, reply_at(position((0, 4)), botmove=4))
    assert walk.session.number == 2
    walk.count(stats(1, 1))
    assert walk.ends == [(1, 1.0, "statistics")]


# Garbage


def test_a_conflicting_reply_is_not_used_and_the_next_one_decides() -> None:
    walk = running(KNOWN)
    walk.move(2, GARBAGE)
    walk.count(None)
    after = position((*KNOWN, 2, 4, 5, 6))
    walk.move(5, reply_at(after, botmove=6))
    assert walk.session.position == after
    assert walk.session.blind == 0


def test_the_third_conflicting_board_in_a_row_is_believed() -> None:
    walk = running(KNOWN)
    for _ in range(2):
        walk.move(2, GARBAGE)
        assert walk.notes == ["conflicting_reply"]
        walk.count(None)
    walk.move(2, GARBAGE)
    assert walk.notes == ["resynchronised"]
    assert walk.session.position == position((6, 6, 6, 0))
    assert isinstance(walk.command, Choose)


def test_a_conflicting_board_is_believed_once_in_a_run() -> None:
    """A server that always mirrors its boards agrees with itself now and then, in the middle column."""
    walk = running(KNOWN, games=3)
    for _ in range(2):
        walk.move(2, GARBAGE)
        walk.count(None)
    walk.move(2, GARBAGE)
    walk.move(3, reply_at(position((6, 6, 6, 0, 3, 3)), botmove=3))
    for _ in range(2):
        walk.move(2, reply_at(position(KNOWN), botmove=KNOWN[-1]))
        walk.count(None)
        walk.expect(Choose)
    walk.move(2, reply_at(position(KNOWN), botmove=KNOWN[-1]))
    assert stopped(walk).reason is Reason.REFUSED


def test_a_loss_on_a_board_that_is_not_this_games_is_not_believed_at_once() -> None:
    walk = running(KNOWN, games=3)
    walk.move(2, reply_at(position((6, 6, 6, 0)), botmove=0, result=-1.0))
    assert (walk.notes, walk.ends) == (["conflicting_reply"], [])


def test_a_finished_board_that_conflicts_is_never_a_result() -> None:
    walk = running(KNOWN, games=3)
    won = reply_at(position((2, 6, 2, 5, 2, 5, 2)), result=1.0)
    for _ in range(2):
        walk.move(2, won)
        assert (walk.notes, walk.ends) == (["conflicting_reply"], [])
        walk.count(None)
    walk.move(2, won)
    assert stopped(walk).reason is Reason.REFUSED
    assert walk.ends == []


def test_after_damage_the_first_conflicting_board_is_believed_and_only_that() -> None:
    walk = running(KNOWN, counted=stats())
    walk.start(counted=stats(), is_damaged=True)
    walk.move(2, MoveReply(True))
    assert walk.notes == ["conflicting_reply"], "no board is shown"
    walk.count(stats())
    walk.move(2, GARBAGE)
    assert walk.notes == ["resynchronised"]
    assert walk.session.position == position((6, 6, 6, 0))
    assert isinstance(walk.command, Choose)
    walk.move(2, reply_at(position(KNOWN), botmove=KNOWN[-1]))
    assert walk.notes == ["conflicting_reply"]


def test_after_damage_a_lost_reply_or_a_refusal_has_the_usual_patience() -> None:
    walk = running(KNOWN, counted=stats())
    walk.start(counted=stats(), is_damaged=True)
    walk.fail(2)
    walk.count(stats())
    walk.move(2, MoveReply(False, "Busy."))
    walk.count(stats())
    walk.expect(Choose)


def test_three_replies_without_a_usable_board_stop_the_run_and_keep_the_game() -> None:
    walk = running(KNOWN)
    nothing = MoveReply(True)
    for _ in range(2):
        walk.move(2, nothing)
        walk.count(None)
    walk.move(2, nothing)
    assert stopped(walk).reason is Reason.REFUSED
    assert stopped(walk).message == "The server's reply does not fit the game."
    assert stopped(walk).hint == "The game is kept: run the same command again to resume it."
    walk.start().expect(Choose)


def test_an_old_end_in_the_reply_to_an_opening_is_never_believed() -> None:
    walk = Walk().start()
    over = reply_at(position((2, 6, 2, 5, 2, 5, 2)), result=1.0)
    walk.send(NEW_GAME).reply(over)
    assert (walk.notes, walk.ends) == (["conflicting_reply"], [])
    walk.count(None)
    assert isinstance(walk.command, Choose)


@pytest.mark.parametrize(
    ("columns", "result", "is_followed"), [((2, 6, 2, 5, 2, 5, 2), 1.0, False), ((2, 6), 0.0, True)]
)
def test_a_third_conflicting_reply_to_an_opening_is_followed_only_into_a_running_game(
    columns: tuple[int, ...], result: float, is_followed: bool
) -> None:
    walk = Walk().start()
    walk.session = replace(walk.session, blind=4)
    walk.send(NEW_GAME).reply(reply_at(position(columns), result=result))
    assert walk.ends == []
    if is_followed:
        assert walk.session.position == position(columns)
    else:
        assert stopped(walk).reason is Reason.REFUSED


# Several hypotheses


def test_a_reply_without_a_board_keeps_all_hypotheses_that_fit() -> None:
    walk = running((0, 0, 0, 0), counted=stats())
    walk.fail(0)
    walk.count(stats())
    walk.move(2, MoveReply(True, None, 4, 0.0, None))
    known = position((0, 0, 0, 0))
    assert walk.boards == {
        known.play(2).play(4).board,
        *(known.play(0).play(answer).play(2).play(4).board for answer in range(7)),
    }
    assert sum(item.weight for item in walk.session.belief) == pytest.approx(1.0)
    assert isinstance(walk.command, Choose)


def test_a_reply_without_a_board_does_not_decide_between_two_games() -> None:
    belief = (Hypothesis(position(KNOWN)), NO_GAME.end(-1.0))
    walk = Walk(Session(number=1, base=stats(), belief=belief)).start(counted=stats(1, 0, 1))
    walk.move(2, MoveReply(True, None, 4, 0.0, None))
    assert walk.boards == {position((*KNOWN, 2, 4)).board, position((2, 4)).board}


def test_a_reply_without_a_board_that_ends_the_game_in_some_hypotheses_leaves_both() -> None:
    walk = running((0, 1, 0, 1), games=2)
    walk.fail(0)
    walk.move(0, MoveReply(True, None, None, None, None))
    assert walk.boards == {None}
    walk.count(None)
    assert walk.command == Open(2)


def test_of_two_accounts_of_one_board_the_one_with_fewer_games_is_taken() -> None:
    walk = Walk().start(counted=stats(), games=3)
    walk.fail(NEW_GAME)
    assert None in walk.boards
    walk.settle(stats())
    walk.move(3, reply_at(position((3, 2)), botmove=2))
    assert (walk.ends, walk.session.number) == ([], 1)


def test_a_move_that_met_no_game_counts_the_games_that_had_ended() -> None:
    walk = running(WINNING, games=5)
    walk.fail(0, lost())
    after = position((3, 2))
    walk.move(3, reply_at(after, botmove=2))
    assert walk.ends == [(1, 1.0, "inferred")]
    assert walk.session.number == 2
    assert walk.notes == ["reconciled", "silent_start"]
    assert (walk.session.number, walk.session.position) == (2, after)
