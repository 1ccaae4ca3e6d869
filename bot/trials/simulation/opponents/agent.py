"""Foreign bots as agents, so that they can play on the embedded server."""

from __future__ import annotations

import random

import numpy as np

from bot.agents.catalogue import make_agent
from bot.engine.agent import Agent, Decision, Limit, Stop
from bot.game import Board
from bot.trials.simulation.opponents.foreign import Cells, ForeignBot
from bot.trials.simulation.opponents.roster import GROUPS, chosen, is_foreign

_EMPTY = np.zeros((6, 7), dtype=np.int8)


class ForeignAgent:
    """A foreign bot as a `bot.engine.agent.Agent`, against one student at a time."""

    def __init__(self, bot: ForeignBot, seed: int | None = None) -> None:
        """``seed`` makes its random choices repeatable."""
        self.name = bot.name
        self._answer = bot.answer
        self._random = random.Random(seed)
        self._seen = _EMPTY
        """The board after the bot's own last disc: it shows which column the student plays next."""

    def warm_up(self) -> None:
        """Compile the bot's kernels."""
        self._answer(_EMPTY.copy(), -1, 0)

    def choose(self, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:  # noqa: ARG002
        """Return the bot's column. Foreign bots are quick and know no limit."""
        if board.is_over:
            raise ValueError("the game is over")
        cells = np.array(board.to_grid(-1), dtype=np.int8)
        column = int(self._answer(cells.copy(), self._last(cells), self._random.getrandbits(30)))
        self._seen = np.array(board.play(column).to_grid(1), dtype=np.int8)
        return Decision(column, source="foreign")

    def _last(self, cells: Cells) -> int:
        """Return the column of the student's last disc; -1 if there is none, or it is uncertain."""
        for before in (self._seen, _EMPTY):
            changed = np.argwhere(cells != before)
            if len(changed) == 1 and cells[tuple(changed[0])] == 1:
                return int(changed[0][1])
        return -1


def agents_of(names: str, seed: int) -> list[Agent]:
    """Return opponents by a comma-separated list: foreign bots or their groups, else any agent by name.

    Raises UsageError for an unknown name.
    """
    found: dict[str, Agent] = {}
    for name in filter(None, (part.strip() for part in names.split(","))):
        if name in (*GROUPS, "all") or is_foreign(name):
            found |= {bot.name: ForeignAgent(bot, seed) for bot in chosen([name])}
        else:
            found[name] = make_agent(name, seed=seed)
    return list(found.values())
