"""What the parser does differently here: commands in groups, Ctrl-C and closed pipes."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from typer.core import TyperGroup

from bot.cli.output import discard
from bot.errors import ExitCode


class CommandGroup(TyperGroup):
    """The command line's root: lists its commands under headings."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  # of the base class
        """Write one list of commands for each heading, in the width of the longest name."""
        commands: Mapping[str, Any] = self.commands
        width = max(map(len, commands))
        for heading in dict.fromkeys(command.rich_help_panel for command in commands.values()):
            with formatter.section(heading):
                formatter.write_dl(
                    [
                        (f"{name:{width}}", command.get_short_help_str(500))
                        for name, command in commands.items()
                        if command.rich_help_panel == heading
                    ]
                )

    def make_context(self, *args: Any, **settings: Any) -> Any:
        """Parse the arguments; --help and --version are printed here."""
        with _endings():
            return super().make_context(*args, **settings)

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        with _endings():
            result = super().invoke(ctx)
            sys.stdout.flush()
        return result


@contextmanager
def _endings() -> Iterator[None]:
    """End with exit code 130 after Ctrl-C, and with 0 when the reader of a pipe has left."""
    try:
        yield
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        raise SystemExit(ExitCode.INTERRUPTED) from None
    except BrokenPipeError:
        discard(sys.stdout)
        raise SystemExit(ExitCode.DONE) from None
