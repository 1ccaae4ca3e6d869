"""The server's README names every file and option there is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import typer

from bot.cli.app import app
from bot.course.server.referee import Dialect, Starter

ROOM = Path(__file__).parents[3] / "bot" / "course" / "server"
README = (ROOM / "README.md").read_text(encoding="utf-8")


def test_every_module_and_option_is_named() -> None:
    command = typer.main.get_command(app).commands["serve"]  # type: ignore[attr-defined]
    options = {name for parameter in command.params for name in parameter.opts if name != "--help"}
    names = [path.name for path in ROOM.glob("*.py") if path.name != "__init__.py"]
    names += [*get_args(Dialect), *get_args(Starter)]
    assert [name for name in names if f"`{name}`" not in README] == []
    rows = re.findall(r"^\| (`--[^|]*)\|", README, re.MULTILINE)
    assert set(re.findall(r"--[\w-]+", "".join(rows))) == options
