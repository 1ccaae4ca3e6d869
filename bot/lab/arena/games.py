"""Games of two agents without a server, and pairings in which both start equally often."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache

from bot.agent_types import NO_LIMIT_S, Agent, Limit, Stop
from bot.agents import is_external, make_agent
from bot.engine.warmup import warm_up
from bot.errors import AgentError
from bot.game import Board
from bot.lab.arena.ctrl_c import stop_on_interrupt

UNLIMITED = Limit(hard_s=NO_LIMIT_S)
"""No time limit: a search to a fixed depth is always completed."""


@dataclass(frozen=True)
class Played:
    """A finished game; its tuples have one element for each move after the opening.

    The first player made the even plies.
    """

    moves: tuple[int, ...]
    """All columns (0..6), those of the opening included."""
    opening: int
    """Plies of the opening, which neither agent chose."""
    result: float
    """Points of the first player: 1 for a win, 0.5 for a draw, 0 for a loss."""
    seconds: tuple[float, ...]
    nodes: tuple[int | None, ...]
    leaves: tuple[int | None, ...]
    passes: tuple[int | None, ...]
    forfeit: str = ""
    """Why an agent from outside forfeited the unfinished game; it is the side to move, and `result` counts its loss."""

    def of_player(self, player: int, counts: Sequence[float | None]) -> list[float]:
        """Return the elements of ``counts`` (one for each move) of one player, 0 or 1, without None."""
        moves = range(self.opening, len(self.moves))
        return [count for ply, count in zip(moves, counts, strict=True) if ply % 2 == player and count is not None]


def play_game(
    first: Agent, second: Agent, opening: Iterable[int] = (), limit: Limit = UNLIMITED, stop: Stop | None = None
) -> Played:
    """Play from the end of ``opening`` (columns 0..6) to the end of the game; ``first`` makes the even plies.

    An agent that raises AgentError loses the game by forfeit.
    """
    columns = list(opening)
    given = len(columns)
    board = Board.from_moves(columns)
    decisions = []
    forfeit = ""
    while not board.is_over and not forfeit:
        try:
            decision = (first, second)[board.ply % 2].choose(board, limit, stop)
        except AgentError as error:
            forfeit = str(error)
        else:
            decisions.append(decision)
            columns.append(decision.column)
            board = board.play(decision.column)
    # The side to move loses: to the disc before, or by forfeit.
    result = float(board.ply % 2) if board.has_winner or forfeit else 0.5
    return Played(
        tuple(columns),
        given,
        result,
        tuple(decision.seconds for decision in decisions),
        tuple(decision.nodes for decision in decisions),
        tuple(decision.leaves for decision in decisions),
        tuple(decision.passes for decision in decisions),
        forfeit,
    )


@dataclass(frozen=True)
class Pairing:
    """A game to be played: two agents by name, an opening, and the seed of both agents' random choices."""

    first: str
    second: str
    seed: int | str = 0
    opening: tuple[int, ...] = ()
    limit: Limit = UNLIMITED


def play_pairing(pairing: Pairing) -> Played:
    """Play the game with two new agents; equal pairings give equal games unless a time limit interrupts a search.

    An agent from outside that cannot be started forfeits the game like one that fails later.
    """
    with stop_on_interrupt() as stop, ExitStack() as players:
        first = players.enter_context(_player(pairing.first, derived_seed(pairing.seed, "first")))
        second = players.enter_context(_player(pairing.second, derived_seed(pairing.seed, "second")))
        return play_game(first, second, pairing.opening, pairing.limit, stop)


@contextmanager
def _player(name: str, seed: int) -> Iterator[Agent]:
    """Provide a new agent for one game; a program from outside is started by its first move."""
    if not is_external(name):
        _warm(name)
    agent = make_agent(name, seed=seed)
    try:
        yield agent
    finally:
        close(agent)


def close(agent: Agent) -> None:
    """Release the program behind an agent from outside."""
    release = getattr(agent, "close", None)
    if release is not None:
        release()


def derived_seed(*parts: object) -> int:
    """Return a seed of 32 bits for any printable parts, the same on every machine."""
    return random.Random("/".join(map(str, parts))).getrandbits(32)


def ready_agent(name: str, seed: int | None = None) -> Agent:
    """Return a new agent by name, warmed up; each name is compiled only once in a process.

    Raises AgentError where an agent from outside cannot be started.
    """
    if is_external(name):
        agent = make_agent(name, seed=seed)
        warm_up(agent)
        return agent
    _warm(name)
    return make_agent(name, seed=seed)


def check_agents(names: Iterable[str]) -> None:
    """Make every agent ready once, so that a wrong name or a broken program is reported before the first game.

    Raises UsageError and AgentError.
    """
    for name in names:
        close(ready_agent(name))


@cache
def _warm(name: str) -> None:
    warm_up(make_agent(name))


def random_opening(plies: int, seed: int | str) -> tuple[int, ...]:
    """Return ``plies`` random columns (0..6) that do not end the game, or fewer if every next column would."""
    rng = random.Random(f"opening/{seed}")
    board, columns = Board(), []
    for _ in range(plies):
        quiet = [column for column in board.legal_columns() if not board.play(column).is_over]
        if not quiet:
            break
        columns.append(rng.choice(quiet))
        board = board.play(columns[-1])
    return tuple(columns)


def match_pairings(
    one: str, other: str, games: int, seed: int, random_plies: int = 0, limit: Limit = UNLIMITED
) -> list[Pairing]:
    """Return ``games`` pairings in which the agents start in turn; games 0 and 1, 2 and 3, ... share an opening."""
    pairings = []
    for number in range(games):
        opening = random_opening(random_plies, f"{seed}/{number // 2}")
        first, second = (one, other) if number % 2 == 0 else (other, one)
        pairings.append(Pairing(first, second, f"{seed}/{number}", opening, limit))
    return pairings
