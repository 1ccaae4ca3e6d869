"""The choice over hypotheses, by hand.

A table of probabilities of not losing is written as "dd: b 1 d 0.5; ddcc: c 1": after dd they are those of
columns b and d, and 0 for all others. On boards that are not in the table, all legal columns are equal.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.course.hypotheses import Hypotheses, Hypothesis, after_lost_reply
from bot.course.policy import MOST_BOARDS, choose
from bot.game import Board
from tests.course.session.build import COLUMNS, position


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
def test_the_column_that_most_probably_does_not_lose_is_chosen(
    text: str, weight: float, column: str, saved: float, safe: bool
) -> None:
    games = [row.partition(": ")[0] for row in text.split("; ")]
    weights = (weight, 1 - weight)[: len(games)]
    known = [None if game == "." else position(game) for game in games]  # no running game is as good as an empty board
    belief = [Hypothesis(each, weight=share) for each, share in zip(known, weights, strict=True)]
    halves = [replace(item, weight=item.weight / 2) for item in belief]
    for equal in (belief, belief[::-1], [*halves, *halves]):
        choice = choose(tuple(equal), Table(text))
        assert (COLUMNS[choice.move], choice.safe) == (column, safe)
        assert choice.saved == pytest.approx(saved)


def test_only_the_likeliest_boards_are_examined_and_the_others_need_a_legal_column() -> None:
    belief: Hypotheses = (Hypothesis(position("dd")),)
    for column in (3, 3, 2, 4):
        belief = after_lost_reply(belief, column, (), 0.5)
    table = Table(other=0.5)
    choice = choose(belief, table)
    assert table.asked == 7 * MOST_BOARDS
    weights: dict[Board, float] = {}
    for item in belief:
        weights[item.playing.board] = weights.get(item.playing.board, 0.0) + item.weight
    examined = sum(sorted(weights.values(), reverse=True)[:MOST_BOARDS])
    assert choice.saved == pytest.approx(0.5 * examined + 1 - examined, abs=1e-4)
