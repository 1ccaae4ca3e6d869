"""What the parser does differently here: commands in groups, Ctrl-C and closed pipes, completion of agent names."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from typer.core import TyperGroup

from bot.cli.output import discard, report_loss
from bot.cli.progress import note_book_problem
from bot.errors import ExitCode

if TYPE_CHECKING:
    import click

PLAY, LOOK, MEASURE, LABORATORY, SERVER = "Play", "Look", "Measure", "Laboratory", "Server"
GROUPS = (PLAY, LOOK, MEASURE, LABORATORY, SERVER)
"""Headings of the commands in `bot --help`, in their order."""


class CommandGroup(TyperGroup):
    """The command line's root: lists its commands under headings."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        _name_arguments_plainly(self)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write one list of commands for each heading, in the width of the longest name."""
        names = self.list_commands(ctx)
        width = max(map(len, names))
        for group in GROUPS:
            rows = [
                (f"{name:{width}}", self.commands[name].get_short_help_str(500))
                for name in names
                if getattr(self.commands[name], "rich_help_panel", None) == group
            ]
            with formatter.section(group):
                formatter.write_dl(rows)

    def make_context(self, *args: Any, **settings: Any) -> Any:
        """Parse the arguments; --help and --version are printed here."""
        with _quiet_when_unread():
            return super().make_context(*args, **settings)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; end with exit code 130 after Ctrl-C, and with 0 when the reader of a pipe has left."""
        try:
            with _quiet_when_unread():
                result = super().invoke(ctx)
                sys.stdout.flush()
        except KeyboardInterrupt:
            print("Interrupted.", file=sys.stderr)
            raise SystemExit(ExitCode.INTERRUPTED) from None
        finally:
            note_book_problem()
            report_loss()
        return result


@contextmanager
def _quiet_when_unread() -> Iterator[None]:
    """End the process with exit code 0 when the reader of a pipe has left."""
    try:
        yield
    except BrokenPipeError:
        discard(sys.stdout)
        raise SystemExit(ExitCode.DONE) from None


def _name_arguments_plainly(group: Any) -> None:
    """Show arguments as AGENT and [MOVES]: typer adds braces, which look like something to type, and Python's types."""
    for command in group.commands.values():
        if hasattr(command, "commands"):
            _name_arguments_plainly(command)
        for parameter in command.params:
            if parameter.param_type_name == "argument":
                parameter._usage_display_name = partial(_usage_name, parameter)
                parameter.display_type_rich = _no_type


def _usage_name(argument: Any) -> str:
    name = argument.metavar or argument.name.upper()
    if argument.nargs != 1:
        name = f"{name.removesuffix('...')}..."
    return name if argument.required else f"[{name}]"


def _no_type(ctx: Any) -> None:  # of the method that it replaces
    """Return no type: an argument's name and help say what it is."""


def complete_agent(incomplete: str) -> list[tuple[str, str]]:
    """Return agents that begin with ``incomplete``, with descriptions; families with the depth that is offered."""
    from bot.agents.catalogue import COURSE_BOT, agent_names, entries

    found = {entry.full_name(): entry.about for entry in entries()}
    found |= {name: "the course's own bot: minimax" for name in agent_names() if name.startswith(COURSE_BOT)}
    found["scripted:4455"] = "plays the listed columns in turn"
    return [(name, about) for name, about in found.items() if name.startswith(incomplete)]


def examples(command: click.Command) -> list[str]:
    """Return the examples in a command's help: the lines that begin with its name."""
    return [line.strip() for line in (command.help or "").splitlines() if line.strip().startswith("bot ")]
