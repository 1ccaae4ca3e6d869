"""The foreign bots: the held-out half is frozen and unlike the open one; all are legal, repeatable, as described.

They share no rule and no evaluation with the engine, whose rules check them here.
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
from bot.course.protocol import NEW_GAME, Stats
from bot.game import Board, parse_moves
from bot.trials.simulation.foreign import Cells, ForeignBot, lines
from bot.trials.simulation.roster import answering, chosen
from bot.trials.simulation.server import ServerRules, ServerState
from tests.positions import DRAWN, sample

FROZEN = {
    "held_out.py": "c6df01fa623a65d0712e7c4f3211e9ff7be1db852d762a96845ab69f63475254",
    "foreign.py": "32cf51193882cd6f08f0feb26374125eec20740be1a3c043eda81f1d3e2ce774",
    "kernels/foreign.py": "8e0152be7468b50147ad8aef59da6ff5377856bf7044f874d96d37dc15616776",
}
"""SHA-256 of the modules that the held-out bots are made of, without their imports from this package."""
every_bot = pytest.mark.parametrize("bot", chosen(["all"]), ids=lambda bot: bot.name)


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
    found = {}
    for name in FROZEN:
        source = (folder / name).read_bytes().splitlines(keepends=True)
        kept = b"".join(line for line in source if not line.startswith(b"from bot."))
        found[name] = hashlib.sha256(kept).hexdigest()
    assert found == FROZEN


def test_at_the_virtual_server_a_draw_goes_on_with_the_streak() -> None:
    moves = parse_moves(DRAWN)
    rules = ServerRules(lambda board, _last, _seed: moves[board.ply], starter="student")
    state = ServerState()
    for column in (NEW_GAME, *moves[::2]):
        state, *_ = rules.move(state, column)
    assert state.stats == Stats(1, 0, 0, 1)


def test_the_halves_have_no_evaluation_and_no_order_in_common() -> None:
    traits = []
    for half in ("open", "held-out"):
        bots = chosen([half])
        groups = {group for bot in bots for group, _points in bot.evaluation}
        orders = {bot.order for bot in bots} | {bot.arrange(bot.order, 0, 3) for bot in bots}
        traits.append((groups, orders))
    (groups, orders), (other_groups, other_orders) = traits
    assert groups and other_groups and not groups & other_groups
    assert not orders & other_orders


@every_bot
def test_answers_are_legal_and_depend_on_the_seed_only_where_they_are_random(bot: ForeignBot) -> None:
    """Equal arguments give equal answers, also after pickling, and a seed may be any integer that is not negative."""
    player, twin, seeds, varied = bot.player(), pickle.loads(pickle.dumps(bot)).player(), (0, 1, 12_345, 2**100), 0
    for board, last in positions()[:60]:
        cells = cells_of(board)
        given = [player(cells, last, seed) for seed in seeds]
        assert (cells == cells_of(board)).all() and set(given) <= set(board.legal_columns())
        assert twin(np.asfortranarray(cells), last, seeds[2]) == given[2]
        varied += len(set(given)) > 1
    assert (varied == 0) == bot.is_deterministic


@every_bot
def test_wins_are_taken_and_single_threats_blocked_as_described(bot: ForeignBot) -> None:
    player = bot.player()
    taken, blocked = [], []
    for board, last in positions():
        safe = [column for column in board.legal_columns() if not wins(board.play(column))]
        answer = player(cells_of(board), last, 1)
        if wins(board):
            taken.append(answer in wins(board))
        elif len(safe) == 1:
            blocked.append(answer in safe)
    assert len(taken) > 30 and len(blocked) > 8
    if bot.depth >= 2 and bot.fours == lines(4) and not bot.slips_permille:
        assert all(blocked) and all(taken) == bot.hurries == ("may pass over an immediate win" not in bot.description)
    if bot.takes:
        assert all(blocked) and all(taken) == (bot.takes > bot.blocks)
    assert bot.depth == 0 or bot.name.endswith(f"-{bot.depth}")
    won = sum(wins_against_chance(bot, seed) for seed in range(10))
    assert won >= 7
