"""`bot experiment`: rerun the experiments of the sources, and judge what they state."""

from __future__ import annotations

from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

from typer import Typer

from bot.cli.formatting import echo
from bot.cli.options import Seed, Workers, argument, flag, option
from bot.cli.progress import progress
from bot.errors import UsageError

experiment = Typer(help="Rerun the experiments of the papers, beside their published tables.", no_args_is_help=True)

OUT = Path("logs/experiments")
Out = Annotated[Path, option("FOLDER", "Folder of the results and the pages.")]
Name = Annotated[str | None, argument("NAME", "A study, or all; without it: list them.")]
INSTALL = "Install it with the extra `papers`, in the clone: pip install -e '.[papers]'."


@experiment.command()
def run(
    name: Name = None,
    out: Out = OUT,
    quick: Annotated[bool, flag("--quick", "Fewer games: all studies in a minute on two cores.")] = False,
    seed: Seed = 0,
    workers: Workers = 1,
) -> None:
    """Run a study, or all: its results are kept, and its page is written.

    The same command resumes an interrupted run. A game is repeated only where the sources of its agents have changed.
    Further studies come from the folder that BOT_PAPERS names.

    \b
    Examples:
      bot experiment run                           the list
      bot experiment run tommy --quick             one study, with few games
      bot experiment run all --workers 2
    """
    from bot.lab.replication.study import find_study, studies

    _check_extra()
    if name is None:
        for study in studies().values():
            echo(f"{study.name:15} {study.source}")
        return
    from bot.lab.replication.pages import write_page
    from bot.lab.replication.run import run_study

    chosen = list(studies().values()) if name == "all" else [find_study(name)]
    for study in chosen:
        try:
            with progress(study.name) as line:
                runs = run_study(study, out, seed=seed, quick=quick, workers=workers, progress=line.update)
        except KeyboardInterrupt:
            echo("What is finished is kept: the same command goes on from there.", err=True)
            raise
        _show(write_page(study, runs, out, seed=seed, quick=quick), study.name)
    _note_missing_plots()


@experiment.command()
def report(name: Name = None, out: Out = OUT) -> None:
    """Judge a study's statements by saved results, and write its page anew; without a name those of all that were run.

    \b
    Examples:
      bot experiment report                        of the folder logs/experiments
    """
    from bot.lab.replication.pages import rewrite_page
    from bot.lab.replication.study import find_study, studies

    _check_extra()
    if name in (None, "all"):
        chosen = [study for study in studies().values() if (out / f"{study.name}.json").exists()]
    else:
        chosen = [find_study(str(name))]
    if not chosen:
        raise UsageError(f"There are no results of experiments in {out}.", "Make them with `bot experiment run all`.")
    for study in chosen:
        _show(rewrite_page(study, out), study.name)
    _note_missing_plots()


def _show(page: Path, name: str) -> None:
    """Print the page's path, and on stderr how its statements were judged."""
    from bot.lab.replication.pages import counted, read_about

    echo(page)
    if statements := read_about(name, page.parent)["statements"]:
        echo(counted(Counter(each["verdict"] for each in statements)), err=True)


def _check_extra() -> None:
    """Raise UsageError where the verdicts cannot be computed."""
    for library in ("pandas", "scipy"):
        if find_spec(library) is None:
            raise UsageError(f"The studies need {library}, which is not installed.", INSTALL)


def _note_missing_plots() -> None:
    if find_spec("matplotlib") is None:
        echo(f"No plots were drawn: they need matplotlib. {INSTALL}", err=True)
