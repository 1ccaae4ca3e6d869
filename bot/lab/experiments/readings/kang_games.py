"""The games of every reading of Kang's Table 9: Heuristic-1 against Heuristic-2 at equal depth."""

from __future__ import annotations

from itertools import product
from typing import Any

from bot.lab.experiments.base import Task
from bot.lab.experiments.records import pairing_json

OPEN_CHOICES: dict[str, tuple[str, ...]] = {
    "ties": ("lowest", "highest", "centre", "random"),
    "clock": ("own moves", "both sides' discs"),
    "open three": ("a won game but for the end", "900,000"),
}
"""What the text leaves open of a program: the column played of equal ones, what "every three moves" counts, and the
value "infinity" of three with both ends available. Who starts is open too: see `STARTERS`."""
OPTIONS = {
    "both sides' discs": ",plies=1",
    "own moves": "",
    "900,000": ",open=900000",
    "a won game but for the end": "",
}
STARTERS = ("H1 starts", "H2 starts")
"""Both are played; where the sides start in turn, both halves count."""
TRAINING_DEPTHS, HELD_OUT_DEPTH = (2, 4, 6), 8
"""Rows of Table 9 that choose among the readings, and the row that is held out."""
QUICK_DEPTHS = (2, 4)
GAMES, QUICK_GAMES, FINAL_GAMES = 50, 5, 25
"""Games of each reading, starter and depth: in the training rows, in a quick run, and in the row that is held out."""
FINALISTS, QUICK_FINALISTS = 2, 0
"""Programs that play the held-out row."""
BLOCK = 25
"""Games in one task."""
QUICK_STEP = 4


def programs() -> list[dict[str, str]]:
    """Return all readings of the programs."""
    return [dict(zip(OPEN_CHOICES, choice, strict=True)) for choice in product(*OPEN_CHOICES.values())]


def names(program: dict[str, str], depth: int) -> tuple[str, str]:
    """Return the names of H1 and H2."""
    common = f"random=3,ties={program['ties']}{OPTIONS[program['clock']]}"
    return f"kang-h1:{depth},{common}{OPTIONS[program['open three']]}", f"kang-h2:{depth},{common}"


def tasks(quick: bool, seed: int) -> list[Task]:
    """Return blocks of games of the training rows for each reading of the programs and each starter."""
    chosen = programs()[::QUICK_STEP] if quick else programs()
    depths, games = (QUICK_DEPTHS, QUICK_GAMES) if quick else (TRAINING_DEPTHS, GAMES)
    return [task for depth in depths for program in chosen for task in blocks(program, depth, games, seed)]


def blocks(program: dict[str, str], depth: int, games: int, seed: int) -> list[Task]:
    """Return the games of one reading of the programs at one depth, either side starting."""
    size = min(BLOCK, games)
    return [
        {
            "program": program,
            "starter": starter,
            "depth": depth,
            "games": [_game(program, starter, depth, f"{seed}/{number}") for number in range(start, start + size)],
        }
        for starter in STARTERS
        for start in range(0, games, size)
    ]


def _game(program: dict[str, str], starter: str, depth: int, seed: str) -> dict[str, Any]:
    one, other = names(program, depth)
    return pairing_json(*((one, other) if starter == STARTERS[0] else (other, one)), seed)
