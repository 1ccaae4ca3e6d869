"""The search of Listing 1 in plain Python, with a deep copy of the environment for every node.

It shows how long the report's own program may have thought. The search follows Listing 1 step by step. The report does
not list its environment: there are a plain one, which offers what Listing 1 uses, and our stand-in for the course's. It
does not list its evaluation either: this one is the recommended reading.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
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


class PlainEnvironment:
    """What Listing 1 asks of the course's ConnectFourEnv: a board, row 0 on top, with 1 for the student's discs."""

    def __init__(self, board: NDArray[np.int64]) -> None:
        self.cells = board
        self.player = 1

    @property
    def board(self) -> NDArray[np.int64]:
        return np.array(self.cells)

    def change_player(self) -> None:
        self.player = -self.player

    def step(self, column: int) -> None:
        row = max(row for row in range(ROWS) if self.cells[row][column] == 0)
        self.cells[row][column] = self.player

    def available_moves(self) -> frozenset[int]:
        return frozenset(column for column in range(WIDTH) if self.cells[0][column] == 0)

    def is_win_state(self) -> bool:
        return any(length >= 4 for _, length in runs(self.cells))


def runs(board: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Yield whose each longest run of adjacent discs is, and its length; a lone disc is one in each direction."""
    discs = {cell: disc for cell, disc in zip(np.ndindex(board.shape), board.ravel().tolist(), strict=True) if disc}
    for ((row, column), player), (down, right) in product(discs.items(), DIRECTIONS):
        if discs.get((row - down, column - right)) != player:  # no run that began before
            length = 1
            while discs.get((row + length * down, column + length * right)) == player:
                length += 1
            yield player, length


def streaks_eval(state: NDArray[np.int64]) -> int:
    """Return the recommended reading: columns and longest runs of the student, less those of the opponent."""
    total: int = (state @ WORTH).sum().item()
    return total + sum(player * STREAKS[min(length, 4) - 2] for player, length in runs(state) if length > 1)


Environment = PlainEnvironment | ConnectFourEnv


def course_environment(board: NDArray[np.int64]) -> ConnectFourEnv:
    """Return the course's environment: every step tests for four in a row, and a copy has the picture that it holds."""
    env = ConnectFourEnv()
    env.reset(board)
    return env


class Listing1(PaperAgent):
    """The agent that searches as Listing 1; its nodes are the deep copies."""

    in_course = False
    """Whether it copies the course's environment."""

    def search(self, board: Board, depth: int, counters: Counters, flag: Flag) -> Found:
        """Return the value and the column that Listing 1 finds."""
        env = (course_environment if self.in_course else PlainEnvironment)(np.array(board.to_grid()))
        try:
            return Searching(env, counters, flag).minimax(depth)
        except InterruptedError:
            return 0, -1


class Searching:
    """The class of Listing 1. ``env`` is the game's real environment, which line 107 asks."""

    def __init__(self, env: Environment, counters: Counters, stop: Flag) -> None:
        self.env, self.counters, self.stop = env, counters, stop

    def copied(self, environ: Environment) -> Environment:
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

    def max_play(self, environ: Environment, alpha: int, beta: int, depth: int) -> int:
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

    def min_play(self, environ: Environment, alpha: int, beta: int, depth: int) -> int:
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
