"""Two agents against each other without a server: single games, and matches with both starting equally often."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from bot.agent_types import Agent, Limit, Stop
from bot.agents import make_agent
from bot.engine.warmup import warm_up
from bot.game import Board
from bot.lab.arena.interrupt import stopped_by_interrupt
from bot.lab.papers.paper import NO_LIMIT_S

UNLIMITED = Limit(hard_s=NO_LIMIT_S)
"""A paper's fixed depth shall be reached, however long it takes."""


@dataclass(frozen=True)
class Played:
    """One finished game. Tuples run over the moves after the opening; the first player made the even plies."""

    moves: tuple[int, ...]
    """All columns 0..6, the opening's included."""
    opening: int
    """How many plies were given."""
    result: float
    """1 when the first player won, 0.5 drawn, 0 lost."""
    seconds: tuple[float, ...]
    nodes: tuple[int | None, ...]
    leaves: tuple[int | None, ...]
    passes: tuple[int | None, ...]

    def of_player(self, player: int, counts: Sequence[float | None]) -> list[float]:
        """Those of ``counts`` (one a move) that belong to player 0, the first, or 1, the second, where known."""
        moves = range(self.opening, len(self.moves))
        return [count for ply, count in zip(moves, counts, strict=True) if ply % 2 == player and count is not None]


def play_game(
    first: Agent, second: Agent, opening: Iterable[int] = (), limit: Limit = UNLIMITED, stop: Stop | None = None
) -> Played:
    """Play on from ``opening`` (columns 0..6) to the end; ``first`` made its even plies."""
    columns = list(opening)
    given = len(columns)
    board = Board.from_moves(columns)
    decisions = []
    while not board.is_over:
        decisions.append((first, second)[board.ply % 2].choose(board, limit, stop))
        columns.append(decisions[-1].column)
        board = board.play(columns[-1])
    result = 0.5 if not board.has_winner else float(board.ply % 2)
    return Played(
        tuple(columns),
        given,
        result,
        tuple(decision.seconds for decision in decisions),
        tuple(decision.nodes for decision in decisions),
        tuple(decision.leaves for decision in decisions),
        tuple(decision.passes for decision in decisions),
    )


@dataclass(frozen=True)
class Pairing:
    """A game to be played: two agents by name, an opening, and the seed of both agents' chance."""

    first: str
    second: str
    seed: int | str = 0
    opening: tuple[int, ...] = ()
    limit: Limit = UNLIMITED


def play_pairing(pairing: Pairing) -> Played:
    """Play it with two new agents, warmed up; equal pairings play equal games unless a time limit cuts them."""
    first = ready_agent(pairing.first, derived_seed(pairing.seed, "first"))
    second = ready_agent(pairing.second, derived_seed(pairing.seed, "second"))
    with stopped_by_interrupt() as stop:
        return play_game(first, second, pairing.opening, pairing.limit, stop)


def derived_seed(*parts: object) -> int:
    """A seed of 32 bits from any printable parts, the same on every machine."""
    return random.Random("/".join(map(str, parts))).getrandbits(32)


def ready_agent(name: str, seed: int | None = None) -> Agent:
    """A new agent of any room by name; its kind is compiled once in a process."""
    _warm(name)
    return make_agent(name, seed=seed)


@cache
def _warm(name: str) -> None:
    warm_up(make_agent(name))


def random_opening(plies: int, seed: int | str) -> tuple[int, ...]:
    """``plies`` random columns that do not end the game; fewer where every column would."""
    chance = random.Random(f"opening/{seed}")
    board, columns = Board(), []
    for _ in range(plies):
        quiet = [column for column in board.legal_columns() if not board.play(column).is_over]
        if not quiet:
            break
        columns.append(chance.choice(quiet))
        board = board.play(columns[-1])
    return tuple(columns)


def match_pairings(
    one: str, other: str, games: int, seed: int, random_plies: int = 0, limit: Limit = UNLIMITED
) -> list[Pairing]:
    """``games`` games in which the two start in turn; two games running share a random opening."""
    pairings = []
    for number in range(games):
        opening = random_opening(random_plies, f"{seed}/{number // 2}")
        first, second = (one, other) if number % 2 == 0 else (other, one)
        pairings.append(Pairing(first, second, f"{seed}/{number}", opening, limit))
    return pairings
