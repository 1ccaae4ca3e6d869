"""The foreign course's board, bots, scoring, statistics and move clock."""

from __future__ import annotations

import pytest

from tests.course.foreign_course import Course, Quirks
from tests.course.foreign_rules import (
    BOT,
    EMPTY,
    STUDENT,
    AlphaBetaBot,
    Answer,
    drop,
    has_four,
    lowest_column_bot,
    open_columns,
    random_bot,
    replay,
    scripted_bot,
    winning_columns,
)

KEY = "ab1234cd-s"
DRAWN = "555753451726256216311116243424462433737776"
"""A game without a four until its 42nd disc, which makes one."""


def test_rows_fill_from_the_bottom_and_a_full_column_is_closed() -> None:
    grid = replay([3] * 6, student_started=True)
    assert [row[3] for row in grid] == [-1, 1, -1, 1, -1, 1]
    assert open_columns(grid) == [0, 1, 2, 4, 5, 6]


@pytest.mark.parametrize("columns", [[0, 1, 2, 3], [3, 3, 3, 3]])
def test_four_in_a_row_or_column(columns: list[int]) -> None:
    grid = EMPTY
    for column in columns:
        assert not has_four(grid, BOT)
        grid = drop(grid, column, BOT)
    assert has_four(grid, BOT)
    assert not has_four(grid, STUDENT)


@pytest.mark.parametrize("columns", ["12233434474", "76655454414"])
def test_four_on_a_diagonal(columns: str) -> None:
    grid = replay([int(column) - 1 for column in columns], student_started=True)
    assert has_four(grid, STUDENT)
    assert not has_four(grid, BOT)


@pytest.mark.parametrize("bot", [AlphaBetaBot(2), AlphaBetaBot(3), lowest_column_bot])
def test_bots_win_at_once_else_block(bot: Answer) -> None:
    for moves, wanted in (([0, 6, 0, 6, 0, 6, 1], 6), ([5, 0, 5, 1, 5], 5), ([6, 3, 6, 3, 6, 3, 0], 3)):
        assert bot(replay(moves, student_started=True), moves[-1]) == wanted


def test_bots_keep_to_the_rules() -> None:
    bots: list[Answer] = [AlphaBetaBot(2), lowest_column_bot, random_bot(1)]
    for bot in bots:
        grid, disc, student = EMPTY, STUDENT, random_bot(2)
        while open_columns(grid) and not winning_columns(grid, disc):
            column = (student if disc == STUDENT else bot)(grid, None)
            assert column in open_columns(grid)
            grid, disc = drop(grid, column, disc), -disc
    assert [random_bot(5)(EMPTY, None) for _ in range(3)] == [random_bot(5)(EMPTY, None)] * 3
    assert AlphaBetaBot(3)(EMPTY, None) == 3


def test_who_starts() -> None:
    def starts(quirks: Quirks) -> list[bool]:
        course = Course(lowest_column_bot, quirks)
        return [course.move(KEY, -1)["botmove"] == -1 for _ in range(12)]

    assert starts(Quirks(starter="bot")) == [False] * 12
    assert starts(Quirks(starter="alternate")) == [True, False] * 6
    assert starts(Quirks(starter="random", seed=1)) == starts(Quirks(starter="random", seed=1))
    assert set(starts(Quirks(starter="random", seed=1))) == {True, False}


@pytest.mark.parametrize("as_draw", [True, False])
def test_a_four_by_the_last_disc(as_draw: bool) -> None:
    columns = [int(column) - 1 for column in DRAWN]
    course = Course(scripted_bot(DRAWN[0::2]), Quirks(starter="bot", last_disc_draw=as_draw))
    course.move(KEY, -1)
    replies = [course.move(KEY, column) for column in columns[1::2]]
    assert has_four(replay(columns, student_started=False), STUDENT)
    assert [reply["result"] for reply in replies] == [0.0] * 20 + [0.5 if as_draw else 1.0]
    assert len(course.finished) == 1


def test_statistics_lag_behind() -> None:
    now = [100.0]
    course = Course(lowest_column_bot, Quirks(stats_lag_s=2.0), clock=lambda: now[0])
    course.move(KEY, -1)
    course.move(KEY, -1)
    seen = []
    for now[0] in (100.0, 101.9, 102.1):
        seen.append((course.stats(KEY)["played"], course.counts(KEY).played))
    assert seen == [(0, 1), (0, 1), (1, 1)]


@pytest.mark.parametrize("late_by_s", [-0.1, 0.1])
def test_the_move_clock_runs_from_the_first_byte_of_the_reply(late_by_s: float) -> None:
    now = [0.0]
    course = Course(lowest_column_bot, Quirks(clock_s=5.0, hide_lost_state=True), clock=lambda: now[0])
    course.move(KEY, -1)
    now[0] = 3.0
    course.reply_begins(KEY, whole=True)
    now[0] = 8.0 + late_by_s
    reply = course.move(KEY, 3)
    if late_by_s > 0:
        assert (reply["result"], reply["state"], course.finished[0].ended) == (-1.0, None, "timeout")
    else:
        assert (reply["result"], course.finished) == (0.0, [])
