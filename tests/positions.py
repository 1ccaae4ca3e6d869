"""The positions of all tests: random ones for properties, and 2,235 whose exact scores two solvers agree on.

- `boards()` is the hypothesis strategy; `sample(...)` returns the same random boards each time.
- `solved(...)` and `some(...)` give positions with moves, board and exact score (`tests/engine/data/positions.txt`).
- `FIRST_WON`, `SECOND_WON`, `DRAWN` and `BEYOND_BOOK` are games as moves, for plain examples.

All boards but those three games are unfinished.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from bot.game import Board, parse_moves

SOLVED = Path(__file__).parent / "engine" / "data" / "positions.txt"
"""Lines of moves, exact score and kind; BitBully and this project's solver agree on each."""
FIRST_WON = "1212121"
SECOND_WON = "12121262"
DRAWN = "257771314744647214154617633623313656555222"
BEYOND_BOOK = "3117537462"
"""Ten discs; the shipped book ends at nine."""


@dataclass(frozen=True, slots=True)
class SolvedPosition:
    """An unfinished position, the columns 0 to 6 that lead to it, and its exact score for the side to move."""

    columns: tuple[int, ...]
    board: Board
    score: int


@cache
def solved(least: int = 8, most: int = 40) -> tuple[SolvedPosition, ...]:
    """Return all solved positions of ``least`` to ``most`` discs."""
    lines = [line.split() for line in SOLVED.read_text().splitlines() if not line.startswith("#")]
    found = []
    for moves, score, _kind in lines:
        columns = parse_moves(moves)
        if least <= len(columns) <= most:
            found.append(SolvedPosition(columns, Board.from_moves(columns), int(score)))
    return tuple(found)


def some(count: int, least: int = 8, most: int = 40, seed: int = 1) -> list[SolvedPosition]:
    """Return the same ``count`` of them each time; from ply 14 on each is solved in milliseconds."""
    return random.Random(seed).sample(solved(least, most), count)


def play_out(choices: list[int]) -> Board:
    """Return the board after ``choices``, each an index into the columns that do not end the game."""
    board = Board()
    for choice in choices:
        going_on = [column for column in board.legal_columns() if not board.play(column).is_over]
        if not going_on:
            break
        board = board.play(going_on[choice % len(going_on)])
    return board


def boards() -> st.SearchStrategy[Board]:
    """Generate unfinished positions, shrinking towards few discs."""
    return st.lists(st.integers(0, 6), max_size=41).map(play_out)


def sample(count: int, least: int, most: int, seed: int = 1) -> list[Board]:
    """Return the same ``count`` positions of ``least`` to ``most`` discs each time."""
    chance = random.Random(seed)
    found: list[Board] = []
    while len(found) < count:
        board = play_out([chance.randrange(7) for _ in range(chance.randint(least, most))])
        if board.ply >= least:
            found.append(board)
    return found
