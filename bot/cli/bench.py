"""`bot bench`: the speed of the solver."""

from __future__ import annotations

from typer import Typer

from bot.cli.bench_solver import peer, solver

bench = Typer(help="Measure the solver.", no_args_is_help=True)
for _command in (solver, peer):
    bench.command()(_command)
