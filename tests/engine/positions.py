"""Positions for property tests: unfinished, reached by legal moves, shrinking towards few discs."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from bot.game import Board


def play_out(choices: list[int]) -> Board:
    """Return the board after ``choices``, each an index into the columns that do not end the game."""
    board = Board()
    for choice in choices:
        going_on = [column for column in board.legal_columns() if not board.play(column).is_over]
        if not going_on:
            break
        board = board.play(going_on[choice % len(going_on)])
    return board


def boards(least: int = 0, most: int = 41) -> st.SearchStrategy[Board]:
    """Generate unfinished positions of about ``least`` to ``most`` discs."""
    return st.lists(st.integers(0, 6), min_size=least, max_size=most).map(play_out)


def sample(count: int, least: int, most: int, seed: int = 1) -> list[Board]:
    """Return the same ``count`` unfinished positions each time."""
    chance = random.Random(seed)
    found: list[Board] = []
    while len(found) < count:
        board = play_out([chance.randrange(7) for _ in range(chance.randint(least, most))])
        if board.ply >= least:
            found.append(board)
    return found
