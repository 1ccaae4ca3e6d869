"""The levels for people: legal everywhere, missing what people miss, in order of strength."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from bot.engine.agent import Limit, StopFlag
from bot.game import CENTRE_FIRST, Board
from bot.gauntlet.arena.games import Pairing, match_pairings, play_pairing
from bot.gauntlet.arena.match import match_result
from bot.gauntlet.positions import random_opening
from bot.learn.levels.chance import MEASURED, OFFERED, SHARE, chances, saved_share
from bot.learn.levels.kernels.playing import GAP, IMAGINED, MOST, OPPONENT, WIN, best_column
from bot.learn.levels.player import BY_DIRECTION, FAR, NEAR, LevelPlayer, focus, lines, seen_lines
from bot.learn.levels.table import WEIGHTS, Level, level_of
from tests.positions import sample

LIMIT = Limit(hard_s=60.0)
ZUGZWANG = 16
LOOKS = {"": {3}, "1": {0}, "12": {1}, "122": {0, 1}, "121": {0}}


@pytest.mark.parametrize("number", [1, 4, 6])
def test_every_move_is_legal_and_does_not_depend_on_the_moves_before(number):
    """The levels above ask the exact solver, too."""
    player, same, other = LevelPlayer(number, 5), LevelPlayer(number, 5), LevelPlayer(number, 6)
    openings = (Board.from_moves(random_opening(ply, ply)) for ply in range(40))
    boards = [board for board in openings if not board.is_over]
    chosen = [player.choose(board, LIMIT).column for board in boards]
    assert all(board.can_play(column) for board, column in zip(boards, chosen, strict=True))
    assert [same.choose(board, LIMIT).column for board in reversed(boards)] == chosen[::-1]
    assert [other.choose(board, LIMIT).column for board in boards] != chosen, "another seed"


def test_a_player_looks_where_the_opponents_discs_are_on_top_or_at_the_middle():
    looks = {moves: {focus(Board.from_moves(moves), random.Random(seed)) for seed in range(20)} for moves in LOOKS}
    assert looks == LOOKS


def missed(cells: list[tuple[int, int]], discs: int, where: int, step: int) -> float:
    """Return the factor on the probability of overlooking a line for the side with ``discs``, by `player.py`."""
    held = [discs >> column * 7 + row & 1 for column, row in cells]
    shape = IMAGINED if sum(held) < 3 else GAP if held.index(0) in (1, 2) and sum(held) == 3 else 1.0
    distance = min(abs(where - column) for column, _ in cells)
    return shape * BY_DIRECTION[step] * (NEAR if distance < 2 else FAR if distance > 2 else 1.0)


def test_a_line_is_overlooked_by_its_direction_distance_and_shape_and_diagonals_most():
    assert BY_DIRECTION[1] < BY_DIRECTION[7] < BY_DIRECTION[6] == BY_DIRECTION[8] and NEAR < 1 < FAR
    for number, board in enumerate(sample(60, 4, 38)):
        where = focus(board, random.Random(number))
        own, other = (set(seen.tolist()) for seen in seen_lines(board, 0.4, random.Random(number)))
        rng = random.Random(number)
        focus(board, rng)
        for line, step in lines():
            first = (line & -line).bit_length() - 1
            cells = [divmod(first + place * step, 7) for place in range(4)]
            for seen, discs, factor in ((own, board.current, 1.0), (other, board.opponent, OPPONENT)):
                assert (line in seen) == (rng.random() >= min(MOST, 0.4 * factor * missed(cells, discs, where, step)))


def test_what_a_player_overlooks_it_does_not_see_ahead_either(monkeypatch):
    every, none = np.array([line for line, _ in lines()]), np.array([], np.int64)
    threatened = Board.from_moves("41414")
    for seen, blocks in (((every, none), False), ((none, every), True)):
        monkeypatch.setattr("bot.learn.levels.player.seen_lines", lambda *_, seen=seen: seen)
        chosen = {LevelPlayer(2, seed).choose(threatened, LIMIT).column for seed in range(20)}
        assert (chosen == {3}) == blocks


def judged(discs: int, others: int, lines: list[int], is_first: bool) -> int:
    """Return the value of the lines that one side sees; a threat counts more in a row that is its own by zugzwang."""
    total = 0
    for line in lines:
        if not line & others:
            held = (line & discs).bit_count()
            missing = (line & ~discs).bit_length() - 1
            total += WEIGHTS[held] + ZUGZWANG * (held == 3 and (missing % 7 % 2 == 0) == is_first)
    return total


def ahead(board: Board, depth: int, own: list[int], other: list[int]) -> int:
    """Return the value of a position for the side to move, ``depth`` plies deep, by the lines that each side sees."""
    if any(line & board.opponent == line for line in other):
        return board.ply - WIN
    columns = [column for column in range(7) if board.can_play(column)]
    if depth and columns:
        return max(-ahead(board.play(column), depth - 1, other, own) for column in columns)
    is_first = board.ply % 2 == 0
    theirs = judged(board.opponent, board.current, other, not is_first)
    return judged(board.current, board.opponent, own, is_first) - theirs if columns else 0


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_player_takes_the_column_that_is_best_in_plain_python_by_what_it_sees_and_how_it_errs(depth):
    rng, never = random.Random(depth), StopFlag().flag
    for board in sample(40, 4, 40, seed=depth):
        own, other = ([line for line, _ in lines() if rng.random() < 0.8] for _ in range(2))
        errors = [rng.gauss(0.0, 10.0) for _ in range(7)]
        values = {}
        for column in filter(board.can_play, CENTRE_FIRST):
            found = -ahead(board.play(column), depth - 1, other, own)
            values[column] = found if abs(found) > WIN // 2 else found + errors[column]
            if any(line & board.play(column).opponent == line for line in own):
                values[column] = WIN
        position = board.current, board.mask, board.ply, depth
        weights = np.array([*WEIGHTS, ZUGZWANG])
        chosen = best_column(*position, np.array(own), np.array(other), weights, np.array(errors), never, never)
        assert chosen == max(values, key=values.__getitem__)


def test_a_column_whose_search_was_interrupted_is_not_preferred_to_a_bad_one(monkeypatch):
    stop, searched = StopFlag(), []

    def interrupted(_current: int, mask: int, *_: object) -> int:
        """Find the first column bad, and be interrupted in the second."""
        searched.append(mask)
        if len(searched) == 2:
            stop.set()
            return 0
        return 500

    monkeypatch.setattr("bot.learn.levels.kernels.playing.look_ahead", interrupted)
    none, errors = np.array([], np.int64), np.zeros(7)
    plain: Any = best_column
    assert plain.py_func(0, 0, 0, 6, none, none, none, errors, stop.flag, StopFlag().flag) == CENTRE_FIRST[0]
    assert len(searched) == 2


def lost_game(level: int, loser: int, seed: int) -> tuple[int, ...]:
    """Return the moves of a game that the second player, of level ``loser``, lost to ``level``."""
    while True:
        moves = play_pairing(Pairing(f"level:{level}", f"level:{loser}", f"chance/{seed}")).moves
        if Board.from_moves(moves).winner == 1:
            return tuple(moves)
        seed += 1000


@pytest.mark.parametrize(("level", "loser"), [(2, 1), (3, 3)])
def test_where_a_level_would_have_let_off_the_next_one_saves_a_tenth_and_at_later_turns_hardly_any(level, loser):
    moves = lost_game(level, loser, level)
    (found,) = chances(moves, 1, level)
    assert found.ply % 2 == 1 and found.by == level_of(level + 1).name
    again = saved_share(moves[: found.ply], level, seed=99)
    assert again is not None and again >= SHARE
    later = [saved_share(moves[:ply], level, seed=99) for ply in range(found.ply + 2, len(moves), 2)]
    assert all(share is not None and share < 2 * SHARE for share in later)


@pytest.mark.parametrize(("blind", "least", "most"), [(1, 0.9, 1.0), (2, 0.0, 0.3)])
def test_the_level_above_plays_for_the_side_that_tries_again(blind, least, most, monkeypatch):
    levels = {number: Level(number, "", "", 20.0 * (number == blind), 2) for number in (1, 2)}
    monkeypatch.setattr("bot.learn.levels.chance.level_of", levels.__getitem__)
    share = saved_share((), 1, seed=1)
    assert share is not None and least <= share <= most


def test_no_game_of_a_measurement_is_played_twice(monkeypatch):
    seeds = list[int]()

    def half(*given: Any) -> int:
        seeds.append(given[4])
        return int(given[3] // 5)

    monkeypatch.setattr("bot.learn.levels.kernels.playing.games_not_lost", half)
    assert saved_share((), 1, seed=1) == 0.2 and len({*seeds}) == len(seeds) > 1


def test_nothing_is_offered_without_a_measurement():
    stop = StopFlag()
    stop.set()
    moves = lost_game(2, 1, 2)
    assert saved_share(moves[:3], 2, seed=1, stop=stop) is None
    assert chances(moves, 1, 2, [1], stop=stop) == chances(moves, 1, MEASURED + 1) == ()


def test_a_second_try_begins_at_a_key_moment_that_the_level_let_off_and_may_begin_at_the_last_such_turn():
    moves = lost_game(2, 1, 2)
    (last,) = chances(moves, 1, 2)
    after = last.ply + 2
    assert chances(moves, 1, 2, [after, last.ply]) == (last,)
    moment, later = chances(moves, 1, 2, [after, 0, 1])
    assert (moment.ply, later) == (1, last) and moment.share >= SHARE


def test_a_turn_is_offered_from_the_share_on_that_luck_hardly_reaches(monkeypatch):
    shares = {1: 0.9, 3: OFFERED, 5: OFFERED - 0.005, 7: SHARE}
    monkeypatch.setattr("bot.learn.levels.chance.saved_share", lambda columns, *_, **_limits: shares[len(columns)])
    assert [each.ply for each in chances((3,) * 8, 1, 2, [5, 1])] == [1, 3]


def score_of(number: int, games: int, seed: int) -> float:
    """Return a level's score against the next lower one, each of them starting every second game."""
    one, other = f"level:{number}", f"level:{number - 1}"
    played = [play_pairing(pairing) for pairing in match_pairings(one, other, games, seed)]
    return float(match_result(one, other, played)["total"]["score"])


def test_a_higher_level_scores_more():
    assert score_of(2, 30, 3) > 0.6


@pytest.mark.slow
@pytest.mark.parametrize("number", range(2, 8))
def test_each_level_is_measured_in_its_range(number):
    assert 0.6 <= score_of(number, 200, 1) <= 0.8
