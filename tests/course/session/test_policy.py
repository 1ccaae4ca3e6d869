"""The choice over hypotheses and the plan of lines, by hand.

A table of probabilities of not losing is written as "dd: b 1 d 0.5; ddcc: c 1": after dd they are those of
columns b and d, and 0 for all others. On boards that are not in the table, all legal columns are equal.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.course import policy
from bot.course.hypotheses import AnswerBook, Hypothesis
from bot.course.policy import MovePlan, choose
from bot.game import Board
from tests.course.session.build import COLUMNS, LAST_DISC_FOUR, position


class Table:
    """See `bot.course.policy.Prospect`."""

    def __init__(self, text: str = "", other: float = 0.97) -> None:
        self.rows: dict[Board, list[float]] = {}
        for row in filter(None, text.split("; ")):
            game, _, shares = row.partition(": ")
            known = dict(zip(shares.split()[::2], map(float, shares.split()[1::2]), strict=True))
            self.rows[position(game).board] = [known.get(column, 0.0) for column in COLUMNS]
        self.other, self.asked = other, 0

    def __call__(self, board: Board, column: int) -> float:
        self.asked += 1
        row = self.rows.get(board)
        return row[column] if row else self.other * board.can_play(column)


# Over hypotheses

CHOICES = [
    ("dd: b 1 d 0.5; ddcc: c 1 d 0.9", 0.7, "b", 0.7, False),
    ("dd: b 1 d 0.5; ddcc: c 1 d 0.9", 0.5, "d", 0.7, False),
    ("dd: b 0.9 d 0.9; ddcc: b 0.2 d 0.2", 0.5, "d", 0.55, True),
    ("dd: b 0.5 g 0.5; ddcc: b 0.5 d 0.5 g 0.5", 0.5, "b", 0.5, True),
    ("bbbbbd: b 1; bbbbbb: f 1", 0.51, "b", 0.51, False),
    ("bbbbbd: b 1; bbbbbb: f 1", 0.5, "f", 0.5, False),
    ("aaaaaa: g 0.7; gggggg: a 0.3", 0.3, "a", 0.21, False),
    ("dd: a 0.5000000005 d 0.5", 1.0, "d", 0.5, False),
    ("dd: a 0.500000002 d 0.5", 1.0, "a", 0.5, True),
    (".: f 1", 1.0, "f", 1.0, True),
    ("aaaaaabbbbbbccccccddddddeeeeeeffffff: a 0", 1.0, "g", 0.0, True),
]
"""Probabilities, the weight of the first hypothesis, and the column with its probability of not losing."""


@pytest.mark.parametrize(("text", "weight", "column", "saved", "safe"), CHOICES)
def test_the_column_that_most_probably_does_not_lose_is_chosen(text, weight, column, saved, safe):
    games = [row.partition(": ")[0] for row in text.split("; ")]
    weights = (weight, 1 - weight)[: len(games)]
    known = [None if game == "." else position(game) for game in games]  # no running game is as good as an empty board
    belief = [Hypothesis(each, weight=share) for each, share in zip(known, weights, strict=True)]
    halves = [replace(item, weight=item.weight / 2) for item in belief]
    for equal in (belief, belief[::-1], [*halves, *halves]):
        choice = choose(tuple(equal), Table(text))
        assert (COLUMNS[choice.column], choice.safe) == (column, safe)
        assert choice.saved == pytest.approx(saved)


def test_of_equal_columns_the_one_is_sent_that_may_not_be_full_then_the_one_that_was_sent_before():
    two = (Hypothesis(position("bbbbbd"), weight=0.5), Hypothesis(position("bbbbbb"), weight=0.5))
    assert COLUMNS[choose(two, Table("bbbbbd: b 1; bbbbbb: f 1"), COLUMNS.index("b")).column] == "f"
    assert COLUMNS[choose(two[:1], Table("bbbbbd: c 1 e 1 g 1"), COLUMNS.index("g")).column] == "g"


# Planned lines


def seen(*lines: str) -> AnswerBook:
    """Return a book that has seen the bot's answers in these lines thirty times each."""
    places = [(line, count) for line in lines for count in range(1, len(line), 2)]
    answers = [(position(line[:count]).board, COLUMNS.index(line[count])) for line, count in places]
    return AnswerBook().observe(answers * 30)


LATER = ".: c 1 e 1; cc: c 1; ee: e 1; cccf: a 1; eeef: e 1"
PLANS = {
    "there is one best column": ("b", "", ".: b 1", "b"),
    "the engine's column is none of the best": ("d", "", ".: b 1 f 1", "d"),
    "all risks are equal": ("e", "", ".: c 1 e 1", "e"),
    "they are, however many answers were seen": ("e", "cd ed ea", ".: c 1 e 1", "e"),
    "answers that are not known have a price": ("e", "ed", ".: c 1 e 1; ed: e 0.95", "c"),
    "a lost reply to c can be repaired by c": ("e", "cd ed", ".: c 1 e 1; cd: c 1; ed: a 1", "c"),
    "the engine's column can be repaired": ("c", "cd ed", ".: c 1 e 1; cd: c 1; ed: a 1", "c"),
    "a danger later in the line is in sight": ("c", "cccf eeef", LATER, "e"),
    "later moves are the best": (
        "e", "cddd cdad eddd", ".: c 1 e 1; cd: c 1 a 1 d 1; cddd: b 1; cdad: a 1 d 1; ed: e 1 d 1; eddd: b 1", "c",
    ),
    "rounding": ("g", "cd ed gd", ".: c 1 e 1 g 1; cd: c 0.999999999999; ed: e 1; gd: a 1", "c"),
    "more than rounding": ("g", "cd ed gd", ".: c 1 e 1 g 1; cd: c 0.999; ed: e 1; gd: a 1", "e"),
}  # fmt: skip


@pytest.mark.parametrize(("preferred", "lines", "rows", "column"), PLANS.values(), ids=PLANS)
def test_of_equally_good_columns_the_one_is_sent_whose_lost_reply_costs_least(preferred, lines, rows, column):
    plan = MovePlan(seen(*lines.split()), Table(rows))
    assert COLUMNS[plan.refine(Board(), COLUMNS.index(preferred))] == column


@pytest.mark.parametrize(("delivered", "column"), [(0.02, "e"), (0.5, "c")])
def test_an_answer_that_cannot_be_repaired_counts_as_often_as_its_move_is_processed(delivered, column):
    plan = MovePlan(seen("ed"), Table(".: c 1 e 1; ed: a 1"), delivered=delivered)
    assert COLUMNS[plan.refine(Board(), COLUMNS.index("c"))] == column


def test_an_answer_that_draws_saves_the_game_and_one_that_wins_does_not():
    two_left = position(LAST_DISC_FOUR[1:-1]).board  # after our column e, the bot's b makes a four
    assert COLUMNS[MovePlan(AnswerBook(), Table()).refine(two_left, COLUMNS.index("e"))] == "b"


def test_a_plan_examines_a_limited_number_of_positions(monkeypatch):
    chance, asked = random.Random(1), []
    book = seen(*("".join(chance.sample(COLUMNS * 2, 12)) for _ in range(100)))
    for most in (10, 100):
        monkeypatch.setattr(policy, "MOST_PLANNED", most)
        table = Table(other=1.0)
        MovePlan(book, table).refine(Board(), 3)
        asked.append(table.asked)
    assert asked[0] < (10 + 21) * 100 < asked[1]
