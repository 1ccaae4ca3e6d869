"""Round-robin tournaments: every agent plays every other, and both start equally often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from bot.agents.games import UNLIMITED, Played
from bot.engine.agent import Limit
from bot.lab.arena.games import Pairing, match_pairings
from bot.lab.arena.match import Record
from bot.lab.arena.statistics import Rating, rate, summary_s


@dataclass(frozen=True)
class Table:
    """A tournament's cross table; the agents are in order of strength."""

    agents: tuple[str, ...]
    ratings: tuple[Rating, ...]
    records: dict[tuple[str, str], Record]
    """Results of the first agent of a pair against the second."""
    move_s: dict[str, float]
    """Mean time of each agent's moves, seconds."""
    forfeits: dict[str, list[str]] = field(default_factory=dict)
    """The reasons of the games that an agent from outside forfeited, by its name."""

    def total(self, agent: str) -> Record:
        """Return the record of all games of one agent."""
        records = [record for (one, _), record in self.records.items() if one == agent]
        return Record(*(sum(getattr(record, part) for record in records) for part in ("won", "drawn", "lost")))

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
                [None if one == other else vars(self.records[one, other]) for other in self.agents]
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


def tabulate(agents: Sequence[str], games: Sequence[tuple[Pairing, Played]]) -> Table:
    """Return the cross table and the ratings of all ``games``."""
    records = {(one, other): Record() for one in agents for other in agents if one != other}
    seconds: dict[str, list[float]] = {name: [] for name in agents}
    forfeits: dict[str, list[str]] = {}
    for pairing, played in games:
        first, second = pairing.first, pairing.second
        if played.forfeit:
            forfeits.setdefault(second if played.result else first, []).append(played.forfeit)
        records[first, second] = records[first, second].plus(played.result)
        records[second, first] = records[second, first].plus(1 - played.result)
        for player, name in enumerate((first, second)):
            seconds[name].extend(played.of_player(player, played.seconds))
    points = np.array([[records[a, b].points if a != b else 0.0 for b in agents] for a in agents])
    counts = np.array([[float(records[a, b].games) if a != b else 0.0 for b in agents] for a in agents])
    ratings = rate(points, counts)
    order = sorted(range(len(agents)), key=lambda place: -ratings[place].elo)
    return Table(
        tuple(agents[place] for place in order),
        tuple(ratings[place] for place in order),
        records,
        {name: summary_s(times)["mean"] for name, times in seconds.items()},
        forfeits,
    )
