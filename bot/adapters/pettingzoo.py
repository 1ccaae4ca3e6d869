"""PettingZoo's connect_four_v3: a policy from its observation to an action.

::

    for name in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        env.step(None if termination or truncation else policy(observation))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.adapters.shared_engine import board_of, choose_column, reading
from bot.errors import BoardError, UsageError
from bot.game.board import COLUMNS, ROWS


def policy(observation: Mapping[str, Any], limit_s: float = 5.0) -> int:
    """Return our action 0..6 within ``limit_s`` seconds.

    ``observation["observation"]`` is an array of shape (6, 7, 2), the top row first: plane 0 holds the discs of the
    player to move, plane 1 the other's. ``observation["action_mask"]``, if present, must allow an action. Raises
    UsageError on any other observation.
    """
    hint = 'Pass the first value of env.last(), a dict whose "observation" is an array of shape (6, 7, 2).'
    with reading("an observation of connect_four_v3", hint):
        planes, mask = observation["observation"], observation.get("action_mask")
        if planes.shape != (ROWS, COLUMNS, 2):
            raise BoardError(f"The observation's shape is {planes.shape} instead of {(ROWS, COLUMNS, 2)}.")
        allowed = [column for column in range(COLUMNS) if mask is None or mask[column]]
        mine, theirs = planes[..., 0], planes[..., 1]
        if not ((planes == 0) | (planes == 1)).all() or (mine * theirs).any():
            raise BoardError("A cell of the observation contains discs of both players, or is neither 0 nor 1.")
        board = board_of((mine.astype(int) - theirs).tolist())
    if not allowed:
        raise UsageError(
            "The action mask allows no action.", "Call the policy for the player to move, while the game runs."
        )
    column = choose_column(board, limit_s)
    if column not in allowed:
        raise BoardError(f"The action mask forbids column {column}, which has room.")
    return column
