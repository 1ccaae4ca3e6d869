"""A stand-in for gym 0.26 and for the course's package `gym_connect_four`, where they cannot be used.

`loading.py` puts this module in their place, under all their names, in a child process. A move costs about as much time
as with them: `make` wraps an environment twice, and each holds a picture of its board, which `reset` draws anew.
"""

from __future__ import annotations

import pkgutil
from typing import Any

import numpy as np

NAME = "ConnectFour-v0"
"""Name under which the course's environment is made."""
_SIGNS = {1: "A", 0: " ", -1: "B"}
_COLOURS = {1: (255, 0), 0: (255, 255), -1: (0, 255)}
"""Red and green in the colour of a disc."""
_DISC = np.hypot(*np.ogrid[-24:25, -24:25]) < 24
"""Which pixels of a square belong to a disc."""


class Error(Exception):
    """An environment was used against its rules."""


class Box:
    """Arrays of whole numbers between two limits, which belong to them."""

    def __init__(self, low: int, high: int, shape: tuple[int, ...], dtype: type = int) -> None:
        self.shape = shape
        self.dtype = np.dtype(dtype)
        self.low: Any = np.full(shape, low, dtype)
        self.high: Any = np.full(shape, high, dtype)

    def sample(self) -> Any:
        """Return a random value."""
        return np.random.randint(self.low, self.high + 1)

    def contains(self, value: Any) -> bool:
        """Return whether a value has the shape and keeps within the limits."""
        return np.shape(value) == self.shape and bool(np.all((self.low <= value) & (value <= self.high)))

    __contains__ = contains


class Discrete(Box):
    """Whole numbers from 0 to below ``n``."""

    def __init__(self, n: int) -> None:
        super().__init__(0, n - 1, ())
        self.n = n


class Env:
    """Base of environments."""

    @property
    def unwrapped(self) -> Any:
        """Return the environment without wrappers."""
        return self


class Wrapper(Env):
    """Passes everything on to the environment within, but for a step before the first `reset`."""

    def __init__(self, env: Any) -> None:
        self.env = env
        self._has_reset = False

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"accessing private attribute '{name}' is prohibited")
        return getattr(self.env, name)

    @property
    def unwrapped(self) -> Any:
        """Return the environment without wrappers."""
        return self.env.unwrapped

    def step(self, action: int) -> Any:
        """Put a disc."""
        if not self._has_reset:
            raise Error("Call env.reset() before env.step().")
        return self.env.step(action)

    def reset(self, **options: Any) -> Any:
        """Start again; options need their names."""
        self._has_reset = True
        return self.env.reset(**options)


class ConnectFourEnv(Env):
    """The course's environment: the top row first, 1 for the first player's discs, -1 for the other's.

    A move does not pass the turn, which `change_player` does.
    """

    metadata = {"render.modes": ["human"]}  # noqa: RUF012 - a dictionary, as in gym
    LOSS_REWARD = -1
    DEF_REWARD = 0
    DRAW_REWARD = 0.5
    WIN_REWARD = 1

    def __init__(self, board_shape: tuple[int, int] = (6, 7), **_window: int) -> None:
        self.board_shape = board_shape
        self.observation_space = Box(-1, 1, board_shape)
        self.action_space = Discrete(board_shape[1])
        self.__screen = None
        self.reset()

    @property
    def board(self) -> Any:
        """Return a copy of the board."""
        return self.__board.copy()

    def reset(self, board: Any = None) -> Any:
        """Start from a board, which is used and not copied, or from the empty one, with player 1; return a copy."""
        self.__current_player = 1
        self.__board: Any = np.zeros(self.board_shape, dtype=int) if board is None else board
        self.__rendered_board = render_board(self.__board)
        return self.board

    def change_player(self) -> None:
        """Pass the turn."""
        self.__current_player *= -1

    def is_valid_action(self, action: int) -> Any:
        """Return whether a column's top cell is empty; negative columns count from the right, as Python's do."""
        return self.__board[0][action] == 0

    def available_moves(self) -> frozenset[int]:
        """Return the columns with room."""
        return frozenset(column for column in range(self.board_shape[1]) if self.is_valid_action(column))

    def step(self, action: int) -> tuple[Any, float, bool, dict[str, Any]]:
        """Put a disc of the player to move; return a copy of the board, the player's reward, the end and nothing.

        A full top row is a draw, even with a four.
        """
        if not self.is_valid_action(action):
            raise Exception(f"Column {action} is full; choose one of env.available_moves().")
        row = np.flatnonzero(self.__board[:, action] == 0)[-1]
        self.__board[row, action] = self.__current_player
        if np.all(self.__board[0]):
            return self.board, self.DRAW_REWARD, True, {}
        is_won = self.is_win_state()
        return self.board, (self.DEF_REWARD, self.WIN_REWARD)[is_won], is_won, {}

    def is_win_state(self) -> bool:
        """Return whether either player has four in a row."""
        board = self.__board
        lines = [*board, *board.T]
        for offset in range(3 - self.board_shape[0], self.board_shape[1] - 3):
            lines += [board.diagonal(offset), board[::-1].diagonal(offset)]
        return any(abs(sum(line[start : start + 4])) == 4 for line in lines for start in range(len(line) - 3))

    def render(self, mode: str = "console", close: bool = False) -> None:  # noqa: ARG002
        """Print the board; a window is not opened, as nobody would see it."""
        if mode not in ("console", "human"):
            raise Error(f"There is no mode {mode!r}.")
        for cells in self.__board:
            print("|", " | ".join(map(_SIGNS.__getitem__, cells)), "|")

    def close(self) -> None:
        """Close no window."""


def render_board(board: Any, **_size: int) -> Any:
    """Return a picture of a board, row 0 at the bottom: 512 rows of 512 pixels."""
    picture = np.full((512, 512, 3), 0, dtype=np.uint8)
    for (row, column), player in np.ndenumerate(board):
        top, left = 370 - 60 * row, 65 + 55 * column
        for channel, share in enumerate(_COLOURS[player]):
            np.copyto(picture[top : top + 49, left : left + 49, channel], share, where=_DISC)
    return picture


registry: dict[str, str] = {NAME: f"{__name__}:ConnectFourEnv"}
"""Places of environments, `module:class`, by name."""


def register(id: str, entry_point: str, **_options: Any) -> None:
    """Add an environment for `make`."""
    registry[id] = entry_point


def make(id: str, **options: Any) -> Wrapper:
    """Return a new environment in two wrappers, as gym puts around it."""
    if id not in registry:
        raise Error(f"No registered env with id: {id}")
    return Wrapper(Wrapper(pkgutil.resolve_name(registry[id])(**options)))
