"""`bot paper`: play the experiments of five publications again, beside their printed tables."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from bot.cli.formatting import echo, print_table
from bot.cli.options import Scheduler, Workers, argument, flag, option
from bot.cli.progress import ProgressLine
from bot.engine.interrupt import cleanup
from bot.errors import UsageError

paper = typer.Typer(help="Play the experiments of five publications again.")
Name = Annotated[str, argument("NAME", "A paper of the list, or all.")]
Out = Annotated[Path, option("FOLDER", "Folder of the results and the pages.")]
OUT = Path("logs/papers")
_END_S = 2.0
"""Longest time to end the workers after Ctrl-C, seconds."""


@paper.callback(invoke_without_command=True)
def listed(context: typer.Context) -> None:
    """List the papers; see the commands for more."""
    if context.invoked_subcommand is None:
        list_()


@paper.command("list")
def list_() -> None:
    """List the papers, those in the folder that BOT_PAPERS names included.

    \b
    Examples:
      bot paper list                             what was found in each, in a sentence
    """
    from bot.agents.family import papers
    from bot.papers.page import studies

    for name in studies():
        try:
            page = read_page(name, OUT, papers()[name].parent)
            echo(f"{name:15} {page['title']}: {page['found'][0]}")
        except UsageError:
            echo(f"{name:15} not run yet: bot paper run {name}")


@paper.command()
def run(
    name: Name,
    quick: Annotated[bool, flag("--quick", "Fewer games: all papers in minutes.")] = False,
    out: Out = OUT,
    workers: Workers = 1,
    scheduler: Scheduler = None,
) -> None:
    """Carry out the study of a paper, or all: its results are kept, and its page is written.

    The same command resumes an interrupted run. A game is repeated only where the sources of its agents have changed.
    Further papers come from the folder that BOT_PAPERS names: bot/papers/README.md says how to add one.

    \b
    Examples:
      bot paper run tommy --quick                one paper, with few games
      bot paper run all --workers 2
    """
    from bot.gauntlet.store import RecordStore
    from bot.papers.page import studies, write_page
    from bot.papers.runs import HEAD, STORE, Runner

    for library in ("pandas", "matplotlib"):
        if find_spec(library) is None:
            raise UsageError(f"The studies need {library}, which is not installed.", "Install the extra `papers`.")
    chosen = studies() if name == "all" else [known(name)]
    for each in chosen:
        with ProgressLine(each) as line, RecordStore(out / STORE, HEAD) as store, cleanup(_END_S):
            try:
                page = write_page(each, Runner(store, quick, workers, scheduler, line.update), out)
            except KeyboardInterrupt:
                echo("What is finished is kept: the same command goes on from there.", err=True)
                raise
        echo(page)


@paper.command()
def show(name: Name, out: Out = OUT) -> None:
    """Print what was found in a paper, its printed tables beside ours, and its statements.

    It shows the page of `bot paper run` in --out, or where there is none the one that comes with the package.

    \b
    Examples:
      bot paper show tommy
    """
    from bot.agents.family import papers
    from bot.papers.page import QUICK, SIGNS, overview

    page = read_page(known(name), out, papers()[name].parent)
    echo(f"{page['title']}\n")
    if page["quick"]:
        echo(f"{QUICK} It stands in {out}.")
    echo(" ".join(page["found"]))
    for table in page["tables"]:
        echo(f"\n{table['title']}")
        print_table(table["rows"])
        echo(SIGNS)
    echo()
    print_table(overview(page))


def read_page(name: str, *folders: Path) -> dict[str, Any]:
    """Return the page of a publication from the first of ``folders`` that has one; raise UsageError where none has."""
    for folder in folders:
        path = folder / name / "results.json"
        if path.is_file():
            found: dict[str, Any] = json.loads(path.read_text("utf-8"))
            return found
    raise UsageError(f"There is no page of {name}.", f"Make it with `bot paper run {name}`.")


def known(name: str) -> str:
    """Return the name of a paper; raise UsageError where there is none."""
    from bot.papers.page import studies

    if name not in studies():
        raise UsageError(f"There is no paper called {name!r}.", f"There are: {', '.join(studies())}, or all.")
    return name
