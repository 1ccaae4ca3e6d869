"""`bot experiment`: rerun the experiments of the papers and join their pages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.options import Scheduler, Seed, Workers

experiment = typer.Typer(
    help="Rerun the experiments of the papers, beside their published tables.", no_args_is_help=True
)

OUT = Path("logs/experiments")


def _complete_name(incomplete: str) -> list[str]:
    from bot.lab.experiments.catalogue import EXPERIMENTS

    return [name for name in (*EXPERIMENTS, "all") if name.startswith(incomplete)]


@experiment.command("list")
def list_experiments() -> None:
    """List all experiments.

    \b
    Examples:
      bot experiment list
    """
    from bot.lab.experiments.catalogue import EXPERIMENTS

    width = max(map(len, EXPERIMENTS))
    for name, entry in EXPERIMENTS.items():
        typer.echo(f"{name:{width}}  {entry.title}")


@experiment.command()
def run(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="An experiment's name, or all.", autocompletion=_complete_name)
    ],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder for tables, plots and saved pieces.")] = OUT,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer games: all experiments in a few minutes.")] = False,
    seed: Seed = 0,
    workers: Workers = 1,
    scheduler: Scheduler = None,
) -> None:
    """Run one experiment or all: a CSV, a Markdown table and a plot each.

    The same command resumes an interrupted run after its last finished task.

    \b
    Examples:
      bot experiment run halim-table1 --quick
      bot experiment run all --workers 2
    """
    from bot.cli.progress import progress
    from bot.lab.experiments.catalogue import EXPERIMENTS, find
    from bot.lab.experiments.runner import run_experiment

    names = list(EXPERIMENTS) if name == "all" else [find(name).name]
    has_plots = True
    with progress() as bars:
        for each in names:
            has_plots &= run_experiment(
                each,
                out,
                seed=seed,
                quick=quick,
                workers=workers,
                scheduler=scheduler,
                progress=bars.part(each).update,
            )
    for each in names:
        typer.echo(out / f"{each}.md")
    if not has_plots:
        typer.echo("No plots were drawn: they need matplotlib (pip install -e '.[plot]').", err=True)


@experiment.command()
def report(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder with the results of the experiments.")] = OUT,
) -> None:
    """Join all finished experiments into one page, with the claims of the papers that they contradict.

    \b
    Examples:
      bot experiment report                        of the folder logs/experiments
    """
    from bot.lab.experiments.report import write_report

    typer.echo(write_report(out))
