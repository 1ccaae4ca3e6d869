"""All opponents of simulations by name and group."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, partial

import numpy as np

from bot.engine.agent import Limit
from bot.errors import UsageError
from bot.game import Board
from bot.trials.simulation.opponents.foreign import Cells, ForeignBot
from bot.trials.simulation.server import Answer

GROUPS = ("open", "held-out")
PERFECT, RANDOM, LABORATORY = "perfect", "random", "lab"
"""Groups of their own: the engine itself, a random mover, and the laboratory's agents."""


def group(name: str) -> tuple[ForeignBot, ...]:
    """Return the bots of a group of GROUPS. Constants may be tuned on "open" only."""
    if name == "open":
        from bot.trials.simulation.opponents.open_half import BOTS

        return BOTS
    from bot.trials.simulation.opponents.held_out import BOTS as HELD_OUT

    return HELD_OUT


@cache
def by_name() -> dict[str, ForeignBot]:
    """Return every foreign bot by its name."""
    return {bot.name: bot for name in GROUPS for bot in group(name)}


@cache
def group_of(name: str) -> str:
    """Return the group to which the bot called ``name`` belongs."""
    if name in (PERFECT, RANDOM):
        return name
    return next((each for each in GROUPS if any(bot.name == name for bot in group(each))), LABORATORY)


@cache
def bot_called(name: str) -> ForeignBot:
    """Return a foreign bot, `perfect`, `random`, or an agent of a publication; raises UsageError."""
    if name in by_name():
        return by_name()[name]
    if name == PERFECT:
        return ForeignBot(PERFECT, "The engine itself, without a clock.", True, _perfect_answer)
    if name == RANDOM:
        return ForeignBot(RANDOM, "Any legal column.", False, _random_answer)
    from bot.agents.family import make_paper_agent

    try:
        make_paper_agent(name)
    except UsageError:
        known = ", ".join([*GROUPS, "all", PERFECT, RANDOM, *by_name()])
        hint = f"Choose among {known}, or an agent of a publication, such as tommy-ab:4."
        raise UsageError(f"There is no opponent named {name!r}.", hint) from None
    is_deterministic = "random" not in name
    return ForeignBot(name, "An agent of the laboratory.", is_deterministic, partial(_agent_answer, name))


def chosen(names: Sequence[str]) -> list[ForeignBot]:
    """Return the bots of these names or groups ("open", "held-out", "all": both); raises UsageError."""
    found: dict[str, ForeignBot] = {}
    for name in with_options(names):
        members = group(name) if name in GROUPS else by_name().values() if name == "all" else [bot_called(name)]
        found |= {bot.name: bot for bot in members}
    return list(found.values())


def with_options(names: Sequence[str]) -> list[str]:
    """Join agents' names and their options, which a split at commas has separated: "halim:3", "ties=random"."""
    joined: list[str] = []
    for name in names:
        if "=" in name and joined:
            joined[-1] += f",{name}"
        else:
            joined.append(name)
    return joined


def answering(bot: ForeignBot) -> Answer:
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
    return Board.from_grid([[int(cell) for cell in row] for row in cells], to_move=-1)


def _random_answer(cells: Cells, _last: int, seed: int) -> int:
    legal = _board(cells).legal_columns()
    return legal[seed % len(legal)]


def _agent_answer(name: str, cells: Cells, _last: int, seed: int) -> int:
    """Answer with a new agent, so that the answer depends on the arguments alone."""
    from bot.agents.family import make_paper_agent

    return make_paper_agent(name, seed).choose(_board(cells), Limit(hard_s=math.inf)).column


@cache
def _perfect() -> Answer:
    from bot.engine.perfect import Perfect

    engine, no_hurry = Perfect(unhurried=True), Limit(hard_s=1e6, think_s=1e6)
    return lambda board, _last, _seed: engine.choose(board, no_hurry).column


def _perfect_answer(cells: Cells, last: int, seed: int) -> int:
    return _perfect()(_board(cells), last, seed)
