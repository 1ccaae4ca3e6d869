"""The whole command line: the list of commands, and how an error becomes one line and an exit code."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from bot.cli.formatting import echo
from bot.cli.output import as_bot_error, discard
from bot.engine.interrupt import RECEIVED
from bot.errors import ExitCode, printable


class CommandGroup(TyperGroup):
    """The command line's root: lists its commands under headings, and imports the module of the one that is run."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "commands": dict.fromkeys(" ".join(COMMANDS.values()).split())})

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002  # of the base class
        """Return a command or a group of commands, None for an unknown name."""
        return _command(cmd_name) if cmd_name in self.commands else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  # of the base class
        """Write the commands under their headings, without empty lines, so that the help fits on one screen."""
        for heading, names in COMMANDS.items():
            formatter.write(f"{heading}:\n")
            for name in names.split():
                formatter.write(f"  {name:12}{_command(name).get_short_help_str(500)}\n")

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


app = typer.Typer(
    name="bot",
    cls=CommandGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # markup would remove text in brackets, such as [env: BOT_SERVER]
    context_settings={"help_option_names": ["-h", "--help"]},
)
COMMANDS = {
    "Play": "play streak replay",
    "Learn and look": "challenge analyse coach puzzles web export",
    "Set up, serve and ask agents": "init doctor serve players agents move engine",
    "Compare agents": "gauntlet match tournament",
    "Measure and build": "paper book proof",
}
"""The commands under each heading; a command or a group is the object of its name in the module of its name."""
_BESIDE = {"engine": "agents", "move": "analyse", "players": "serve", "tournament": "match"}
"""Commands in the module of another one."""


@cache
def _command(name: str) -> Any:
    """Return a command or a group. Without a short help, the parser cuts sentences off in a group's list."""
    command = getattr(import_module(f"bot.cli.{_BESIDE.get(name, name)}"), name)
    alone = typer.Typer(rich_markup_mode=None)
    if isinstance(command, typer.Typer):
        alone.add_typer(command, name=name)
        for entry in command.registered_commands:
            entry.short_help = (entry.callback.__doc__ or "").partition("\n")[0]
    else:
        alone.command()(command)
    return typer.main.get_group(alone).commands[name]


def _show_version(wanted: bool) -> None:
    if wanted:
        from bot import __version__

        typer.echo(f"bot {__version__}")
        raise typer.Exit


@app.callback()
def root(
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show the traceback of an error. May stand anywhere.")
    ] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """\b
    A Connect Four client that plays a course's game server and does not lose.
    Begin with bot play or bot web; bot COMMAND --help has examples.
    """


def run(arguments: list[str]) -> int:
    """Run one command and return the exit code. Errors are one line on stderr; -v prints the traceback before it."""
    rest = [argument for argument in arguments if argument not in ("-v", "--verbose")]
    verbose = rest != arguments
    try:
        app(args=rest, prog_name="bot")
    except SystemExit as stop:  # the parser raises it after success too
        return stop.code if isinstance(stop.code, int) else ExitCode.BUG
    except Exception as error:
        if RECEIVED.is_set():  # a compiler that is interrupted can fail in any way
            raise KeyboardInterrupt from error
        if verbose:
            traceback.print_exception(error)
        shown = as_bot_error(error)
        echo(f"bot: {printable(str(shown))}", err=True)
        return shown.exit_code
    return ExitCode.DONE
