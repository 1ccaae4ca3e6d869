"""All opponents of simulations by name and group."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from bot.errors import UsageError
from bot.game import Board
from bot.trials.simulation.chooser import live_chooser
from bot.trials.simulation.opponents.foreign import Cells, ForeignBot
from bot.trials.simulation.server import AnswerFunction

GROUPS = ("open", "held-out")
"""Constants may be tuned on "open" only."""


@cache
def group(name: str) -> dict[str, ForeignBot]:
    """Return the bots of one of GROUPS by their names."""
    from bot.trials.simulation.opponents import held_out, open_half

    bots = open_half.BOTS if name == "open" else held_out.BOTS
    return {bot.name: bot for bot in bots}


def group_of(name: str) -> str:
    """Return the group of a bot; `perfect` and `random` are groups of their own."""
    return next((each for each in GROUPS if name in group(each)), name)


def bot_called(name: str) -> ForeignBot:
    """Return a foreign bot, `perfect` or `random`; raises UsageError."""
    every = {**group("open"), **group("held-out"), **OTHERS}
    if name not in every:
        known = ", ".join([*GROUPS, "all", *OTHERS, *group("open"), *group("held-out")])
        raise UsageError(f"There is no opponent named {name!r}.", f"Choose among {known}.")
    return every[name]


def chosen(names: Sequence[str]) -> list[ForeignBot]:
    """Return the bots of these names or groups ("open", "held-out", "all": both), each once; raises UsageError."""
    found: dict[str, ForeignBot] = {}
    for name in names:
        groups = GROUPS if name == "all" else (name,)
        for each in groups:
            found |= group(each) if each in GROUPS else {each: bot_called(each)}
    return list(found.values())


def answering(bot: ForeignBot) -> AnswerFunction:
    """Return the bot's answer function for the virtual server. Answers of deterministic bots are cached."""
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


def _board(cells: Cells) -> Board:
    return Board.from_grid(cells.tolist(), to_move=-1)


def _random_answer(cells: Cells, _last: int, seed: int) -> int:
    legal = _board(cells).legal_columns()
    return legal[seed % len(legal)]


def _perfect_answer(cells: Cells, _last: int, _seed: int) -> int:
    return live_chooser().decided(_board(cells)).column


OTHERS = {
    "perfect": ForeignBot("perfect", "The engine itself, without a clock.", True, _perfect_answer),
    "random": ForeignBot("random", "Any legal column.", False, _random_answer),
}
"""Opponents that are not foreign."""
