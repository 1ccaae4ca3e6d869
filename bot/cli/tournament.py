"""`bot tournament`: a round robin over processes or a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from bot.cli.formatting import echo, print_json, print_table
from bot.cli.match import play_recorded, show_forfeits
from bot.cli.options import (
    AsJson,
    GameFile,
    RandomPlies,
    Scheduler,
    Seed,
    TimeLimit,
    Workers,
    argument,
    complete_agent,
    option,
)
from bot.engine.agent import NO_LIMIT_S
from bot.errors import UsageError

if TYPE_CHECKING:
    from bot.gauntlet.arena.games import PlayedPairing


def tournament(
    names: Annotated[list[str], argument("AGENT...", "Two or more agents.", autocompletion=complete_agent)],
    rounds: Annotated[int, option("N", "Rounds; in each, every pair plays two games.", min=1, max=100_000)] = 1,
    seed: Seed = 0,
    random_plies: RandomPlies = 4,
    time_limit: TimeLimit = NO_LIMIT_S,
    workers: Workers = 1,
    scheduler: Scheduler = None,
    record: GameFile = None,
    as_json: AsJson = False,
) -> None:
    """Play a round robin and print the cross table, with Elo ratings (mean 0) and their 95 % error bars.

    --json prints the agents in order of strength (elo, elo_error, move_s, games, won, drawn, lost, forfeited, score
    and intervals) and, in the same order, the cross_table: won, drawn and lost of each row against each column.

    \b
    Examples:
      bot tournament perfect depth8 mtdf random --rounds 5
      bot tournament tommy-ab:4 halim:4 kang-h2:4 --rounds 20 --workers 2
    """
    from bot.agents.games import check_agents
    from bot.engine.agent import Limit
    from bot.gauntlet.arena.tournament import tabulate, tournament_pairings

    if len(names) < 2 or len(set(names)) < len(names):
        raise UsageError("A tournament needs two or more different agents.", "Give each one once.")
    check_agents(names)
    pairings = tournament_pairings(names, rounds, seed, random_plies, Limit(hard_s=time_limit))
    plan = {"tournament": names, "rounds": rounds, "seed": seed, "plies": random_plies, "time_limit": time_limit}
    played = play_recorded(pairings, record, plan, workers=workers, scheduler=scheduler)
    found = {"rounds": rounds, "seed": seed, "random_plies": random_plies, **tabulate(names, played)}
    if as_json:
        print_json(found)
    else:
        _show(found, played)


def _show(found: dict[str, Any], played: list[PlayedPairing]) -> None:
    """Print what --json prints as ``found``, in words."""
    agents, table = found["agents"], found["cross_table"]
    lines: list[list[object]] = [["", "agent", "Elo", "games", "score", "ms/move"]]
    points: list[list[object]] = [["", *range(1, len(agents) + 1), ""]]
    for number, (agent, row) in enumerate(zip(agents, table, strict=True), start=1):
        elo, time_ms = f"{agent['elo']:+.0f} ± {agent['elo_error']:.0f}", f"{agent['move_s'] * 1000:.2f}"
        lines.append([number, agent["name"], elo, agent["games"], f"{agent['score']:5.3f}", time_ms])
        cells = ["-" if cell is None else f"{cell['won'] + cell['drawn'] / 2:g}" for cell in row]
        points.append([number, *cells, agent["name"]])
    print_table(lines, keys=2)
    show_forfeits(played)
    echo(f"\nPoints of each row against each column, of {sum(table[0][1].values())} games:")
    print_table(points)
