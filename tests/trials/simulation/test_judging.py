"""Illegal moves: which were avoidable, and the report of a campaign beside the oracle's."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.course.session.belief import Hypothesis
from bot.course.session.position import EMPTY, Position
from bot.game import Board, parse_moves
from bot.trials.faults.plan import FaultSpec
from bot.trials.simulation.campaign import Counts, SeriesResult, play_task, tasks_of
from bot.trials.simulation.faults import VIRTUAL
from bot.trials.simulation.judging import explained, in_words
from bot.trials.simulation.report import difference, in_json
from bot.trials.simulation.report import in_words as report_in_words


class Even:
    """Every legal column saves the game with the same probability, but for one."""

    def __init__(self, best: int) -> None:
        self._best = best

    def prospects(self, board: Board) -> Sequence[float]:
        """See `bot.course.session.policy.Prospects`."""
        return [self.prospect(board, column) for column in range(7)]

    def prospect(self, board: Board, column: int) -> float:
        """See `bot.course.session.policy.Prospects`."""
        return (1.0 if column == self._best else 0.5) if board.can_play(column) else 0.0


def after(*columns: int) -> Position:
    """Return the position after these columns."""
    position = EMPTY
    for column in columns:
        position = position.play(column)
    return position


BELIEF = (Hypothesis(after(3, 3, 3, 3), weight=0.75), Hypothesis(after(3, 3, 3, 3, 3, 3), weight=0.25))


def test_a_column_that_was_as_good_makes_it_avoidable() -> None:
    """Column 3 is full in the second hypothesis; where all columns are equal, any other was better."""
    move = explained((3,) * 6, 3, BELIEF, Even(best=7))
    assert (move["legal"], move["saved"], move["safe_saved"]) == (0.75, 0.375, 0.5)
    assert move["safe_column"] is not None
    assert move["avoidable"]


def test_a_better_column_justifies_the_risk() -> None:
    """Column 3 wins in three cases of four; with any other column the probability of not losing is one half."""
    move = explained((3,) * 6, 3, BELIEF, Even(best=3))
    assert (move["saved"], move["safe_saved"], move["avoidable"]) == (0.75, 0.5, False)
    words = in_words({"bot": "o-table-3", **move})
    assert (
        "against o-table-3 after 444444: column 4, legal with probability 0.750 in 2 hypotheses, not losing 0.750"
        in words
    )


def test_without_a_column_that_is_legal_everywhere_nothing_was_avoidable() -> None:
    """One hypothesis has room in column 0 only, the other in column 6 only."""
    full_but_6 = [int(digit) for digit in "403340134210542114041335223152520505"]
    left, right = after(*full_but_6), after(*(6 - column for column in full_but_6))
    assert (left.board.legal_columns(), right.board.legal_columns()) == ((6,), (0,))
    move = explained(left.moves, 0, (Hypothesis(left, weight=0.4), Hypothesis(right, weight=0.6)), Even(best=0))
    assert (move["safe_column"], move["legal"], move["avoidable"]) == (None, 0.6, False)
    assert "no column was legal in all hypotheses" in in_words({"bot": "perfect", **move})


@pytest.fixture(scope="module")
def played() -> list[SeriesResult]:
    """Series on a bad network, with illegal moves among them."""
    tasks = tasks_of(["o-table-3", "o-late-check-3"], 40, seed=1, faults=FaultSpec.parse("reset=0.3", VIRTUAL))
    return [play_task(task) for task in tasks]


def test_every_game_lost_by_an_illegal_move_is_explained(played: list[SeriesResult]) -> None:
    """The watcher finds as many as the server's finished games show, each with a full column."""
    by_illegal = sum(count for each in played for (_, reason), count in each.counts.lost.items() if reason == "illegal")
    moves = [move for each in played for move in each.counts.illegal]
    assert len(moves) == by_illegal > 0
    for move in moves:
        assert not Board.from_moves(parse_moves(move["moves"])).can_play(move["column"] - 1)
        assert 0 < move["legal"] < 1
        assert not move["avoidable"]
    assert list(in_json(played)["groups"]["open"]["illegal"]) == moves


def test_the_report_lists_illegal_moves_up_to_a_limit(played: list[SeriesResult]) -> None:
    """The rest is in the JSON."""
    move = next(move for each in played for move in each.counts.illegal)
    words = report_in_words(in_json([SeriesResult(0, "o-table-3", Counts(illegal=(move,) * 13))]))
    assert words.count("Illegal move against") == 10
    assert "0 although a column that was legal in all hypotheses was as good, 13 others" in words
    assert "3 more are listed with --json" in words
    shown = in_json([SeriesResult(0, "o-table-3", Counts(illegal=({**move, "avoidable": True},)))])
    assert "Illegal moves: 1 although" in report_in_words(shown)


def test_differences_without_trials_have_no_value() -> None:
    """No share is computed without trials."""
    assert difference(100, [])["value"] is None
    assert difference(100, [((1, 2), (0, 0))])["value"] is None
    assert difference(100, [((1, 2), (0, 4)), ((0, 2), (1, 4))])["value"] == pytest.approx(12.5)
