"""Checks of a book: its consistency, the game's known result, and a sample of positions solved again."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bot.engine.book.lookup import Book, board_of_key, complete, unfinished_layers
from bot.game import Board
from bot.game.notation import column_name

OPENING = {0: -2, 1: -1, 2: 0, 3: 1, 4: 0, 5: -1, 6: -2}
"""Known score of every first move (Allis 1988, Allen 1988): column 4 wins, 3 and 5 draw, the others lose."""


def induction_errors(book: Book) -> list[int]:
    """Return the keys that are missing or superfluous, or whose score is not the best of their children's scores.

    Scores of the deepest ply are not checked.
    """
    scores = dict(zip(book.keys, book.scores, strict=True))
    *_, deepest = unfinished_layers(book.plies)
    missing = [key for key in deepest if key not in scores]
    if missing:
        return missing
    right = complete({key: scores[key] for key in deepest}, book.plies)
    induced = dict(zip(right.keys, right.scores, strict=True))
    return sorted(key for key in scores.keys() | induced.keys() if scores.get(key) != induced.get(key))


def opening_errors(book: Book) -> list[str]:
    """Return a sentence for each contradiction between the book and the known result of the game."""
    errors = []
    if book.score(Board()) != 1:
        errors.append(f"the empty board scores {book.score(Board())}, not +1")
    for column, score in enumerate(book.column_scores(Board()) or []):  # a book of ply 0 has none
        if score != OPENING[column]:
            errors.append(f"column {column_name(column)} scores {score}, not {OPENING[column]}")
    return errors


def sample_errors(book: Book, sample: int, seed: int) -> Iterator[int | None]:
    """Solve a random sample of the deepest ply again; yield the key where the score differs, else None."""
    from bot.engine.solver import Solver

    solver = Solver()
    deepest = [key for key in book.keys if board_of_key(key).ply == book.plies]
    for key in random.Random(seed).sample(deepest, min(sample, len(deepest))):
        board = board_of_key(key)
        yield None if solver.solve(board).score == book.score(board) else key
