"""`bot experiment`: rerun the experiments of the sources, and judge what they state."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

from typer import Exit, Typer

from bot.cli.formatting import echo
from bot.cli.options import Seed, Workers, argument, flag, option
from bot.cli.progress import progress
from bot.errors import ExitCode, UsageError

experiment = Typer(help="Rerun the experiments of the papers, beside their published tables.", no_args_is_help=True)

OUT = Path("logs/experiments")
Out = Annotated[Path, option("FOLDER", "Folder of the raw results, the manifest and the pages.")]
INSTALL = "Install it with the extra `lab`: pip install 'bot-connect-four[lab]', in a clone pip install -e '.[lab]'."


@experiment.command()
def run(
    name: Annotated[
        str | None,
        argument("NAME", "An experiment, all of a source, or all; without it: list them."),
    ] = None,
    out: Out = OUT,
    quick: Annotated[bool, flag("--quick", "Fewer games: all experiments in a minute on two cores.")] = False,
    seed: Seed = 0,
    workers: Workers = 1,
) -> None:
    """Run one experiment, a source's or all: their raw results, a manifest, and the pages of their sources.

    The same command resumes an interrupted run after its last finished task. A task is repeated only where the sources
    of its agents have changed. Further sources come from the folder that BOT_PAPERS names.

    \b
    Examples:
      bot experiment run                           the list
      bot experiment run tommy --quick             all of one source
      bot experiment run all --workers 2
    """
    from bot.lab.experiments.paper import papers
    from bot.lab.experiments.run import run_experiment

    if name is None:
        for paper in papers().values():
            echo(f"{paper.name}: {paper.source}")
            for known, entry in paper.run.items():
                echo(f"  {known:20}  {entry.title}")
        return
    _check_extra()
    names = _chosen(name)
    for each in names:
        with progress(each) as tasks:
            run_experiment(each, out, seed=seed, quick=quick, workers=workers, progress=tasks.update)
    _write(out, [paper.name for paper in papers().values() if paper.run.keys() & set(names)])


def _chosen(name: str) -> list[str]:
    """Return the experiments that a name means; raise UsageError where there is none."""
    from bot.lab.experiments.paper import all_runs, find_run, papers

    if name == "all":
        return list(all_runs())
    if name in papers():
        return list(papers()[name].run)
    find_run(name)
    return [name]


def _check_extra() -> None:
    """Raise UsageError where the verdicts cannot be computed."""
    if find_spec("scipy") is None:
        raise UsageError("The verdicts need scipy, which is not installed.", INSTALL)


def _write(out: Path, names: list[str]) -> None:
    """Write the pages of sources, all without ``names``, and say where they are."""
    from bot.lab.experiments.pages import write_pages

    for page in write_pages(out, names):
        echo(page)
    if find_spec("matplotlib") is None:
        echo(f"No plots were drawn: they need matplotlib. {INSTALL}", err=True)


@experiment.command()
def report(out: Out = OUT) -> None:
    """Judge every statement of the sources by the saved results, and write all pages and plots anew.

    \b
    Examples:
      bot experiment report                        of the folder logs/experiments
    """
    _check_extra()
    _write(out, [])


@experiment.command()
def rerun(
    name: Annotated[str, argument("NAME", "An experiment that was run.")],
    out: Out = OUT,
    workers: Workers = 1,
) -> None:
    """Repeat a run by its manifest, and compare: everything but times must be equal.

    An agent whose moves depend on time cannot repeat them. Exit code 5: some results differ.

    \b
    Examples:
      bot experiment rerun tommy-table1
      bot experiment rerun edap01-games --out bot/lab/results --workers 2
    """
    from bot.lab.experiments.run import rerun as repeat

    with progress("tasks") as tasks:
        is_equal = repeat(name, out, workers=workers, progress=tasks.update)
    if not is_equal:
        echo(f"{name}: different.")
        raise Exit(ExitCode.GOAL_MISSED)
    echo(f"{name}: identical.")
