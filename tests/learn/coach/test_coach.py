"""The coach: every reason of many games against plain Python and the solver, and what it says of positions."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from bot.engine.analysis import Analyst
from bot.errors import GameOverError
from bot.game import Board
from bot.lab.positions import random_opening
from bot.learn.coach.coach import Coach
from bot.learn.coach.follow_up import follow_up
from bot.learn.coach.forcing import forced_win
from bot.learn.coach.position import cell_name, threats, view
from bot.learn.coach.reason import Lesson
from tests.learn.coach import plain
from tests.learn.coach.check_reasons import Scores, false_scores, reasons_of
from tests.learn.coach.check_reasons import records as records_of

GAMES = 3


@pytest.fixture(scope="module")
def coach(analyst: Analyst) -> Coach:
    return Coach(analyst)


@pytest.fixture(scope="module")
def records(analyst: Analyst) -> list[dict[str, Any]]:
    return records_of(GAMES, 11, analyst)


def columns_of(moves: tuple[int, ...]) -> plain.Columns:
    columns = plain.EMPTY
    for column in moves:
        columns = plain.drop(columns, column)
    return columns


def boards(count: int, first: int, last: int) -> list[tuple[tuple[int, ...], Board]]:
    """Return unfinished positions of ``first`` to ``last`` plies, with the moves that lead there."""
    openings = [random_opening(first + number % (last - first + 1), f"coach{number}") for number in range(count)]
    return [(moves, board) for moves in openings if not (board := Board.from_moves(moves)).is_over]


def test_every_reason_of_whole_games_is_true(records: list[dict[str, Any]]) -> None:
    scores, count = Scores(), 0
    for moves, lesson, reason in reasons_of(records):
        assert plain.problems(columns_of(moves), lesson["column"], reason) == []
        assert false_scores(Board.from_moves(moves), lesson["column"], lesson["verdict"], reason, scores) == []
        count += 1
    assert count > 20


def test_the_check_finds_false_reasons(records: list[dict[str, Any]]) -> None:
    """Each reason, changed in one place, is false; the check must see it."""
    tried = 0
    for moves, lesson, reason in reasons_of(records):
        columns = columns_of(moves)
        kind = reason["kind"]
        other = "forced sequence" if kind not in ("forced sequence", "four", "double threat") else "zugzwang"
        for wrong in (
            {**reason, "player": 3 - reason["player"]},
            {**reason, "kind": other},
            {**reason, "missed": not reason["missed"]},
            {**reason, "cells": (*reason["cells"], 41)[-4:]},
            {**reason, "line": reason["line"][:-1]},
        ):
            if wrong["kind"] == "forced sequence" and kind in ("four left open", "cell below a four opened"):
                continue  # a single four is a short sequence
            if reason["kind"] == "follow-up that holds" and len(wrong["line"]) < len(reason["line"]):
                continue  # the line of a draw may stop anywhere
            assert plain.problems(columns, lesson["column"], wrong), wrong
            tried += 1
    assert tried > 40


def only(lesson: Lesson | None) -> Lesson:
    assert lesson is not None
    return lesson


def test_an_unblocked_four_is_named(coach: Coach) -> None:
    lesson = only(coach.lesson(Board.from_moves("41414"), 6))
    first = lesson.reasons[0]
    assert (first.kind.value, first.missed, first.line) == ("four left open", False, (6, 3))
    assert first.text == "X makes four in column 4: that cell had to be blocked."
    assert first.cells == (18, 19, 20, 21)


def test_a_missed_four_is_named(coach: Coach) -> None:
    lesson = only(coach.lesson(Board.from_moves("414141"), 6))
    assert [reason.kind.value for reason in lesson.reasons if reason.missed] == ["four"]


def test_a_good_move_needs_no_reason(coach: Coach) -> None:
    lesson = only(coach.lesson(Board.from_moves("414141"), 3))
    assert lesson.verdict == "best" and lesson.reasons == () and lesson.line == ()


def test_without_time_nothing_is_said(coach: Coach) -> None:
    assert coach is not None  # the kernels are compiled
    assert Coach(Analyst()).lesson(Board.from_moves("4"), 3, deadline_s=0.0) is None


def test_forced_sequences_are_found_where_there_are_any() -> None:
    found = 0
    for moves, board in boards(100, 8, 30):
        line = forced_win(board, 2)
        assert (line is not None) == plain.forces(columns_of(moves), 2)
        found += line is not None
    assert found > 10


def test_follow_up_achieves_what_plain_enumeration_finds() -> None:
    """Where it claims something, so does the enumeration; where all columns are even, also the other way round."""
    claims = 0
    for moves, board in boards(300, 20, 36):
        columns = columns_of(moves)
        claimed = follow_up(board)
        reached = plain.follows(columns, 3 - plain.to_move(columns), {})
        if claimed is not None:
            assert reached == (1 if claimed.wins else 0)
            claims += 1
        elif sum(len(column) % 2 for column in columns) <= 1:
            assert reached == -1
    assert claims > 2


def test_threats_are_the_empty_cells_that_complete_four() -> None:
    for moves, board in boards(100, 6, 34):
        columns = columns_of(moves)
        found = {(threat.cell, threat.player) for threat in threats(board)}
        expected = set()
        for column in range(7):
            for row in range(len(columns[column]), 6):
                for player in (1, 2):
                    filled = (*columns[column], *[0] * (row - len(columns[column])))
                    raised = (*columns[:column], filled, *columns[column + 1 :])
                    if plain.makes_four(raised, column, player):
                        expected.add((column * 6 + row, player))
        assert found == expected
        for threat in threats(board):
            column, row = divmod(threat.cell, 6)
            assert threat.playable == (row == len(columns[column]))
            assert threat.odd == (row in (0, 2, 4))
            below = (threat.cell - 1, 3 - threat.player) in expected and row > 0
            assert threat.useless == (below and not threat.playable)


def put(columns: plain.Columns, column: int, player: int) -> plain.Columns:
    """Return the position after a disc of ``player``, whichever side is to move."""
    return (*columns[:column], (*columns[column], player), *columns[column + 1 :])


def test_a_danger_is_a_forced_sequence_of_the_opponent() -> None:
    """What the opponent threatens is played out with the opponent moving first."""
    found = 0
    for moves, board in boards(150, 12, 32):
        columns, line = columns_of(moves), view(board).danger
        found += len(line) > 1
        other = plain.to_move(columns)
        player = 3 - other
        for number, column in enumerate(line):
            if number == len(line) - 1:
                assert plain.makes_four(columns, column, player)
            elif number % 2 == 0:
                columns = put(columns, column, player)
                assert plain.fours(columns, player) and not plain.fours(columns, other)
            else:
                escapes = [each for each in plain.legal(columns) if not plain.fours(put(columns, each, other), player)]
                assert set(escapes) <= {column}
                columns = put(columns, column, other)
    assert found > 2


def test_a_position_says_what_is_threatened() -> None:
    seen = view(Board.from_moves("41414"))
    assert [cell_name(threat.cell) for threat in seen.threats] == ["d4"]
    assert seen.danger == (3,) and seen.forced == ()
    assert seen.losing == (0, 1, 2, 4, 5, 6)
    assert not seen.zugzwang
    with pytest.raises(GameOverError):
        view(Board.from_moves("4141414"))


def test_zugzwang_is_seen() -> None:
    found = 0
    for moves, board in boards(150, 32, 40):
        columns = columns_of(moves)
        other = 3 - plain.to_move(columns)
        loses = all(plain.makes_four(plain.drop(columns, column), column, other) for column in plain.legal(columns))
        quiet = not plain.fours(columns, 1) and not plain.fours(columns, 2)
        assert view(board).zugzwang == (loses and quiet)
        found += view(board).zugzwang
    assert found > 0


def test_a_lesson_survives_as_json(coach: Coach) -> None:
    lesson = only(coach.lesson(Board.from_moves("41414"), 6))
    assert asdict(lesson)["reasons"][0]["kind"] == "four left open"


def test_a_lesson_without_lines_searches_for_none(coach: Coach) -> None:
    lesson = only(coach.lesson(Board.from_moves("41414"), 6, lines=False))
    assert (lesson.line, lesson.better) == ((), ())
