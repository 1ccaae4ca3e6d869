"""`bot agents`: the list of all agents."""

from __future__ import annotations

import json
from typing import Annotated

import typer


def agents(as_json: Annotated[bool, typer.Option("--json", help="Print a list of objects.")] = False) -> None:
    """List all agents: the names that --engine, --opponent, move, match, tournament and the page accept.

    A depth follows the name after a colon, options follow after commas: vds:6 or vds:6,think=1. Any agent can have a
    budget: mtdf@nodes=10000, tommy-ab:12@time=0.1 (time, depth, nodes and leaves, with commas between them). Agents of
    your own: FILE.py:CLASS, an installed package's entry point, or command:PROGRAM; see bot/agents/external/README.md.

    \b
    Examples:
      bot agents                           names, descriptions, depths and options
      bot move tommy-ab:8 4453             one agent's move in a position
      bot play --engine mtdf               play with another engine
    """
    from bot.agents.catalogue import entries
    from bot.agents.external.names import installed_agents

    if as_json:
        rows = [
            {
                "name": entry.full_name(),
                "about": entry.about,
                "depth": entry.depth,
                "deepest": entry.deepest if entry.depth is not None else None,
                "options": list(entry.options),
            }
            for entry in entries()
        ]
        typer.echo(json.dumps(rows))
        return
    from rich.table import Table

    from bot.cli.console import OutputConsole

    table = Table("name", "what it is", "depths", "options", box=None, pad_edge=False)
    for entry in entries():
        depths = "" if entry.depth is None else f"1-{entry.deepest}"
        table.add_row(entry.full_name(), entry.about, depths, " ".join(f"{option}=" for option in entry.options))
    table.add_row("scripted:COLUMNS", "plays the listed columns in turn", "", "")
    for name, place in installed_agents().items():
        table.add_row(name, f"installed: {place}", "", "KEY=")
    table.add_row("FILE.py:CLASS", "an agent of your own, in Python", "", "KEY=")
    table.add_row("command:PROGRAM", "an agent of your own, any program", "", "")
    console = OutputConsole()
    if not console.is_terminal:
        console.width = 160  # a pipe has no width; rows stay on one line
    console.print(table)
