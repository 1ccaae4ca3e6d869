"""The search algorithms: all return the minimax value of a plain Python program, and UCT grows the tree of another."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from bot.agents.algorithms.catalogue import ALGORITHMS, search
from bot.agents.algorithms.uct import Uct
from bot.agents.catalogue import make_agent
from bot.agents.kernels.rules import INFINITY
from bot.agents.program import CENTRE_RIGHT_FIRST
from bot.engine.agent import Limit, Stop
from bot.errors import UsageError
from bot.game import Board
from bot.trials.bench.positions import random_position
from tests.agents import reference
from tests.agents.reference import Grid

NAMES = list(ALGORITHMS)
GUESSES = (0, 1, -500, 9_999, INFINITY, -INFINITY)


def plain_values(board: Board, depth: int) -> dict[int, int]:
    """Return each legal column's minimax value with Tommy's evaluation."""
    grid, _ = reference.grid_of(board)
    return {
        column: reference.minimax(
            reference.played(grid, column, 1), -1, depth - 1, reference.tommy, lambda _grid, who, _depth: who * INFINITY
        )
        for column in board.legal_columns()
    }


@pytest.mark.parametrize(("ply", "depth"), [(0, 2), (9, 3), (16, 3), (24, 3), (34, 5), (38, 4)])
def test_every_algorithm_returns_the_minimax_value_and_the_first_best_column(ply: int, depth: int) -> None:
    chance = random.Random(f"algorithms/{ply}")
    for guess in GUESSES[:: 1 if ply > 20 else 3]:
        board = random_position(ply, chance).board
        depth = min(depth, 42 - ply)
        values = plain_values(board, depth)
        best = max(values.values())
        first = next(column for column in CENTRE_RIGHT_FIRST if values.get(column) == best)
        for name in NAMES:
            found = search(name, board, depth, guess=guess)
            assert (found.column, found.value) == (first, best), (name, board, depth, guess)


def test_deep_searches_agree_too() -> None:
    chance = random.Random("deep")
    for _ in range(4):
        board = random_position(10, chance).board
        found = {name: search(name, board, 8, guess=7) for name in NAMES if name != "minimax"}
        assert len({each.column for each in found.values()}) == 1
        assert len({each.value for each in found.values()}) == 1


def test_the_work_of_known_trees() -> None:
    """From the empty board no game ends within five plies: minimax has 7 ** 5 leaves, alpha-beta Tommy's 958."""
    board = Board()
    minimax, alpha_beta = search("minimax", board, 5), search("alpha-beta", board, 5)
    assert (minimax.leaves, minimax.nodes) == (7**5, sum(7**level for level in range(6)))
    assert (alpha_beta.value, alpha_beta.column, alpha_beta.leaves) == (27, 3, 958)
    least = 7**3 + 7**2 - 1  # Knuth and Moore 1975, for trees without transpositions
    assert min(search(name, board, 5).leaves for name in ("alpha-beta", "PVS")) >= least
    best_guess = search("MTD(f)", board, 5, guess=27)
    assert best_guess.passes == 2, "one search for each bound of a value that was guessed right"


class PlainUct:
    """UCT after Kocsis and Szepesvari, on grids: a second implementation."""

    def __init__(self, board: Board, seed: int) -> None:
        self.grid, _ = reference.grid_of(board)
        self.state = seed
        self.visits: dict[str, int] = {}
        self.points: dict[str, float] = {}

    def column(self, grid: Grid) -> int:
        """Return a random legal column."""
        self.state = self.state * 48271 % (2**31 - 1)
        legal = [column for column in range(7) if len(grid[column]) < 6]
        return legal[self.state % len(legal)]

    def chosen(self, grid: Grid, path: str) -> tuple[int, bool]:
        """Return the column to play in a tree node, and whether it is visited for the first time."""
        legal = [column for column in CENTRE_RIGHT_FIRST if len(grid[column]) < 6]
        fresh = [column for column in legal if f"{path}{column}" not in self.visits]
        if fresh:
            return fresh[0], True
        log = math.log(self.visits[path])

        def bound(column: int) -> float:
            visits = self.visits[f"{path}{column}"]
            return self.points[f"{path}{column}"] / visits + math.sqrt(2) * math.sqrt(log / visits)

        return max(legal, key=bound), False

    def playout(self) -> None:
        grid, side, path, in_tree = self.grid, 1, "", True
        while not reference.winner(grid) and not reference.is_full(grid):
            if in_tree:
                column, is_new = self.chosen(grid, path)
                path, in_tree = f"{path}{column}", not is_new
            else:
                column = self.column(grid)
            grid, side = reference.played(grid, column, side), -side
        for length in range(len(path) + 1):
            mover = -1 if length % 2 == 0 else 1
            node = path[:length]
            self.visits[node] = self.visits.get(node, 0) + 1
            self.points[node] = self.points.get(node, 0.0) + (1 + mover * reference.winner(grid)) / 2


@pytest.mark.parametrize("moves", ["334", "0102034", "44444352"])
def test_uct_grows_the_tree_of_a_second_implementation(moves: str) -> None:
    board = Board.from_moves(map(int, moves))
    plain = PlainUct(board, random.Random(5).randrange(1, 2**31 - 1))
    for _ in range(80):
        plain.playout()
    never = np.zeros(1, dtype=np.uint8)
    visits, points, _ = Uct("uct:80", 80, seed=5).grow(board, never, never)
    assert visits.tolist() == [plain.visits.get(str(column), 0) for column in range(7)]
    assert points == pytest.approx([plain.points.get(str(column), 0.0) for column in range(7)])
    assert sum(visits) == 80


def test_uct_wins_and_blocks_and_repeats_itself() -> None:
    limit = Limit(hard_s=math.inf)
    assert make_agent("uct:500", seed=1).choose(Board.from_moves([0, 1, 0, 1, 0, 1]), limit).column == 0
    assert make_agent("uct:500", seed=1).choose(Board.from_moves([0, 1, 0, 1, 0]), limit).column == 0
    first, second = (make_agent("uct:300", seed=8).choose(Board(), limit) for _ in range(2))
    assert (first.column, first.score, first.nodes, first.leaves) == (
        second.column,
        second.score,
        second.nodes,
        second.leaves,
    )
    assert first.leaves == 300


def test_uct_moves_when_it_is_stopped_before_it_begins() -> None:
    stop = Stop()
    stop.set()
    assert make_agent("uct:1000").choose(Board.from_moves([3] * 6), Limit(hard_s=math.inf), stop).column in range(7)


@pytest.mark.parametrize("name", ["uct", "uct:", "uct:0", "uct:x", "uct:1000001"])
def test_uct_needs_a_number_of_playouts(name: str) -> None:
    with pytest.raises(UsageError) as refused:
        make_agent(name)
    assert "uct:1000" in refused.value.hint
