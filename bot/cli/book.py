"""`bot book`: build and check the opening book."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.errors import ExitCode

book = typer.Typer(help="Build and check the opening book.", no_args_is_help=True)


@book.command()
def build(
    plies: Annotated[int, typer.Option(help="The book's deepest ply.", min=0, max=12)] = 8,
    workers: Annotated[int, typer.Option(help="Processes on this machine.", min=1)] = 1,
    scheduler: Annotated[str | None, typer.Option(help="Address of a Dask scheduler (extra: scale).")] = None,
    out: Annotated[Path, typer.Option(help="File to write; pieces of an unfinished build lie beside it.")] = Path(
        "book.bin"
    ),
    extend: Annotated[
        Path | None, typer.Option(help="A finished book of one ply less: its scores save a quarter of the work.")
    ] = None,
) -> None:
    """Solve every position of the deepest ply, and all shallower ones by backward induction.

    Restartable: run the same command again after a kill and it goes on.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from bot.engine.book.build import build as build_book
    from bot.engine.book.lookup import Book

    shallower = None if extend is None else Book.load(extend)

    columns = (TextColumn("ply {task.fields[ply]}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), speed_estimate_period=600) as bar:
        task = bar.add_task("positions", ply=plies)
        finished = build_book(
            plies,
            out,
            workers,
            scheduler,
            lambda done, total: bar.update(task, completed=done, total=total),
            shallower,
        )
    typer.echo(f"{out}: {len(finished.keys)} positions up to ply {finished.plies}, {out.stat().st_size} bytes")


@book.command()
def check(
    file: Annotated[Path | None, typer.Argument(help="A book; left out: the one of this package.")] = None,
    sample: Annotated[int, typer.Option(help="Positions to solve anew without the book.", min=0)] = 100,
    seed: Annotated[int, typer.Option(help="Chooses the sample.")] = 1,
) -> None:
    """Check a book: a random sample solved anew, the backward induction of all layers, the known result of the game.

    Exit code 0: everything agrees; 1: the book is wrong.
    """
    from rich.progress import track

    from bot.engine.book.check import induction_errors, opening_errors, sample_errors
    from bot.engine.book.lookup import Book

    loaded = Book.load(file)
    typer.echo(f"{len(loaded.keys)} positions up to ply {loaded.plies}")
    errors = induction_errors(loaded)
    typer.echo(f"backward induction: {len(errors)} errors")
    found = opening_errors(loaded)
    typer.echo(f"the game's known result: {'; '.join(found) or 'agrees'}")
    wrong = [key for key in track(sample_errors(loaded, sample, seed), "solving", total=sample) if key is not None]
    typer.echo(f"sample of {sample} solved anew: {len(wrong)} errors")
    if errors or found or wrong:
        raise typer.Exit(ExitCode.BUG)
