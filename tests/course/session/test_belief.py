"""Hypotheses after lost replies, by exact weights: the effect of requests, replies and statistics on them.

A hypothesis is written as its running game, or ``over``, then the results of the games that have ended, and its weight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import pytest

from bot.course.protocol import NEW_GAME, Stats
from bot.course.session.belief import Belief
from bot.course.session.commands import Open
from bot.course.session.hypotheses import (
    MOST_HYPOTHESES,
    Hypotheses,
    Hypothesis,
    Likely,
    after_lost_reply,
    normalised,
    processed,
)
from bot.course.session.ledger import Ledger
from bot.course.session.session import Session
from bot.course.session.statistics import fitting_to, weighed
from bot.game import Board
from tests.course.session.build import COLUMNS, DRAWN_GAME, LAST_DISC_FOUR, Walk, position


def hypotheses(text: str) -> Hypotheses:
    """Return the hypotheses of a text such as "dd: 0.7, over 1 -10: 0.3"."""
    found = []
    for part in text.split(", "):
        name, _, weight = part.partition(": ")
        game, *results = name.split()
        known = None if game == "over" else position(game)
        found.append(Hypothesis(known, tuple(sorted(map(float, results))), float(weight or 1)))
    return tuple(found)


def weights(belief: Iterable[Hypothesis]) -> dict[Hypothesis, float]:
    """Return the weight of each hypothesis; all of them add up to 1."""
    return {item: item.weight for item in normalised(belief)}


def rising(board: Board) -> Mapping[int, float]:
    """Return probabilities of the bot's answers in the ratio of the column's number, from 1."""
    total = sum(column + 1 for column in board.legal_columns())
    return {column: (column + 1) / total for column in board.legal_columns()}


def always(likely: Likely) -> Callable[[int], Likely]:
    """Return the same prediction for all hypotheses."""
    return lambda _number: likely


PROCESSED = [
    ("dd", "c", "ddca: 1, ddcb: 2, ddcc: 3, ddcd: 4, ddce: 5, ddcf: 6, ddcg: 7"),
    ("over", "d", "da: 1, db: 2, dc: 3, dd: 4, de: 5, df: 6, dg: 7"),
    ("over", "", ".: 28, ^a: 1, ^b: 2, ^c: 3, ^d: 4, ^e: 5, ^f: 6, ^g: 7"),
    ("ababab", "a", "over 1"),
    ("cacaea", "e", "over -1: 1, cacaeaeb: 2, cacaeaec: 3, cacaeaed: 4, cacaeaee: 5, cacaeaef: 6, cacaeaeg: 7"),
    ("aaaaaa 1", "a", "over 1 -10"),
    (LAST_DISC_FOUR, "b", "over 1: 1, over 0.5: 1"),
    (LAST_DISC_FOUR[1:41], "e", "over -1: 1, over 0.5: 1"),
    (f"^{DRAWN_GAME[:-1]}", "g", "over 0.5"),
]


@pytest.mark.parametrize(("before", "move", "after"), PROCESSED)
def test_a_processed_move_is_answered_by_each_legal_column_or_ends_the_game(before: str, move: str, after: str) -> None:
    (known,) = hypotheses(before)
    column = COLUMNS.index(move) if move else NEW_GAME
    assert weights(processed(known, column, rising)) == pytest.approx(weights(hypotheses(after)))


def test_an_end_with_two_possible_results_weighs_as_much_as_another() -> None:
    """A four by the 42nd disc may count as a draw."""
    belief = after_lost_reply(hypotheses(f"{LAST_DISC_FOUR}: 0.5, dd: 0.5"), COLUMNS.index("b"), always(rising), 1.0)
    assert sum(item.weight for item in belief if item.ended) == pytest.approx(0.5)


@pytest.mark.parametrize("delivered", [0.0, 0.3, 1.0])
def test_after_a_lost_reply_both_cases_have_their_probability_and_the_likeliest_comes_first(delivered: float) -> None:
    belief = after_lost_reply(hypotheses("dd"), COLUMNS.index("c"), always(rising), delivered)
    shares = {position("dd"): 1 - delivered, position("ddcg"): delivered / 4, position("ddca"): delivered / 28}
    found = {item.position: item.weight for item in belief if item.position in shares}
    assert found == pytest.approx({known: share for known, share in shares.items() if share})
    assert list(belief) == sorted(belief, key=lambda item: -item.weight)


def test_equal_hypotheses_are_merged_and_impossible_ones_do_no_harm() -> None:
    belief = normalised(hypotheses("over 1: 0.5, dd: 1, over 1: 1"))
    assert belief == hypotheses("over 1, dd")
    assert [item.weight for item in belief] == pytest.approx([0.6, 0.4])
    assert normalised(hypotheses("dd: 0"))[0].weight == 0.0


def test_six_lost_replies_in_a_row_leave_a_bounded_belief() -> None:
    belief = hypotheses("dd")
    for column in range(6):
        belief = after_lost_reply(belief, column, always(rising), 0.6)
    assert len(belief) == MOST_HYPOTHESES


WON_OR_RUNNING = "dd: 0.6, over 1: 0.4"
LOST_OR_RUNNING = "dd: 0.6, over -1: 0.3, over -10: 0.1"
READINGS = [
    (WON_OR_RUNNING, (0, 0, 0), "dd: 0.6, over 1: 0.04"),
    (WON_OR_RUNNING, (1, 1, 0), "dd: 0.06, over 1: 0.4"),
    (LOST_OR_RUNNING, (1, 0, 1), "dd: 0.06, over -1: 0.3, over -10: 0.1"),
    (LOST_OR_RUNNING, (1, 0, 1, -10), "dd: 0.06, over -10: 0.1"),
    (LOST_OR_RUNNING, (1, 0, 1, -1), "dd: 0.06, over -1: 0.3"),
    (LOST_OR_RUNNING, (1, 0, 1, -3), "dd: 0.06, over -1: 0.3, over -10: 0.1"),
    ("over 1, over 1 0.5, over 1 -1, over", (2, 1, 0), "over 1: 0.1, over 1 0.5: 1, over 1 -1: 0.1, over: 0.1"),
    (WON_OR_RUNNING, (1, 0, 0), None),
    (WON_OR_RUNNING, (2, 1, 0), None),
    (WON_OR_RUNNING, (0, 1, 0), None),
]
"""Hypotheses, games more than before as played, won, lost and perhaps their reward; None: it fits nothing."""


@pytest.mark.parametrize(("before", "rise", "after"), READINGS)
def test_what_a_reading_contradicts_becomes_less_likely_and_is_never_ruled_out(
    before: str, rise: tuple[int, ...], after: str | None
) -> None:
    played, won, lost, *reward = rise
    base = Stats(10, 5, 3, 2, total_reward=4.0)
    now = Stats(10 + played, 5 + won, 3 + lost, 0, total_reward=4.0 + reward[0] if reward else None)
    fitting = fitting_to(hypotheses(before), base, now)
    assert bool(fitting) is (after is not None)
    if fitting:
        assert weights(weighed(hypotheses(before), fitting)) == pytest.approx(weights(hypotheses(after or "")))


def test_the_results_of_the_likeliest_hypothesis_are_numbered_in_order_of_their_size() -> None:
    belief = Belief(hypotheses("over 1 -1: 0.6, over 0.5: 0.4"))
    walk = Walk(Session(ledger=Ledger((1.0, 1.0)), belief=belief))("run games=9; unread http 404")
    assert walk.ends == [(3, -1.0, "inferred"), (4, 1.0, "inferred")]
    assert walk("unread http 404").command == Open()
    assert walk.session.ledger.game == 5


def test_a_game_more_cannot_be_the_running_one_where_another_ended_before_it() -> None:
    belief = Belief(hypotheses("dd 1: 0.5, over 1: 0.5"))
    ledger = Ledger((1.0,), base=Stats(0, 0, 0, 0))
    walk = Walk(Session(ledger=ledger, belief=belief))("run; settled 1 0 1")
    assert walk.session.belief.hypotheses == belief.hypotheses
