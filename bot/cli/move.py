"""`bot move`: one agent's move in one position, with what it counted."""

from __future__ import annotations

import json
import math
from typing import Annotated

import typer

from bot.errors import UsageError


def move(
    name: Annotated[str, typer.Argument(help="The agent, such as tommy-ab:8, vds:4, rmarcus:5 or perfect.")],
    moves: Annotated[str, typer.Argument(help='The position: columns 1-7 or a-g in order of play, "" for none.')] = "",
    seed: Annotated[int, typer.Option(help="Seed of the agent's chance.")] = 0,
    time_limit: Annotated[float, typer.Option(help="Seconds that the move may take.", min=0.01)] = 86_400.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Ask one agent for its move in one position, with a fresh table.

    The value is in the agent's own units and, for tommy-mtdf, from the opponent's view, as its paper prints it. Where
    an agent deepens step by step (vds), the counts are those of the last depth. --json prints column (1-7), value,
    leaves, nodes, passes, depth and seconds, null where the agent has no such number.
    """
    from bot.agent import Limit
    from bot.agents import make_agent
    from bot.engine.warmup import warm_up
    from bot.game import Board, parse_moves
    from bot.lab.arena.ctrl_c import stop_on_interrupt

    board = Board.from_moves(parse_moves(moves))
    if board.is_over:
        raise UsageError("The game is over in this position.", "Leave out the last move.")
    agent = make_agent(name, seed=seed)
    warm_up(agent)
    with stop_on_interrupt() as stop:
        decision = agent.choose(board, Limit(hard_s=time_limit), stop)
    value = None if decision.score is None else decision.score * getattr(agent, "view", 1)
    answer = {
        "column": decision.column + 1,
        "value": _plain(value),
        "leaves": decision.leaves,
        "nodes": decision.nodes,
        "passes": decision.passes,
        "depth": decision.depth,
        "seconds": decision.seconds,
    }
    if as_json:
        typer.echo(json.dumps(answer))
        return
    for key, entry in answer.items():
        typer.echo(f"{key:8}{'-' if entry is None else entry}")


def _plain(value: float | None) -> int | float | str | None:
    """Whole numbers as such; infinities, which JSON has no number for, as "inf" and "-inf"."""
    if value is None:
        return None
    if math.isinf(value):
        return str(value)
    return int(value) if value == int(value) else value
