"""Replies with status false: kinds of refusals, repetitions, and when the run stops."""

from __future__ import annotations

import pytest

from bot.course.protocol import NEW_GAME, MoveReply
from bot.course.session.belief import NO_GAME, Hypothesis
from bot.course.session.events import Choose, Open, ReadStatistics, Reason, Started, Stop, Wait
from bot.course.session.replies import Refusal, refusal_of
from bot.course.session.state import Session
from tests.course.session.build import (
    IMPOSSIBLE,
    NO_GAME_RUNS,
    WINNING,
    Walk,
    lost,
    position,
    reply_at,
    running,
    stats,
    stopped,
)

WRONG_KEY = MoveReply(False, "Incorrect API key.")
BUSY = MoveReply(False, "Service unavailable.")
SILENT = MoveReply(False)
KEY_HINT = "Check BOT_API_KEY or --api-key-file."
FULL_A = (0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("message", "refusal"),
    [
        ("Incorrect API key.", Refusal.KEY),
        ("INVALID KEY", Refusal.KEY),
        ("Impossible move.", Refusal.ILLEGAL),
        ("Illegal move", Refusal.ILLEGAL),
        ("That is an invalid kind of move", Refusal.ILLEGAL),
        ("The column is full.", Refusal.ILLEGAL),
        ("No game is running.", Refusal.NO_GAME),
        ("No active game", Refusal.NO_GAME),
        ("There is no currently running game.", Refusal.NO_GAME),
        ("The game is over.", Refusal.NO_GAME),
        ("Game has already ended", Refusal.NO_GAME),
        ("Your game has finished!", Refusal.NO_GAME),
        ("The game is not running.", Refusal.NO_GAME),
        ("game not found", Refusal.NO_GAME),
        ("You have not started a game.", Refusal.NO_GAME),
        ("You are not in a game.", Refusal.NO_GAME),
        ("It is not your turn in this game.", Refusal.UNKNOWN),
        ("The game server is not available.", Refusal.UNKNOWN),
        ("No game server is available.", Refusal.UNKNOWN),
        ("The game server is over capacity.", Refusal.UNKNOWN),
        ("Service unavailable.", Refusal.UNKNOWN),
        ("", Refusal.UNKNOWN),
        (None, Refusal.UNKNOWN),
    ],
)
def test_a_refusal_is_recognised_by_its_text(message: str | None, refusal: Refusal) -> None:
    assert refusal_of(3, MoveReply(False, message)) is refusal


@pytest.mark.parametrize("message", ["Impossible move.", "No game is running.", None])
def test_of_a_refused_opening_only_the_key_is_understood(message: str | None) -> None:
    assert refusal_of(NEW_GAME, MoveReply(False, message)) is Refusal.UNKNOWN
    assert refusal_of(NEW_GAME, WRONG_KEY) is Refusal.KEY


def test_the_result_of_an_illegal_move_says_more_than_its_text() -> None:
    assert refusal_of(3, MoveReply(False, None, None, -10.0)) is Refusal.ILLEGAL


# The key


@pytest.mark.parametrize("move", [NEW_GAME, 2])
def test_a_wrong_key_stops_the_session_at_once_and_keeps_the_game(move: int) -> None:
    walk = running((3, 3)) if move == 2 else Walk().start()
    before = walk.session
    walk.move(move, WRONG_KEY)
    assert stopped(walk) == Stop(Reason.REJECTED, "The server refuses the key: Incorrect API key.", KEY_HINT)
    assert (walk.session.belief, walk.session.number) == (before.belief, before.number)
    assert isinstance(walk.feed(Started(0.0, 1)), ReadStatistics)


# The impossible move


def test_an_illegal_move_loses_the_game_in_the_hypotheses_in_which_the_column_is_full() -> None:
    walk = running(FULL_A[:4], counted=stats(), games=2)
    walk.fail(0)
    walk.count(stats())
    walk.move(0, IMPOSSIBLE)
    assert walk.ends == [(1, -10.0, "reply")]
    assert walk.notes == ["illegal"]
    assert walk.session.base == stats(1, 0, 1)
    assert walk.session.belief == (NO_GAME,)
    assert walk.command == ReadStatistics(None)


def test_games_that_had_ended_before_an_illegal_move_are_counted_first() -> None:
    full = Hypothesis(position((0, 0, 0, 0, 0, 0)), results=(1.0,))
    walk = Walk(Session(number=4, belief=(full,)))
    walk.start(games=9)
    walk.move(0, IMPOSSIBLE)
    assert walk.ends == [(4, 1.0, "inferred"), (5, -10.0, "reply")]
    assert walk.session.number == 5
    assert walk.session.played == 2


@pytest.mark.parametrize("refusal", [IMPOSSIBLE, BUSY, NO_GAME_RUNS])
def test_a_refusal_that_does_not_fit_leaves_a_small_doubt(refusal: MoveReply) -> None:
    walk = running((3, 3))
    walk.move(2, refusal)
    assert walk.notes == ["refused"]
    assert walk.command == Wait(0.3)
    assert walk.boards == {position((3, 3)).board, *(position((3, 3, 2, answer)).board for answer in range(7))}
    assert walk.session.belief[0].position == position((3, 3))
    assert walk.session.belief[0].weight == pytest.approx(0.98)


def test_an_illegal_move_that_was_legal_is_tried_three_times_and_then_stops_the_run() -> None:
    walk = running((3, 3), games=2)
    for pause_s in (0.3, 0.6):
        walk.move(2, IMPOSSIBLE)
        assert walk.command == Wait(pause_s)
        walk.count(None)
    walk.move(2, IMPOSSIBLE)
    assert stopped(walk).message == "The server refuses our moves: Impossible move."
    assert walk.ends == []


def test_an_illegal_move_with_its_result_is_believed_at_once() -> None:
    walk = running((3, 3), games=2)
    walk.move(2, MoveReply(False, None, None, -10.0))
    assert walk.ends == [(1, -10.0, "reply")]


@pytest.mark.parametrize("result", [-1.0, 0.5, 1.0])
def test_a_refusal_with_a_result_ends_the_game(result: float) -> None:
    walk = running((3, 3), games=2)
    walk.move(2, MoveReply(False, "Too late.", None, result))
    assert walk.ends == [(1, result, "reply")]
    assert walk.notes == ["refused"]
    assert isinstance(walk.command, ReadStatistics)


# No game is running


def test_no_game_is_believed_at_once_where_the_game_may_have_ended() -> None:
    walk = running(WINNING, games=2)
    walk.fail(0)
    walk.move(3, NO_GAME_RUNS)
    assert walk.ends == [(1, 1.0, "inferred")]
    walk.count(None)
    assert walk.command == Open(2)


def test_no_game_after_the_statistics_had_shown_an_end_ends_the_game_as_they_say() -> None:
    walk = running((3, 3), counted=stats(), games=2)
    walk.at += 6.0
    walk.move(2, NO_GAME_RUNS)
    walk.count(stats(1, 0, 1), times=6)
    assert walk.notes == ["statistics_ahead"]
    walk.move(2, NO_GAME_RUNS)
    assert walk.ends == [(1, -1.0, "inferred")]


@pytest.mark.parametrize(("careful", "limit"), [(False, 6), (True, 3)])
def test_a_request_that_opened_no_game_keeps_its_number_and_a_row_of_them_stops_the_run(
    careful: bool, limit: int
) -> None:
    walk = Walk().start(counted=stats(), careful=careful)
    for count in range(1, limit + 1):
        assert walk.command == Open(1)
        walk.fail(NEW_GAME)
        walk.count(stats())
        walk.move(3, NO_GAME_RUNS)
        assert (walk.ends, walk.notes) == ([], ["not_opened"])
        assert (walk.session.wasted, walk.session.number) == (count, 0)
        if count < limit:
            walk.count(stats())
    assert stopped(walk).reason is Reason.REFUSED
    assert stopped(walk).message == "The server refuses, loses or does not open one game after another."


def test_a_game_with_an_honest_end_ends_the_count_of_games_without_one() -> None:
    walk = Walk().start(counted=stats(), games=9)
    for _ in range(5):
        walk.fail(NEW_GAME)
        walk.count(stats())
        walk.move(3, NO_GAME_RUNS)
        walk.count(stats())
    walk.open().play(WINNING)
    assert walk.session.wasted == 5
    walk.win(0)
    assert walk.session.wasted == 0


def test_no_game_in_the_middle_of_a_known_game_is_asked_three_times() -> None:
    walk = running((3, 3), counted=stats(), games=5)
    for pause_s in (0.3, 0.6):
        walk.move(2, NO_GAME_RUNS)
        assert (walk.ends, walk.notes) == ([], ["refused"])
        assert walk.command == Wait(pause_s)
        walk.count(stats())
        assert isinstance(walk.command, Choose)
    walk.move(2, NO_GAME_RUNS)
    assert walk.ends == [(1, 0.0, "server_reset")]
    assert walk.notes == ["server_reset"]
    assert (walk.session.played, walk.session.wasted) == (0, 3)
    assert walk.session.base == stats()
    walk.count(stats())
    assert walk.command == Open(2)


def test_two_games_that_the_server_forgets_in_a_row_stop_the_run() -> None:
    walk = Walk().start(games=9)
    for _ in range(2):
        walk.open()
        for _ in range(3):
            walk.move(3, NO_GAME_RUNS)
            if isinstance(walk.rest(), ReadStatistics):
                walk.count(None)
    assert walk.ends == [(2, 0.0, "server_reset")]
    assert stopped(walk) == Stop(
        Reason.REFUSED,
        "The server refuses, loses or does not open one game after another.",
        "Play one game with --careful and send the bundle to a maintainer.",
    )


def test_a_game_with_a_result_between_two_forgotten_ones_ends_the_count() -> None:
    walk = Walk().start(games=9)
    for forgotten in (True, False, True):
        walk.open()
        if forgotten:
            for _ in range(3):
                walk.move(3, NO_GAME_RUNS)
                walk.count(None)
        else:
            walk.play(WINNING).win(0)
            walk.count(None)
    assert walk.command == Open(4)
    assert walk.session.wasted == 3


def test_the_first_game_that_the_server_forgets_stops_a_careful_run() -> None:
    walk = Walk().start(games=9, careful=True).open()
    for _ in range(3):
        walk.move(3, NO_GAME_RUNS)
        if isinstance(walk.rest(), ReadStatistics):
            walk.count(None)
    assert walk.ends == [(1, 0.0, "server_reset")]
    assert stopped(walk).reason is Reason.REFUSED


# Unknown refusals


@pytest.mark.parametrize("refusal", [BUSY, SILENT, MoveReply(False, "It is not your turn in this game.")])
def test_a_move_that_is_refused_three_times_stops_the_run_and_keeps_the_game(refusal: MoveReply) -> None:
    walk = running((3, 3), counted=stats())
    for pause_s in (0.3, 0.6):
        assert walk.move(2, refusal) == Wait(pause_s)
        walk.count(stats())
    assert walk.session.belief[0].position == position((3, 3))
    walk.move(2, refusal)
    said = (refusal.msg or "no reason given").rstrip(".")
    assert stopped(walk) == Stop(
        Reason.REFUSED,
        f"The server refuses our moves: {said}.",
        "The game is kept: run the same command again to resume it.",
    )


def test_a_move_that_is_not_our_turn_is_no_reason_to_open_a_game_even_if_the_game_may_have_ended() -> None:
    walk = running(WINNING)
    walk.fail(0)
    for _ in range(2):
        walk.move(3, MoveReply(False, "It is not your turn in this game."))
        walk.count(None)
        assert isinstance(walk.command, Choose)
    walk.move(3, MoveReply(False, "It is not your turn in this game."))
    assert stopped(walk).reason is Reason.REFUSED


def test_an_opening_that_was_refused_may_have_been_processed_and_is_followed_by_a_move() -> None:
    walk = Walk().start()
    walk.move(NEW_GAME, BUSY)
    assert walk.command == Wait(0.3)
    assert walk.session.number == 1
    assert walk.session.belief[0] == NO_GAME
    assert walk.session.belief[0].weight == pytest.approx(0.98)
    walk.count(None)
    walk.move(3, reply_at(position((3, 2)), botmove=2))
    assert walk.session.number == 1


def test_after_a_refused_opening_a_move_that_meets_no_game_leads_to_the_next_opening() -> None:
    walk = Walk().start()
    walk.move(NEW_GAME, BUSY)
    walk.count(None)
    walk.move(3, NO_GAME_RUNS)
    assert (walk.ends, walk.notes) == ([], ["not_opened"])
    walk.count(None)
    assert walk.command == Open(1)


def test_an_opening_that_is_refused_with_all_that_follows_stops_the_run() -> None:
    walk = Walk().start()
    for move, pause_s in ((NEW_GAME, 0.3), (3, 0.6)):
        walk.move(move, BUSY)
        assert walk.command == Wait(pause_s)
        walk.count(None)
    walk.move(3, BUSY)
    assert stopped(walk).message == "The server refuses our moves: Service unavailable."


def test_a_long_refusal_is_shown_on_one_line_and_cut() -> None:
    walk = running((3, 3))
    walk.move(2, MoveReply(False, "No\n\n  way. " + "x" * 500))
    (note,) = walk.session.news
    assert note.text == f"The server refuses the move: {('No way. ' + 'x' * 500)[:200]}. Trying again."  # type: ignore[union-attr]


def test_a_refusal_shows_that_the_server_is_there() -> None:
    walk = running((3, 3))
    walk.fail(2, lost())
    walk.move(2, BUSY)
    assert walk.session.in_contact
    assert walk.session.belief[0].position == position((3, 3))
    assert walk.session.belief[0].weight == pytest.approx(0.5 * 0.98)
