"""The foreign bots: the held-out half is frozen; the open half is legal, repeatable, and no worse than it claims.

They share no rule and no evaluation with the engine; the engine's rules and a plain minimax check them here.
"""

from __future__ import annotations

import hashlib
import pickle
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest

import bot.trials.simulation
from bot.game import Board
from bot.trials.simulation.opponents.foreign import Cells, ForeignBot
from bot.trials.simulation.opponents.roster import answering, chosen
from tests.positions import sample

FROZEN = {
    "opponents/held_out.py": "8bdcaf6b3151187de58243091c2ede689ceefe3807eac9da0b966f16c56fc066",
    "kernels/held_out.py": "64bf0b589c6ce2397c78254eefb3d14fd011b861a5a42b2c12c0d227e08af37c",
    "kernels/held_out_rules.py": "d175aec73f082b4d5096060cb8b398e7a702841a58b4b5e5db2a07968f5c5d87",
}
"""SHA-256 of the modules, without their imports from this package, which may move."""
every_open_bot = pytest.mark.parametrize("bot", chosen(["open"]), ids=lambda bot: bot.name)


@cache
def positions() -> tuple[tuple[Board, int], ...]:
    """Return 200 positions, each with a column that is not empty as the student's last one."""
    dice, found = Random(2021), sample(200, 0, 41)
    taken = [[column for column in range(7) if board.mask >> 7 * column & 1] for board in found]
    return tuple((board, dice.choice(columns or [-1])) for board, columns in zip(found, taken, strict=True))


def cells_of(board: Board) -> Cells:
    return np.array(board.to_grid(-1), dtype=np.int8)


def wins(board: Board) -> list[int]:
    return [column for column in board.legal_columns() if board.wins_with(column)]


def wins_against_chance(bot: ForeignBot, seed: int) -> bool:
    """Return whether the bot, which moves first, wins a game against random columns."""
    answer, dice = answering(bot), Random(seed)
    board, last = Board(), -1
    while not board.is_over:
        board = board.play(answer(board, last, seed))
        if not board.is_over:
            last = dice.choice(board.legal_columns())
            board = board.play(last)
    return board.winner == 1


def test_a_change_of_the_held_out_half_would_make_its_figures_incomparable_with_all_earlier_ones() -> None:
    folder = Path(bot.trials.simulation.__file__).parent
    for name, digest in FROZEN.items():
        lines = (folder / name).read_bytes().splitlines(keepends=True)
        kept = b"".join(line for line in lines if not line.startswith(b"from bot."))
        assert hashlib.sha256(kept).hexdigest() == digest, name


@every_open_bot
def test_answers_are_legal_and_depend_on_the_seed_only_where_they_are_random(bot: ForeignBot) -> None:
    """Equal arguments give equal answers, also after pickling, and a seed may be any integer that is not negative."""
    twin, seeds, varied = pickle.loads(pickle.dumps(bot)), (0, 1, 12_345, 2**100), 0
    for board, last in positions()[: 25 if "playouts" in bot.name else 100]:
        cells = cells_of(board)
        given = [bot.answer(cells, last, seed) for seed in seeds]
        assert (cells == cells_of(board)).all() and set(given) <= set(board.legal_columns())
        assert twin.answer(np.asfortranarray(cells), last, seeds[2]) == given[2]
        varied += len(set(given)) > 1
    assert (varied == 0) == bot.is_deterministic


@every_open_bot
def test_wins_are_taken_and_single_threats_blocked_as_described(bot: ForeignBot) -> None:
    taken, blocked = [], []
    for board, last in positions():
        safe = [column for column in board.legal_columns() if not wins(board.play(column))]
        answer = bot.answer(cells_of(board), last, 1)
        if wins(board):
            taken.append(answer in wins(board))
        elif len(safe) == 1:
            blocked.append(answer in safe)
    assert len(taken) > 30 and len(blocked) > 8
    if "3 plies" in bot.description:
        assert all(blocked) and all(taken) == ("may pass over an immediate win" not in bot.description)
    won = sum(wins_against_chance(bot, seed) for seed in range(10))
    assert won >= 8
