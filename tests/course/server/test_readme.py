"""The server's README names every file and option there is, and that of the faults every kind."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import typer

from bot.cli.app import app
from bot.course.server.referee import Dialect, Starter
from bot.trials.faults.plan import KINDS

ROOM = Path(__file__).parents[3] / "bot" / "course" / "server"
README = (ROOM / "README.md").read_text(encoding="utf-8")
FAULTS = (ROOM.parents[1] / "trials" / "faults" / "README.md").read_text(encoding="utf-8")


def test_every_module_is_named() -> None:
    files = [path.name for path in ROOM.glob("*.py") if path.name != "__init__.py"]
    assert [name for name in files if f"`{name}`" not in README] == []


def test_every_kind_of_fault_is_in_the_table_with_what_becomes_of_the_request() -> None:
    table = dict(re.findall(r"^\| (`\w+`(?:, `\w+`)?) \|.*\| ([a-z, ]+) \|$", FAULTS, re.MULTILINE))
    kinds = {
        kind: processed
        for names, words in table.items()
        for kind, processed in zip(re.findall(r"`(\w+)`", names), words.split(", "), strict=True)
        if kind in KINDS
    }
    assert set(kinds) == set(KINDS)
    unprocessed = {kind for kind in KINDS if kind == "refuse" or kind.endswith("_before")}
    assert {kind for kind, processed in kinds.items() if processed == "no"} == unprocessed


def test_every_option_of_serve_is_in_the_table() -> None:
    command = typer.main.get_command(app).commands["serve"]  # type: ignore[attr-defined]
    options = {name for parameter in command.params for name in parameter.opts if name != "--help"}
    rows = [line for line in README.splitlines() if line.startswith("| `--")]
    assert set(re.findall(r"`(--[\w-]+)", "\n".join(row.split(" | ")[0] for row in rows))) == options
    assert all(f"`{value}`" in README for value in (*get_args(Dialect), *get_args(Starter)))
