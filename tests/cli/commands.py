"""The tree of commands with their parameters, as the parser knows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from bot.cli.app import app


def commands(group: Any, path: tuple[str, ...] = ("bot",)) -> Iterator[tuple[str, Any]]:
    """Yield every command and group below ``group``, and itself, with the words that call it."""
    yield " ".join(path), group
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, (*path, name))


TREE: dict[str, Any] = dict(commands(typer.main.get_command(app)))
LEAVES = {words: command for words, command in TREE.items() if not hasattr(command, "commands") or words == "bot"}


def parameter_name(parameter: Any) -> str:
    """Return an option's long name, or an argument's name as the help shows it."""
    if parameter.param_type_name == "option":
        return str(max(parameter.opts, key=len))
    return str(parameter.metavar or parameter.name.upper())


def parameters(command: Any) -> list[str]:
    """Return the names of a command's parameters."""
    return [parameter_name(parameter) for parameter in command.params]


def words_of(text: str) -> str:
    """Return ``text`` without line breaks, also those after hyphens, and other layout."""
    return " ".join(text.replace("\b", " ").split()).replace("- ", "-")


def examples(command: Any) -> list[str]:
    """Return the examples in a command's help: the lines that begin with the program's name."""
    return [line.strip() for line in (command.help or "").splitlines() if line.strip().startswith("bot ")]
