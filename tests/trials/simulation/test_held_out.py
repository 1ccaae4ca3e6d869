"""Tests of the held-out opponents, with rules of Connect Four written independently of the kernels."""

from __future__ import annotations

import pickle
import random
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from bot.trials.simulation.opponents.foreign import Cells, ForeignBot
from bot.trials.simulation.opponents.held_out import BOTS, THREE_PLIES

BOT, STUDENT = -1, 1
Position = tuple[Cells, int]
BY_NAME = {bot.name: bot for bot in BOTS}
every_bot = pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
every_deterministic_bot = pytest.mark.parametrize(
    "bot", [bot for bot in BOTS if bot.is_deterministic], ids=lambda bot: bot.name
)


def board(*lines: str) -> Cells:
    """Return the cells of the lowest rows: ``o`` for the bot, ``x`` for the student, ``.`` for empty."""
    cells = np.zeros((6, 7), dtype=np.int8)
    for row, line in enumerate(lines, start=6 - len(lines)):
        cells[row] = [{"o": BOT, "x": STUDENT, ".": 0}[sign] for sign in line]
    return cells


def legal_columns(cells: Cells) -> list[int]:
    """Return the columns that are not full."""
    return [column for column in range(7) if cells[0, column] == 0]


def after(cells: Cells, column: int, player: int) -> Cells:
    """Return the position after the player's disc."""
    result: Cells = cells.copy()
    result[max(row for row in range(6) if cells[row, column] == 0), column] = player
    return result


def has_four(cells: Cells, player: int) -> bool:
    """Check whether the player has four in a row."""
    own = cells == player
    pairs = own[:, :-1] & own[:, 1:]
    falling, rising = own[:-1, :-1] & own[1:, 1:], own[:-1, 1:] & own[1:, :-1]
    upright = own[:-1] & own[1:]
    return bool(
        (pairs[:, :-2] & pairs[:, 2:]).any()
        or (upright[:-2] & upright[2:]).any()
        or (falling[:-2, :-2] & falling[2:, 2:]).any()
        or (rising[:-2, 2:] & rising[2:, :-2]).any()
    )


def winning_columns(cells: Cells, player: int) -> list[int]:
    """Return the columns in which the player wins at once."""
    return [column for column in legal_columns(cells) if has_four(after(cells, column, player), player)]


def random_position(rng: random.Random, discs: int) -> Position:
    """Return an unfinished position of at most this many discs with the bot to move, and the student's last column."""
    cells, last, player = np.zeros((6, 7), dtype=np.int8), -1, STUDENT if discs % 2 else BOT
    for _ in range(discs):
        safe = [column for column in legal_columns(cells) if not has_four(after(cells, column, player), player)]
        if not safe:
            break
        column = rng.choice(safe)
        cells = after(cells, column, player)
        last = column if player == STUDENT else last
        player = -player
    if player == STUDENT or not legal_columns(cells):
        return random_position(rng, discs)
    return cells, last


@cache
def all_positions() -> tuple[Position, ...]:
    """Return 600 random positions from empty to nearly full; a quarter of them come from at least 36 plies."""
    rng = random.Random(2021)
    return tuple(random_position(rng, rng.randint(36, 41) if i % 4 == 0 else rng.randint(0, 35)) for i in range(600))


def positions(count: int) -> tuple[Position, ...]:
    """Return the first positions of the set."""
    return all_positions()[:count]


@cache
def winnable_positions() -> tuple[Position, ...]:
    """Return the positions in which the bot wins at once."""
    return tuple((cells, last) for cells, last in all_positions() if winning_columns(cells, BOT))


@cache
def forced_positions() -> tuple[tuple[Cells, int, int], ...]:
    """Return the positions without a win but with a threat and exactly one safe column, and that column."""
    result = []
    for cells, last in all_positions():
        if winning_columns(cells, STUDENT) and not winning_columns(cells, BOT):
            columns = legal_columns(cells)
            safe = [column for column in columns if not winning_columns(after(cells, column, BOT), STUDENT)]
            if len(safe) == 1:
                result.append((cells, last, safe[0]))
    return tuple(result)


def wins_against_random_mover(bot: ForeignBot, games: int) -> float:
    """Return the share of games that the bot wins against uniformly random moves, with both starting players."""
    wins = 0
    for game in range(games):
        rng, player, last = random.Random(game), (BOT, STUDENT)[game % 2], -1
        cells = np.zeros((6, 7), dtype=np.int8)
        while legal_columns(cells):
            if player == BOT:
                column = bot.answer(cells, last, game)
            else:
                column = last = rng.choice(legal_columns(cells))
            cells = after(cells, column, player)
            if has_four(cells, player):
                wins += player == BOT
                break
            player = -player
    return wins / games


def outcome(cells: Cells, player: int, left: int) -> int:
    """Return the plain minimax value, for the bot, of a position after the player's disc; faster wins score higher."""
    if has_four(cells, player):
        return -player * (1 + left)
    if left == 0 or not legal_columns(cells):
        return 0
    values = [outcome(after(cells, column, -player), -player, left - 1) for column in legal_columns(cells)]
    return min(values) if player == BOT else max(values)


def test_the_bots_have_unique_names_and_the_agreed_mixture() -> None:
    """14 bots, at least half of them at 3 plies and 60 % deterministic."""
    assert len(BOTS) == len(BY_NAME) == 14
    assert all(bot.name.startswith("h-") and bot.name == bot.name.lower() for bot in BOTS)
    assert len(THREE_PLIES) >= 7
    assert all("3 plies" in bot.description for bot in THREE_PLIES)
    assert sum(bot.is_deterministic for bot in BOTS) >= 0.6 * len(BOTS)


@every_bot
def test_every_answer_is_legal_repeatable_and_leaves_the_board_alone(bot: ForeignBot) -> None:
    """Equal arguments give the same legal column, also after pickling."""
    copy = pickle.loads(pickle.dumps(bot))
    fullest = 0
    for i, (cells, last) in enumerate(positions(60 if bot.name == "h-playouts" else 200)):  # its playouts take long
        before = cells.copy()
        column = bot.answer(cells, last, i)
        assert column in legal_columns(cells)
        assert type(column) is int
        assert copy.answer(np.asfortranarray(cells), last, i) == column
        assert (cells == before).all()
        fullest = max(fullest, int(np.count_nonzero(cells)))
    assert fullest >= 40


@every_bot
def test_large_seeds_are_accepted(bot: ForeignBot) -> None:
    """A seed may be any non-negative integer."""
    for seed in (0, 2**32, 2**63 - 1, 2**64, 2**100):
        assert bot.answer(np.zeros((6, 7), dtype=np.int8), -1, seed) in range(7)


@every_deterministic_bot
def test_deterministic_bots_ignore_the_seed(bot: ForeignBot) -> None:
    """Equal positions get equal answers whatever the seed."""
    for cells, last in positions(200):
        assert len({bot.answer(cells, last, seed) for seed in (0, 1, 12345, 2**40)}) == 1


@pytest.mark.parametrize("bot", [bot for bot in BOTS if not bot.is_deterministic], ids=lambda bot: bot.name)
def test_random_bots_depend_on_the_seed(bot: ForeignBot) -> None:
    """Some position gets different answers for different seeds."""
    assert any(len({bot.answer(cells, last, seed) for seed in range(8)}) > 1 for cells, last in positions(200))


def test_the_bots_are_pairwise_different() -> None:
    """No two bots give the same answers to 300 positions."""
    answers = {bot.name: [bot.answer(cells, last, 1) for cells, last in positions(300)] for bot in BOTS}
    for one, other in combinations(answers, 2):
        assert answers[one] != answers[other], f"{one} and {other} are the same bot"


@pytest.mark.parametrize("bot", THREE_PLIES, ids=lambda bot: bot.name)
def test_an_immediate_win_is_taken_unless_the_description_says_otherwise(bot: ForeignBot) -> None:
    """The bots that pass over wins do so at least once, the others never."""
    taken = [bot.answer(cells, last, 1) in winning_columns(cells, BOT) for cells, last in winnable_positions()]
    assert len(taken) > 100
    assert all(taken) == ("may pass over an immediate win" not in bot.description)


@pytest.mark.parametrize("bot", THREE_PLIES, ids=lambda bot: bot.name)
def test_a_single_threat_is_blocked_unless_there_is_a_win(bot: ForeignBot) -> None:
    """A bot that searches 3 plies blocks when it cannot win and one block averts every loss."""
    assert len(forced_positions()) > 30
    for cells, last, column in forced_positions():
        assert bot.answer(cells, last, 1) == column


def test_the_search_agrees_with_plain_minimax() -> None:
    """Alpha-beta with the tie order from the centre finds the column that minimax without pruning finds."""
    bot = BY_NAME["h-outcome-centre"]
    decided = 0
    for cells, last in positions(60):
        values = {column: outcome(after(cells, column, BOT), BOT, 2) for column in legal_columns(cells)}
        best = [column for column in (3, 2, 4, 1, 5, 0, 6) if values.get(column) == max(values.values())]
        decided += len(best) < len(values)
        assert bot.answer(cells, last, 0) == best[0]
    assert decided > 20


@every_bot
def test_the_bot_beats_a_random_mover(bot: ForeignBot) -> None:
    """Bots at 3 plies win at least nine games in ten, the others more than three in four."""
    assert wins_against_random_mover(bot, games=200) >= (0.9 if bot in THREE_PLIES else 0.75)


def test_the_lost_diagonal_is_not_seen() -> None:
    """The bot wins on a falling diagonal, and blocks instead of winning on a rising one."""
    falling = board("o......", "xo....x", "xxo...x", "oxx...x")
    rising = falling[:, ::-1].copy()
    assert winning_columns(falling, BOT) == winning_columns(rising, BOT) == [3]
    assert BY_NAME["h-lost-diagonal"].answer(falling, 6, 0) == 3
    assert BY_NAME["h-outcome-centre"].answer(rising, 0, 0) == 3
    assert BY_NAME["h-lost-diagonal"].answer(rising, 0, 0) == 0


def test_the_block_comes_before_the_win() -> None:
    """The bot that blocks first blocks in column 0 although it wins in column 6."""
    cells = board("x......", "x......", "x..ooo.")
    assert BY_NAME["h-block-first"].answer(cells, 0, 0) == 0
    assert BY_NAME["h-never-twice"].answer(cells, 0, 0) in winning_columns(cells, BOT)


def test_the_follower_plays_in_the_students_column() -> None:
    """Without a win or a block the bot answers above the student's disc."""
    assert BY_NAME["h-block-first"].answer(board("....x.."), 4, 0) == 4


def test_the_avoider_never_plays_in_its_last_column() -> None:
    """Columns that may hold the bot's last disc are avoided, also beneath the student's last disc."""
    cells = board("..x....", "..o.ox.")
    answers = {BY_NAME["h-never-twice"].answer(cells, 2, seed) for seed in range(200)}
    assert answers == {0, 1, 3, 5, 6}


def test_slips_are_rare() -> None:
    """About 1 answer in 20 of the slipping bot differs from its usual one."""
    empty = np.zeros((6, 7), dtype=np.int8)
    answers = [BY_NAME["h-slipping-five"].answer(empty, -1, seed) for seed in range(2000)]
    assert 40 < sum(column != 3 for column in answers) < 140


def test_the_tie_order_turns_with_the_number_of_discs() -> None:
    """On the empty board the first column is played; a disc on the board moves the start one column further."""
    bot = BY_NAME["h-turning-order"]
    assert bot.answer(np.zeros((6, 7), dtype=np.int8), -1, 0) == 0
    assert bot.answer(board("......x"), 6, 0) == 1
