"""The session event by event: moving, and the ends of games. Openings and failures have files of their own."""

from __future__ import annotations

import pytest

from bot.course.protocol import MoveReply, Stats
from bot.course.session.belief import NO_GAME, Hypothesis
from bot.course.session.events import Choose, Chosen, Open, ReadStatistics, Reason, Replied, Send, Sent, Stop
from bot.course.session.machine import step
from bot.course.session.state import Session
from tests.course.session.build import (
    QUIRK,
    WINNING,
    Walk,
    grid_of,
    nearly,
    position,
    reply_at,
    running,
    stats,
    stopped,
)

# Moving


def test_a_choice_is_pending_until_its_reply() -> None:
    walk = running()
    assert walk.feed(Chosen(0.0, 3)) == Send(3, walk.at)
    assert walk.feed(Sent(0.0)) is None
    assert walk.session.command == Send(3, walk.at, is_sent=True)
    assert not walk.session.is_opening
    after = position((3, 2))
    assert walk.reply(reply_at(after, botmove=2)) == Choose((Hypothesis(after),), nearly(4.65))
    assert walk.session.agenda == (walk.command,)
    assert walk.session.news == ()


@pytest.mark.parametrize("state", [True, False])
def test_an_ordinary_reply_leads_to_the_next_choice(state: bool) -> None:
    walk = running((3, 3))
    after = position((3, 3, 2, 4))
    assert isinstance(walk.move(2, reply_at(after, botmove=4, state=state)), Choose)
    assert walk.session.position == after
    assert walk.session.position.moves == (3, 3, 2, 4)
    assert walk.session.answers.counts(position((3, 3, 2)).board)[4] == 1


def test_the_clock_runs_from_a_replys_first_byte_and_learns_what_a_move_takes() -> None:
    walk = running()
    after = position((3, 2))
    walk.send(3)
    walk.at += 2.0
    assert walk.reply(reply_at(after, botmove=2), body_s=1.5) == Choose(
        (Hypothesis(after),), nearly(5.0 - 1.5 - 0.5 - 0.35)
    )
    assert walk.session.clock.late_at == walk.at - 1.5 + 5.0
    assert walk.session.clock.overheads_s == (0.0, 0.5)


def test_a_step_changes_neither_its_argument_nor_depends_on_anything_else() -> None:
    walk = running((3, 3))
    walk.feed(Chosen(0.0, 2))
    before = walk.session
    copy = repr(before)
    event = Replied(101.0, reply_at(position((3, 3, 2, 4)), botmove=4))
    assert step(before, event) == step(before, event)
    assert repr(before) == copy


# Ends


@pytest.mark.parametrize("state", [True, False])
@pytest.mark.parametrize("games", [1, 2])
def test_a_win_ends_the_game(state: bool, games: int) -> None:
    walk = running(WINNING, games=games)
    walk.move(0, reply_at(position((*WINNING, 0)), result=1.0, state=state))
    assert walk.ends == [(1, 1.0, "reply")]
    assert walk.session.news[0].moves == (*WINNING, 0)  # type: ignore[union-attr]
    assert walk.session.news[0].we_started is True  # type: ignore[union-attr]
    assert walk.session.belief == (NO_GAME,)
    assert walk.session.played == 1
    assert walk.command == (Stop(Reason.FINISHED) if games == 1 else ReadStatistics(1.0))


def test_a_loss_ends_the_game() -> None:
    walk = running((2, 0, 2, 0, 4, 0), counted=stats(4, 2, 1), games=2)
    walk.move(4, reply_at(position((2, 0, 2, 0, 4, 0, 4, 0)), botmove=0, result=-1.0))
    assert walk.ends == [(1, -1.0, "reply")]
    assert walk.session.base == Stats(5, 2, 2, 0)
    assert walk.command == ReadStatistics(None)
    assert walk.count(stats(5, 2, 2)) == Open(2)


@pytest.mark.parametrize("result", [0.5, 1.0])
def test_a_four_by_the_42nd_disc_ends_as_the_server_says(result: float) -> None:
    walk = Walk(Session(belief=(Hypothesis(position(QUIRK, we_start=False)),), number=1))
    walk.start()
    assert walk.session.position is not None
    walk.win(1, result)
    assert walk.ends == [(1, result, "reply")]


def test_a_null_result_is_read_from_the_board() -> None:
    walk = running(WINNING)
    won = position((*WINNING, 0))
    walk.move(0, MoveReply(True, None, None, None, grid_of(won)))
    assert walk.ends == [(1, 1.0, "reply")]


def test_a_reply_that_only_says_how_the_game_ended_is_enough() -> None:
    walk = running((3, 3), games=2)
    walk.move(2, MoveReply(True, "Too late.", None, -1.0, None))
    assert walk.ends == [(1, -1.0, "reply")]
    assert isinstance(walk.command, ReadStatistics)


@pytest.mark.parametrize("result", [-1.0, -10.0])
@pytest.mark.parametrize("columns", [(3, 3), (3, 3, 2)], ids=["our move is not on the board", "our move is"])
def test_a_move_that_came_too_late_ends_the_game_with_the_board_as_it_was(
    columns: tuple[int, ...], result: float
) -> None:
    walk = running((3, 3), games=2)
    walk.move(2, MoveReply(True, "Time is up.", None, result, grid_of(position(columns))))
    assert walk.ends == [(1, result, "reply")]
    assert walk.session.news[-1].moves == ()  # type: ignore[union-attr]


def test_the_run_goes_on_until_its_games_are_played() -> None:
    walk = running(WINNING, counted=stats(), games=2)
    walk.win(0)
    walk.count(stats(1, 1))
    walk.open().play(WINNING)
    walk.win(0)
    assert walk.ends == [(2, 1.0, "reply")]
    assert stopped(walk) == Stop(Reason.FINISHED)


def test_a_game_that_a_move_opened_by_itself_is_played_to_its_end_before_the_run_finishes() -> None:
    walk = running(WINNING, counted=stats())
    walk.fail(0)
    walk.count(stats(0), times=7)  # the statistics lag: the win may have been counted or not
    after = position((3, 2))
    walk.move(3, reply_at(after, botmove=2))
    assert walk.ends == [(1, 1.0, "inferred")]
    assert walk.session.number == 2
    assert walk.session.played == 1 == walk.session.run.games
    assert walk.command == Choose((Hypothesis(after),), nearly(4.65))
    walk.play((0, 1, 0, 1, 0, 1))
    walk.win(0)
    assert walk.ends == [(2, 1.0, "reply")]
    assert stopped(walk) == Stop(Reason.FINISHED)


def test_the_last_games_end_kept_by_a_cache_never_becomes_a_result() -> None:
    walk = running(WINNING, counted=stats(), games=5)
    walk.win(0)
    walk.count(stats(1, 1))
    walk.open()
    old = reply_at(position((*WINNING, 0)), result=1.0)
    for _ in range(2):
        walk.move(0, old)
        assert (walk.notes, walk.ends) == (["conflicting_reply"], [])
        walk.count(stats(1, 1))
    walk.move(0, old)
    assert stopped(walk).reason is Reason.REFUSED
    assert walk.session.news == ()
