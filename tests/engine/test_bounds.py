"""What kernels know without a search, against searches that try everything by the plain rules of the board.

Bounds are never wrong, and the last two discs of an attack are decided as by such a search.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from bot.engine.jit.bits import playable_cells, winning_cells
from bot.engine.kernels.attacks import defence_holds
from bot.engine.kernels.bounds import NONE, first_has_odd_threat, second_follows_up, second_is_too_slow
from bot.game import Board
from tests.positions import sample, solved


def can_win_at_once(board: Board) -> bool:
    return any(map(board.wins_with, range(7)))


def is_too_slow(board: Board, moves: int) -> bool:
    """Return whether the kernel excludes a win of the second player, who is to move, with ``moves`` discs."""
    first = board.current ^ board.mask
    cells = playable_cells(board.mask), winning_cells(first, board.mask)
    is_asked = board.ply % 2 == 1 and not can_win_at_once(board)
    return is_asked and second_is_too_slow(first, board.current, *cells, moves)


def bound_by_following_up(board: Board) -> int:
    """Return the upper bound of the score that the one who is not to move proves by following up, or NONE."""
    current, other = board.current, board.current ^ board.mask
    cells = playable_cells(board.mask), winning_cells(other, board.mask)
    if board.ply % 2:
        return -first_has_odd_threat(current, board.mask, *cells)
    return second_follows_up(current, other, board.mask, *cells)


@cache
def wins_within(board: Board, discs: int) -> bool:
    """Return whether the side to move can win with at most that many discs, by trying everything."""
    if can_win_at_once(board):
        return True
    return discs > 1 and any(leaves_no_defence(board.play(column), discs - 1) for column in board.legal_columns())


def leaves_no_defence(board: Board, discs: int) -> bool:
    """Return whether the side that is not to move wins with that many discs, whatever is played now."""
    replies = map(board.play, board.legal_columns())
    return not board.is_over and all(not reply.is_over and wins_within(reply, discs) for reply in replies)


@pytest.mark.parametrize("side", [0, 1])
def test_no_solved_score_is_above_the_bound_by_following_up(side):
    quiet = [known for known in solved() if known.board.ply % 2 == side and not can_win_at_once(known.board)]
    bounds = [(known.score, bound_by_following_up(known.board)) for known in quiet]
    assert sum(bound != NONE for _, bound in bounds) > 40
    assert all(score <= bound for score, bound in bounds)


@pytest.mark.parametrize("moves", [3, 4])
def test_a_win_that_is_too_slow_is_never_there(moves):
    slow = [known for known in solved() if is_too_slow(known.board, moves)]
    assert len(slow) > 90
    assert all(known.score <= max(0, 21 - known.board.ply // 2 - moves) for known in slow)
    others = [board for board in sample(2000, 13, 24, seed=moves) if is_too_slow(board, moves)]
    assert len(others) > 60
    assert not any(wins_within(board, moves) for board in others[:120])


def safe_children(board: Board) -> list[Board]:
    """Return the boards after the moves that let the other side make no four at once."""
    return [child for child in map(board.play, board.legal_columns()) if not can_win_at_once(child)]


def threats_of(board: Board) -> int:
    """Return the cells that complete four for the side that is not to move."""
    return winning_cells(board.current ^ board.mask, board.mask)


def tense_positions(games: int, seed: int) -> Iterator[Board]:
    """Yield the positions of games in which both sides make threats and neither allows a four that it can prevent."""
    chance = random.Random(seed)
    for _ in range(games):
        board = Board()
        while not board.is_over:
            yield board
            children = [*map(board.play, board.legal_columns())]
            choices = [child for child in children if child.has_winner] or safe_children(board) or children
            tried = chance.sample(choices, min(2, len(choices)))
            board = max(tried, key=lambda child: threats_of(child).bit_count())


def test_the_last_two_discs_of_an_attack_are_decided_as_by_full_search():
    found = Counter[str]()
    for board in tense_positions(250, seed=7):
        safe, passed = safe_children(board), Board(board.current ^ board.mask, board.mask)
        if len(safe) < 2 or can_win_at_once(board) or can_win_at_once(passed) or not 14 <= board.ply <= 38:
            continue  # after ply 38 the attacker has no two discs left
        holds = not leaves_no_defence(board, 2)
        cells = sum(child.mask ^ board.mask for child in safe)
        assert bool(defence_holds(board.current, board.mask, cells)) == holds, board
        result = "holds" if holds else "fails"
        found.update(["checked", f"{'2' if len(safe) == 2 else '3 or more'} safe moves, {result}"])
        is_forcing = any(threats_of(child) & playable_cells(child.mask) for child in safe)
        found[f"a safe move threatens four, {result}"] += is_forcing
    assert found["checked"] > 2000
    for kind in ("2 safe moves", "3 or more safe moves"):
        assert found[f"{kind}, holds"] > 50
        assert found[f"{kind}, fails"] > 10
    assert found["a safe move threatens four, fails"] > 5
