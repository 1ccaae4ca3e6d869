"""Pairings of agents for games in which both start equally often, and playing them in new agents."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass

from bot.agents.catalogue import make_agent
from bot.agents.games import UNLIMITED, derived_seed, play_game, warm_once
from bot.engine.agent import Limit
from bot.engine.interrupt import stoppable
from bot.game import PlayedGame
from bot.gauntlet.positions import Columns, opening_set


@dataclass(frozen=True)
class Pairing:
    """A game to be played: two agents by name, an opening, and the seed of both agents' random choices."""

    first: str
    second: str
    seed: int | str = 0
    opening: Columns = ()
    limit: Limit = UNLIMITED


def side_of(agent: str, game: PlayedGame) -> int:
    """Return the player of a game that an agent is: 0 (first) or 1."""
    return int(game.first != agent)


def points_of(agent: str, game: PlayedGame) -> float:
    """Return an agent's points of a game between agents: 1, 0.5 or 0."""
    points = game.points(side_of(agent, game))
    assert points is not None, "a game between agents is played to its end"
    return points


def play_pairing(pairing: Pairing) -> PlayedGame:
    """Play the game with two new agents; equal pairings give equal games unless a time limit interrupts a search.

    An agent from outside that cannot be started forfeits the game like one that fails later.
    """
    with stoppable() as stop, ExitStack() as ends:
        players = []
        for role in ("first", "second"):
            name = getattr(pairing, role)
            warm_once(name)  # a program from outside is started by its first move
            players.append(make_agent(name, seed=derived_seed(pairing.seed, role)))
            ends.callback(players[-1].close)
        first, second = players
        return play_game(first, second, pairing.opening, pairing.limit, stop)


def match_pairings(
    one: str, other: str, games: int, seed: int, *, random_plies: int = 0, limit: Limit = UNLIMITED
) -> list[Pairing]:
    """Return ``games`` pairings in which the agents start in turn; games 0 and 1, 2 and 3, ... share an opening."""
    openings = opening_set(random_plies, (games + 1) // 2, seed)
    pairings = []
    for number in range(games):
        first, second = (one, other) if number % 2 == 0 else (other, one)
        pairings.append(Pairing(first, second, f"{seed}/{number}", openings[number // 2], limit))
    return pairings


def forfeits(games: Iterable[PlayedGame]) -> dict[str, list[str]]:
    """Return the reasons of the games that each agent forfeited, by its name."""
    found: dict[str, list[str]] = {}
    for game in games:
        if game.ended:
            loser = game.second if game.result else game.first
            found.setdefault(loser, []).append(game.ended)
    return found
