"""The choice over hypotheses and the plan of lines, by hand.

A table of probabilities of not losing is written as "dd: b 1 d 0.5; ddcc: c 1": after dd they are those of
columns b and d, and 0 for all others. On boards that are not in the table, all legal columns are equal.
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

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


def rows_of(name: str) -> list[list[str]]:
    """Return the rows of a table in a file beside this one."""
    lines = Path(__file__).with_name(name).read_text().splitlines()
    return [[cell.strip() for cell in line.split(" | ")] for line in lines]


@pytest.mark.parametrize(("share", "column", "saved", "safe", "text"), rows_of("choices.txt"))
def test_the_column_that_most_probably_does_not_lose_is_chosen(share, column, saved, safe, text):
    """``share`` is the weight of the first hypothesis, ``saved`` the column's probability of not losing."""
    weight = float(share)
    games = [row.partition(": ")[0] for row in text.split("; ")]
    weights = (weight, 1 - weight)[: len(games)]
    known = [None if game == "." else position(game) for game in games]  # no running game is as good as an empty board
    belief = [Hypothesis(each, weight=share) for each, share in zip(known, weights, strict=True)]
    halves = [replace(item, weight=item.weight / 2) for item in belief]
    for equal in (belief, belief[::-1], [*halves, *halves]):
        choice = choose(tuple(equal), Table(text))
        assert (COLUMNS[choice.column], choice.safe) == (column, safe == "safe")
        assert choice.saved == pytest.approx(float(saved))


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


@pytest.mark.parametrize(("why", "preferred", "lines", "column", "rows"), rows_of("plans.txt"))
def test_of_equally_good_columns_the_one_is_sent_whose_lost_reply_costs_least(why, preferred, lines, column, rows):
    """``why``, the column that the engine prefers, the lines that were seen, the column that is sent, the table."""
    plan = MovePlan(seen(*lines.split()), Table(rows))
    assert COLUMNS[plan.refine(Board(), COLUMNS.index(preferred))] == column, why


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
