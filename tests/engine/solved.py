"""The fixture of positions whose scores two independent solvers agree on (see data/make_positions.py)."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

from bot.bench.positions import Position, read_positions

FILE = Path(__file__).parent / "data" / "positions.txt"


@cache
def fixture() -> tuple[Position, ...]:
    """All of it."""
    return tuple(read_positions(FILE))


def some(count: int, least: int, most: int = 41, seed: int = 1) -> list[Position]:
    """The same ``count`` positions of ``least`` to ``most`` discs each time."""
    return random.Random(seed).sample([found for found in fixture() if least <= found.board.ply <= most], count)
