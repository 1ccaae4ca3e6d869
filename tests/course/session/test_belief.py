"""Hypotheses after lost replies, by exact weights: the effect of requests, replies and statistics on them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest

from bot.course.protocol import NEW_GAME, MoveReply, Stats
from bot.course.session.belief import (
    MOST_HYPOTHESES,
    NO_GAME,
    Belief,
    Hypothesis,
    Trust,
    after_lost_reply,
    is_idle,
    matching,
    normalised,
    processed,
    weigh_by_statistics,
)
from bot.course.session.position import EMPTY, Position
from bot.game import Board
from tests.course.session.build import QUIRK, WINNING, nearly, position, reply_at

KNOWN = Hypothesis(position((3, 3)))


def even(board: Board) -> Mapping[int, float]:
    """Return the same probability for each legal answer."""
    legal = board.legal_columns()
    return {column: 1 / len(legal) for column in legal}


def rising(board: Board) -> Mapping[int, float]:
    """Return probabilities in the ratio of the column's number, from 1."""
    legal = board.legal_columns()
    total = sum(column + 1 for column in legal)
    return {column: (column + 1) / total for column in legal}


def weights(belief: Belief) -> dict[Board | None, float]:
    """Return the weight by board; None if no game is running."""
    return {item.position.board if item.position else None: item.weight for item in belief}


# What the server may have done


def test_a_processed_move_is_answered_by_each_legal_column() -> None:
    after = processed(Hypothesis(position((3, 3)), weight=0.5), 2, rising)
    ours = position((3, 3, 2))
    assert [(item.position, item.weight) for item in after] == [
        (ours.play(column), nearly(0.5 * (column + 1) / 28)) for column in range(7)
    ]
    assert {item.ended for item in after} == {0}


def test_a_move_without_a_game_starts_one_with_our_disc() -> None:
    after = processed(NO_GAME.end(1.0), 3, even)
    assert [item.position for item in after] == [position((3, column)) for column in range(7)]
    assert {item.counts for item in after} == {(1, 1, 0)}


def test_a_winning_move_ends_the_game() -> None:
    assert processed(Hypothesis(position(WINNING)), 0, even) == [NO_GAME.end(1.0)]


def test_a_winning_answer_ends_the_game_and_the_others_do_not() -> None:
    after = processed(Hypothesis(position(WINNING[:5], we_start=False)), 6, even)
    ours = position((*WINNING[:5], 6), we_start=False)
    assert NO_GAME.end(-1.0) in after
    assert {item.position for item in after} == {None, *(ours.play(column) for column in range(1, 7))}


def test_a_move_into_a_full_column_is_a_loss() -> None:
    (after,) = processed(Hypothesis(position((0,) * 6), results=(1.0,), weight=0.25), 0, even)
    assert (after.position, after.counts, after.weight) == (None, (2, 1, 1), 0.25)


@pytest.mark.parametrize(
    ("columns", "move", "ended"),
    [(QUIRK, 1, [(1, 1, 0), (1, 0, 0)]), (QUIRK[:40], 4, [(1, 0, 1), (1, 0, 0)])],
    ids=["ours", "the bot's"],
)
def test_a_four_by_the_42nd_disc_may_count_as_a_draw(
    columns: tuple[int, ...], move: int, ended: list[tuple[int, int, int]]
) -> None:
    after = processed(Hypothesis(position(columns)), move, even)
    assert [item.counts for item in after] == ended
    assert [item.weight for item in after] == [0.5, 0.5]


def test_a_full_board_without_a_four_is_a_draw() -> None:
    columns = [int(column) - 1 for column in "121212212121343434434343565656656565777777"]
    assert position(columns).board.is_full
    assert not position(columns).board.has_winner
    assert processed(Hypothesis(position(columns[:-1])), 6, even) == [NO_GAME.end(0.5)]


def test_either_side_may_start_a_new_game() -> None:
    after = processed(NO_GAME, NEW_GAME, rising)
    assert after[0] == Hypothesis(EMPTY)
    assert [item.position for item in after[1:]] == [position([column], we_start=False) for column in range(7)]
    assert [item.weight for item in after] == [0.5, *(pytest.approx((column + 1) / 56) for column in range(7))]


@pytest.mark.parametrize(("delivered", "unprocessed", "count"), [(0.0, 1.0, 1), (0.3, 0.7, 8), (1.0, None, 7)])
def test_after_a_lost_reply_both_sides_have_their_probability(
    delivered: float, unprocessed: float | None, count: int
) -> None:
    belief = after_lost_reply((KNOWN,), 2, rising, delivered)
    assert len(belief) == count
    expected = {position((3, 3, 2, column)).board: delivered * (column + 1) / 28 for column in range(7)}
    if unprocessed is not None:
        expected[position((3, 3)).board] = unprocessed
    assert weights(belief) == pytest.approx({board: weight for board, weight in expected.items() if weight})
    assert sorted(belief, key=lambda item: -item.weight) == list(belief)


def test_ends_of_games_are_distinguished_by_their_results() -> None:
    ended = NO_GAME.end(1.0).end(0.5).end(-1.0).end(-10.0)
    assert ended.counts == (4, 1, 2)
    assert ended.results == (-10.0, -1.0, 0.5, 1.0)
    assert NO_GAME.results == ()
    assert ended.playing == EMPTY
    assert KNOWN.playing == position((3, 3))


# Normalising


def test_equal_hypotheses_are_merged_and_the_likeliest_comes_first() -> None:
    belief = normalised(
        [Hypothesis(None, weight=0.5), Hypothesis(EMPTY, weight=1.0), Hypothesis(None, weight=1.0), NO_GAME.end(1.0)]
    )
    assert belief == (NO_GAME, Hypothesis(EMPTY), NO_GAME.end(1.0))
    assert [item.weight for item in belief] == pytest.approx([1.5 / 3.5, 1 / 3.5, 1 / 3.5])


def test_the_last_disc_of_a_reply_does_not_make_a_position_another_one() -> None:
    shown = Position(position((3, 3)).board, we_started=True, bot_column=3)
    assert normalised([Hypothesis(shown), KNOWN]) == (KNOWN,)


def test_only_the_likeliest_hypotheses_are_kept() -> None:
    many = [Hypothesis(None, (1.0,) * number, weight=float(number)) for number in range(1, MOST_HYPOTHESES + 101)]
    belief = normalised(many)
    assert len(belief) == MOST_HYPOTHESES
    assert belief[0].ended == MOST_HYPOTHESES + 100
    assert belief[-1].ended == 101
    assert sum(item.weight for item in belief) == pytest.approx(1.0)


def test_without_hypotheses_nothing_is_believed() -> None:
    assert normalised([]) == ()
    assert normalised([Hypothesis(None, weight=0.0)])[0].weight == 0.0


def test_six_lost_replies_in_a_row_leave_a_bounded_belief_whose_weights_add_up_to_one() -> None:
    belief: Belief = (KNOWN,)
    for number in range(6):
        belief = after_lost_reply(belief, number % 7, even, 0.6)
        assert sum(item.weight for item in belief) == pytest.approx(1.0)
    assert len(belief) == MOST_HYPOTHESES


def test_the_weights_add_up_to_one_in_any_late_position() -> None:
    chance, met = random.Random(7), set()
    for _ in range(200):
        known = position((), we_start=chance.random() < 0.5)
        for _ in range(chance.randint(8, 41)):
            quiet = [c for c in range(7) if known.board.can_play(c) and not known.board.wins_with(c)]
            if not quiet:
                break
            known = known.play(chance.choice(quiet))
        for column in range(7):
            after = processed(Hypothesis(known), column, rising) if not known.board.is_over else []
            met |= {item.counts for item in after}
            assert not after or sum(item.weight for item in after) == pytest.approx(1.0)
    assert met == {(0, 0, 0), (1, 1, 0), (1, 0, 1), (1, 0, 0)}


@pytest.mark.parametrize(
    ("belief", "idle"),
    [((NO_GAME,), True), ((NO_GAME, NO_GAME.end(1.0)), True), ((NO_GAME, KNOWN), False), ((KNOWN,), False)],
)
def test_only_without_any_running_game_is_the_belief_idle(belief: Belief, idle: bool) -> None:
    assert is_idle(belief) is idle


# The next reply


@pytest.mark.parametrize("was_processed", [False, True])
@pytest.mark.parametrize("state", [True, False])
def test_the_next_board_shows_which_hypothesis_was_true(was_processed: bool, state: bool) -> None:
    belief = after_lost_reply((KNOWN,), 2, even, 0.5)
    truth = position((3, 3, 2, 4)) if was_processed else position((3, 3))
    after = truth.play(3).play(5)
    matches = matching(belief, 3, reply_at(after, botmove=5, state=state))
    if state:
        assert [(item.position, then.board) for item, then in matches] == [(truth, after.board)]
        assert matches[0][1].moves == after.moves
        assert matches[0][1].bot_column == 5
    else:
        assert len(matches) == 8
        assert [item for item, _ in matches] == list(belief)


def test_a_hypothesis_in_which_the_column_is_full_does_not_fit_a_reply_to_it() -> None:
    full = Hypothesis(position((0,) * 6))
    after = position((3, 3, 0, 4))
    matches = matching((full, KNOWN), 0, reply_at(after, botmove=4))
    assert [item for item, _ in matches] == [KNOWN]


def test_a_board_that_fits_no_hypothesis_is_a_conflict() -> None:
    belief = after_lost_reply((KNOWN,), 2, even, 0.5)
    matches = matching(belief, 3, reply_at(position((6, 6, 6, 0)), botmove=0))
    assert matches == []


def test_a_reply_to_a_column_that_is_full_everywhere_is_a_conflict() -> None:
    matches = matching((Hypothesis(position((0,) * 6)),), 0, MoveReply(True))
    assert matches == []


# Statistics

WON_OR_RUNNING = (Hypothesis(position(WINNING), weight=0.6), Hypothesis(None, (1.0,), weight=0.4))
LOST_OR_RUNNING = (Hypothesis(position(WINNING), weight=0.6), Hypothesis(None, (-1.0,), weight=0.4))
BASE = Stats(10, 5, 3, 2)


def risen(played: int, won: int, lost: int) -> Stats:
    """Return the base with more games."""
    return Stats(10 + played, 5 + won, 3 + lost, 0)


@pytest.mark.parametrize(
    ("trust", "now", "running", "ended"),
    [
        (Trust(), risen(0, 0, 0), 0.6 / 0.64, 0.04 / 0.64),
        (Trust(counts_agree=True), risen(0, 0, 0), 0.6 / 0.64, 0.04 / 0.64),
        (Trust(is_prompt=True), risen(0, 0, 0), 1.0, None),
        (Trust(), risen(1, 1, 0), 0.06 / 0.46, 0.4 / 0.46),
        (Trust(is_prompt=True), risen(1, 1, 0), 0.06 / 0.46, 0.4 / 0.46),
        (Trust(counts_agree=True), risen(1, 1, 0), None, 1.0),
    ],
)
def test_what_a_reading_speaks_against_is_doubted_or_ruled_out(
    trust: Trust, now: Stats, running: float | None, ended: float | None
) -> None:
    belief, agrees = weigh_by_statistics(WON_OR_RUNNING, BASE, now, trust)
    assert agrees
    expected = {position(WINNING).board: running, None: ended}
    assert weights(belief) == pytest.approx({board: weight for board, weight in expected.items() if weight})


def test_a_loss_rules_nothing_out() -> None:
    belief, agrees = weigh_by_statistics(LOST_OR_RUNNING, BASE, risen(1, 0, 1), Trust(True, True))
    assert agrees
    assert weights(belief) == pytest.approx({None: 0.4 / 0.46, position(WINNING).board: 0.06 / 0.46})


@pytest.mark.parametrize("now", [risen(1, 0, 0), risen(1, 0, 1), risen(2, 1, 0), risen(-1, 0, 0), risen(0, 1, 0)])
def test_a_reading_that_fits_nothing_changes_nothing(now: Stats) -> None:
    assert weigh_by_statistics(WON_OR_RUNNING, BASE, now, Trust(True, True)) == (WON_OR_RUNNING, False)


def test_several_ended_games_are_weighed_by_all_their_counts() -> None:
    belief = (NO_GAME.end(1.0), NO_GAME.end(1.0).end(0.5), NO_GAME.end(1.0).end(-1.0), NO_GAME)
    after, agrees = weigh_by_statistics(belief, BASE, risen(2, 1, 0), Trust(counts_agree=True))
    assert agrees
    assert after == (NO_GAME.end(1.0).end(0.5),)


@pytest.mark.parametrize(("reward", "result"), [(-10.0, -10.0), (-1.0, -1.0), (None, -1.0), (-3.0, -1.0)])
def test_the_total_reward_tells_an_illegal_move_from_another_loss(reward: float | None, result: float) -> None:
    belief = (replace(NO_GAME.end(-1.0), weight=0.7), replace(NO_GAME.end(-10.0), weight=0.3))
    base = replace(BASE, total_reward=4.0)
    now = replace(risen(1, 0, 1), total_reward=None if reward is None else 4.0 + reward)
    after, agrees = weigh_by_statistics(belief, base, now, Trust(True, True))
    assert agrees
    assert after[0] == NO_GAME.end(result)
    assert len(after) == (1 if reward == result else 2), "a reward that fits no result changes nothing"
