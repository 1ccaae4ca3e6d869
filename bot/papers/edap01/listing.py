"""The search of Listing 1 in plain Python, with a deep copy of the environment for every node.

It shows how long the report's own program may have thought. The search follows Listing 1 step by step. Its environment
is the course's, as we stand in for it where gym is not installed. The report does not list its evaluation: this one is
the recommended reading.
"""

from __future__ import annotations

import copy
from itertools import product

import numpy as np
from numpy.typing import NDArray

from bot.agents.external.course_env import ConnectFourEnv
from bot.agents.kernels.arrays import Counters
from bot.agents.kernels.rules import LEAVES
from bot.agents.paper import Found, PaperAgent
from bot.engine.jit.arrays import Flag
from bot.game import Board
from bot.game.columns import CENTRE_FIRST
from bot.papers.edap01.program import BOUND, COLUMNS, STREAKS

ROWS, WIDTH = 6, 7
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
WORTH = (COLUMNS[2], COLUMNS[2], COLUMNS[1], COLUMNS[0], COLUMNS[1], COLUMNS[2], COLUMNS[2])


def streaks_eval(state: NDArray[np.int64]) -> int:
    """Return the recommended reading: columns and longest runs of the student, less those of the opponent."""
    cells, total = state.tolist(), 0
    for row, column in product(range(ROWS), range(WIDTH)):
        player = cells[row][column]
        if not player:
            continue
        total += player * WORTH[column]
        for down, right in DIRECTIONS:
            if held(cells, row - down, column - right) == player:
                continue  # the run began before
            length = 1
            while length < 4 and held(cells, row + length * down, column + length * right) == player:
                length += 1
            if length > 1:
                total += player * STREAKS[length - 2]
    return total


def held(cells: list[list[int]], row: int, column: int) -> int:
    """Return whose disc a cell holds; 0 for an empty one, and beyond the edge."""
    return cells[row][column] if 0 <= row < ROWS and 0 <= column < WIDTH else 0


class Listing1(PaperAgent):
    """The agent that searches as Listing 1; its nodes are the deep copies."""

    def search(self, board: Board, depth: int, counters: Counters, flag: Flag) -> Found:
        """Return the value and the column that Listing 1 finds."""
        env = ConnectFourEnv()
        env.reset(np.array(board.to_grid()))
        try:
            return Searching(env, counters, flag).minimax(depth)
        except InterruptedError:
            return 0, -1


class Searching:
    """The class of Listing 1. ``env`` is the game's real environment, which line 107 asks."""

    def __init__(self, env: ConnectFourEnv, counters: Counters, stop: Flag) -> None:
        self.env, self.counters, self.stop = env, counters, stop

    def copied(self, environ: ConnectFourEnv) -> ConnectFourEnv:
        """Return a deep copy, and count it; raise InterruptedError where the search must end."""
        from bot.agents.kernels.search import is_stopped

        if is_stopped(self.counters, self.stop):
            raise InterruptedError
        return copy.deepcopy(environ)

    def leaf(self, state: NDArray[np.int64]) -> int:
        """Return a leaf's value, and count it."""
        self.counters[LEAVES] += 1
        return streaks_eval(state)

    def minimax(self, depth: int) -> Found:
        """Return the best value and its first column; alpha is the same for every column."""
        environ, values = self.copied(self.env), []
        for move in sorted(environ.available_moves(), key=lambda column: abs(3 - column)):
            new_env = self.copied(environ)
            new_env.step(move)
            values.append((self.min_play(new_env, -BOUND, BOUND, depth - 1), move))
        return max(values, key=lambda pair: pair[0])

    def max_play(self, environ: ConnectFourEnv, alpha: int, beta: int, depth: int) -> int:
        """Return the value where the student moves."""
        state, legal = environ.board, environ.available_moves()
        if environ.is_win_state():
            return self.leaf(state) + depth
        if depth == 0 or not legal:
            return self.leaf(state)
        best = -BOUND
        for column in CENTRE_FIRST:
            if column in legal:
                new_env = self.copied(environ)
                new_env.step(column)
                best = max(best, self.min_play(new_env, alpha, beta, depth - 1))
                if best >= beta:
                    return best
                alpha = max(alpha, best)
        return best

    def min_play(self, environ: ConnectFourEnv, alpha: int, beta: int, depth: int) -> int:
        """Return the value where the opponent moves; it tests the real game for four in a row, as printed."""
        state, legal = environ.board, environ.available_moves()
        if self.env.is_win_state():
            return self.leaf(state) + depth
        if depth == 0 or not legal:
            return self.leaf(state)
        best = BOUND
        for column in CENTRE_FIRST:
            if column in legal:
                new_env = self.copied(environ)
                new_env.change_player()
                new_env.step(column)
                new_env.change_player()
                best = min(best, self.max_play(new_env, alpha, beta, depth - 1))
                if best <= alpha:
                    return best
                beta = min(beta, best)
        return best
