"""The levels for people: deterministic by seed, legal everywhere, missing what people miss, in order of strength."""

from __future__ import annotations

import random
from collections import Counter
from statistics import mean

import pytest

from bot.engine.agent import Limit, Stop
from bot.errors import GameOverError, UsageError
from bot.game import CENTRE_FIRST, Board
from bot.lab.arena.games import match_pairings, play_pairing
from bot.lab.arena.match import match_result
from bot.lab.positions import random_opening
from bot.learn.levels.attention import lines, seen_lines
from bot.learn.levels.kernels import look_ahead
from bot.learn.levels.player import LevelPlayer, make_level
from bot.learn.levels.table import DEFAULT_LEVEL, LEVELS, level_of

LIMIT = Limit(hard_s=60.0)
LOW = range(1, 7)
"""Levels that never ask the exact solver, which is compiled for other tests."""


def boards(count: int) -> list[Board]:
    """Return unfinished positions of all lengths."""
    return [Board.from_moves(random_opening(number % 40, number)) for number in range(count)]


def plain_lines() -> set[frozenset[tuple[int, int]]]:
    """Return all fours as sets of (column, row), counted out from the rules."""
    found = set()
    for column in range(7):
        for row in range(6):
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(column + right * step, row + up * step) for step in range(4)]
                if all(0 <= x < 7 and 0 <= y < 6 for x, y in cells):
                    found.add(frozenset(cells))
    return found


def test_the_69_lines_are_those_of_the_rules() -> None:
    seen = {frozenset((bit // 7, bit % 7) for bit in range(49) if line >> bit & 1) for line, _ in lines()}
    assert seen == plain_lines()
    assert len(lines()) == 69


@pytest.mark.parametrize("number", LOW)
def test_every_move_is_legal_and_equal_for_equal_seeds(number: int) -> None:
    player, same = LevelPlayer(number, 5), LevelPlayer(number, 5)
    for board in boards(80):
        if board.is_over:
            continue
        column = player.choose(board, LIMIT).column
        assert board.can_play(column)
    for board in reversed(boards(20)):  # whatever was played before
        assert same.choose(board, LIMIT).column == player.choose(board, LIMIT).column


def test_other_seeds_play_otherwise() -> None:
    board = Board.from_moves("4455")
    assert len({LevelPlayer(2, seed).choose(board, LIMIT).column for seed in range(30)}) > 2


def test_people_miss_diagonals_more_often_than_rows_and_rows_more_often_than_columns() -> None:
    board, rng = Board.from_moves("4435261"), random.Random(1)
    seen: Counter[int] = Counter()
    for _ in range(100):
        own, other = seen_lines(board, 0.3, rng)
        seen.update([*own, *other])
    share: dict[int, list[float]] = {}
    for line, direction in lines():
        share.setdefault(direction, []).append(seen[line] / 200)
    vertical, horizontal, falling, rising = (mean(share[step]) for step in (1, 7, 6, 8))
    assert max(falling, rising) < horizontal < vertical < 1


def test_an_open_four_far_away_is_missed_at_times_by_a_novice_and_never_by_the_perfect() -> None:
    board = Board.from_moves("172737")
    assert board.wins_with(3)
    missed = [LevelPlayer(2, seed).choose(board, LIMIT).column != 3 for seed in range(100)]
    assert 0 < sum(missed) < 75
    assert not any(LevelPlayer(10, seed).choose(board, LIMIT).column != 3 for seed in range(20))


def test_higher_levels_overlook_fewer_lines() -> None:
    board = Board.from_moves("4435261")
    counts = []
    for level in LEVELS[:-1]:
        rng = random.Random(1)
        counts.append(sum(len(side) for _ in range(60) for side in seen_lines(board, level.overlook, rng)))
    assert counts == sorted(counts)
    assert counts[0] < 0.7 * 2 * 69 * 60


def test_a_level_that_overlooks_nothing_sees_every_line() -> None:
    own, other = seen_lines(Board.from_moves("4435"), 0.0, random.Random(1))
    assert own == other == [line for line, _ in lines()]


def test_a_stop_ends_the_choice_with_a_legal_move() -> None:
    stop = Stop()
    stop.set()
    board = Board.from_moves("44")
    assert board.can_play(LevelPlayer(6, 1).choose(board, LIMIT, stop).column)


def test_a_column_whose_search_was_interrupted_is_not_preferred_to_a_bad_one(monkeypatch: pytest.MonkeyPatch) -> None:
    stop, searched = Stop(), []

    def interrupted(_current: int, mask: int, *_: object) -> int:
        """Find the first column bad, and be interrupted in the second."""
        searched.append(mask)
        if len(searched) == 2:
            stop.set()
            return 0
        return 500

    monkeypatch.setattr(look_ahead, "look_ahead", interrupted)
    assert LevelPlayer(6, 1).choose(Board(), LIMIT, stop).column == CENTRE_FIRST[0]
    assert len(searched) == 2


@pytest.mark.parametrize("name", ["level", "level:", "level:0", "level:11", "level:x", "level:-1", "level:²"])
def test_there_are_ten_levels(name: str) -> None:
    with pytest.raises(UsageError) as refused:
        make_level(name)
    assert refused.value.hint


def test_the_table_is_in_order() -> None:
    assert [level.number for level in LEVELS] == list(range(1, 11))
    assert len({level.name for level in LEVELS}) == 10
    assert level_of(DEFAULT_LEVEL).number < 4, "the first level offered is an easy one"


def test_a_finished_game_has_no_move() -> None:
    with pytest.raises(GameOverError):
        LevelPlayer(1, 1).choose(Board.from_moves("4141414"), LIMIT)


def score_of(number: int, games: int, seed: int) -> float:
    """Return a level's score against the next lower one, each of them starting every second game."""
    one, other = f"level:{number}", f"level:{number - 1}"
    played = [(pairing, play_pairing(pairing)) for pairing in match_pairings(one, other, games, seed)]
    score: float = match_result(one, other, played)["total"]["score"]
    return score


def test_a_higher_level_scores_more() -> None:
    assert score_of(2, 30, 3) > 0.6


@pytest.mark.slow
@pytest.mark.parametrize("number", range(2, 8))
def test_each_level_is_measured_in_its_range(number: int) -> None:
    assert 0.6 <= score_of(number, 200, 1) <= 0.8
