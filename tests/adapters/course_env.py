"""The course's local environment as its skeleton and the 2021 report describe it, reimplemented.

Where it differs from a plain board it does as the original: one current player, 1 or -1, who does not change by
moving (set ``player``); rewards in the current player's view; an illegal move raises.
"""

from __future__ import annotations

import numpy as np

from tests.adapters.kaggle_arena import is_win


class ConnectFourEnv:
    def __init__(self) -> None:
        self.player = 1
        self.board = np.zeros((6, 7))

    def available_moves(self) -> list[int]:
        return [column for column in range(7) if self.board[0, column] == 0]

    def step(self, action: int) -> tuple[float, bool]:
        """Play a disc of the current player; return reward and end."""
        if action not in self.available_moves():
            raise ValueError("Unable to play that column")
        row = int(np.flatnonzero(self.board[:, action] == 0)[-1])
        self.board[row, action] = self.player
        won, full = is_win(self.board.flatten().tolist(), row * 7 + action), not self.available_moves()
        return 1.0 if won else 0.5 if full else 0.0, won or full
