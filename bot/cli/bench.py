"""`bot bench`: the speed of the solver, and the policy for lost replies."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from typer import Typer, echo

from bot.cli.bench_solver import peer, solver
from bot.cli.options import Workers, option

bench = Typer(help="Measure the solver, and the policy for lost replies.", no_args_is_help=True)
for _command in (solver, peer):
    bench.command()(_command)


@bench.command()
def recovery(
    half: Annotated[
        Literal["open", "held-out", "both"], option("NAME", "Opponents: open, held-out, or both.")
    ] = "both",
    workers: Workers = 2,
    results: Annotated[
        Path | None, option("FILE", "File to which finished games are appended, and from which a run resumes.")
    ] = None,
) -> None:
    """Measure what each ingredient of the policy for lost replies contributes, by playing without it.

    Every single lost reply of games against foreign bots is played out, at first contact and after 20 games. Prints
    the Markdown table of bot/course/session/README.md.

    \b
    Examples:
      bot bench recovery --half open --results recovery.jsonl
    """
    from bot.cli.progress import progress
    from bot.trials.bench.recovery import finished, markdown, measured, table_of, tasks
    from bot.trials.simulation.opponents.roster import GROUPS

    places = tasks(GROUPS if half == "both" else (half,))
    done = finished(results, places)
    with progress("games", len(places), len(done)) as played:
        for result in measured([each for each in places if each not in done], workers, results):
            done[result.task] = result
            played.advance()
    echo(markdown(table_of(places, done.values())))
