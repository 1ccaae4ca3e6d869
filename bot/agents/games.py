"""One game between two agents, without a server."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache

from bot.agents.catalogue import is_external, make_agent
from bot.agents.external.host import chosen, described
from bot.engine.agent import NO_LIMIT_S, Agent, Decision, Limit, StopFlag
from bot.errors import AgentError, BotError
from bot.game import Board, PlayedGame

UNLIMITED = Limit(hard_s=NO_LIMIT_S)
"""No time limit: a search to a fixed depth is always completed."""
OF_EACH_MOVE = ("seconds", "nodes", "leaves", "passes", "score", "depth", "pv")
"""What is kept of each move of a game, by its name in `Decision`."""


def play_game(
    first: Agent, second: Agent, opening: Iterable[int] = (), limit: Limit = UNLIMITED, stop: StopFlag | None = None
) -> PlayedGame:
    """Play from the end of ``opening`` (columns 0..6) to the end of the game; ``first`` makes the even plies.

    An agent that fails in any way loses the game by forfeit, which is why the game then ended.
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
    kept = {}
    for name in OF_EACH_MOVE:
        kept[name] = tuple([getattr(each, name) for each in decisions])
    names = {"first": first.name, "second": second.name}
    return PlayedGame.over(tuple(columns), forfeit=forfeit, opening=given, of_moves=kept, **names)


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
        ready_agent(name).close()


@cache
def warm_once(name: str) -> None:
    """Compile the agent of this name, once in a process; each agent from outside is started on its own instead."""
    if not is_external(name):
        make_agent(name).warm_up()
