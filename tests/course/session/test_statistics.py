"""Readings of the statistics: agreeing, behind, ahead, absent and failing, between games and in a game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.course.protocol import Stats
from bot.course.session.belief import NO_GAME, Hypothesis, Trust
from bot.course.session.clock import MoveClock
from bot.course.session.events import Choose, Chosen, GameEnded, Note, Open, ReadStatistics, Wait
from bot.course.session.position import EMPTY
from bot.course.session.state import NO_HONEST_END, Session, counted_in
from tests.course.session.build import (
    NO_GAME_RUNS,
    NOT_SENT,
    WINNING,
    Walk,
    nearly,
    position,
    reply_at,
    running,
    stats,
)

GARBAGE = reply_at(position((6, 6, 6, 0)), botmove=0)
"""A reply that fits nothing: after it a reading is wanted even without a base."""
MAY_LOSE = (0, 2, 0, 2, 6, 2)
"""After these moves and ours in g, the bot wins with its answer in c; else the game goes on."""


def after_a_win(walk: Walk | None = None) -> Walk:
    """Return a walk at the reading after its first game, a win; one game had been counted before."""
    walk = walk or running(WINNING, counted=stats(1), games=5)
    walk.win(0)
    assert walk.command == ReadStatistics(None)
    return walk


# How long a reading is tried

IN_GAME = Session(belief=(Hypothesis(EMPTY),), clock=MoveClock().start(100.0, 5.0), base=stats(), in_contact=True)


@pytest.mark.parametrize(
    ("session", "later_s", "repeated", "patience_s"),
    [
        (IN_GAME, 0.0, 0, 2.0),
        (IN_GAME, 0.7, 0, 1.975),
        (IN_GAME, 2.65, 0, 1.0),
        (IN_GAME, 4.0, 0, 0.5),
        (IN_GAME, 100.0, 0, 0.5),
        (IN_GAME, 0.0, 1, 1.0),
        (replace(IN_GAME, belief=(NO_GAME,)), 9.0, 0, None),
        (replace(IN_GAME, belief=(NO_GAME,)), 9.0, 2, None),
        (replace(IN_GAME, base=None), 4.0, 0, 1.0),
        (replace(IN_GAME, base=None, belief=(NO_GAME,)), 0.0, 0, 1.0),
        (replace(IN_GAME, in_contact=False), 4.0, 0, None),
        (replace(IN_GAME, in_contact=False, base=None), 4.0, 0, None),
    ],
    ids=[
        "in a game", "half of the time left", "less", "least", "too late", "repeated", "between games",
        "repeated between games", "never readable", "never readable between games", "before contact", "at first",
    ],
)  # fmt: skip
def test_a_reading_is_brief_while_the_clock_runs_or_where_none_has_ever_succeeded(
    session: Session, later_s: float, repeated: int, patience_s: float | None
) -> None:
    reading = ReadStatistics(None if patience_s is None else nearly(patience_s), repeated)
    assert session.reading(100.0 + later_s, repeated=repeated).agenda == (reading,)
    assert session.reading(100.0 + later_s, repeated=repeated, after_s=0.5).agenda == (Wait(0.5), reading)


# Between games


def test_an_agreeing_reading_after_a_games_end_proves_the_statistics_prompt() -> None:
    walk = after_a_win()
    assert walk.session.trust == Trust(unread=1)
    walk.count(Stats(2, 1, 0, 1, 1, 1.0))
    assert walk.session.trust == Trust(counts_agree=True, is_prompt=True)
    assert walk.session.base == Stats(2, 1, 0, 1, 1, 1.0)
    assert walk.command == Open(2)


def test_an_agreeing_reading_without_a_new_end_proves_only_the_count() -> None:
    walk = Walk(Session(base=stats(1))).start(counted=stats(1))
    assert walk.session.trust == Trust(counts_agree=True, is_prompt=None)
    walk = Walk(Session(base=stats(1), trust=Trust(is_prompt=True))).start(counted=stats(1))
    assert walk.session.trust == Trust(counts_agree=True, is_prompt=True)


def test_statistics_that_lag_are_read_again_and_are_never_called_prompt() -> None:
    walk = after_a_win()
    walk.session = replace(walk.session, trust=Trust(True, True, 1))
    assert walk.count(stats(1)) == Wait(0.5)
    assert walk.session.trust == Trust(counts_agree=True, is_prompt=False, unread=1)
    assert walk.rest() == ReadStatistics(None, 1)
    walk.count(stats(2, 1))
    assert walk.command == Open(2)
    assert walk.session.trust == Trust(counts_agree=True, is_prompt=False)
    walk.open().play(WINNING)
    walk.win(0)
    walk.count(stats(3, 2))
    assert walk.session.trust == Trust(counts_agree=True, is_prompt=False)


def test_statistics_that_stay_behind_by_our_last_games_are_not_believed() -> None:
    walk = after_a_win()
    walk.count(stats(1), times=7)
    assert walk.command == Open(2)
    assert walk.session.base == Stats(2, 1, 0, 0)
    assert (walk.session.trust.unread, walk.notes) == (1, [])


def test_statistics_that_have_gone_back_further_are_a_servers_new_memory() -> None:
    walk = after_a_win(running(WINNING, counted=stats(9, 9), games=5))
    walk.count(stats(0), times=7)
    assert walk.notes == ["statistics_behind"]
    assert walk.session.base == stats(0)
    assert walk.session.trust == Trust(counts_agree=False, is_prompt=False)
    assert walk.command == Open(2)


def test_games_that_were_played_elsewhere_are_taken_into_the_count() -> None:
    walk = after_a_win()
    walk.session = replace(walk.session, trust=Trust(True, True, 1))
    assert walk.count(stats(4, 2, 1)) == Open(2)
    assert walk.session.base == stats(4, 2, 1)
    assert walk.session.trust == Trust(counts_agree=False, is_prompt=True)
    (note,) = walk.session.news
    assert note.text == "The server counts 2 games more than were finished here, 1 of them lost."  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("counted", "text"),
    [
        (stats(3, 2), "The server counts 1 game more than were finished here."),
        (stats(3, 1, 1), "The server counts 1 game more than were finished here, 1 of them lost."),
    ],
)
def test_one_game_more_is_named_in_the_singular(counted: Stats, text: str) -> None:
    walk = after_a_win()
    walk.count(counted)
    assert walk.session.news == (Note("statistics_ahead", text, game=1, at=100.0),)


def test_a_reading_that_fails_between_games_holds_nothing_up() -> None:
    walk = after_a_win()
    assert walk.count(None) == Open(2)
    assert walk.session.base == Stats(2, 1, 0, 0)
    assert walk.session.trust.unread == 1


def test_statistics_that_appear_late_are_counted_from_then_on() -> None:
    walk = running(WINNING, games=5)
    walk.win(0)
    assert walk.session.base is None
    assert walk.count(stats(12, 10, 1)) == Open(2)
    assert walk.session.base == stats(12, 10, 1)
    walk.open().play(WINNING)
    walk.win(0)
    assert walk.session.base == Stats(13, 11, 1, 0)


@pytest.mark.parametrize(
    ("result", "after"),
    [
        (1.0, Stats(11, 6, 3, 4)),
        (0.5, Stats(11, 5, 3, 4)),
        (-1.0, Stats(11, 5, 4, 4)),
        (-10.0, Stats(11, 5, 4, 4)),
    ],
)
def test_a_result_counts_as_the_server_counts_it(result: float, after: Stats) -> None:
    assert counted_in(Stats(10, 5, 3, 4), result) == after


def test_a_game_without_a_result_counts_for_nothing_but_may_be_booked_later() -> None:
    session = Session(base=stats(3), number=2, played=1, trust=Trust(True, True, 1))
    session = session.ending(0.0, "unknown", at=5.0)
    assert (session.base, session.played, session.wasted) == (stats(3), 1, 3)
    assert session.trust == Trust(counts_agree=False, is_prompt=True, unread=1)
    assert session.news == (GameEnded(2, 0.0, "unknown", at=5.0),)


# In a game, after a lost reply


def test_an_end_that_prompt_statistics_show_is_believed() -> None:
    walk = after_a_win()
    walk.count(stats(2, 1))
    walk.open().play(WINNING)
    walk.fail(0)
    walk.count(stats(3, 2))
    assert walk.ends == [(2, 1.0, "statistics")]
    assert walk.session.belief == (NO_GAME,)
    assert walk.session.base == Stats(3, 2, 0, 0)
    assert walk.command == Open(3)


def test_prompt_statistics_without_a_new_game_rule_an_end_out() -> None:
    walk = after_a_win()
    walk.count(stats(2, 1))
    walk.open().play(WINNING)
    walk.fail(0)
    walk.count(stats(2, 1))
    assert walk.session.position == position(WINNING)
    assert walk.ends == []


def test_an_end_that_unproven_statistics_show_leaves_a_doubt_and_is_settled_by_a_move() -> None:
    walk = running(WINNING, counted=stats(), games=5)
    walk.fail(0)
    walk.count(stats(1, 1))
    assert walk.boards == {None, position(WINNING).board}
    ended = next(item for item in walk.session.belief if item.position is None)
    assert ended.weight == pytest.approx(1.0 / 1.1)
    walk.move(3, reply_at(position((3, 2)), botmove=2))
    assert walk.ends == [(1, 1.0, "inferred")]
    assert walk.session.number == 2


def test_a_loss_in_the_statistics_never_proves_that_the_game_has_ended() -> None:
    trusted = Session(number=1, base=stats(), trust=Trust(True, True), belief=(Hypothesis(position(MAY_LOSE)),))
    walk = Walk(trusted).start(games=5, counted=stats())
    walk.fail(6)
    assert None in walk.boards
    walk.count(stats(1, 0, 1))
    assert isinstance(walk.command, Choose), "the loss may be another game's"
    assert len(walk.boards) > 1
    walk.move(3, NO_GAME_RUNS)
    assert walk.ends == [(1, -1.0, "inferred")]


def test_in_doubt_a_reading_is_repeated_while_the_clock_allows() -> None:
    walk = running(WINNING, counted=stats(), games=5)
    walk.fail(0)
    for number in range(1, 7):
        walk.count(stats())
        assert (walk.at, walk.command) == (100.0 + (number - 1) / 2, Wait(0.5))
        assert walk.session.agenda[1] == ReadStatistics(1.0, number)
    walk.count(stats())
    assert isinstance(walk.command, Choose)
    assert len(walk.session.belief) == 2
    assert walk.session.belief[1] == NO_GAME.end(1.0)
    assert walk.session.belief[1].weight == pytest.approx(0.1 / 1.1)


def test_a_reading_that_fits_and_leaves_no_end_open_is_not_repeated() -> None:
    walk = running((3, 3), counted=stats())
    walk.fail(2)
    walk.count(stats())
    assert isinstance(walk.command, Choose)


@pytest.mark.parametrize(
    ("counted", "note"), [(stats(5, 5), "statistics_unclear"), (stats(0), "statistics_behind")], ids=["ahead", "behind"]
)
def test_a_reading_that_fits_nothing_changes_nothing(counted: Stats, note: str) -> None:
    walk = running((3, 3), counted=stats(1))
    walk.fail(2)
    before = walk.session.belief
    walk.count(counted, times=7)
    assert walk.notes == [note]
    assert walk.session.belief == before
    assert [item.weight for item in walk.session.belief] == [item.weight for item in before]
    assert walk.session.base == stats(1)
    assert isinstance(walk.command, Choose)


def test_a_reading_that_fails_after_a_lost_reply_holds_nothing_up() -> None:
    walk = running(WINNING, counted=stats(), games=5)
    walk.fail(0)
    walk.count(stats())
    walk.count(None)
    assert isinstance(walk.command, Choose)
    assert len(walk.session.belief) == 2


def test_statistics_that_appear_after_a_lost_end_are_no_base() -> None:
    walk = running(WINNING, games=5)
    walk.fail(0)
    assert isinstance(walk.command, Choose)
    walk.move(3, GARBAGE)
    walk.count(stats(1, 1))
    assert walk.session.base is None
    walk = running((3, 3), games=5)
    walk.fail(2)
    walk.move(3, GARBAGE)
    walk.count(stats(1, 1))
    assert walk.session.base == stats(1, 1)


# In a known game


def late(walk: Walk) -> Walk:
    """Let the clock run out and a request fail: then the statistics are read though the position is known."""
    walk.at += 6.0
    walk.feed(Chosen(0.0, 2))
    walk.feed(NOT_SENT)
    walk.rest()
    walk.expect(ReadStatistics)
    return walk


@pytest.mark.parametrize(
    ("counted", "result"),
    [(stats(5, 3, 1), 1.0), (stats(5, 2, 1), 0.5), (stats(5, 2, 2), -1.0)],
    ids=["won", "drawn", "lost"],
)
def test_one_more_game_makes_a_known_game_doubtful_and_the_next_board_decides(counted: Stats, result: float) -> None:
    walk = late(running((3, 3), counted=stats(4, 2, 1), games=5))
    walk.count(counted)
    assert walk.notes == ["statistics_ahead"]
    assert set(walk.session.belief) == {Hypothesis(position((3, 3))), NO_GAME.end(result)}
    assert [item.weight for item in walk.session.belief] == [0.5, 0.5]
    assert isinstance(walk.command, Choose)
    still = position((3, 3, 2, 4))
    walk.move(2, reply_at(still, botmove=4))
    assert (walk.ends, walk.session.position) == ([], still)


@pytest.mark.parametrize(("total", "result"), [(4.0, -1.0), (-5.0, -10.0), (None, -1.0)])
def test_the_reward_distinguishes_an_illegal_move_from_another_loss(total: float | None, result: float) -> None:
    walk = running((3, 3), counted=Stats(9, 7, 2, 0, total_reward=5.0), games=5)
    late(walk).count(Stats(10, 7, 3, 0, total_reward=total))
    assert NO_GAME.end(result) in walk.session.belief


def test_without_an_earlier_reward_a_loss_is_not_taken_for_an_illegal_move() -> None:
    walk = running((3, 3), counted=stats(9, 7, 2), games=5)
    late(walk).count(Stats(10, 7, 3, 0, total_reward=-5.0))
    assert NO_GAME.end(-1.0) in walk.session.belief


def test_a_doubt_about_the_game_does_not_make_its_answers_learnt_twice() -> None:
    walk = late(running((3, 3), counted=stats(), games=5))
    walk.count(stats(1, 0, 1))
    assert walk.boards == {None, position((3, 3)).board}
    walk.move(4, reply_at(position((3, 3, 4, 4)), botmove=4))
    answers = walk.session.answers.known
    assert {board: sum(counts) for board, counts in answers.items()} == {
        position((3,)).board: 1,
        position((3, 3, 4)).board: 1,
    }


def test_a_known_game_that_had_ended_gets_the_result_of_the_statistics() -> None:
    walk = late(running((3, 3), counted=stats(), games=5))
    walk.count(stats(1, 0, 1))
    walk.move(2, reply_at(position((2, 4)), botmove=4))
    assert walk.ends == [(1, -1.0, "inferred")]
    assert walk.session.number == 2


@pytest.mark.parametrize("counted", [stats(), stats(2, 2), None])
def test_other_readings_change_nothing_in_a_known_game(counted: Stats | None) -> None:
    walk = late(running((3, 3), counted=stats(), games=5))
    walk.count(counted)
    assert walk.session.position == position((3, 3))
    assert walk.notes == []
    assert walk.session.base == stats()


# The end of a game whose -1 did not open one


def test_the_likeliest_account_names_the_results_and_numbers() -> None:
    belief = (NO_GAME.end(1.0).end(-1.0), NO_GAME.end(0.5))
    walk = Walk(Session(number=3, belief=belief)).start(games=9)
    assert walk.ends == [(3, -1.0, "inferred"), (4, 1.0, "inferred")]
    assert walk.session.number == 4
    walk.count(None, kind="http 404")
    assert walk.command == Open(5)


def test_a_reading_decides_between_accounts_without_a_running_game() -> None:
    belief = (NO_GAME.end(1.0), NO_GAME.end(0.5))
    walk = Walk(Session(number=3, base=stats(), belief=belief))
    walk.start(games=9, counted=stats(1))
    assert walk.ends == [(3, 0.5, "statistics")]


def test_one_more_game_than_any_account_explains_makes_the_running_game_doubtful() -> None:
    walk = running((3, 3), counted=stats(), games=5)
    walk.fail(2)
    walk.count(stats(1, 0, 1), times=7)
    assert walk.notes == ["statistics_ahead"]
    assert walk.session.belief[0] == NO_GAME.end(-1.0)
    assert walk.session.belief[0].weight == pytest.approx(0.5)
    assert len(walk.session.belief) == 9
    walk.move(3, NO_GAME_RUNS)
    assert walk.ends == [(1, -1.0, "inferred")]
    assert walk.count(stats(1, 0, 1)) == Open(2)
    assert walk.session.wasted == NO_HONEST_END, "only a refusal and the statistics say that it was lost"


def test_one_more_game_where_the_running_one_is_new_in_every_account_fits_nothing() -> None:
    """All accounts have ended a game: the game that the reading counts cannot be the running one."""
    session = Session(number=2, base=stats(), belief=(Hypothesis(position((3, 3)), results=(1.0,)), NO_GAME.end(1.0)))
    walk = Walk(session).start(counted=stats(1, 0, 1))
    walk.settle(stats(1, 0, 1))
    assert walk.notes == ["statistics_unclear"]
    assert walk.session.belief == session.belief
