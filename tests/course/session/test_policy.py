"""The choice over hypotheses and the plan of lines, against exhaustive enumeration and by hand."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache

import pytest

from bot.course.session import policy
from bot.course.session.answers import AnswerBook
from bot.course.session.belief import NO_GAME, Belief, Hypothesis, after_lost_reply, normalised
from bot.course.session.policy import (
    DEEPEST_PLAN,
    MOST_BOARDS,
    UNPLANNED,
    Choice,
    Plan,
    choose,
)
from bot.game import CENTRE_FIRST, Board
from tests.course.session.build import WINNING, nearly, position


class Table:
    """Probabilities of not losing by board; all other boards have equal ones."""

    def __init__(self, rows: Mapping[Board, list[float]], other: float = 0.97) -> None:
        self.rows, self.other, self.asked = rows, other, 0

    def prospect(self, board: Board, column: int) -> float:
        return self.prospects(board)[column]

    def prospects(self, board: Board) -> list[float]:
        self.asked += 1
        return self.rows.get(board, [self.other if board.can_play(column) else 0.0 for column in range(7)])


@cache
def saves(board: Board) -> bool:
    """Return whether the side to move does not lose; plain search, for late positions."""
    if board.has_winner:
        return False
    return board.is_full or any(not _wins(board.play(column)) for column in board.legal_columns())


@cache
def _wins(board: Board) -> bool:
    """Return whether the side to move wins."""
    return any(board.wins_with(column) or not saves(board.play(column)) for column in board.legal_columns())


class Exact:
    """1 for a column that does not lose, else 0, by plain search."""

    def prospect(self, board: Board, column: int) -> float:
        if not board.can_play(column):
            return 0.0
        child = board.play(column)
        return float(child.is_over or not _wins(child))

    def prospects(self, board: Board) -> list[float]:
        return [self.prospect(board, column) for column in range(7)]


def known(*columns: int, weight: float = 1.0) -> Hypothesis:
    """Return a hypothesis in which these columns were played."""
    return Hypothesis(position(columns), weight=weight)


# Over hypotheses


def test_the_column_that_saves_most_is_chosen() -> None:
    one, two = known(3, 3, weight=0.7), known(3, 3, 2, 2, weight=0.3)
    table = Table(
        {
            one.playing.board: [0.0, 1.0, 0.0, 0.5, 0.0, 0.0, 0.0],
            two.playing.board: [0.0, 0.0, 1.0, 0.9, 0.0, 0.0, 0.0],
        }
    )
    assert choose((one, two), table) == Choice(1, nearly(0.7), False)
    assert choose((known(3, 3, weight=0.5), known(3, 3, 2, 2, weight=0.5)), table).column == 3


def test_the_weights_of_equal_boards_add_up() -> None:
    one, two = known(3, 3, weight=0.4), known(3, 3, 2, 2, weight=0.3)
    again = Hypothesis(one.position, results=(0.5,), weight=0.3)
    table = Table({one.playing.board: [0, 0.6, 0, 0, 0, 0, 0], two.playing.board: [0, 0, 1.0, 0, 0, 0, 0]})
    assert choose((one, two, again), table) == Choice(1, nearly(0.42), False)


def test_a_column_is_safe_that_keeps_the_best_prospect_everywhere() -> None:
    one, two = known(3, 3, weight=0.5), known(3, 3, 2, 2, weight=0.5)
    table = Table({one.playing.board: [0, 0.9, 0, 0.9, 0, 0, 0], two.playing.board: [0, 0.2, 0, 0.2, 0, 0, 0]})
    assert choose((one, two), table) == Choice(3, nearly(0.55), True)


def test_of_equally_good_columns_the_middle_is_preferred() -> None:
    one, two = known(3, 3, weight=0.5), known(3, 3, 2, 2, weight=0.5)
    table = Table({one.playing.board: [0, 0.5, 0, 1.0, 0, 0, 0.5], two.playing.board: [0, 0.5, 0, 0.0, 0, 0, 0.5]})
    assert choose((one, two), table) == Choice(3, nearly(0.5), False)
    table = Table({one.playing.board: [0, 0.5, 0, 0.0, 0, 0, 0.5], two.playing.board: [0, 0.5, 0, 0.5, 0, 0, 0.5]})
    assert choose((one, two), table) == Choice(1, nearly(0.5), True)
    assert choose((one, two), Table({})).column == CENTRE_FIRST[0] == 3


def test_of_equally_good_columns_one_that_is_legal_everywhere_is_preferred() -> None:
    """Found by the exhaustive simulation: columns 2 and 6 are equally good, but in one hypothesis column 2 is full."""
    line = tuple(int(column) for column in "333333422242446562246604011060600111")
    before, after = known(*line, weight=0.5), known(*line, 1, 5, weight=0.5)
    rows = {before.playing.board: [0, 1.0, 0, 0, 0, 0, 0], after.playing.board: [0, 0, 0, 0, 0, 1.0, 0]}
    assert not after.playing.board.can_play(1)
    assert choose((before, after), Table(rows)) == Choice(5, nearly(0.5), False)
    assert choose((after, before), Table(rows)) == Choice(5, nearly(0.5), False)


def test_a_column_that_may_be_full_is_sent_if_it_saves_more() -> None:
    line = (1, 1, 1, 1, 1)
    before, after = known(*line, 3, weight=0.51), known(*line, 1, weight=0.49)
    rows = {before.playing.board: [0, 1.0, 0, 0, 0, 0, 0], after.playing.board: [0, 0, 0, 0, 0, 1.0, 0]}
    assert choose((before, after), Table(rows)) == Choice(1, nearly(0.51), False)


def test_of_columns_that_may_be_full_the_one_that_is_so_less_likely_is_preferred() -> None:
    left, right = known(0, 0, 0, 0, 0, 0, weight=0.3), known(6, 6, 6, 6, 6, 6, weight=0.7)
    rows = {left.playing.board: [0.0] * 7, right.playing.board: [0.0] * 7}
    less = Table({**rows, left.playing.board: [0, 0, 0, 0, 0, 0, 0.7], right.playing.board: [0.3, 0, 0, 0, 0, 0, 0]})
    assert choose((left, right), less).column == 0
    assert choose((left, right), Table(rows)).column == 3


@pytest.mark.parametrize(("hair", "column"), [(1e-12, 3), (5e-10, 3), (2e-9, 0)])
def test_differences_of_rounding_do_not_decide(hair: float, column: int) -> None:
    one = known(3, 3)
    assert choose((one,), Table({one.playing.board: [0.5 + hair, 0, 0, 0.5, 0, 0, 0]})).column == column
    assert choose((one,), Table({one.playing.board: [0.5, 0, 0, 0.5 - hair, 0, 0, 0.6]})).column == 6


def test_no_running_game_counts_as_an_empty_board() -> None:
    table = Table({Board(): [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]})
    assert choose((NO_GAME,), table).column == 5


def test_a_column_that_is_full_everywhere_is_never_chosen() -> None:
    full = [column for column in (0, 1, 2, 4, 5, 6) for _ in range(6)]
    table = Table({}, other=0.0)
    assert choose((known(*full),), table).column == 3
    board = position((*full, 3, 3, 3, 3, 3, 3))
    with pytest.raises(ValueError, match="no column is legal in any hypothesis"):
        choose((Hypothesis(board),), table)


def test_only_the_likeliest_boards_are_examined_and_the_others_need_a_legal_column() -> None:
    belief: Belief = (known(3, 3),)
    for column in (3, 3, 2, 4):
        belief = after_lost_reply(belief, column, AnswerBook().likely, 0.5)
    boards = {item.playing.board for item in belief}
    assert len(boards) > MOST_BOARDS
    table = Table({})
    choice = choose(belief, table)
    assert table.asked == MOST_BOARDS
    assert all(board.can_play(choice.column) for board in boards)
    assert choice.safe
    ranked = sorted({item.playing.board: item.weight for item in belief}.items(), key=lambda item: -item[1])
    (unlikely, weight), full = ranked[-1], Table({})
    assert weight < ranked[MOST_BOARDS - 1][1]
    full.rows = {board: [0.5] * 7 for board, _ in ranked[:MOST_BOARDS]}
    rest = sum(item.weight for item in belief if item.playing.board in dict(ranked[MOST_BOARDS:]))
    saved = choose(belief, full).saved
    assert saved == pytest.approx(0.5 * (1 - rest) + rest, abs=1e-6)
    assert unlikely.can_play(choice.column)


def late(chance: random.Random, plies: int) -> Hypothesis | None:
    """Return a random running game of a number of plies."""
    game = position((), we_start=plies % 2 == 0)
    for _ in range(plies):
        quiet = [column for column in range(7) if game.board.can_play(column) and not game.board.wins_with(column)]
        if not quiet:
            return None
        game = game.play(chance.choice(quiet))
    return Hypothesis(game)


def test_thousands_of_late_situations_are_decided_as_enumeration_does() -> None:
    chance, decided, unsafe = random.Random(20240229), 0, 0
    drawn = (late(chance, chance.randint(35, 39)) for _ in range(400))
    pool = [item for item in drawn if item is not None][:120]
    assert len(pool) > 60
    while decided < 2000:
        belief: Belief = (chance.choice(pool),)
        for _ in range(chance.choice((1, 1, 2))):
            legal = [c for c in range(7) if any(item.playing.board.can_play(c) for item in belief)]
            belief = after_lost_reply(belief, chance.choice(legal), AnswerBook().likely, 0.6)
        belief = normalised([item for item in belief if item.position and not item.ended])  # no openings: plain search
        if not belief:
            continue
        exact = {
            column: sum(item.weight * Exact().prospect(item.playing.board, column) for item in belief)
            for column in range(7)
        }
        choice = choose(belief, Exact())
        assert exact[choice.column] == nearly(max(exact.values())) == choice.saved
        best = [max(Exact().prospects(item.playing.board)) for item in belief]
        own = [Exact().prospect(item.playing.board, choice.column) for item in belief]
        assert choice.safe is (own == best)
        decided += 1
        unsafe += not choice.safe
    assert 50 < unsafe < 1950, "both kinds of situation must have been met"


# Planned lines


def plan(rows: Mapping[Board, list[float]], answers: AnswerBook | None = None, deepest: int = 21) -> Plan:
    """Return a plan over a table of prospects."""
    return Plan(answers or AnswerBook(), Table(rows), deepest)


Observations = list[tuple[Board, int]]


def certainly(*lines: tuple[int, ...]) -> Observations:
    """Return a hundred times the answers of these lines, in which we started."""
    return [(position(line[:index]).board, line[index]) for line in lines for index in range(1, len(line), 2)] * 100


def certain(*lines: tuple[int, ...]) -> AnswerBook:
    """Return a book that has seen the answers of these lines a hundred times each."""
    return AnswerBook.of(certainly(*lines))


def test_the_engines_choice_stands_where_it_is_alone_or_wins_or_is_not_best() -> None:
    start = position().board
    assert plan({start: [0, 0, 0, 1.0, 0, 0, 0]}).refine(start, 3) == 3
    assert plan({start: [0, 1.0, 0, 0, 0, 1.0, 0]}).refine(start, 3) == 3
    winning = position(WINNING).board
    assert plan({}).refine(winning, 0) == 0


def test_only_legal_columns_with_the_best_probability_are_candidates() -> None:
    board = position((0, 0, 0, 0, 0, 0)).board
    assert plan({board: [0.0, 0.5, 0.9, 0.0, 0.9, 0.0, 0.0]})._candidates(board) == [2, 4]
    assert plan({board: [0.0] * 7})._candidates(board) == [3, 2, 4, 1, 5, 6]


def test_the_engines_choice_stands_where_all_are_equal() -> None:
    start = position().board
    for column in range(7):
        assert plan({}, deepest=0).refine(start, column) == column


def test_a_column_whose_lost_reply_can_be_repaired_is_preferred() -> None:
    start = position().board
    book = certain((2, 3), (4, 3))
    row = [0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0]
    after_c, after_e = position((2, 3)).board, position((4, 3)).board
    rows = {
        start: row,
        after_c: [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0],  # c again is right, sent or not
        after_e: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],  # neither c nor e is right after e
    }
    assert plan(rows, book, deepest=0).refine(start, 4) == 2
    assert plan(rows, book, deepest=0).refine(start, 2) == 2


@pytest.mark.parametrize(("hair", "column"), [(1e-12, 2), (1e-3, 4)])
def test_rounding_does_not_decide_between_columns_of_equal_risk(hair: float, column: int) -> None:
    """Column 2 is nearer to the middle than 4; the engine's 6 cannot be repaired after a lost reply."""
    start = position().board
    book = certain((2, 3), (4, 3), (6, 3))
    rows = {
        start: [0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0],
        position((2, 3)).board: [0.0, 0.0, 1.0 - hair, 0.0, 0.0, 0.0, 0.0],
        position((4, 3)).board: [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        position((6, 3)).board: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    }
    assert plan(rows, book, deepest=0).refine(start, 6) == column


def test_a_danger_later_in_a_known_line_is_seen_as_deep_as_the_plan_goes() -> None:
    start = position().board
    book = certain((2, 2, 2, 5), (4, 4, 4, 5))
    both = [0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0]
    rows = {
        start: both,
        position((2, 2)).board: [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
        position((4, 4)).board: [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        position((2, 2, 2, 5)).board: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        position((4, 4, 4, 5)).board: [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
    }
    assert plan(rows, book, deepest=0).refine(start, 2) == 2
    assert plan(rows, book, deepest=1).refine(start, 2) == 4
    assert plan(rows, book).refine(start, 4) == 4


def test_the_best_column_after_a_known_answer_counts_not_the_first() -> None:
    """After column 3 and the answer 4, our column 4 is risky; the other best column, 1, is not."""
    start, after = position().board, position((2, 3))
    both = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    rows = {start: [0, 0, 1.0, 0, 0, 0, 0], after.board: both}
    book = certain((2, 3, 3, 3), (2, 3, 0, 3))
    rows[after.play(3).play(3).board] = [0, 1.0, 0, 0, 0, 0, 0]
    rows[after.play(0).play(3).board] = both
    subject = plan(rows, book)
    risks = {column: subject._risk_of(after.board, column, 20) for column in (0, 3)}
    assert risks[0] < risks[3]
    assert subject._risk(after.board, 20) == risks[0]


def test_the_risk_of_a_line_is_what_lost_replies_cost_and_what_is_unknown() -> None:
    start = position().board
    book = certain((2, 3))
    rows = {start: [0, 0, 1.0, 0, 0, 0, 0], position((2, 3)).board: [1.0, 0, 0.5, 0, 0, 0, 0]}
    subject = plan(rows, book, deepest=0)
    share = book.likely(position((2,)).board)[3]
    kept = {column: odds for column, odds in book.likely(position((2,)).board).items() if odds >= 0.02}
    share /= sum(kept.values())
    others = 1 - share
    follow_up = 0.5 * 1.0 + 0.5 * (share * 0.5 + others * 0.97)
    unplanned = UNPLANNED * (42 - 2) / 2
    risk = subject._risk_of(start, 2, 0)
    assert risk == nearly(1 - follow_up + unplanned)


def test_a_game_that_our_column_ends_is_no_risk() -> None:
    board = position(WINNING).board
    assert plan({})._risk_of(board, 0, 21) == 0.0


def test_an_answer_that_ends_the_game_is_lost_or_drawn_already() -> None:
    before_loss = position((*WINNING[:5], 6), we_start=False).board
    assert before_loss.play(0).has_winner
    before_draw = Board.from_moves([int(column) - 1 for column in "12121221212134343443434356565665656577777"])
    assert before_draw.play(6).is_full and not before_draw.play(6).has_winner
    subject = plan({})  # every column of a running game has 0.97
    assert subject._follow_up(Board(), {0: 1.0}, before_loss) == nearly(0.5 * 0.97)
    assert subject._follow_up(Board(), {6: 1.0}, before_draw) == nearly(0.5 * 0.97 + 0.5)
    assert subject._follow_up(Board(), {0: 1.0}, Board()) == nearly(0.97)
    assert subject._follow_up(Board(), {0: 0.4, 1: 0.6}, before_loss) == nearly(0.97 - 0.2 * 0.97)


def test_a_plan_against_a_bot_that_is_known_loses_nothing_where_a_line_loses_nothing() -> None:
    board = position((3, 3)).board
    book = certain((3, 3, 3, 3, 3, 3))
    subject = Plan(book, Table({}, other=1.0), 21)
    assert subject._risk_of(board, 3, 0) == pytest.approx(UNPLANNED * 19, rel=0.05)


def test_a_plan_examines_a_limited_number_of_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot of which everything is known makes a tree of lines as large as the game."""
    chance, answers = random.Random(1), []
    for _ in range(300):
        line: list[int] = []
        while len(line) < 14 and not position(line).board.is_over:
            line.append(chance.choice(position(line).board.legal_columns()))
        answers += [(position(line[:index]).board, line[index]) for index in range(1, len(line), 2)]
    book = AnswerBook.of(answers)
    table = Table({}, other=1.0)
    monkeypatch.setattr(policy, "MOST_PLANNED", 10)
    subject = Plan(book, table)
    subject.refine(Board(), 3)
    assert 10 <= len(subject._known) <= 10 + DEEPEST_PLAN
    unlimited = Plan(book, table)
    monkeypatch.setattr(policy, "MOST_PLANNED", 400)
    unlimited.refine(Board(), 3)
    assert 10 + DEEPEST_PLAN < len(unlimited._known) <= 400 + DEEPEST_PLAN
