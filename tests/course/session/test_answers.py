"""The prediction of the bot's answers, by exact probabilities."""

from __future__ import annotations

import random

import pytest

from bot.course.session.answers import (
    CENTRE,
    AnswerBook,
    answer_shown,
    plausible,
)
from bot.game import Board
from tests.course.session.build import position

QUIET = position((3,)).board
"""We have played d; nothing is obvious."""
BLOCK = position((0, 6, 0, 6, 0)).board
"""The bot must answer a."""
WIN = position((0, 6, 0, 6, 1, 6, 1)).board
"""The bot wins with g, and would otherwise have to block nothing."""
FORK = position((2, 6, 3, 6, 4)).board
"""We threaten b and f: both block, neither saves."""


# Without memory


def test_an_unknown_bot_is_expected_to_prefer_the_middle() -> None:
    assert plausible(QUIET) == pytest.approx(dict(enumerate([count / 16 for count in CENTRE])))


def test_an_obvious_answer_is_a_win_before_a_block() -> None:
    expected = {column: 0.2 * CENTRE[column] / 16 for column in range(7)}
    assert plausible(BLOCK) == pytest.approx({**expected, 0: expected[0] + 0.8})
    assert plausible(WIN) == pytest.approx({**expected, 6: expected[6] + 0.8})
    both = position((0, 6, 0, 6, 0, 6, 1)).board
    assert plausible(both) == pytest.approx({**expected, 6: expected[6] + 0.8}), "a win comes first"


def test_several_obvious_answers_share_by_preference() -> None:
    expected = {column: 0.2 * CENTRE[column] / 16 for column in range(7)}
    assert plausible(FORK) == pytest.approx({**expected, 1: expected[1] + 0.4, 5: expected[5] + 0.4})
    leaning = (1.0, 1.0, 1.0, 1.0, 1.0, 3.0, 1.0)
    likely = plausible(FORK, leaning)
    assert likely[5] == pytest.approx(0.2 * 3 / 9 + 0.8 * 3 / 4)
    assert likely[1] == pytest.approx(0.2 * 1 / 9 + 0.8 * 1 / 4)


def test_an_answer_below_a_cell_that_wins_for_us_is_less_plausible() -> None:
    board = position((1, 0, 0, 2, 2, 6, 1)).board  # we win with d in the second row
    expected = {column: 0.2 * CENTRE[column] / 16 + 0.8 * CENTRE[column] / 12 for column in (0, 1, 2, 4, 5, 6)}
    assert plausible(board) == pytest.approx({**expected, 3: 0.2 * 4 / 16})


def test_where_every_answer_leaves_us_a_win_only_the_preference_counts() -> None:
    board = position((2, 6, 3, 6, 4)).board
    assert plausible(board)[3] == pytest.approx(0.2 * 4 / 16), "blocks come first, though neither saves"


def test_where_no_answer_is_obvious_or_leaves_us_no_win_only_the_preference_counts() -> None:
    board = position(tuple(int(column) for column in "36525245334354240632400314015202506")).board
    assert board.legal_columns() == (1, 6)
    assert plausible(board) == pytest.approx({1: 2 / 3, 6: 1 / 3})


def test_a_full_column_is_no_answer() -> None:
    board = position((0, 0, 0, 0, 0, 0, 3)).board
    likely = AnswerBook().likely(board)
    assert set(likely) == {1, 2, 3, 4, 5, 6}
    assert sum(likely.values()) == pytest.approx(1.0)


def test_three_tenths_of_the_prediction_are_even() -> None:
    likely = AnswerBook().likely(QUIET)
    assert likely == pytest.approx(dict(enumerate([0.3 / 7 + 0.7 * count / 16 for count in CENTRE])))


# Memory


def test_what_was_seen_outweighs_the_prediction() -> None:
    book = AnswerBook().observe(QUIET, 6).observe(QUIET, 6).observe(QUIET, 2)
    assert (book.repeats, book.repeated) == (2, 1)
    assert book.surprise == pytest.approx((2 - 1 + 1) / (2 + 2))
    prior = 2.0 * 0.5
    preference = [1, 2, 4, 4, 3, 2, 3]
    counts = [0, 0, 1, 0, 0, 0, 2]
    # d is symmetric: its mirror image is itself, so every answer counts half in the mirrored column too
    mirrored = [counts[column] + 0.5 * counts[6 - column] for column in range(7)]
    assert book.counts(QUIET) == mirrored
    expected = [
        (mirrored[column] + prior * (0.3 / 7 + 0.7 * preference[column] / 19)) / (prior + 4.5) for column in range(7)
    ]
    assert book.likely(QUIET) == pytest.approx(dict(enumerate(expected)))


def test_an_answer_in_the_mirror_image_counts_half() -> None:
    left, right = position((1,)).board, position((5,)).board
    book = AnswerBook().observe(left, 0).observe(right, 6)
    assert book.counts(left) == [1.5, 0, 0, 0, 0, 0, 0]
    assert book.counts(right) == [0, 0, 0, 0, 0, 0, 1.5]


def test_a_bot_that_repeats_itself_is_soon_expected_to() -> None:
    book = AnswerBook()
    assert book.surprise == 0.5
    shares = []
    for _ in range(6):
        book = book.observe(BLOCK, 0)
        shares.append(book.likely(BLOCK)[0])
    assert shares == sorted(shares)
    assert (book.repeats, book.repeated) == (5, 5)
    assert book.surprise == pytest.approx(1 / 7)


def test_a_bot_that_never_repeats_itself_stays_unpredictable() -> None:
    book = AnswerBook()
    for column in range(7):
        book = book.observe(QUIET, column)
    assert (book.repeats, book.repeated) == (6, 0)
    assert book.surprise == pytest.approx(7 / 8)


def test_preferences_are_learnt_where_nothing_was_obvious() -> None:
    book = AnswerBook().observe(QUIET, 0).observe(BLOCK, 0).observe(WIN, 2)
    assert book.preference == (2.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0)


def test_a_book_of_earlier_runs_counts_as_if_everything_had_been_seen_in_this_one() -> None:
    chance = random.Random(3)
    answers = [(position((chance.randrange(7),)).board, chance.randrange(7)) for _ in range(60)]
    one_by_one, learnt = AnswerBook(), AnswerBook.of(answers[:40])
    for board, column in answers:
        one_by_one = one_by_one.observe(board, column)
    for board, column in answers[40:]:
        learnt = learnt.observe(board, column)
    assert (learnt.preference, learnt.repeats, learnt.repeated) == (
        one_by_one.preference,
        one_by_one.repeats,
        one_by_one.repeated,
    )
    assert learnt.positions == one_by_one.positions == 7
    assert all(learnt.counts(board) == one_by_one.counts(board) for board, _ in answers)


def test_a_book_is_never_changed() -> None:
    book = AnswerBook()
    more = book.observe(QUIET, 0)
    assert (book.known, book.preference) == ({}, CENTRE)
    assert more.observe(QUIET, 0) is not more
    assert more.known == {QUIET: (1, 0, 0, 0, 0, 0, 0)}


def test_all_predictions_add_up_to_one() -> None:
    chance, book = random.Random(11), AnswerBook()
    for _ in range(60):
        board = Board()
        while not board.is_over:
            likely = book.likely(board)
            assert sum(likely.values()) == pytest.approx(1.0)
            assert set(likely) == set(board.legal_columns())
            assert all(share > 0 for share in likely.values())
            column = chance.choice(board.legal_columns())
            book = book.observe(board, column)
            board = board.play(column)


def test_a_board_shows_the_answer_before_it() -> None:
    before = position((3, 3, 2)).board
    assert answer_shown(before.play(2), 2) == before
    assert answer_shown(before.play(2), 3) == Board(*_without(before.play(2), 3))
    assert answer_shown(before.play(4), 2) is None, "the last disc in c is ours"
    assert answer_shown(before.play(4), 0) is None, "a is empty"
    assert answer_shown(position((3,), we_start=False).board, 3) == Board()


def _without(after: Board, column: int) -> tuple[int, int]:
    """Return the board without the topmost disc of a column, the mover's sides changed."""
    top = max(bit for bit in range(column * 7, column * 7 + 6) if after.mask >> bit & 1)
    return after.opponent ^ (1 << top), after.mask ^ (1 << top)
