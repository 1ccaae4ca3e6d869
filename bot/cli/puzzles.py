"""`bot puzzles`: puzzles from a seed, or those of a day, as text, for Anki or as JSON."""

from __future__ import annotations

import datetime
import json
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.formatting import counted
from bot.errors import UsageError

if TYPE_CHECKING:
    from bot.learn.puzzles.generate import Generator
    from bot.learn.puzzles.puzzle import Puzzle

_FORMATS = ("text", "anki", "json")
_KINDS = ("win", "draw", "trap")


def puzzles(
    number: Annotated[int, typer.Option("--count", metavar="N", help="Puzzles.", min=1, max=1000)] = 5,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed: equal seeds make equal puzzles.")] = 1,
    day: Annotated[
        str | None, typer.Option(metavar="DATE", help="The five puzzles of a day instead: today or YYYY-MM-DD.")
    ] = None,
    kind: Annotated[
        list[str] | None, typer.Option(metavar="KIND", help="win, draw or trap; may be repeated (all).")
    ] = None,
    grade: Annotated[
        list[int] | None, typer.Option(metavar="N", help="Grade 1 (easy) to 5; may be repeated (all).", min=1, max=5)
    ] = None,
    form: Annotated[str, typer.Option("--format", metavar="NAME", help="text, anki or json.")] = "text",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write to this file, not to the terminal.")] = None,
) -> None:
    """Make puzzles from a seed: the only winning move, save the draw, find the trap.

    Every puzzle is proven by the exact solver. The grade says how many plies have to be foreseen: up to 5 in grade 1, 9
    in grade 2, 13 in grade 3, 19 in grade 4, and more in grade 5. The format anki is a file for Anki's File > Import.
    Some kinds and grades are rare and take a while; grade 1 is always quick.

    \b
    Examples:
      bot puzzles                                  five puzzles, solutions at the end
      bot puzzles --day today                      the puzzles of the day
      bot puzzles --count 50 --format anki --out connect-four.txt
    """
    if form not in _FORMATS:
        raise UsageError(f"There is no format {form!r}.", f"Choose one of: {', '.join(_FORMATS)}.")
    if not set(kind or ()) <= set(_KINDS):
        raise UsageError("There is no such kind of puzzle.", f"Choose among: {', '.join(_KINDS)}.")
    when = None if day is None else _day(day)
    if when is not None and (kind or grade):
        raise UsageError("The puzzles of a day are fixed.", "Leave out --kind and --grade, or --day.")
    from bot.cli.progress import loading_engine
    from bot.files import check_place

    if out is not None:
        check_place(out)
    with loading_engine():
        from bot.learn.puzzles.generate import Generator

        generator = Generator()
        generator.warm_up()
    found = generator.daily(when) if when is not None else _made(generator, number, seed, kind, grade)
    text = _formatted(found, form)
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"The file {out} cannot be written: {error.strerror}.", "Choose another place.") from None
    typer.echo(f"{counted(len(found), 'puzzle')} written to {out}.")


def _made(
    generator: Generator, number: int, seed: int, kinds: list[str] | None, grades: list[int] | None
) -> list[Puzzle]:
    from bot.cli.progress import progress
    from bot.learn.puzzles.puzzle import Kind

    found = []
    wanted = [Kind(kind) for kind in kinds or _KINDS]
    with progress() as bars:
        part = bars.part("puzzles", number)
        for puzzle in islice(generator.puzzles(seed, wanted, grades or range(1, 6)), number):
            found.append(puzzle)
            part.advance()
    return found


def _day(text: str) -> datetime.date:
    if text == "today":
        return datetime.date.today()
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{text!r} is not a day.", "Write today, or a date such as 2026-11-22.") from None


def _formatted(found: list[Puzzle], form: str) -> str:
    from bot.learn.puzzles.export import as_anki, as_json, as_text

    if form == "json":
        return json.dumps([as_json(puzzle) for puzzle in found]) + "\n"
    return as_anki(found) if form == "anki" else as_text(found)
