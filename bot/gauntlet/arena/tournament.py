"""Round-robin tournaments: every agent plays every other, and both start equally often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations, product
from statistics import fmean
from typing import Any

import numpy as np

from bot.agents.games import UNLIMITED
from bot.engine.agent import Limit
from bot.game import PlayedGame
from bot.gauntlet.arena.games import Pairing, forfeits, match_pairings
from bot.gauntlet.arena.statistics import outcomes, rate, tally


def tournament_pairings(
    agents: Sequence[str], rounds: int, seed: int, random_plies: int = 0, limit: Limit = UNLIMITED
) -> list[Pairing]:
    """Return two pairings per round for every pair of agents: the same opening, each agent starting once."""
    return [
        pairing
        for one, other in combinations(agents, 2)
        for pairing in match_pairings(one, other, 2 * rounds, seed, random_plies=random_plies, limit=limit)
    ]


def tabulate(agents: Sequence[str], games: Sequence[PlayedGame]) -> dict[str, Any]:
    """Return the agents in order of strength with their Elo ratings, and the cross table in the same order."""
    points: dict[tuple[str, str], list[float]] = {pair: [] for pair in product(agents, agents)}
    seconds: dict[str, list[float]] = {name: [] for name in agents}
    for game in games:
        for player, (one, other) in enumerate(permutations((game.first, game.second))):
            points[one, other].append(game.points(player) or 0.0)
            seconds[one].extend(game.of_player(player, "seconds"))
    scored, counts = (
        np.array([*map(total, points.values())], float).reshape(len(agents), len(agents)) for total in (sum, len)
    )
    ranked = sorted(zip(agents, rate(scored, counts), strict=True), key=lambda each: -each[1][0])
    names = [name for name, _ in ranked]
    forfeited = forfeits(games)
    rows = []
    for name, (elo, error) in ranked:
        every = [each for other in agents for each in points[name, other]]
        row = {"name": name, "elo": elo, "elo_error": error, "move_s": fmean(seconds[name] or [0.0])}
        rows.append(row | {"games": len(every), "forfeited": len(forfeited.get(name, ())), **tally(every)})
    return {"agents": rows, "cross_table": [_line(name, names, points) for name in names]}


def _line(name: str, agents: Sequence[str], points: Mapping[tuple[str, str], list[float]]) -> list[Any]:
    """Return an agent's outcomes against each of ``agents``; None against itself."""
    return [None if name == other else outcomes(points[name, other]) for other in agents]
