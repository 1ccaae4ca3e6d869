"""All opponents of simulations by name and group."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bot.errors import UsageError
from bot.game import Board
from bot.trials.simulation import held_out, open_half
from bot.trials.simulation.foreign import ForeignBot
from bot.trials.simulation.server import AnswerFunction

RANDOM = ForeignBot("random", "Any legal column.", open_half.LOWEST, is_random=True)
GROUPS: dict[str, tuple[ForeignBot, ...]] = {"open": open_half.BOTS, "held-out": held_out.BOTS, "random": (RANDOM,)}
"""Constants of the client may be tuned on "open" only."""
GROUP_OF = {bot.name: group for group, bots in GROUPS.items() for bot in bots}
"""The group of each bot, by name."""


def chosen(names: Sequence[str]) -> list[ForeignBot]:
    """Return the bots of these names or groups ("all": both halves), each once; raises UsageError."""
    known = {**GROUPS, "all": open_half.BOTS + held_out.BOTS}
    known |= {bot.name: (bot,) for bots in GROUPS.values() for bot in bots}
    found: dict[str, ForeignBot] = {}
    for name in names:
        if name not in known:
            raise UsageError(f"There is no opponent named {name!r}.", f"Choose among {', '.join(known)}.")
        found |= {bot.name: bot for bot in known[name]}
    return list(found.values())


def answering(bot: ForeignBot) -> AnswerFunction:
    """Return the bot's answer function for the virtual server. Answers of deterministic bots are cached."""
    player = bot.player()
    known: dict[tuple[Board, int], int] = {}

    def answer(board: Board, last: int, seed: int) -> int:
        key = (board, last)
        if key in known:
            return known[key]
        column = player(np.array(board.to_grid(-1), dtype=np.int8), last, seed)
        if bot.is_deterministic:
            known[key] = column
        return column

    return answer
