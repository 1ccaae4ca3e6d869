"""`bot coach`: why the moves of a game were mistakes, and what the position at its end holds."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

from typer import Exit

from bot.cli.formatting import echo, numbered, print_json
from bot.cli.options import AsJson, MovesArgument, flag, seconds
from bot.errors import ExitCode
from bot.game.notation import column_name, column_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.learn.coach.moments import GameLessons
    from bot.learn.coach.reason import Lesson


def coach(
    moves: MovesArgument,
    lines: Annotated[bool, flag("--lines", "Show the best lines, and reasons that only deep play shows.")] = False,
    deadline: Annotated[float, seconds("Time limit of the whole review.", min=0.1)] = 60.0,
    as_json: AsJson = False,
) -> None:
    """Explain the mistakes of a game, and the position at its end.

    Of the position, it shows threats, forced sequences and follow-up. A mistake gives the win or the draw away, or
    makes a win later or a loss sooner. The key moments come first: what a person could have seen at most five plies
    ahead, the plainest first. A reason is given only where it is proven: by trying every defence, or by playing
    follow-up (answering every disc in the same column) against every line of the opponent. The line shows it. X is the
    first player; cells are named by a letter for the column and the row: d1 is the middle of the lowest row. Text and
    --json number columns 1 to 7; in --json, a ply is the number of discs before a move.

    Exit code 0: done; 130: Ctrl-C. Mistakes that the time limit leaves unsolved are not shown.

    \b
    Examples:
      bot coach 44444252                           a game, or its beginning
      bot coach 44444252 --lines --json            everything that is known, for programs
    """
    from bot.cli.progress import ProgressLine, loading_engine
    from bot.engine.interrupt import collecting
    from bot.game import Board, parse_moves

    columns = parse_moves(moves)
    board = Board.from_moves(columns)
    with loading_engine():
        from bot.engine.review import review
        from bot.engine.shared import ready_analyst
        from bot.learn.coach.coach import Coach
        from bot.learn.coach.position import facts, view

        analyst = ready_analyst()
    with collecting() as stop, ProgressLine("Explaining"):
        reviewed = review(columns, analyst, deadline / 2, stop)
        taught = Coach(analyst).game(columns, reviewed, lines=lines, deadline_s=deadline / 2, stop=stop)
    seen = None if board.is_over else view(board)
    if as_json:
        position = None if seen is None else asdict(seen)
        print_json(numbered({**asdict(taught), "position": position}))
    else:
        for text in _explained(taught, lines=lines):
            echo(text)
        if columns and not taught.lessons:
            echo("No mistake is known in these moves.")
        if seen is not None:
            echo(f"\n{board}\n\n{'XO'[board.ply % 2]} to move.")
            for fact in facts(seen, board.ply):
                echo(fact.text)
    if stop.is_set:
        raise Exit(ExitCode.INTERRUPTED)


def _explained(taught: GameLessons, *, lines: bool) -> Iterator[str]:
    """Yield the lines about the game: its key moments, then all mistakes."""
    lessons = {lesson.ply: lesson for lesson in taught.lessons}
    if taught.lost_text:
        yield taught.lost_text
    for side, plies in enumerate(taught.moments):
        if plies:
            yield f"Key moments of {'XO'[side]}:"
        for ply in plies:
            lesson = lessons[ply]
            right = " or ".join(map(column_name, lesson.right))
            yield f"  move {ply + 1}: {lesson.text} {lesson.question} Column {right}."
    if lessons:
        yield "All mistakes:"
    for lesson in taught.lessons:
        yield from _mistake(lesson, lines=lines)


def _mistake(lesson: Lesson, *, lines: bool) -> Iterator[str]:
    """Yield the lines about one mistake; reasons that only deep play shows with ``lines``."""
    mark = "??" if lesson.verdict.grave else "?"
    name = f"{lesson.name}; " if lesson.name else ""
    move = f"{lesson.ply + 1:2}. {'XO'[lesson.ply % 2]} {column_names([lesson.column])}{mark}"
    yield f"{move}  {name}{lesson.verdict.text}"
    for reason in lesson.reasons:
        if not reason.is_at_once and not lines:
            continue
        what = "missed" if reason.missed else "allowed"
        yield f"      {what}: {reason.text}"
        yield f"        line from move {lesson.ply + 1}: {column_names(reason.line)}"
    if lesson.better:
        yield f"      better: {column_names(lesson.better)}"
    if lesson.line:
        yield f"      now:    {column_names(lesson.line)}"
