"""`bot tournament`: a round robin over processes or a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from typer import echo

from bot.cli.formatting import counted, print_json, print_table
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
    from bot.lab.arena.tournament import CrossTable


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
    from bot import __version__
    from bot.agents.games import check_agents
    from bot.cli.progress import progress
    from bot.engine.agent import Limit
    from bot.lab.arena.match_run import play_all
    from bot.lab.arena.tournament import tabulate, tournament_pairings
    from bot.lab.store import Store

    if len(names) < 2 or len(set(names)) < len(names):
        raise UsageError("A tournament needs two or more different agents.", "Give each one once.")
    check_agents(names)
    limit = Limit(hard_s=time_limit)
    pairings = tournament_pairings(names, rounds, seed, random_plies, limit)
    plan = {"bot": __version__, "tournament": names, "rounds": rounds, "seed": seed, "plies": random_plies}
    plan |= {"time_limit": time_limit}
    with Store(record, plan) as kept, progress("games", len(pairings), len(kept.known)) as done:
        played = play_all(pairings, kept, workers=workers, scheduler=scheduler, on_game=done.advance)
    table = tabulate(names, played)
    if as_json:
        summary = {"rounds": rounds, "seed": seed, "random_plies": random_plies, **table.as_json()}
        print_json(summary)
        return
    _show(table)


def _show(table: CrossTable) -> None:
    lines: list[list[object]] = [["", "agent", "Elo", "games", "score", "ms/move"]]
    points: list[list[object]] = [["", *range(1, len(table.agents) + 1), ""]]
    for number, (name, rating) in enumerate(zip(table.agents, table.ratings, strict=True), start=1):
        total = table.total(name)
        elo, time_ms = f"{rating.elo:+.0f} ± {rating.error:.0f}", f"{table.move_s[name] * 1000:.2f}"
        lines.append([number, name, elo, total.games, f"{total.score:5.3f}", time_ms])
        cells = ["-" if other == name else f"{table.tallies[name, other].points:g}" for other in table.agents]
        points.append([number, *cells, name])
    print_table(lines)
    for name, reasons in table.forfeits.items():
        echo(f"    {name} forfeited {counted(len(reasons), 'game')}: {reasons[0]}")
    games = table.tallies[table.agents[0], table.agents[1]].games
    echo(f"\nPoints of each row against each column, of {games} games:")
    print_table(points)
