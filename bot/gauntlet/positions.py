"""Positions: drawn by seed or listed in full, and the public set of solved ones.

The set is text, after a comment one position a line: the moves (1-7), the exact score, and the scores of the seven
columns from the left, separated by commas, with a dash for a full column.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from bot.game import Board, parse_moves

PUBLIC = Path(__file__).with_name("data") / "positions.txt"
"""The public set of judged positions."""
_ATTEMPTS = 50
"""Draws without a new opening after which the set repeats: there are only seven positions after one ply."""
Columns = tuple[int, ...]
"""Moves from the empty board, columns 0..6."""
ColumnScores = tuple[int | None, ...]
"""The exact score of each column, in the view of the side to move; None where it is full."""


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


def all_openings(plies: int) -> list[Columns]:
    """Return one order of moves for each position after ``plies`` (0..6) plies, one of each two that mirror another."""
    openings: dict[frozenset[Board], Columns] = {}
    for columns in product(range(7), repeat=plies):
        openings.setdefault(mirror_key(Board.from_moves(columns)), columns)
    return list(openings.values())


@dataclass(frozen=True, slots=True)
class ScoredPosition:
    """An unfinished position with at least two playable columns, and their exact scores for the side to move."""

    columns: Columns
    scores: ColumnScores

    @property
    def board(self) -> Board:
        return Board.from_moves(self.columns)

    @property
    def ply(self) -> int:
        return len(self.columns)


def read_positions() -> list[ScoredPosition]:
    """Return the positions of the public set, which `tests/gauntlet/public_set.py` draws and writes."""
    found = []
    for line in PUBLIC.read_text(encoding="ascii").splitlines()[1:]:
        moves, _, scores = line.split()
        columns = [None if text == "-" else int(text) for text in scores.split(",")]
        found.append(ScoredPosition(parse_moves(moves), tuple(columns)))
    return found
