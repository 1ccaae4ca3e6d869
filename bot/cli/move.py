"""`bot move`: one agent's move in one position, with its counts."""

from __future__ import annotations

import math

from bot.cli.analyse import unfinished
from bot.cli.formatting import duration, echo, print_json
from bot.cli.options import AsJson, MovesArgument, OneAgent, Seed


def move(
    name: OneAgent,
    moves: MovesArgument = "",
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Ask one agent for its move in one position, with an empty table.

    The value is in the agent's own units and, for tommy-mtdf, from the opponent's view, as its paper prints it. Where
    an agent deepens iteratively (vds), the counts are those of the last depth. --json prints column (1-7), value,
    leaves, nodes, passes, depth and seconds, null where the agent has no such number.

    \b
    Examples:
      bot move perfect 4453                        the bot's own move
      bot move tommy-ab:8 ""                       a publication's first move, 8 plies deep
    """
    from bot.agents.catalogue import make_agent
    from bot.cli.progress import loading_engine, progress
    from bot.engine.agent import NO_LIMIT_S, Limit
    from bot.engine.interrupt import stoppable
    from bot.engine.perfect import Perfect
    from bot.engine.warmup import warm_up

    board = unfinished(moves)
    agent = make_agent(name, seed=seed)
    if not (isinstance(agent, Perfect) and agent.is_ready(board)):
        with loading_engine():
            warm_up(agent)
    with stoppable() as stop, progress(f"{name} is searching"):
        decision = agent.choose(board, Limit(hard_s=NO_LIMIT_S), stop)
    value = None if decision.score is None else _plain(decision.score * getattr(agent, "view", 1))
    counts = {name: getattr(decision, name) for name in ("leaves", "nodes", "passes", "depth")}
    answer = {"column": decision.column + 1, "value": value, **counts}
    if as_json:
        print_json({**answer, "seconds": decision.seconds})
        return
    for key, entry in answer.items():
        if entry is not None:
            echo(f"{key:8}{_shown(entry)}")
    echo(f"time    {duration(decision.seconds)}")


def _plain(value: float) -> int | float | str:
    """Return whole numbers as integers, and infinities, which JSON cannot hold, as "inf" and "-inf"."""
    if math.isinf(value):
        return str(value)
    return int(value) if value == int(value) else value


def _shown(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return f"{value:.4g}" if isinstance(value, float) else f"{value:,}"
