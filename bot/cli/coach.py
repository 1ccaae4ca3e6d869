"""`bot coach`: why the moves of a game were mistakes, and what the position at its end holds."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.formatting import column_names
from bot.cli.options import AsJson
from bot.errors import ExitCode

if TYPE_CHECKING:
    from bot.learn.coach.reason import Lesson


def coach(
    moves: Annotated[
        str, typer.Argument(metavar="MOVES", help='Columns 1-7 or a-g in order of play; "" is the empty board.')
    ],
    lines: Annotated[bool, typer.Option("--lines", help="Show the best line after each mistake, too.")] = False,
    deadline: Annotated[float, typer.Option(metavar="SECONDS", help="Time limit of the whole review.", min=0.1)] = 60.0,
    as_json: AsJson = False,
) -> None:
    """Explain the mistakes of a game, and the position at its end: threats, forced sequences, follow-up.

    A mistake gives the win or the draw away, or makes a win later or a loss sooner. A reason is given only where it is
    proven: by a search for forced sequences, or by playing follow-up (answering every disc in the same column) against
    every line of the opponent. The line shows it. Where "best play" comes first, it is exact play of both sides. X is
    the first player; cells are named by a letter for the column and the row: d1 is the middle of the lowest row.

    Exit code 0: done; 130: Ctrl-C. Mistakes that the time limit leaves unsolved are not shown.

    \b
    Examples:
      bot coach 44444252                           a game, or its beginning
      bot coach 44444252 --lines --json            everything that is known, for programs
    """
    from bot.cli.interrupt import collecting
    from bot.cli.progress import loading_engine, waiting
    from bot.game import Board, parse_moves

    columns = parse_moves(moves)
    board = Board.from_moves(columns)
    with loading_engine():
        from bot.engine.analysis import Analyst
        from bot.engine.perfect import shipped_book
        from bot.learn.coach.coach import Coach
        from bot.learn.coach.position import view
        from bot.learn.coach.words import facts

        analyst = Analyst(shipped_book())
        analyst.warm_up()
    with collecting() as stop, waiting(lambda: "Explaining"):
        lessons = list(Coach(analyst).game(columns, lines=lines, deadline_s=deadline, stop=stop))
    seen = None if board.is_over else view(board)
    if as_json:
        typer.echo(json.dumps({"lessons": list(map(asdict, lessons)), "position": seen and asdict(seen)}))
    else:
        _show(lessons, columns)
        if seen is not None:
            typer.echo("\n".join(["", str(board), "", *facts(seen, board.ply)]))
    if stop.is_set:
        raise typer.Exit(ExitCode.INTERRUPTED)


def _show(lessons: list[Lesson], columns: tuple[int, ...]) -> None:
    if columns and not lessons:
        typer.echo("No mistake is known in these moves.")
    for lesson in lessons:
        mark = "??" if lesson.grave else "?"
        player = "XO"[lesson.ply % 2]
        typer.echo(f"{lesson.ply + 1:2}. {player} {column_names([lesson.column])}{mark}  {lesson.text}")
        for reason in lesson.reasons:
            typer.echo(f"      {reason.text}")
            typer.echo(f"        line from move {lesson.ply + 1}: {column_names(reason.line)}")
        if lesson.better:
            typer.echo(f"      better: {column_names(lesson.better)}")
        if lesson.line:
            typer.echo(f"      now:    {column_names(lesson.line)}")
