"""The course's local environment as its skeleton and the 2021 report describe it, reimplemented.

Where it differs from a plain board it does as the original: one current player, 1 or -1, who does not change by
moving; rewards in the current player's view; an illegal move raises.
"""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class StepResult(NamedTuple):
    board: NDArray[np.float64]
    reward: float
    done: bool
    info: dict[str, str]


class ConnectFourEnv:
    def __init__(self, board_shape: tuple[int, int] = (6, 7)) -> None:
        self._shape = board_shape
        self.reset()

    def reset(self, board: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        self._player = 1
        self._board = np.zeros(self._shape) if board is None else board.copy()
        return self.board

    @property
    def board(self) -> NDArray[np.float64]:
        return self._board.copy()

    def change_player(self) -> int:
        self._player = -self._player
        return self._player

    def available_moves(self) -> frozenset[int]:
        return frozenset(column for column in range(self._shape[1]) if self._board[0, column] == 0)

    def step(self, action: int) -> StepResult:
        if action not in self.available_moves():
            raise ValueError("Unable to play that column")
        row = int(np.flatnonzero(self._board[:, action] == 0)[-1])
        self._board[row, action] = self._player
        won = self.is_win_state()
        full = not self.available_moves()
        return StepResult(self.board, 1.0 if won else 0.5 if full else 0.0, won or full, {})

    def is_win_state(self) -> bool:
        rows, columns = self._shape
        for row in range(rows):
            for column in range(columns):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    end = (row + 3 * down, column + 3 * right)
                    if 0 <= end[0] < rows and 0 <= end[1] < columns:
                        four = [self._board[row + i * down, column + i * right] for i in range(4)]
                        if abs(sum(four)) == 4:
                            return True
        return False


def opponents_move(env: ConnectFourEnv, chance: random.Random) -> StepResult:
    """Play a random move of the other side, as the skeleton does."""
    env.change_player()
    told = env.step(chance.choice(sorted(env.available_moves())))
    env.change_player()
    return told._replace(reward=-1.0) if told.reward == 1 else told
