"""Openings, drawn by seed."""

from __future__ import annotations

import random

from bot.game import Board

_ATTEMPTS = 50
"""Draws without a new opening after which the set repeats: there are only seven positions after one ply."""
Columns = tuple[int, ...]
"""Moves from the empty board, columns 0..6."""


def mirror_key(board: Board) -> frozenset[Board]:
    """Return what a position and its mirror image have in common, and no other position has."""
    return frozenset((board, board.mirror()))


def random_opening(plies: int, seed: int | str) -> Columns:
    """Return ``plies`` random columns (0..6) that do not end the game, or fewer if every next column would."""
    rng = random.Random(f"opening/{seed}")
    board, columns = Board(), list[int]()
    for _ in range(plies):
        quiet = [column for column in board.legal_columns() if not board.play(column).is_over]
        if not quiet:
            break
        columns.append(rng.choice(quiet))
        board = board.play(columns[-1])
    return tuple(columns)


def opening_set(plies: int, count: int, seed: int | str) -> list[Columns]:
    """Return ``count`` random openings, the same for equal arguments; a longer set begins with the shorter one.

    No two lead to the same position or to its mirror image, and in none can the side to move win at once, as long as
    there are enough of them; after that they repeat.
    """
    openings: dict[frozenset[Board], Columns] = {}
    attempt = 0
    while len(openings) < count and attempt < _ATTEMPTS:
        opening = random_opening(plies, f"{seed}/{len(openings)}/{attempt}")
        board = Board.from_moves(opening)
        attempt += 1
        if mirror_key(board) not in openings and not any(map(board.wins_with, range(7))):
            openings[mirror_key(board)] = opening
            attempt = 0
    # After some plies, each position may hold a win at once.
    different = list(openings.values()) or [random_opening(plies, seed)]
    return [different[number % len(different)] for number in range(count)]
