"""`bot agents` and `bot engine`: the list of all agents, and one of them as a program that other arenas can run."""

from __future__ import annotations

from typing import Annotated

from bot.cli.formatting import echo, print_json
from bot.cli.options import AsJson, OneAgent, argument, complete_agent
from bot.cli.progress import ProgressLine, loading_engine


def agents(
    name: Annotated[str | None, argument("NAME", "Explain its options.", autocompletion=complete_agent)] = None,
    as_json: AsJson = False,
) -> None:
    """List all agents, or the options of one.

    The names are those of --engine, --opponent, move, match, tournament and the page. A depth follows the name after a
    colon, options follow after commas: vds:6 or vds:6,think=1. Any agent can have a budget: mtdf@nodes=10000,
    tommy-ab:12@time=0.1 (time, depth, nodes and leaves, with commas between them). Agents of your own: FILE.py:NAME
    or command:PROGRAM; see bot/agents/external/README.md. --json prints a list of objects.

    \b
    Examples:
      bot agents                           names, descriptions, depths and options
      bot agents kang-h1                   what this agent's options mean
      bot move tommy-ab:8 4453             one agent's move in a position
      bot play --engine mtdf               play with another engine
    """
    from bot.agents.catalogue import families

    if name is not None:
        explain_options(name)
        return
    if as_json:
        rows = [
            {
                "name": entry.full_name(),
                "about": entry.about,
                "depth": entry.depth,
                "deepest": entry.deepest if entry.depth is not None else None,
                "options": list(entry.options),
            }
            for entry in families()
        ]
        print_json(rows)
        return
    listed = {"scripted:COLUMNS": "plays the listed columns in turn"}
    for entry in families():
        depths = [] if entry.depth is None else [f"depth 1-{entry.deepest}"]
        listed[entry.full_name()] = "; ".join([entry.about, *depths, *(f"{name}=" for name in entry.options)])
    listed["FILE.py:NAME"] = "an agent of your own, in Python; KEY="
    listed["command:PROGRAM"] = "an agent of your own, any program"
    print_explained(listed)


def explain_options(name: str) -> None:
    """Print what the options of one agent mean, their defaults first; raise UsageError where there is no such agent."""
    from bot.agents.catalogue import EXTERNAL, family_of, maker_of

    family = family_of(name)
    if family is EXTERNAL:
        maker_of(name)  # the file or the program must exist
        echo(f"{name}: an agent of your own; KEY=VALUE after commas is what it is called with")
        return
    echo(f"{name}: {family.about}{'' if family.options else '; it has no options'}")
    print_explained({f"{key}=": f"{option.about}. {option.hint}" for key, option in family.options.items()})


def getting_ready(name: str) -> ProgressLine:
    """Return the line of the time until an agent is ready: a program from outside is waited for."""
    from bot.agents.catalogue import is_external

    return ProgressLine(f"Waiting for {name}") if is_external(name) else loading_engine()


def print_explained(texts: dict[str, str]) -> None:
    """Print a column of names beside what each one means."""
    column = max(map(len, texts), default=0) + 2
    for name, about in texts.items():
        echo(f"{name:{column}}{about}", hang=column)


def engine(name: OneAgent = "perfect") -> None:
    """Answer requests for moves on standard input, one line each.

    It goes on until the input ends. This is the line protocol that agents from outside speak too: see
    bot/agents/external/README.md. Errors are lines that begin with "error"; the program goes on after them.

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
