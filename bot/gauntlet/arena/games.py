"""Pairings of agents for games in which both start equally often, and playing them in new agents."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass

from bot.agents.catalogue import make_agent
from bot.agents.games import UNLIMITED, Played, close, derived_seed, play_game, warm_once
from bot.engine.agent import Limit
from bot.engine.interrupt import stoppable
from bot.gauntlet.positions import Columns, opening_set


@dataclass(frozen=True)
class Pairing:
    """A game to be played: two agents by name, an opening, and the seed of both agents' random choices."""

    first: str
    second: str
    seed: int | str = 0
    opening: Columns = ()
    limit: Limit = UNLIMITED

    def opponent_of(self, agent: str) -> str:
        """Return the other agent's name."""
        return self.second if self.first == agent else self.first


PlayedPairing = tuple[Pairing, Played]


def points_of(agent: str, game: PlayedPairing) -> float:
    """Return an agent's points of a game: 1, 0.5 or 0."""
    pairing, played = game
    return played.result if pairing.first == agent else 1 - played.result


def play_pairing(pairing: Pairing) -> Played:
    """Play the game with two new agents; equal pairings give equal games unless a time limit interrupts a search.

    An agent from outside that cannot be started forfeits the game like one that fails later.
    """
    with stoppable() as stop, ExitStack() as ends:
        players = []
        for role in ("first", "second"):
            name = getattr(pairing, role)
            warm_once(name)  # a program from outside is started by its first move
            players.append(make_agent(name, seed=derived_seed(pairing.seed, role)))
            ends.callback(close, players[-1])
        first, second = players
        return play_game(first, second, pairing.opening, pairing.limit, stop)


def match_pairings(
    one: str, other: str, games: int, seed: int, random_plies: int = 0, limit: Limit = UNLIMITED
) -> list[Pairing]:
    """Return ``games`` pairings in which the agents start in turn; games 0 and 1, 2 and 3, ... share an opening."""
    openings = opening_set(random_plies, (games + 1) // 2, seed)
    pairings = []
    for number in range(games):
        first, second = (one, other) if number % 2 == 0 else (other, one)
        pairings.append(Pairing(first, second, f"{seed}/{number}", openings[number // 2], limit))
    return pairings


def forfeits(games: Iterable[PlayedPairing]) -> dict[str, list[str]]:
    """Return the reasons of the games that each agent forfeited, by its name."""
    found: dict[str, list[str]] = {}
    for pairing, played in games:
        if played.forfeit:
            loser = pairing.second if played.result else pairing.first
            found.setdefault(loser, []).append(played.forfeit)
    return found
