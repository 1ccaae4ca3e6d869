"""`bot book`: build the opening book."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Typer

from bot.cli.formatting import echo
from bot.cli.options import Workers, option
from bot.cli.progress import ProgressLine

book = Typer(help="Build the opening book.", no_args_is_help=True)


@book.command()
def build(
    plies: Annotated[int, option("N", "Deepest ply of the book.", min=0, max=12)] = 8,
    workers: Workers = 1,
    out: Annotated[Path, option("FILE", "File to write; pieces of an unfinished build are kept beside it.")] = Path(
        "book.bin"
    ),
) -> None:
    """Solve every position of the deepest ply, and all shallower ones by backward induction.

    The same command resumes an interrupted build.

    \b
    Examples:
      bot book build --plies 6 --out small.bin     a small book, in minutes
      bot book build --plies 9 --workers 8         the shipped depth, in hours
    """
    from bot.engine.book.build import build as build_book
    from bot.files import check_place

    check_place(out)
    with ProgressLine(f"positions of ply {plies}") as solved:
        finished = build_book(plies, out, workers, solved.update)
    echo(f"{out}: {len(finished.keys):,} positions up to ply {finished.plies}, {out.stat().st_size:,} bytes")
