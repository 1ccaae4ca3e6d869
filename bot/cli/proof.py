"""`bot proof`: build, shrink and check the proof."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.errors import ExitCode

proof = typer.Typer(help="Build, shrink and check the proof that the agent `proof` plays by.", no_args_is_help=True)

_Out = Annotated[Path, typer.Option(help="Proof file to write; its claim for the other player is kept.")]
_Record = Annotated[Path, typer.Option(help="Record of the build, from which a killed build resumes.")]
_Side = Annotated[str, typer.Option(help="Player the proof speaks for: first or second.")]
_Openings = Annotated[str, typer.Option(help="Openings covered by the second player, of a, b and c.")]


@proof.command()
def build(
    out: _Out = Path("proof.bin"),
    record: _Record = Path("proof.record"),
    side: _Side = "first",
    openings: _Openings = "abc",
    minutes: Annotated[float, typer.Option(help="Time for shrinking after the build, minutes.", min=0.0)] = 0.0,
    seed: Annotated[int, typer.Option(help="Seed of the searches.")] = 1,
) -> None:
    """Build a strategy, or resume its record, then shrink it and write the proof file.

    Interrupt it at any time and run the same command again. A complete strategy is written when it exists; shrinking
    rewrites the file whenever it has saved something.
    """
    from rich.console import Console

    from bot.prover.workshop import Workshop

    console = Console(stderr=True)
    workshop = Workshop.open(record, side=side, openings=openings, seed=seed, report=console.print)
    with workshop.recording():
        workshop.build(out)
        workshop.shrink(out, seconds=60 * minutes)
    typer.echo(f"{out}: {workshop.summary()}, {out.stat().st_size} bytes")


@proof.command()
def check(
    file: Annotated[Path | None, typer.Argument(help="A proof file; left out: the one of this package.")] = None,
) -> None:
    """Check every claim of a proof file, in about a second. `python bot/proof/check.py FILE` needs no package.

    Exit code 0: proven; 1: rejected.
    """
    from bot.proof.fast_check import verify
    from bot.proof.format import Proof
    from bot.proof.plan import SHIPPED
    from bot.proof.reading import RejectedError

    try:
        verdicts = verify(Proof.load(file or SHIPPED))
    except RejectedError as error:
        typer.echo(f"Rejected: {error}")
        raise typer.Exit(ExitCode.BUG) from None
    for verdict in verdicts:
        typer.echo(verdict.sentence)
