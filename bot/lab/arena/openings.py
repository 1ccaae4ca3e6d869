"""Opening sets: random positions by seed, without repetition, from which both agents start once."""

from __future__ import annotations

import random

from bot.game import Board

_ATTEMPTS = 50
"""Draws without a new opening after which the set repeats: there are only seven positions after one ply."""


def random_opening(plies: int, seed: int | str) -> tuple[int, ...]:
    """Return ``plies`` random columns (0..6) that do not end the game, or fewer if every next column would."""
    rng = random.Random(f"opening/{seed}")
    board, columns = Board(), []
    for _ in range(plies):
        quiet = [column for column in board.legal_columns() if not board.play(column).is_over]
        if not quiet:
            break
        columns.append(rng.choice(quiet))
        board = board.play(columns[-1])
    return tuple(columns)


def opening_set(plies: int, count: int, seed: int | str) -> list[tuple[int, ...]]:
    """Return ``count`` random openings, the same for equal arguments; a longer set begins with the shorter one.

    No two lead to the same position or to its mirror image, and in none can the side to move win at once, as long as
    there are enough of them; after that they repeat.
    """
    seen: set[tuple[int, int]] = set()
    openings: list[tuple[int, ...]] = []
    attempt = 0
    while len(openings) < count and attempt < _ATTEMPTS:
        opening = random_opening(plies, f"{seed}/{len(openings)}/{attempt}")
        board = Board.from_moves(opening)
        attempt += 1
        if _key(board) not in seen and not any(map(board.wins_with, range(7))):
            seen.add(_key(board))
            openings.append(opening)
            attempt = 0
    different = openings or [random_opening(plies, seed)]  # after some plies, each position may hold a win at once
    return [different[number % len(different)] for number in range(count)]


def _key(board: Board) -> tuple[int, int]:
    """Return what a position and its mirror image have in common."""
    mirrored = board.mirror()
    return min((board.current, board.mask), (mirrored.current, mirrored.mask))
