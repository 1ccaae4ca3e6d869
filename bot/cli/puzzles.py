"""`bot puzzles`: puzzles from a seed, or those of a day, as text or as JSON."""

from __future__ import annotations

import datetime
from itertools import islice
from typing import TYPE_CHECKING, Annotated

from bot.cli.formatting import echo, numbered, print_json
from bot.cli.options import AsJson, flag, option
from bot.cli.progress import ProgressLine, loading_engine
from bot.errors import UsageError
from bot.learn.puzzles.puzzle import Puzzle, PuzzleKind

if TYPE_CHECKING:
    from bot.learn.puzzles.generate import Generator


def puzzles(
    *,
    number: Annotated[int, option("N", "Puzzles.", "--count", min=1, max=1000)] = 5,
    seed: Annotated[int, option("N", "Seed: equal seeds make equal puzzles.")] = 1,
    day: Annotated[str | None, option("DATE", "The five puzzles of a day instead: today or YYYY-MM-DD.")] = None,
    kind: Annotated[list[PuzzleKind] | None, option("KIND", "win, draw or trap; may be repeated.")] = None,
    grade: Annotated[list[int] | None, option("N", "Grade 1 (easy) to 5; may be repeated.", min=1, max=5)] = None,
    solutions: Annotated[bool, flag("--solutions", "Print the solutions of these puzzles as text.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make puzzles: find the only win, save the draw, find the trap.

    Every puzzle is proven by the exact solver. The grade says how many plies have to be foreseen: up to 5 in grade 1, 9
    in grade 2, 13 in grade 3, 19 in grade 4, and more in grade 5. Some kinds and grades are rare and take a while;
    grade 1 is always quick. --json prints a list with moves, solution and grade of each puzzle.

    \b
    Examples:
      bot puzzles                                  five puzzles
      bot puzzles --solutions                      and their solutions
      bot puzzles --day today                      the puzzles of the day
      bot puzzles --count 50 --json                for programs
    """
    from bot.learn.puzzles.puzzle import as_json as puzzle_json
    from bot.learn.puzzles.puzzle import as_solutions, as_text

    when = None if day is None else _day(day)
    if when is not None and (kind or grade):
        raise UsageError("The puzzles of a day are fixed.", "Leave out --kind and --grade, or --day.")
    with loading_engine():
        from bot.learn.puzzles.generate import Generator

        generator = Generator()
        generator.warm_up()
    found = generator.daily(when) if when is not None else _made(generator, number, seed, kind, grade)
    if as_json:
        print_json(numbered([puzzle_json(puzzle) for puzzle in found]))
    elif solutions:
        echo(as_solutions(found), nl=False)
    else:
        echo(f"{as_text(found)}\nFor the solutions, add --solutions.")


def _made(
    generator: Generator, number: int, seed: int, kinds: list[PuzzleKind] | None, grades: list[int] | None
) -> list[Puzzle]:
    found = []
    with ProgressLine("puzzles", number) as made:
        for puzzle in islice(generator.puzzles(seed, kinds or tuple(PuzzleKind), grades or range(1, 6)), number):
            found.append(puzzle)
            made.advance()
    return found


def _day(text: str) -> datetime.date:
    if text == "today":
        return datetime.date.today()
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{text!r} is not a day.", "Write today, or a date such as 2026-11-22.") from None
