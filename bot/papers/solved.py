"""Positions in which studies ask: openings, and the public set of solved ones; and which columns keep an outcome.

The set is text, after a comment one position a line: the moves (1-7), the exact score, and the scores of the seven
columns from the left, separated by commas, with a dash for a full column.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path

from bot.engine.score import sign
from bot.engine.shared import ready_analyst
from bot.game import Board, format_moves, parse_moves
from bot.gauntlet.positions import Columns, mirror_key

PUBLIC = Path(__file__).with_name("positions.txt")
"""The public set of solved positions."""
ColumnScores = tuple[int | None, ...]
"""The exact score of each column, in the view of the side to move; None where it is full."""


@cache
def read_positions() -> dict[Columns, ColumnScores]:
    """Return the scores of the public set's positions, which `tests/papers/public_set.py` draws and writes."""
    found: dict[Columns, ColumnScores] = {}
    for line in PUBLIC.read_text(encoding="ascii").splitlines()[1:]:
        moves, _, scores = line.split()
        found[parse_moves(moves)] = tuple([None if text == "-" else int(text) for text in scores.split(",")])
    return found


def solved(step: int = 1, first: int = 0, last: int = 42) -> list[str]:
    """Return every ``step``-th solved position with ``first`` to ``last`` discs, as moves."""
    chosen = [columns for columns in read_positions() if first <= len(columns) <= last]
    return [format_moves(columns) for columns in chosen[::step]]


def openings(discs: int, step: int = 1) -> list[str]:
    """Return every ``step``-th position of 0 to 6 discs, one of two that mirror one another, as moves."""
    found: dict[frozenset[Board], str] = {}
    for columns in product(range(7), repeat=discs):
        found.setdefault(mirror_key(Board.from_moves(columns)), format_moves(columns))
    return [*found.values()][::step]


def solved_scores(columns: Columns) -> ColumnScores:
    """Return the exact scores of the position after these moves (columns 0..6), from the book or by the solver."""
    found = ready_analyst().columns(Board.from_moves(columns))
    return tuple(None if column is None else column.score for column in found)


@cache
def exact_scores(columns: Columns) -> ColumnScores:
    """Return the exact scores of the position after these moves (columns 0..6); the public set's are known."""
    return read_positions().get(columns) or solved_scores(columns)


def keeps_outcome(start: str, column: int) -> bool:
    """Return whether a column (1 to 7) keeps the outcome of a position, given as moves: won, drawn or lost."""
    scores = exact_scores(parse_moves(start))
    best, played = max(score for score in scores if score is not None), scores[column - 1]
    return played is not None and sign(played) == sign(best)
