"""`bot agents`: the list of all agents."""

from __future__ import annotations

import json
from typing import Annotated

import typer


def agents(as_json: Annotated[bool, typer.Option("--json", help="Print a list of objects.")] = False) -> None:
    """List the agents that --engine, --opponent, match, tournament and the page know by name."""
    from bot.agents import entries

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
    from rich.console import Console
    from rich.table import Table

    table = Table("name", "what it is", "depths", "options", box=None, pad_edge=False)
    for entry in entries():
        depths = "" if entry.depth is None else f"1-{entry.deepest}"
        table.add_row(entry.full_name(), entry.about, depths, " ".join(f"{option}=" for option in entry.options))
    table.add_row("scripted:COLUMNS", "plays the listed columns in turn", "", "")
    Console().print(table)
