"""`bot bench`: the speed of the solver, and the policy for lost replies."""

from __future__ import annotations

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
) -> None:
    """Measure what each ingredient of the policy for lost replies contributes, by playing without it.

    Every single lost reply of games against foreign bots is played out, at first contact and after 20 games. Prints
    the Markdown table of bot/course/session/README.md.

    \b
    Examples:
      bot bench recovery --half open
    """
    from bot.cli.progress import progress
    from bot.lab.arena.workers import run_tasks
    from bot.trials.bench.recovery import markdown, tasks
    from bot.trials.simulation.opponents.roster import GROUPS
    from bot.trials.simulation.single import play_out

    places = tasks(GROUPS if half == "both" else (half,))
    done = []
    with progress("games", len(places)) as played:
        for _, result in run_tasks(play_out, places, workers=workers):
            done.append(result)
            played.advance()
    echo(markdown(done))
