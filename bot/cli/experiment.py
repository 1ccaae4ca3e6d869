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
Out = Annotated[Path, typer.Option(metavar="FOLDER", help="Folder for tables, plots and saved pieces.")]


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
    out: Out = OUT,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer games: all experiments in a minute or two.")] = False,
    seed: Seed = 0,
    workers: Workers = 1,
    scheduler: Scheduler = None,
) -> None:
    """Run one experiment or all: a CSV, a Markdown table, a plot, the raw games and a manifest each.

    The same command resumes an interrupted run after its last finished task. At the end the report is written anew.

    \b
    Examples:
      bot experiment run halim-table1 --quick
      bot experiment run all --workers 2
    """
    from bot.cli.progress import progress
    from bot.lab.experiments.catalogue import EXPERIMENTS, find
    from bot.lab.experiments.report import write_report
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
    typer.echo(write_report(out, names))
    if not has_plots:
        typer.echo("No plots were drawn: they need matplotlib (pip install -e '.[plot]').", err=True)


@experiment.command()
def report(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder with the results of the experiments.")] = OUT,
) -> None:
    """Judge every statement of the papers by the saved results, and write all pages, tables and plots anew.

    \b
    Examples:
      bot experiment report                        of the folder logs/experiments
    """
    from bot.cli.progress import progress
    from bot.lab.experiments.report import write_report

    with progress() as bars:
        path = write_report(out, progress=bars.part("pages").update)
    typer.echo(path)


def _complete_paper(incomplete: str) -> list[str]:
    from bot.lab.experiments.catalogue import READINGS

    return [paper for paper in READINGS if paper.startswith(incomplete)]


@experiment.command()
def readings(
    paper: Annotated[str, typer.Argument(metavar="PAPER", help="halim or kang.", autocompletion=_complete_paper)],
    out: Out = OUT,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer readings and games.")] = False,
    seed: Seed = 0,
    workers: Workers = 1,
    scheduler: Scheduler = None,
) -> None:
    """Enumerate what a paper leaves open, and score every reading against its published table.

    A part of the table is held out: it has no part in the choice of the best reading. Prints the best readings, the
    range over all, and what no reading reproduces.

    \b
    Examples:
      bot experiment readings halim --workers 2
      bot experiment readings kang --quick
    """
    from bot.cli.progress import progress
    from bot.lab.experiments.catalogue import find_readings
    from bot.lab.experiments.runner import run_experiment

    name = find_readings(paper).name
    with progress() as bars:
        run_experiment(
            name,
            out,
            seed=seed,
            quick=quick,
            workers=workers,
            scheduler=scheduler,
            progress=bars.part(name).update,
        )
    page = out / f"{name}.md"
    typer.echo(page.read_text(encoding="utf-8").partition("<details>")[0].rstrip())


@experiment.command()
def rerun(
    manifest: Annotated[Path, typer.Argument(metavar="MANIFEST", help="A file NAME.manifest.json that a run wrote.")],
    sample: Annotated[
        int | None, typer.Option(metavar="N", help="Perform only N tasks, drawn at random.", min=1)
    ] = None,
    workers: Workers = 1,
    scheduler: Scheduler = None,
) -> None:
    """Repeat a run by its manifest, and compare: everything but times must be equal.

    Tasks with an agent whose moves depend on time are left out, and counted. Exit code 5: some results differ.

    \b
    Examples:
      bot experiment rerun logs/experiments/kang-table7.manifest.json
      bot experiment rerun bot/lab/results/halim-table1.manifest.json --workers 2
    """
    from bot.cli.progress import progress
    from bot.errors import ExitCode
    from bot.lab.experiments.rerun import rerun as repeat

    with progress() as bars:
        part = bars.part("tasks")
        comparison = repeat(manifest, sample=sample, workers=workers, scheduler=scheduler, progress=part.update)
    typer.echo(comparison.describe())
    for task in comparison.differing[:10]:
        typer.echo(f"differs: {task}")
    if not comparison.equal:
        raise typer.Exit(ExitCode.GOAL_MISSED)
