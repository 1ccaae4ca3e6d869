"""The command line as a whole: which commands there are, and how an error becomes a line and an exit code."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from bot.cli.agents import agents
from bot.cli.analyse import analyse
from bot.cli.bench import bench
from bot.cli.book import book
from bot.cli.doctor import doctor
from bot.cli.experiment import experiment
from bot.cli.match import match
from bot.cli.move import move
from bot.cli.play import play
from bot.cli.proof import proof
from bot.cli.replay import replay
from bot.cli.serve import serve
from bot.cli.simulate import simulate
from bot.cli.soak import soak
from bot.cli.streak import streak
from bot.cli.tournament import tournament
from bot.cli.web import web
from bot.errors import BotError, ExitCode

app = typer.Typer(
    name="bot",
    help="A Connect Four client that plays a course's game server and does not lose.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # it would swallow what stands in brackets, such as [env: BOT_SERVER]
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _command in (play, analyse, serve, streak, replay, move, match, tournament, web, doctor, simulate, soak, agents):
    app.command()(_command)
app.add_typer(bench, name="bench")
app.add_typer(book, name="book")
app.add_typer(proof, name="proof")
app.add_typer(experiment, name="experiment")


def _list_whole_sentences(group: typer.Typer) -> None:
    """In lists of commands the parser cuts sentences off, unless it is given short ones."""
    for command in group.registered_commands:
        command.short_help = (command.callback.__doc__ or "").partition("\n")[0]
    for entry in group.registered_groups:
        if entry.typer_instance is not None:
            entry.short_help = entry.typer_instance.info.help
            _list_whole_sentences(entry.typer_instance)


_list_whole_sentences(app)


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
    """A Connect Four client that plays a course's game server and does not lose."""


def run(arguments: list[str]) -> int:
    """Run one command; returns the exit code. Errors are one line on stderr, tracebacks only with -v."""
    verbose = any(argument in ("-v", "--verbose") for argument in arguments)
    rest = [argument for argument in arguments if argument not in ("-v", "--verbose")]
    try:
        app(args=rest, prog_name="bot")
    except SystemExit as stop:  # how the parser ends, with success too
        return stop.code if isinstance(stop.code, int) else ExitCode.BUG
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()  # nobody reads any more; keep Python from complaining about it at exit
        return ExitCode.DONE
    except Exception as error:
        if verbose:
            raise
        return _report(error)
    return ExitCode.DONE


def _report(error: Exception) -> int:
    if isinstance(error, BotError):
        print(f"bot: {error}", file=sys.stderr)
        return error.exit_code
    print(
        f"bot: This is a bug: {type(error).__name__}: {error} Run again with -v and report what it prints.",
        file=sys.stderr,
    )
    return ExitCode.BUG
