"""`bot engine`: an agent as a program that other arenas can run."""

from __future__ import annotations

from bot.cli.options import OneAgent


def engine(name: OneAgent = "perfect") -> None:
    """Answer requests for moves on standard input, one line each, until the input ends.

    This is the line protocol that agents from outside speak too: see bot/agents/external/README.md. Errors are
    lines that begin with "error"; the program goes on after them.

    \b
    Examples:
      bot engine                                   the bot itself, for another arena
      bot engine tommy-ab:6                        any other agent
      bot match perfect "command:bot engine mtdf"  the bot against itself as a program
    """
    from bot.agents.catalogue import maker_of
    from bot.agents.external.host import answer
    from bot.agents.games import ready_agent
    from bot.engine.processes import private_streams

    maker_of(name)
    answer(lambda seed: ready_agent(name, seed), name, *private_streams())
