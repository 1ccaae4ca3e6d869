"""What is learnt of a server: its bot's answers, the delivery of lost requests, and what a move costs in time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.course.events import Replied, Send
from bot.course.hypotheses import (
    EMPTY,
    AnswerBook,
    Deliveries,
    Hypothesis,
    bot_answers,
    delivered_share,
    plausible,
    with_case,
)
from bot.course.protocol import MoveReply
from bot.course.session import Session, step
from bot.game import Board
from tests.course.session.build import COLUMNS, position

MIDDLE = (1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0)


def board(game: str) -> Board:
    """Return the board of a game."""
    return position(game).board


QUIET, BLOCK, WIN = board("d"), board("agaga"), board("agagbgb")
OBVIOUS = [(QUIET, "abcdefg"), (board("agagagb"), "g"), (board("cgdge"), "bf"), (board("baaccgb"), "abcefg")]
"""Boards and their obvious answers: a win, else a block, else those that leave us no win."""


@pytest.mark.parametrize(("board", "obvious"), OBVIOUS)
def test_an_unknown_bot_probably_gives_an_obvious_answer_and_prefers_the_middle(board, obvious):
    likely = [COLUMNS.index(letter) for letter in obvious]
    total = sum(MIDDLE[column] for column in likely)
    expected = {
        column: 0.2 * MIDDLE[column] / 16 + (0.8 * MIDDLE[column] / total if column in likely else 0)
        for column in range(7)
    }
    assert plausible(board) == pytest.approx(expected)


def test_what_was_seen_outweighs_the_prediction():
    book = AnswerBook().observe([(QUIET, 6), (QUIET, 6), (QUIET, 6), (QUIET, 2)])
    counts = book.known[QUIET]
    assert (counts, book.repeats, book.repeated, book.surprise) == ((0, 0, 1, 0, 0, 0, 3), 3, 2, 2 / 5)
    preference = [1, 2, 4, 4, 3, 2, 4]
    expected = {each: (counts[each] + 0.8 * (0.3 / 7 + 0.7 * preference[each] / 20)) / 4.8 for each in range(7)}
    assert book.likely(QUIET) == pytest.approx(expected)


def test_the_answers_of_a_game_end_with_it_and_before_an_impossible_move():
    for game, more in (("abababa", "b"), ("bbbbbb", "bc")):
        moves = [COLUMNS.index(letter) for letter in game + more]
        answers = [(board(game[:count]), moves[count]) for count in range(1, len(game), 2)]
        assert list(bot_answers(moves, we_started=True)) == answers


def after(processed: int, total: int) -> Deliveries:
    """Return what is learnt from cases of one kind."""
    learnt: Deliveries = {}
    for number in range(total):
        learnt = with_case(learnt, "reset", was_processed=number < processed)
    return learnt


def test_how_often_a_kind_of_failure_was_processed_is_learnt_from_a_few_cases_and_never_certain():
    assert [delivered_share(after(*cases), "reset") for cases in ((0, 0), (1, 1), (0, 1), (2, 4))] == [
        0.5,
        2 / 3,
        1 / 3,
        0.5,
    ]
    assert [delivered_share(after(*cases), "reset") for cases in ((99, 99), (0, 99))] == [0.95, 0.05]
    assert delivered_share(after(9, 9), "timeout") == 0.5, "another kind"
    assert delivered_share(after(9, 9), "timeout", "reset") == pytest.approx(10 / 11)


@pytest.mark.parametrize(("count", "percentile"), [(1, 0), (21, 19), (60, 47)])
def test_a_high_percentile_of_the_last_fifty_overheads_is_subtracted(count, percentile):
    session, reply = Session(), MoveReply(True, result=0.0, botmove=3)
    for number in reversed(range(count)):
        sent = replace(session, command=Send(3, 100.0 - number / 100), hypotheses=(Hypothesis(EMPTY),))
        session, _ = step(sent, Replied(100.0, reply))
    assert session.left_s(100.0) == pytest.approx(5.0 - percentile / 100 - 0.35)
