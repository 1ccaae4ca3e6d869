"""The textbook searches: all return the minimax value of a plain Python program, and UCT grows a recorded tree."""

from __future__ import annotations

import numpy as np
import pytest

from bot.agents.algorithms.catalogue import ALGORITHMS, search
from bot.agents.algorithms.uct import Uct
from bot.agents.kernels.rules import INFINITY
from bot.game import Board
from tests.agents import reference
from tests.positions import sample

GUESSES = (0, 1, -500, 9_999, INFINITY, -INFINITY)
UCT = """\
334 | 0/6 6/15 2/9 5/13 1/8 8/17 4/12
0102034 | 17/25 6/13 2/8 2/9 5/12 0/6 1/7
44444352 | 6.5/16 2/10 5/14 4/13 1/9 2/10 1/8
 | 2/7 10/15 6/12 11/16 1/6 12/17 2/7
3333330000001 | 0/0 2/12 10/24 0/0 3/14 4/15 4/15"""
"""Points and visits of the columns after 80 playouts, from a second implementation in plain Python (at e8a7ab4)."""


@pytest.mark.parametrize(("least", "most", "depth"), [(0, 9, 2), (10, 24, 3), (34, 38, 5)])
def test_every_algorithm_returns_the_minimax_value_and_the_first_best_column(least, most, depth):
    for board, guess in zip(sample(6, least, most, seed=depth), GUESSES, strict=True):
        values = reference.column_values(board, depth, reference.TOMMY)
        best = max(values.values())
        first = max(values, key=lambda x: values[x])
        for name in ALGORITHMS:
            found = search(name, board, depth, guess=guess)
            value = max(-INFINITY, min(INFINITY, best))
            assert (found.column, found.value) == (first, value), (name, board, depth, guess)


def test_the_work_of_known_trees():
    """From the empty board no game ends within five plies: minimax has 7 ** 5 leaves, alpha-beta Tommy's 958."""
    found = {name: search(name, Board(), 5, guess=27) for name in ALGORITHMS}
    minimax, alpha_beta = found["minimax"], found["alpha-beta"]
    assert (minimax.leaves, minimax.nodes) == (7**5, sum(7**level for level in range(6)))
    assert (alpha_beta.value, alpha_beta.column, alpha_beta.leaves) == (27, 3, 958)
    least = 7**3 + 7**2 - 1  # Knuth and Moore 1975, for trees without transpositions
    assert min(found[name].leaves for name in ("alpha-beta", "PVS")) >= least
    assert found["MTD(f)"].passes == 2, "one search for each bound of a value that was guessed right"


@pytest.mark.parametrize("line", UCT.splitlines())
def test_uct_grows_the_recorded_tree(line):
    moves, columns = line.split(" | ") if line[0] != " " else ("", line[3:])
    never = np.zeros(1, dtype=np.uint8)
    visits, points, _ = Uct("uct:80", 80, seed=5).grow(Board.from_moves(map(int, moves)), never, never)
    assert " ".join(f"{won:g}/{count}" for won, count in zip(points, visits, strict=True)) == columns
