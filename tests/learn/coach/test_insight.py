"""Insights: every one of some lost games against plain rules and the solver; each kind by an example; the moment."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from bot.engine.agent import Stop
from bot.engine.analysis import Analyst
from bot.engine.review import Review, review
from bot.game import Board, parse_moves
from bot.learn.coach.insight import account, insight
from tests.learn.coach import plain, plain_insights
from tests.learn.coach.check_insights import false_insights, lost_games
from tests.learn.coach.check_reasons import Scores
from tests.processes import bot_here

GAMES = 6


def reviewed(moves: str, analyst: Analyst) -> tuple[tuple[int, ...], Review]:
    columns = parse_moves(moves)
    return columns, review(columns, analyst, deadline_s=600.0)


def columns_of(moves: tuple[int, ...]) -> plain.Columns:
    columns = plain.EMPTY
    for column in moves:
        columns = plain.drop(columns, column)
    return columns


def test_every_lost_game_has_a_moment_and_all_that_is_said_is_true(analyst: Analyst) -> None:
    scores, said = Scores(), 0
    for moves in lost_games(GAMES, 11):
        found = account(moves, review(moves, analyst, deadline_s=600.0), deadline_s=600.0)
        winner = Board.from_moves(moves).winner
        assert winner is not None and found.moment is not None
        assert found.moment % 2 == 2 - winner, "the moment is a move of the loser"
        assert false_insights(moves, found, scores) == []
        said += sum(each is not None for each in found.insights)
    assert said >= GAMES


EXAMPLES = {
    "missed win": ("25344656", 0),
    "missed block": ("667644", 0),
    "poisoned column": ("54465332", 0),
    "missed double threat": ("31414", 0),
    "allowed double threat": ("3344", 0),
    "missed forced sequence": ("5446533", 0),
    "allowed forced sequence": ("544653", 0),
    "gave up the odd threat": ("44454455545512212", 0),
    "gave up the even threat": ("4623364426", 0),
    "missed follow-up win": ("4445445554551221221", 0),
    "allowed the odd threat": ("52151124544422515544", 0),
    "allowed the even threat": ("3444747", 0),
    "allowed follow-up win": ("5445543455445", 0),
    "allowed quiet move": ("577143445547", 1),
}
"""For each kind moves, the last of which is the mistake, and the quiet moves that are searched."""


def of(kind: str) -> tuple[plain.Columns, int, dict[str, Any]]:
    """Return an example: the position before the mistake, the mistake, the insight."""
    moves, quiet = EXAMPLES[kind]
    *before, column = parse_moves(moves)
    found = insight(Board.from_moves(before), column, quiet)
    assert found is not None
    return columns_of(tuple(before)), column, asdict(found)


@pytest.mark.parametrize("kind", plain_insights.KINDS)
def test_each_kind_has_an_example(kind: str) -> None:
    columns, column, found = of(kind)
    assert found["kind"] == kind
    assert plain_insights.problems(columns, column, found) == []


@pytest.mark.parametrize("kind", plain_insights.KINDS)
def test_the_check_finds_false_insights(kind: str) -> None:
    columns, column, found = of(kind)
    other = "poisoned column" if kind != "poisoned column" else "missed block"
    for wrong in (
        {**found, "kind": other},
        {**found, "missed": not found["missed"]},
        {**found, "player": 3 - found["player"]},
        {**found, "line": found["line"][:-1]},
        {**found, "cells": (*found["cells"], 41)[-4:]},
        {**found, "better": ()},
        {**found, "better": (*found["better"], column)},
    ):
        assert plain_insights.problems(columns, column, wrong), wrong


def test_a_better_column_that_does_not_avoid_it_is_found() -> None:
    """Every column but the block leaves the four open."""
    columns, column, found = of("missed block")
    others = [each for each in range(7) if each != column and each not in found["better"]]
    assert len(others) > 3
    for each in others:
        assert plain_insights.problems(columns, column, {**found, "better": (each,)})


def test_nothing_is_said_where_no_column_avoids_it() -> None:
    """X has two open fours: whatever O plays, it loses at once."""
    board = Board.from_moves(parse_moves("33445"))
    assert all(insight(board, column) is None for column in board.legal_columns())


def test_two_fours_at_once_are_named_before_one_above_the_other() -> None:
    """After column 2 or 6 X has both; a sequence to a four above another is no easier to see."""
    *before, column = parse_moves("3223342236336571214111")
    found = insight(Board.from_moves(before), column)
    assert found is not None and found.kind == "allowed double threat" and not {1, 5} & set(found.better)


def test_a_good_move_misses_and_allows_nothing() -> None:
    assert insight(Board.from_moves(parse_moves("414141")), 3) is None
    assert insight(Board(), 3) is None


def test_the_moment_of_a_game_that_only_exact_play_explains(analyst: Analyst) -> None:
    """No column is seen to save the game until exact play says which move gave it away."""
    columns, known = reviewed("5335435367364444665665143152111122", analyst)
    found = account(columns, known, deadline_s=600.0)
    assert found.moment is not None and found.insights[found.moment] is None
    verdict = known.moves[found.moment]
    assert verdict is not None and verdict.grave


def test_without_time_the_moment_is_that_of_exact_play(analyst: Analyst) -> None:
    columns, known = reviewed("142634435265", analyst)
    assert account(columns, known, deadline_s=600.0).moment == 8
    stop = Stop()
    stop.set()
    for found in (account(columns, known, 600.0, stop), account(columns, known, deadline_s=-1.0)):
        assert found.insights == (None,) * 12 and found.moment == 0


def test_a_drawn_or_unfinished_game_has_no_moment(analyst: Analyst) -> None:
    for moves in ("414147", "257771314744647214154617633623313656555222"):
        found = account(*reviewed(moves, analyst), deadline_s=600.0)
        assert (found.moment, found.doomed, found.doomed_text) == (None, None, None)


def test_the_command_says_the_human_reason_before_the_verdict(tmp_path: Path) -> None:
    done = bot_here("coach", "142634435265", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("The moment of this game is move 9: O can open two fours")
    assert " 9. X 5?  allowed double threat; sooner loss, by 11 moves" in lines


def test_the_commands_json_numbers_columns_from_1(tmp_path: Path) -> None:
    found = json.loads(bot_here("coach", "4141474", "--json", cwd=tmp_path).stdout)
    assert (found["moment"], found["doomed"], found["position"]) == (5, 1, None)
    block = found["insights"][5]
    assert (block["kind"], block["line"], block["better"]) == ("missed block", [7, 4], [4])
    assert block["cells"] == ["d1", "d2", "d3", "d4"]
