"""The whole command line: the list of commands, and how an error becomes one line and an exit code."""

from __future__ import annotations

import sys
import traceback
from typing import Annotated

import typer

from bot.cli.agents import agents
from bot.cli.analyse import analyse
from bot.cli.bench import bench
from bot.cli.book import book
from bot.cli.challenge import challenge
from bot.cli.coach import coach
from bot.cli.doctor import doctor
from bot.cli.engine import engine
from bot.cli.experiment import experiment
from bot.cli.export import export
from bot.cli.help import LABORATORY, LOOK, MEASURE, PLAY, SERVER, CommandGroup
from bot.cli.init import init
from bot.cli.judge import judge
from bot.cli.match import match
from bot.cli.move import move
from bot.cli.output import discard_unwritable, shortage, unusable_place
from bot.cli.play import play
from bot.cli.proof import proof
from bot.cli.puzzles import puzzles
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
    cls=CommandGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # markup would remove text in brackets, such as [env: BOT_SERVER]
    context_settings={"help_option_names": ["-h", "--help"]},
)
_COMMANDS = {
    PLAY: (play, challenge, puzzles, streak, init, doctor),
    LOOK: (web, analyse, coach, replay),
    MEASURE: (simulate, soak),
    LABORATORY: (agents, move, match, tournament, judge, engine),
    SERVER: (serve,),
}
for _group, _commands in _COMMANDS.items():
    for _command in _commands:
        app.command(rich_help_panel=_group)(_command)
app.add_typer(export, name="export", rich_help_panel=LOOK)
app.add_typer(bench, name="bench", rich_help_panel=MEASURE)
app.add_typer(book, name="book", rich_help_panel=MEASURE)
app.add_typer(proof, name="proof", rich_help_panel=MEASURE)
app.add_typer(experiment, name="experiment", rich_help_panel=LABORATORY)


def _list_whole_sentences(group: typer.Typer) -> None:
    """Give every command a short help: without it, the parser cuts sentences off in lists of commands."""
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
    """A Connect Four client that plays a course's game server and does not lose.

    Every command has examples: bot COMMAND --help. Columns are numbered 1 to 7 from the left.

    \b
    Examples:
      bot play                   play 20 games against the embedded course server
      bot web                    play, analyse and watch in a browser
      bot analyse 4453           exact scores of a position
    """


def run(arguments: list[str]) -> int:
    """Run one command and return the exit code. Errors are one line on stderr; -v prints the traceback before it."""
    verbose = any(argument in ("-v", "--verbose") for argument in arguments)
    rest = [argument for argument in arguments if argument not in ("-v", "--verbose")]
    try:
        app(args=rest, prog_name="bot")
    except SystemExit as stop:  # the parser raises it after success too
        return stop.code if isinstance(stop.code, int) else ExitCode.BUG
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return ExitCode.INTERRUPTED
    except Exception as error:
        if verbose:
            traceback.print_exception(error)
        return _report(error)
    return ExitCode.DONE


def _report(error: Exception) -> int:
    if isinstance(error, BotError):
        print(f"bot: {error}", file=sys.stderr)
        return error.exit_code
    if text := shortage(error) or unusable_place(error):
        discard_unwritable()
        print(f"bot: {text}", file=sys.stderr)
        return ExitCode.USAGE
    print(
        f"bot: This is a bug: {type(error).__name__}: {error} Run again with -v and report what it prints.",
        file=sys.stderr,
    )
    return ExitCode.BUG
