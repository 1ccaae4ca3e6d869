"""PettingZoo's connect_four_v3: a policy from its observation to an action.

::

    for name in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        env.step(None if termination or truncation else policy(observation))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.adapters.shared_engine import board_of, choose_column
from bot.errors import BoardError, UsageError
from bot.game.board import COLUMNS, ROWS


def policy(observation: Mapping[str, Any], limit_s: float = 5.0) -> int:
    """Return our action 0..6 within ``limit_s`` seconds.

    ``observation["observation"]`` is an array of shape (6, 7, 2), the top row first: plane 0 holds the discs of the
    player to move, plane 1 the other's. ``observation["action_mask"]``, if present, must allow an action. Raises
    UsageError on any other observation.
    """
    planes = observation["observation"]
    shape = getattr(planes, "shape", None)
    if shape != (ROWS, COLUMNS, 2):
        raise BoardError(f"The observation's shape is {shape} instead of {(ROWS, COLUMNS, 2)}.")
    mask = observation.get("action_mask")
    if mask is not None and not any(mask):
        raise UsageError(
            "The action mask allows no action.", "Call the policy for the player to move, while the game runs."
        )
    if (planes[..., 0] * planes[..., 1]).any():
        raise BoardError("A cell of the observation contains discs of both players.")
    grid = planes[..., 0].astype(int) - planes[..., 1]
    column = choose_column(board_of(grid.tolist()), limit_s)
    if mask is not None and not mask[column]:
        raise BoardError(f"The action mask forbids column {column}, which has room.")
    return column
