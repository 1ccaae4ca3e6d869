"""`bot experiment`: rerun the experiments of the papers and join their pages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Exit, Typer, echo

from bot.cli.options import Scheduler, Seed, Workers, argument, flag, option
from bot.errors import ExitCode

experiment = Typer(help="Rerun the experiments of the papers, beside their published tables.", no_args_is_help=True)

OUT = Path("logs/experiments")
Out = Annotated[Path, option("FOLDER", "Folder for tables, plots and saved pieces.")]


@experiment.command()
def run(
    name: Annotated[
        str | None,
        argument("NAME", "An experiment's name, or all; without it: list them."),
    ] = None,
    out: Out = OUT,
    quick: Annotated[bool, flag("--quick", "Fewer games: all experiments in a minute on two cores.")] = False,
    seed: Seed = 0,
    workers: Workers = 1,
    scheduler: Scheduler = None,
) -> None:
    """Run one experiment or all: a CSV, a Markdown table, a plot, the raw games and a manifest each.

    The same command resumes an interrupted run after its last finished task. At the end the report is written anew.
    Two experiments, readings-halim and readings-kang, enumerate what a paper leaves open, and score every reading
    against its published table; a part of the table is held out, and has no part in the choice of the best reading.

    \b
    Examples:
      bot experiment run                           the list
      bot experiment run halim-table1 --quick
      bot experiment run all --workers 2
    """
    from bot.cli.progress import progress
    from bot.lab.experiments.catalogue import EXPERIMENTS, find
    from bot.lab.experiments.report import write_report
    from bot.lab.experiments.runner import run_experiment

    if name is None:
        width = max(map(len, EXPERIMENTS))
        for known, entry in EXPERIMENTS.items():
            echo(f"{known:{width}}  {entry.title}")
        return
    names = list(EXPERIMENTS) if name == "all" else [find(name).name]
    has_plots = True
    for each in names:
        with progress(each) as tasks:
            has_plots &= run_experiment(
                each, out, seed=seed, quick=quick, workers=workers, scheduler=scheduler, progress=tasks.update
            )
    for each in names:
        echo(out / f"{each}.md")
    echo(write_report(out, names))
    if not has_plots:
        echo("No plots were drawn: they need matplotlib (pip install -e '.[plot]').", err=True)


@experiment.command()
def report(out: Out = OUT) -> None:
    """Judge every statement of the papers by the saved results, and write all pages, tables and plots anew.

    \b
    Examples:
      bot experiment report                        of the folder logs/experiments
    """
    from bot.cli.progress import progress
    from bot.lab.experiments.report import write_report

    with progress("pages") as pages:
        path = write_report(out, progress=pages.update)
    echo(path)


@experiment.command()
def rerun(
    manifest: Annotated[Path, argument("MANIFEST", "A file NAME.manifest.json that a run wrote.")],
    sample: Annotated[int | None, option("N", "Perform only N tasks, drawn at random.", min=1)] = None,
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
    from bot.lab.experiments.rerun import rerun as repeat

    with progress("tasks") as tasks:
        comparison = repeat(manifest, sample=sample, workers=workers, scheduler=scheduler, progress=tasks.update)
    echo(comparison.describe())
    for task in comparison.differing[:10]:
        echo(f"differs: {task}")
    if not comparison.equal:
        raise Exit(ExitCode.GOAL_MISSED)
