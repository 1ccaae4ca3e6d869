"""`bot proof`: build, shrink and check the proven strategy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from bot.cli.options import Seed, argument, option
from bot.errors import ExitCode

proof = typer.Typer(help="Build, shrink and check the proof that the agent `proof` plays by.", no_args_is_help=True)

_CLEANUP_S = 2.0
"""Longest time for closing the record after Ctrl-C, seconds."""


@proof.command()
def build(
    out: Annotated[Path, option("FILE", "Proof file to write; its claim for the other player is kept.")] = Path(
        "proof.bin"
    ),
    record: Annotated[Path, option("FILE", "Record of the build, from which a killed build resumes.")] = Path(
        "proof.record"
    ),
    side: Annotated[
        Literal["first", "second"], option("NAME", "Player that the proof speaks for: first or second.")
    ] = "first",
    openings: Annotated[
        str, option("COLUMNS", "First moves that the second player's claim covers: some of 1 2 3; 7 6 5 mirror them.")
    ] = "123",
    minutes: Annotated[float, option("MINUTES", "Time for shrinking after the build.", min=0.0)] = 0.0,
    seed: Seed = 1,
    resume: Annotated[
        bool, typer.Option(help="Continue from the record; otherwise it is renamed to *.old and the build starts anew.")
    ] = True,
) -> None:
    """Build a strategy, or resume its record, then shrink it and write the proof file.

    Interrupt it at any time and run the same command again. The file is written as soon as the strategy is complete,
    and again whenever shrinking has made it smaller.

    \b
    Examples:
      bot proof build --minutes 30                 the first player's strategy
      bot proof build --side second --openings 12  the second player's, after 1 and 2
    """
    from rich.console import Console

    from bot.cli.interrupt import cleanup
    from bot.cli.progress import progress
    from bot.files import check_place
    from bot.proof.builder.workshop import Workshop

    check_place(out)
    console = Console(stderr=True)
    letters = openings.translate(str.maketrans("123", "abc"))
    with progress(f"Reading {record}"):
        workshop = Workshop.open(record, side=side, openings=letters, seed=seed, report=console.print, resume=resume)
    with cleanup(_CLEANUP_S), workshop.recording():
        workshop.build(out)
        workshop.shrink(out, seconds=60 * minutes)
    typer.echo(f"{out}: {workshop.summary()}, {out.stat().st_size:,} bytes")


@proof.command()
def check(
    file: Annotated[Path | None, argument("FILE", "A proof file; without it: the one of this package.")] = None,
) -> None:
    """Check every claim of a proof file, in about two seconds. `python bot/proof/check.py FILE` needs no package.

    Exit code 0: proven; 1: rejected, also where the file does not follow the format; 2: it cannot be read.

    \b
    Examples:
      bot proof check                              the shipped proof
      bot proof check proof.bin
    """
    from bot.proof.fast_check import verify
    from bot.proof.format import Proof, RejectedError
    from bot.proof.plan import SHIPPED

    try:
        verdicts = verify(Proof.load(file or SHIPPED))
    except RejectedError as error:
        typer.echo(f"Rejected: {error}")
        raise typer.Exit(ExitCode.BUG) from None
    for verdict in verdicts:
        typer.echo(verdict.sentence)
