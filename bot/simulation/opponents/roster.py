"""All opponents of simulations by name and group."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from bot.errors import UsageError
from bot.game import Board
from bot.simulation.opponents.foreign import ForeignBot
from bot.simulation.server import Answer

GROUPS = ("open", "held-out")


def group(name: str) -> tuple[ForeignBot, ...]:
    """Return the bots of a group of GROUPS. Constants may be tuned on "open" only."""
    if name == "open":
        from bot.simulation.opponents.open_half import BOTS

        return BOTS
    from bot.simulation.opponents.held_out import BOTS as HELD_OUT

    return HELD_OUT


@cache
def by_name() -> dict[str, ForeignBot]:
    """Return every foreign bot by its name."""
    return {bot.name: bot for name in GROUPS for bot in group(name)}


def chosen(names: Sequence[str]) -> list[ForeignBot]:
    """Return the bots of these names or groups ("open", "held-out", "all"); raises UsageError."""
    found: list[ForeignBot] = []
    for name in names:
        if name in GROUPS:
            found += group(name)
        elif name == "all":
            found += by_name().values()
        elif name in by_name():
            found.append(by_name()[name])
        else:
            known = ", ".join([*GROUPS, "all", *by_name()])
            raise UsageError(f"There is no foreign bot named {name!r}.", f"Choose among {known}.")
    return found


def answering(bot: ForeignBot) -> Answer:
    """Return the bot as the virtual server asks it. Answers of deterministic bots are remembered."""
    known: dict[tuple[Board, int], int] = {}

    def answer(board: Board, last: int, seed: int) -> int:
        key = (board, last)
        if bot.is_deterministic and key in known:
            return known[key]
        cells = np.array(board.to_grid(-1), dtype=np.int8)
        column = int(bot.answer(cells, last, seed))
        if bot.is_deterministic:
            known[key] = column
        return column

    return answer
