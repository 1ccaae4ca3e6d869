"""Kaggle's ConnectX: ``from bot.adapters.kaggle import agent`` is a whole submission where this package is installed.

Elsewhere, `bot export kaggle` writes an archive with the package in it.

The observation is that of ``kaggle_environments``: ``board`` is a list of 42 cells, the top row first, 0 empty, 1 and 2
the players' discs; ``mark`` is our number. Keys and attributes both work.
"""

from __future__ import annotations

from typing import Any

from bot.adapters.shared_engine import board_of, choose_column, reading
from bot.errors import BoardError, UsageError
from bot.game.board import CELLS, COLUMNS, ROWS

ACT_TIMEOUT_S = 2.0
"""Kaggle's default time for a move, seconds."""
MARGIN_S = 0.3
"""Seconds left unused for the transfer; Kaggle deducts any excess from 60 s of overage time."""


def agent(observation: Any, configuration: Any) -> int:
    """Return our column 0..6 within ``configuration.actTimeout`` seconds.

    Raises UsageError where the board has another size, where other than 4 in a row win, and where the observation
    cannot arise on our turn.
    """
    with reading("an observation of ConnectX", "Pass `board`, a list of 42 cells, and `mark`, 1 or 2."):
        shape = (_field(configuration, "rows", ROWS), _field(configuration, "columns", COLUMNS))
        in_a_row = _field(configuration, "inarow", 4)
        if shape != (ROWS, COLUMNS) or in_a_row != 4:
            raise UsageError(
                f"This agent plays 4 in a row on {ROWS} x {COLUMNS} cells, not {in_a_row} on {shape[0]} x {shape[1]}.",
                "Leave rows, columns and inarow at their defaults.",
            )
        cells, mark = list(_field(observation, "board", ())), _field(observation, "mark", None)
        if mark not in (1, 2):
            raise UsageError(f"The observation's mark {mark!r} is neither 1 nor 2.")
        if len(cells) != CELLS:
            raise BoardError(f"The observation's board has {len(cells)} cells instead of {CELLS}.")
        if any(cell not in (0, 1, 2) for cell in cells):
            raise BoardError("The observation's board contains cells other than 0, 1 and 2.")
        ours = [_relative(cell, mark) for cell in cells]
        board = board_of([ours[row * COLUMNS : (row + 1) * COLUMNS] for row in range(ROWS)])
        if board.ply % 2 != mark - 1:
            raise BoardError(f"With {board.ply} discs on the board it is not the turn of player {mark}.")
    return choose_column(board, _act_timeout_s(configuration), MARGIN_S)


def _relative(cell: int, mark: int) -> int:
    """Return 1 for a disc of the player ``mark``, -1 for one of the other player, and 0 for an empty cell."""
    if cell == 0:
        return 0
    return 1 if cell == mark else -1


def _act_timeout_s(configuration: Any) -> float:
    given = _field(configuration, "actTimeout", ACT_TIMEOUT_S)
    return float(given) if isinstance(given, (int, float)) and given > 0 else ACT_TIMEOUT_S


def _field(source: Any, name: str, default: Any) -> Any:
    """Return what an observation or a configuration has as a key or as an attribute."""
    try:
        value = source[name]
    except LookupError:
        value = None
    except TypeError:
        value = getattr(source, name, None)
    return default if value is None else value
