"""The fixture of positions whose scores two independent solvers agree on (see data/make_positions.py)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bot.game import Board
from bot.trials.bench.positions import Position, read_positions

FILE = Path(__file__).parent / "data" / "positions.txt"


@dataclass(frozen=True)
class SolvedPosition:
    """An unfinished position, how it came about, and its exact score."""

    columns: tuple[int, ...]
    board: Board
    score: int


@cache
def fixture() -> tuple[SolvedPosition, ...]:
    """Return all positions of the fixture."""
    return tuple(solved(position) for position in read_positions(FILE))


def solved(position: Position) -> SolvedPosition:
    """Return a position with its score; every line of the fixture has one."""
    assert position.score is not None
    return SolvedPosition(position.columns, position.board, position.score)


def some(count: int, least: int, most: int = 41, seed: int = 1) -> list[SolvedPosition]:
    """Return the same ``count`` positions of ``least`` to ``most`` discs each time."""
    return random.Random(seed).sample([found for found in fixture() if least <= found.board.ply <= most], count)
