"""One game between two agents, without a server."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from bot.agents.catalogue import is_external, make_agent
from bot.agents.external.host import chosen, described
from bot.engine.agent import NO_LIMIT_S, Agent, Decision, Limit, StopFlag
from bot.errors import AgentError, BotError
from bot.game import Board, format_moves, parse_moves

UNLIMITED = Limit(hard_s=NO_LIMIT_S)
"""No time limit: a search to a fixed depth is always completed."""
_OF_EACH_MOVE = {name: name for name in ("seconds", "nodes", "leaves", "passes")}
_OF_EACH_MOVE |= {"values": "score", "depths": "depth", "lines": "pv"}
"""What `Played` has of each move, and the name that it has in `Decision`."""


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
    """Why an agent forfeited the unfinished game; it is the side to move, and `result` counts its loss."""
    values: tuple[float | None, ...] = ()
    """Each mover's value of its position, in its own units."""
    depths: tuple[int | None, ...] = ()
    """The depth of each search, plies."""
    lines: tuple[tuple[int, ...], ...] = ()
    """Each mover's principal variation, columns 0..6."""

    def as_json(self) -> dict[str, Any]:
        """Return everything as one JSON object, the moves as a text of columns 1 to 7."""
        return {**vars(self), "moves": format_moves(self.moves)}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Played:
        """Return the game that `as_json` describes; other fields are ignored."""
        lists = {name: tuple(fields[name]) for name in _OF_EACH_MOVE}
        lists["lines"] = tuple(map(tuple, lists["lines"]))
        return cls(
            parse_moves(fields["moves"]), fields["opening"], fields["result"], forfeit=fields["forfeit"], **lists
        )

    def of_player(self, player: int, counts: Sequence[float | None]) -> list[float]:
        """Return the elements of ``counts`` (one for each move) of one player, 0 or 1, without None."""
        moves = range(self.opening, len(self.moves))
        return [count for ply, count in zip(moves, counts, strict=True) if ply % 2 == player and count is not None]


def play_game(
    first: Agent, second: Agent, opening: Iterable[int] = (), limit: Limit = UNLIMITED, stop: StopFlag | None = None
) -> Played:
    """Play from the end of ``opening`` (columns 0..6) to the end of the game; ``first`` makes the even plies.

    An agent that fails in any way loses the game by forfeit.
    """
    columns = list(opening)
    given = len(columns)
    board = Board.from_moves(columns)
    decisions = []
    forfeit = ""
    while not board.is_over and not forfeit:
        try:
            decision = ask((first, second)[board.ply % 2], board, limit, stop)
        except AgentError as error:
            forfeit = str(error)
        else:
            decisions.append(decision)
            columns.append(decision.column)
            board = board.play(decision.column)
    # The side to move loses: to the disc before, or by forfeit.
    result = float(board.ply % 2) if board.has_winner or forfeit else 0.5
    lists = {}
    for name, said in _OF_EACH_MOVE.items():
        lists[name] = tuple(getattr(each, said) for each in decisions)
    return Played(tuple(columns), given, result, forfeit=forfeit, **lists)


def ask(agent: Agent, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:
    """Return the agent's decision, whose column is legal; raise AgentError however the agent fails.

    After ``stop`` an error is raised as it is: a compiler that Ctrl-C interrupts can fail in any way.
    """
    try:
        return chosen(agent, board, limit, stop)
    except AgentError:
        raise
    except BotError as error:
        raise AgentError(f"{agent.name} failed: {error.message}", error.hint) from error
    except Exception as error:
        if stop is not None and stop.is_set:
            raise
        raise AgentError(f"{agent.name} failed: {described(error, agent)}.") from error


def derived_seed(*parts: object) -> int:
    """Return a seed of 32 bits for any printable parts, the same on every machine."""
    return random.Random("/".join(map(str, parts))).getrandbits(32)


def close(agent: Agent) -> None:
    """Release the program behind an agent from outside."""
    getattr(agent, "close", lambda: None)()


def ready_agent(name: str, seed: int | None = None) -> Agent:
    """Return a new agent by name, warmed up; each name is compiled only once in a process.

    Raises AgentError where an agent from outside cannot be started.
    """
    warm_once(name)
    agent = make_agent(name, seed=seed)
    if is_external(name):
        agent.warm_up()
    return agent


def check_agents(names: Iterable[str]) -> None:
    """Make every agent ready once, so that a wrong name or a broken program is reported before the first game.

    Raises UsageError and AgentError.
    """
    for name in names:
        close(ready_agent(name))


@cache
def warm_once(name: str) -> None:
    """Compile the agent of this name, once in a process; each agent from outside is started on its own instead."""
    if not is_external(name):
        make_agent(name).warm_up()
