"""`bot experiment`: run the papers' experiments again and join their pages."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

experiment = typer.Typer(help="Run the papers' experiments again, beside their published tables.", no_args_is_help=True)

OUT = Path("logs/experiments")


@experiment.command("list")
def list_experiments() -> None:
    """Name all experiments."""
    from bot.lab.experiments.catalogue import EXPERIMENTS

    width = max(map(len, EXPERIMENTS))
    for name, entry in EXPERIMENTS.items():
        typer.echo(f"{name:{width}}  {entry.title}")


@experiment.command()
def run(
    name: Annotated[str, typer.Argument(help="An experiment's name, or all.")],
    out: Annotated[Path, typer.Option(help="Folder for tables, plots and saved pieces.")] = OUT,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer games: all experiments in some minutes.")] = False,
    seed: Annotated[int, typer.Option(help="Seed of everything that chance decides.")] = 0,
    workers: Annotated[int, typer.Option(help="Processes on this machine.", min=1)] = 1,
    scheduler: Annotated[str | None, typer.Option(help="Address of a Dask scheduler (extra: scale).")] = None,
) -> None:
    """Run one experiment or all: a CSV, a Markdown table and a plot each.

    Restartable: the same command goes on after the last finished task.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from bot.lab.experiments.catalogue import EXPERIMENTS, find
    from bot.lab.experiments.runner import run_experiment

    names = list(EXPERIMENTS) if name == "all" else [find(name).name]
    has_plots = True
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        for each in names:
            shown = bar.add_task(each, total=None)
            has_plots &= run_experiment(
                each,
                out,
                seed=seed,
                quick=quick,
                workers=workers,
                scheduler=scheduler,
                progress=partial(_advance, bar, shown),
            )
    for each in names:
        typer.echo(out / f"{each}.md")
    if not has_plots:
        typer.echo("No plots were drawn: they need matplotlib (pip install -e '.[plot]').", err=True)


def _advance(bar: Progress, shown: TaskID, done: int, total: int) -> None:
    bar.update(shown, completed=done, total=total)


@experiment.command()
def report(
    out: Annotated[Path, typer.Option(help="Folder that the experiments were run into.")] = OUT,
) -> None:
    """Join all finished experiments into one page, with what the papers got wrong."""
    from bot.lab.experiments.report import write_report

    typer.echo(write_report(out))
