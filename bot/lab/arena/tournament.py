"""Round-robin tournaments: every agent plays every other, and both start equally often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from bot.agents.games import UNLIMITED
from bot.engine.agent import Limit
from bot.lab.arena.games import Game, Pairing, forfeits, match_pairings
from bot.lab.arena.statistics import Rating, Tally, rate, summary_s


@dataclass(frozen=True)
class CrossTable:
    """A tournament's results; the agents are in order of strength."""

    agents: tuple[str, ...]
    ratings: tuple[Rating, ...]
    tallies: dict[tuple[str, str], Tally]
    """Results of the first agent of a pair against the second."""
    move_s: dict[str, float]
    """Mean time of each agent's moves, seconds."""
    forfeits: dict[str, list[str]]
    """The reasons of the games that an agent from outside forfeited, by its name."""

    def total(self, agent: str) -> Tally:
        """Return the results of all games of one agent."""
        return sum((tally for (one, _), tally in self.tallies.items() if one == agent), Tally())

    def as_json(self) -> dict[str, Any]:
        """Return the agents in order of strength with their Elo ratings, and the cross table in the same order."""
        return {
            "agents": [
                {
                    "name": name,
                    "elo": rating.elo,
                    "elo_error": rating.error,
                    "move_s": self.move_s[name],
                    "games": self.total(name).games,
                    "forfeited": len(self.forfeits.get(name, ())),
                    **self.total(name).as_json(),
                }
                for name, rating in zip(self.agents, self.ratings, strict=True)
            ],
            "cross_table": [
                [None if one == other else vars(self.tallies[one, other]) for other in self.agents]
                for one in self.agents
            ],
        }


def tournament_pairings(
    agents: Sequence[str], rounds: int, seed: int, random_plies: int = 0, limit: Limit = UNLIMITED
) -> list[Pairing]:
    """Return two pairings per round for every pair of agents: the same opening, each agent starting once."""
    return [
        pairing
        for one, other in combinations(agents, 2)
        for pairing in match_pairings(one, other, 2 * rounds, seed, random_plies, limit)
    ]


def tabulate(agents: Sequence[str], games: Sequence[Game]) -> CrossTable:
    """Return the cross table and the ratings of all ``games``."""
    points: dict[tuple[str, str], list[float]] = {(one, other): [] for one in agents for other in agents}
    seconds: dict[str, list[float]] = {name: [] for name in agents}
    for pairing, played in games:
        points[pairing.first, pairing.second].append(played.result)
        points[pairing.second, pairing.first].append(1 - played.result)
        for player, name in enumerate((pairing.first, pairing.second)):
            seconds[name].extend(played.of_player(player, played.seconds))
    tallies = {pair: Tally.of(found) for pair, found in points.items()}
    matrix = [[tallies[one, other] for other in agents] for one in agents]
    scored, counts = (
        np.array([[getattr(tally, name) for tally in row] for row in matrix], float) for name in ("points", "games")
    )
    ratings = rate(scored, counts)
    order = sorted(range(len(agents)), key=lambda place: -ratings[place].elo)
    return CrossTable(
        tuple(agents[place] for place in order),
        tuple(ratings[place] for place in order),
        tallies,
        {name: summary_s(times)["mean"] for name, times in seconds.items()},
        forfeits(games),
    )
