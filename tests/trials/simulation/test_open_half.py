"""The open half of the foreign bots: legal, repeatable, different from each other and no worse than they claim."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest

from bot.trials.simulation.opponents.foreign import Cells, ForeignBot
from bot.trials.simulation.opponents.open_half import BOTS

SEEDS = (0, 1, 7, 12_345, 2**40 + 3)
PASSES_OVER_WINS = "may pass over an immediate win"
Position = tuple[Cells, int]

by_bot = pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
three_plies = pytest.mark.parametrize("bot", [b for b in BOTS if b.name.endswith("-3")], ids=lambda bot: bot.name)


def some(positions: list[Position], bot: ForeignBot) -> list[Position]:
    """Return the positions for a bot; a third of them for one whose playouts take long."""
    return positions[::3] if bot.name == "o-playouts" else positions


def open_columns(cells: Cells) -> list[int]:
    return [column for column in range(7) if cells[0, column] == 0]


def play(cells: Cells, column: int, disc: int) -> bool:
    """Drop a disc; return whether it completes four in a row."""
    row = max(row for row in range(6) if cells[row, column] == 0)
    cells[row, column] = disc
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            y, x = row + sign * down, column + sign * right
            while 0 <= y < 6 and 0 <= x < 7 and cells[y, x] == disc:
                length += 1
                y, x = y + sign * down, x + sign * right
        if length >= 4:
            return True
    return False


def random_positions(count: int, *, seed: int, fewest: int = 0, most: int = 41) -> list[Position]:
    """Return positions of random games in which the bot is to move, with the student's last column."""
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        discs = rng.randint(fewest, most)
        cells = np.zeros((6, 7), dtype=np.int8)
        last = -1
        mover = 1 if discs % 2 else -1
        for _ in range(discs):
            column = rng.choice(open_columns(cells))
            if play(cells, column, mover):
                break
            if mover == 1:
                last = column
            mover = -mover
        else:
            found.append((cells, last))
    return found


def winning_columns(cells: Cells, disc: int) -> list[int]:
    """Return the columns that complete four in a row at once."""
    return [column for column in open_columns(cells) if play(cells.copy(), column, disc)]


def loses_after(cells: Cells, column: int) -> bool:
    """Return whether the student wins at once after the bot's move."""
    after = cells.copy()
    play(after, column, -1)
    return bool(winning_columns(after, 1))


def points_against_random(bot: ForeignBot, games: int) -> tuple[int, int]:
    """Return the bot's wins and draws against a uniformly random student; the first move alternates."""
    wins = draws = 0
    for game in range(games):
        rng = random.Random(1000 + game)
        cells = np.zeros((6, 7), dtype=np.int8)
        mover, last = (1 if game % 2 else -1), -1
        while True:
            if mover == 1:
                column = last = rng.choice(open_columns(cells))
            else:
                column = bot.answer(cells.copy(), last, rng.randrange(2**31))
            if play(cells, column, mover):
                wins += mover == -1
                break
            if not open_columns(cells):
                draws += 1
                break
            mover = -mover
    return wins, draws


@pytest.fixture(scope="module")
def positions() -> list[Position]:
    """Return 320 positions, 60 of them with at most eight empty cells."""
    empty = [(np.zeros((6, 7), dtype=np.int8), -1)]
    return empty + random_positions(259, seed=1) + random_positions(60, seed=2, fewest=34, most=41)


@pytest.fixture(scope="module")
def tactical() -> list[Position]:
    """Return positions in which at least one side can complete four in a row at once."""
    found = random_positions(1200, seed=3, fewest=8, most=34)
    return [(cells, last) for cells, last in found if winning_columns(cells, -1) or winning_columns(cells, 1)]


def test_names_and_mixture() -> None:
    names = [bot.name for bot in BOTS]
    assert len(BOTS) == len(set(names)) == 6
    assert all(name.startswith("o-") and name == name.lower() for name in names)
    assert sum(bot.is_deterministic for bot in BOTS) >= 0.6 * len(BOTS)
    assert sum("over 3 plies" in bot.description for bot in BOTS) >= len(BOTS) / 2
    assert all(("over 3 plies" in bot.description) == bot.name.endswith("-3") for bot in BOTS)


@by_bot
def test_answers_are_legal_and_leave_the_board_alone(bot: ForeignBot, positions: list[Position]) -> None:
    for number, (cells, last) in enumerate(some(positions, bot)):
        before = cells.copy()
        column = bot.answer(cells, last, number)
        assert type(column) is int
        assert column in open_columns(cells)
        assert np.array_equal(cells, before)


@by_bot
def test_equal_arguments_get_equal_answers(bot: ForeignBot, positions: list[Position]) -> None:
    twin = pickle.loads(pickle.dumps(bot))
    for number, (cells, last) in enumerate(some(positions[:150], bot)):
        assert bot.answer(cells, last, number) == twin.answer(cells.copy(), last, number)


@by_bot
def test_only_random_bots_look_at_the_seed(bot: ForeignBot, positions: list[Position]) -> None:
    varied = sum(len({bot.answer(cells, last, seed) for seed in SEEDS}) > 1 for cells, last in some(positions, bot))
    assert (varied == 0) == bot.is_deterministic


def test_bots_differ_pairwise(positions: list[Position]) -> None:
    answers = {
        tuple(bot.answer(cells, last, number) for number, (cells, last) in enumerate(positions)): bot.name
        for bot in BOTS
    }
    assert len(answers) == len(BOTS)


@three_plies
def test_immediate_wins_are_taken_unless_described_otherwise(bot: ForeignBot, tactical: list[Position]) -> None:
    winning = [position for position in tactical if winning_columns(position[0], -1)]
    assert len(winning) >= 100
    missed = sum(bot.answer(cells, last, 5) not in winning_columns(cells, -1) for cells, last in winning)
    assert (missed > 0) == (PASSES_OVER_WINS in bot.description)


@three_plies
def test_a_single_threat_is_blocked_unless_described_otherwise(bot: ForeignBot, tactical: list[Position]) -> None:
    answers = []
    for cells, last in tactical:
        threats = winning_columns(cells, 1)
        if len(threats) == 1 and not winning_columns(cells, -1) and not loses_after(cells, threats[0]):
            answers.append(bot.answer(cells, last, 5) == threats[0])
    assert len(answers) >= 50
    has_defect = "does not know" in bot.description or "is random" in bot.description
    assert all(answers) != has_defect


@by_bot
def test_share_of_wins_against_a_random_student(bot: ForeignBot) -> None:
    wins, draws = points_against_random(bot, 40)
    print(f"{bot.name}: {wins} wins and {draws} draws in 40 games against a random student")
    assert wins >= (36 if bot.name.endswith("-3") else 24)
