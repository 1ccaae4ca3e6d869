"""What the parser does differently here: commands in groups, Ctrl-C and closed pipes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from typer.core import TyperGroup

from bot.cli.output import discard
from bot.errors import ExitCode

PLAY, LEARN, SETUP, COMPARE, MEASURE = "Play", "Learn and look", "Set up", "Compare agents", "Measure and build"
GROUPS = (PLAY, LEARN, SETUP, COMPARE, MEASURE)
"""Headings of the commands in `bot --help`, in their order."""


class CommandGroup(TyperGroup):
    """The command line's root: lists its commands under headings."""

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
        return result


@contextmanager
def _quiet_when_unread() -> Iterator[None]:
    """End the process with exit code 0 when the reader of a pipe has left."""
    try:
        yield
    except BrokenPipeError:
        discard(sys.stdout)
        raise SystemExit(ExitCode.DONE) from None
