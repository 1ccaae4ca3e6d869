"""The choice over possible worlds against exhaustive search, and the worlds against a real server's behaviour."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from bot.client.tracking import Position
from bot.client.wire import BadReplyError, MoveReply, Stats
from bot.client.worlds import (
    EMPTY,
    ILLEGAL_SCORE,
    NEW_GAME,
    World,
    after_unknown,
    choose,
    narrow_by_reply,
    narrow_by_stats,
    prospect,
    successors,
)
from bot.game import Board


@cache
def value(board: Board) -> int:
    """Plain negamax on the field's scale: the reference for late positions."""
    if board.has_winner:
        return -(22 - (board.ply + 1) // 2)
    if board.is_full:
        return 0
    return max(-value(board.play(column)) for column in board.legal_columns())


@cache
def exact(board: Board) -> list[int | None]:
    return [-value(board.play(column)) if board.can_play(column) else None for column in range(7)]


def late_position(chance: random.Random, plies: int) -> Position | None:
    """A random position of so many discs with us to move; moves that would end the game are avoided."""
    position = Position(Board(), we_started=plies % 2 == 0)
    for _ in range(plies):
        quiet = [
            column for column in range(7) if position.board.can_play(column) and not position.board.wins_with(column)
        ]
        if not quiet:
            return None
        position = position.play(chance.choice(quiet))
    return position


def sign(number: float) -> int:
    return (number > 0) - (number < 0)


def chance_to_live(score: int, board: Board) -> float:
    """A won or drawn column lives; a lost one the longer, the more plies there are until the bot's four."""
    if score >= 0:
        return 1.0 if score else 0.97
    plies = 2 * (22 + score) - board.ply
    if board.ply % 2 == 0:
        return float(np.interp(plies, [4, 32], [0, 0.9]))
    return float(np.interp(plies, [8, 13, 23, 25, 33, 38], [0, 0.08, 0.14, 0.42, 0.6, 0.9]))


def brute_force(worlds: set[World]) -> list[int]:
    """Every column that is as good as any by the rule of the module, written as plainly as it is stated."""
    boards = {world.playing.board for world in worlds}
    odds = {board: sum(world.odds for world in worlds if world.playing.board == board) for board in boards}
    rows = {board: [ILLEGAL_SCORE if score is None else score for score in exact(board)] for board in boards}
    legal = [column for column in range(7) if all(row[column] != ILLEGAL_SCORE for row in rows.values())]
    safe = [column for column in legal if all(sign(row[column]) == sign(max(row)) for row in rows.values())]

    def mean(column: int) -> float:
        return round(sum(odds[board] * row[column] for board, row in rows.items()) / sum(odds.values()), 8)

    if safe and all(max(row) >= 0 for row in rows.values()):
        rating = {column: (min(row[column] for row in rows.values()), mean(column)) for column in safe}
    else:
        rating = {
            column: (
                round(sum(odds[board] * chance_to_live(row[column], board) for board, row in rows.items()), 8),
                round(sum(odds[board] * sign(row[column]) for board, row in rows.items()), 8),
                mean(column),
            )
            for column in safe or range(7)
        }
    best = max(rating.values())
    return [column for column in rating if rating[column] == pytest.approx(best)]


def test_ten_thousand_ambiguous_situations_are_decided_as_exhaustive_search_does() -> None:
    chance = random.Random(20240229)
    drawn = (late_position(chance, chance.randint(36, 39)) for _ in range(400))
    pool = [position for position in drawn if position is not None][:120]
    assert len(pool) > 60
    decided = unsafe = 0
    while decided < 10_000:
        worlds = {World(chance.choice(pool))}
        for _ in range(chance.choice((1, 1, 1, 2))):
            legal = [column for column in range(7) if any(w.playing.board.can_play(column) for w in worlds)]
            worlds = after_unknown(worlds, chance.choice(legal))
        # A game that ended and silently began anew is left out: plain Python cannot solve an opening.
        going_on = (world for world in worlds if world.position and world.ended == 0)
        running = sorted(going_on, key=lambda world: world.playing.board.mask)
        known = set(chance.sample(running, chance.randint(min(2, len(running)), len(running))))
        choice = choose(known, exact)
        assert choice.column in brute_force(known), (known, choice)
        decided += 1
        unsafe += not choice.safe
    assert 100 < unsafe < 9_900, "both kinds of situation must have been met"


def test_a_lost_opening_leaves_no_game_and_eight_openings() -> None:
    worlds = after_unknown({World(None)}, NEW_GAME)
    assert worlds == {World(None), World(EMPTY)} | {
        World(Position(Board().play(column), we_started=False)) for column in range(7)
    }


def test_an_opening_over_a_running_game_costs_a_loss_in_every_world_that_processed_it() -> None:
    running = World(Position(Board(), we_started=True).play(3).play(3))
    assert {(world.ended, world.lost) for world in successors(running, NEW_GAME)} == {(1, 1)}


def test_a_move_into_a_full_column_loses_at_once() -> None:
    position = Position(Board(), we_started=True)
    for column in (0, 0, 0, 0, 0, 0):
        position = position.play(column)
    assert successors(World(position), 0) == {World(None, 1, 0, 1)}


def test_the_books_tell_an_unprocessed_win_from_a_processed_one() -> None:
    position = Position(Board(), we_started=True)
    for column in (0, 1, 0, 1, 0, 1):
        position = position.play(column)
    worlds = after_unknown({World(position)}, 0)
    before = Stats(played=5, won=3, lost=1, streak=2)
    assert narrow_by_stats(worlds, before, before) == {World(position)}
    assert narrow_by_stats(worlds, before, Stats(6, 4, 1, 3)) == {World(None, 1, 1, 0)}


def grid_of(position: Position) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(row) for row in position.grid)


@pytest.mark.parametrize("processed", [False, True])
def test_the_next_reply_tells_which_world_was_true(processed: bool) -> None:
    known = Position(Board(), we_started=True).play(3).play(3)
    worlds = after_unknown({World(known)}, 2)
    truth = known.play(2).play(4) if processed else known
    after = truth.play(3).play(5)
    reply = MoveReply(True, None, 5, 0.0, grid_of(after))
    world, position = narrow_by_reply(worlds, 3, reply)
    assert world.position == truth
    assert position.board == after.board
    assert position.moves == after.moves


def test_a_board_that_fits_no_world_is_refused() -> None:
    known = Position(Board(), we_started=True).play(3).play(3)
    stranger = Position(Board(), we_started=True).play(6).play(6).play(6).play(0)
    with pytest.raises(BadReplyError):
        narrow_by_reply(after_unknown({World(known)}, 2), 3, MoveReply(True, None, 0, 0.0, grid_of(stranger)))


def test_a_game_that_ended_unseen_is_told_by_the_board_of_the_next_one() -> None:
    position = Position(Board(), we_started=True)
    for column in (0, 1, 0, 1, 0, 1):
        position = position.play(column)
    worlds = after_unknown({World(position)}, 0)
    opened = EMPTY.play(3).play(2)
    world, now = narrow_by_reply(worlds, 3, MoveReply(True, None, 2, 0.0, grid_of(opened)))
    assert (world.ended, world.won) == (1, 1)
    assert now.board == opened.board


def test_no_world_is_no_choice() -> None:
    with pytest.raises(ValueError, match="no world"):
        choose([], exact)


@pytest.mark.parametrize("ply", [8, 9, 20, 21])
def test_the_prospect_of_a_loss_grows_with_its_distance_and_stays_below_a_draw(ply: int) -> None:
    scores = [score for score in range(-18, 0) if 2 * (22 + score) > ply]
    told = [prospect(score, ply) for score in scores]
    assert told == sorted(told)
    assert told[0] == 0.0 and told[-1] < prospect(0, ply) < prospect(1, ply) == 1.0
    board = Board(0, (1 << ply) - 1)
    assert told == pytest.approx([chance_to_live(score, board) for score in scores])


def test_the_odds_of_all_that_may_be_true_add_up_to_one() -> None:
    chance = random.Random(7)
    twice = 0
    for plies in [*range(8, 42)] * 4:
        position = late_position(chance, plies)
        if position is None:
            continue
        for column in position.board.legal_columns():
            worlds = successors(World(position), column)
            assert sum(world.odds for world in worlds) == pytest.approx(1.0)
            twice += sum(world.lost for world in worlds) and max(world.odds for world in worlds if world.lost) > 0.3
            both = after_unknown({World(position)}, column, processed=0.3)
            assert sum(world.odds for world in both) == pytest.approx(1.0)
    assert twice, "two answers that end the game alike are one world"


def test_thousands_of_worlds_are_decided_in_bounded_work() -> None:
    worlds = {World(EMPTY.play(3).play(3))}
    for column in (3, 3, 2, 4):
        worlds = after_unknown(worlds, column)
    boards = {world.playing.board for world in worlds}
    assert len(boards) > 700
    asked: list[Board] = []

    def scores(board: Board) -> list[float | None]:
        asked.append(board)
        return [0.0 if board.can_play(column) else None for column in range(7)]

    choice = choose(worlds, scores)
    assert len(asked) == 300
    assert all(board.can_play(choice.column) for board in boards)


def test_ten_lost_replies_in_a_row_leave_a_bounded_number_of_worlds() -> None:
    worlds = {World(EMPTY.play(3).play(3))}
    for number in range(10):
        worlds = after_unknown(worlds, number % 7, processed=0.6)
    assert 1000 < len(worlds) <= 5000
    assert max(worlds, key=lambda world: world.odds).odds > 0
