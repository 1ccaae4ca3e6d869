"""`bot coach`: why the moves of a game were mistakes, and what the position at its end holds."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

from typer import Exit

from bot.cli.formatting import column_names, echo, numbered, print_json
from bot.cli.options import AsJson, MovesArgument, flag, seconds
from bot.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.learn.coach.insight import Account
    from bot.learn.coach.reason import Lesson


def coach(
    moves: MovesArgument,
    lines: Annotated[bool, flag("--lines", "Show the best line after each mistake, too.")] = False,
    deadline: Annotated[float, seconds("Time limit of the whole review.", min=0.1)] = 60.0,
    as_json: AsJson = False,
) -> None:
    """Explain the mistakes of a game, and the position at its end: threats, forced sequences, follow-up.

    A mistake gives the win or the draw away, or makes a win later or a loss sooner. A reason is given only where it is
    proven: by a search for forced sequences, or by playing follow-up (answering every disc in the same column) against
    every line of the opponent. The line shows it. What people see at once, such as a missed block, comes first, and so
    does the moment at which a lost game could still be understood. Where "best play" comes first, it is exact play of
    both sides. X is the first player; cells are named by a letter for the column and the row: d1 is the middle of the
    lowest row. Text and --json number columns 1 to 7.

    Exit code 0: done; 130: Ctrl-C. Mistakes that the time limit leaves unsolved are not shown.

    \b
    Examples:
      bot coach 44444252                           a game, or its beginning
      bot coach 44444252 --lines --json            everything that is known, for programs
    """
    from bot.cli.interrupt import collecting
    from bot.cli.progress import loading_engine, progress
    from bot.game import Board, parse_moves

    columns = parse_moves(moves)
    board = Board.from_moves(columns)
    with loading_engine():
        from bot.engine.review import review
        from bot.engine.shared import ready_analyst
        from bot.learn.coach.coach import Coach
        from bot.learn.coach.insight import account
        from bot.learn.coach.position import view
        from bot.learn.coach.words import facts

        analyst = ready_analyst(book=True, threads=1)
    with collecting() as stop, progress("Explaining"):
        reviewed = review(columns, analyst, deadline / 2, stop)
        said = account(columns, reviewed, deadline / 4, stop)
        lessons = list(Coach(analyst).game(columns, reviewed, lines=lines, deadline_s=deadline / 4, stop=stop))
    seen = None if board.is_over else view(board)
    if as_json:
        position = None if seen is None else asdict(seen)
        print_json(numbered({"lessons": list(map(asdict, lessons)), **asdict(said), "position": position}))
    else:
        for text in _explained(lessons, said):
            echo(text)
        if columns and not lessons:
            echo("No mistake is known in these moves.")
        if seen is not None:
            echo(f"\n{board}\n")
            for text in facts(seen, board.ply):
                echo(text)
    if stop.is_set:
        raise Exit(ExitCode.INTERRUPTED)


def _explained(lessons: list[Lesson], said: Account) -> Iterator[str]:
    """Yield the lines about the game and its mistakes."""
    if said.doomed_text:
        yield said.doomed_text
    if said.moment is not None:
        insight = said.insights[said.moment]
        why = f": {insight.text}" if insight else ", by exact play alone."
        yield f"The moment of this game is move {said.moment + 1}{why}"
    for lesson in lessons:
        mark = "??" if lesson.grave else "?"
        player = "XO"[lesson.ply % 2]
        human = f"{lesson.insight.kind}; " if lesson.insight else ""
        yield f"{lesson.ply + 1:2}. {player} {column_names([lesson.column])}{mark}  {human}{lesson.text}"
        for reason in lesson.reasons:
            what = "missed" if reason.missed else "allowed"
            yield f"      {what}: {reason.text}"
            yield f"        line from move {lesson.ply + 1}: {column_names(reason.line)}"
        if lesson.better:
            yield f"      better: {column_names(lesson.better)}"
        if lesson.line:
            yield f"      now:    {column_names(lesson.line)}"
