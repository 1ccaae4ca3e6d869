"""`bot book`: build and check the opening book."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Exit, Typer

from bot.cli.formatting import echo
from bot.cli.options import Seed, Workers, argument, option
from bot.cli.progress import ProgressLine
from bot.errors import ExitCode
from bot.game.notation import with_count

book = Typer(help="Build the opening book, and check it.", no_args_is_help=True)


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


@book.command()
def check(
    file: Annotated[Path | None, argument("FILE", "A book; without it: the one of this package.")] = None,
    sample: Annotated[int, option("N", "Positions to solve again without the book.", min=0)] = 100,
    seed: Seed = 1,
) -> None:
    """Check a book: a random sample solved again, the backward induction of all layers, the known result of the game.

    Exit code 0: everything agrees; 1: the book is wrong.

    \b
    Examples:
      bot book check                               the shipped book
      bot book check book.bin --sample 1000
    """
    from bot.engine.book.check import induction_errors, opening_errors, sample_errors
    from bot.engine.book.lookup import Book

    loaded = Book.load(file)
    echo(f"{len(loaded.keys):,} positions up to ply {loaded.plies}")
    with ProgressLine("Checking the backward induction"):
        errors = induction_errors(loaded)
    echo(f"backward induction: {with_count(len(errors), 'error')}")
    found = opening_errors(loaded)
    echo(f"the game's known result: {'; '.join(found) or 'agrees'}")
    wrong = 0
    with ProgressLine("positions solved again", sample) as solved:
        for key in sample_errors(loaded, sample, seed):
            if key is not None:
                wrong += 1
            solved.advance()
    echo(f"sample of {sample} solved again: {with_count(wrong, 'error')}")
    if errors or found or wrong:
        raise Exit(ExitCode.BUG)
