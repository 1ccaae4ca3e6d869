"""`bot replay`: a journal's games, board by board, checked."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Exit

from bot.cli.formatting import counted, print_json
from bot.cli.options import AsJson, GameNumber, Logs, argument, flag
from bot.errors import ExitCode, JournalError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from bot.course.journal.steps import Replay, Step
    from bot.course.run.move_review import MoveReview


def replay(
    file: Annotated[
        Path | None, argument("FILE", "A journal; without it: the newest one with games in --logs.")
    ] = None,
    game: GameNumber = None,
    verify: Annotated[bool, flag("--verify", "Only check, show no boards.")] = False,
    values: Annotated[bool, flag("--values", "Check each of our moves against the exact scores too.")] = False,
    logs: Logs = Path("logs"),
    as_json: AsJson = False,
) -> None:
    """Show a journal's games board by board and verify them: each board follows from the last, the result is right.

    Damaged lines are skipped and listed. --json prints one object with all games and problems. Exit code 0: everything
    is in order; 2: the file is no journal; 4: a line is damaged, a game cannot have happened as written, or a move gave
    value away.

    \b
    Examples:
      bot replay                                   the newest run in logs
      bot replay --game 3 --values                 one game, with a check of our moves
      bot replay logs/RUN.jsonl --verify           only check a journal
    """
    from bot.cli.console import OutputConsole
    from bot.cli.progress import waiting
    from bot.course.journal.reader import read_journal
    from bot.course.journal.verify import count_problems, replay_game
    from bot.course.run.move_review import Reviewer

    path = file or _newest(logs)
    journal = read_journal(path)
    games = [entry for entry in journal.games if game in (None, entry.number)]
    if game is not None and not games:
        numbers = ", ".join(str(entry.number) for entry in journal.games[:20])
        held = f"It has {counted(len(journal.games), 'game')}{f': {numbers}' if numbers else ''}."
        raise UsageError(f"{path} has no game {game}.", held)
    console = OutputConsole(stderr=as_json)
    reviewer = Reviewer() if values else None
    report: list[dict[str, Any]] = []
    for entry in games:
        replayed, judged = replay_game(entry), None
        if reviewer is not None:
            with waiting(f"Checking the moves of game {entry.number}"):
                judged = reviewer.review(replayed)
        if not verify and not as_json:
            _show(console, replayed)
        _sum_up(console, replayed, judged)
        report.append(_as_json(replayed, judged))
    of_run = count_problems(path) if game is None else []
    for text in (*of_run, *map(str, journal.damaged)):
        _say(console, text)
    if journal.torn:
        _say(console, "The last line is incomplete: the run was cut off while it was written.")
    in_games = sum(len(entry["problems"]) + len(entry.get("given_away", ())) for entry in report)
    wrong = len(journal.damaged) + len(of_run) + in_games
    _say(console, f"{path}: {counted(len(games), 'game')}, {counted(wrong, 'problem', 'no')}.")
    if as_json:
        damaged = [asdict(damage) for damage in journal.damaged]
        summary = {"journal": str(path), "torn": journal.torn, "damaged": damaged, "problems": wrong, "run": of_run}
        print_json({**summary, "games": report})
    if wrong:
        raise Exit(ExitCode.PROTOCOL)


def _newest(logs: Path) -> Path:
    """Return the newest journal with at least one game."""
    from bot.course.journal.reader import journal_files, read_journal

    for path in reversed(journal_files(logs)):
        with suppress(JournalError):  # not a journal, or one that cannot be read
            if read_journal(path).games:
                return path
    raise UsageError(f"There is no journal with a game in {logs}.", "Play first with `bot play`, or give a file.")


def _say(console: Console, text: str) -> None:
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def _sum_up(console: Console, replayed: Replay, judged: MoveReview | None) -> None:
    """Print the game in one line, and a line for each problem and note."""
    started = {True: "we started, ", False: "the bot started, ", None: ""}[replayed.we_started]
    order = f"{'NOT ' if replayed.problems else ''}in order"
    line = f"{started}{_result(replayed)} after {counted(replayed.our_moves, 'move')} of ours; {order}"
    problems, notes = list(replayed.problems), []
    if judged is not None:
        lost = len(judged.given_away) + len(judged.excused)
        line += f"; {counted(judged.checked, 'move')} checked, {lost or 'none'} gave value away"
        problems += judged.given_away
        notes = [*judged.excused, *judged.slower, *judged.unchecked]
    _say(console, f"Game {replayed.game.number}: {line}")
    for text in (*problems, *(f"Note: {note}" for note in notes)):
        _say(console, f"  {text}")


def _result(replayed: Replay) -> str:
    from bot.course.journal.schema import outcome_of

    result = replayed.game.result
    if result is None:
        return "not finished"
    words = {"void": "void (the server lost it)", "illegal": "lost by an illegal move"}
    outcome = outcome_of(result)
    known_by = replayed.game.ended.get("known_by") if replayed.game.ended else None
    how = {
        "abandoned": " (given up)",
        "statistics": " (by the server's statistics)",
        "inferred": " (inferred)",
    }.get(str(known_by), "")
    return words.get(outcome, outcome) + how


def _judgement(judged: MoveReview | None) -> str:
    if judged is None:
        return ""
    lost = len(judged.given_away) + len(judged.excused)
    return f"; {counted(judged.checked, 'move')} checked, {lost or 'none'} gave value away"


def _as_json(replayed: Replay, judged: MoveReview | None) -> dict[str, Any]:
    """Return the game as an object of --json."""
    from bot.course.journal.schema import outcome_of

    result, ended = replayed.game.result, replayed.game.ended or {}
    return {
        "game": replayed.game.number,
        "result": result,
        "outcome": None if result is None else outcome_of(result),
        "we_started": replayed.we_started,
        "moves": ended.get("moves"),
        "requests": len(replayed.steps),
        "problems": replayed.problems,
        **({} if judged is None else asdict(judged)),
    }


def _show(console: Console, replayed: Replay) -> None:
    """Show every request with the board that it led to."""
    from bot.cli.console import disc_text

    for text in replayed.notes:
        _say(console, f"Note: {text}")
    number = 0
    for step in replayed.steps:
        number = max(number, step.number)
        _say(console, f"Game {replayed.game.number}, {_account(number, step)}")
        for text in step.notes:
            _say(console, f"Note: {text}")
        if step.after is not None:
            console.print(disc_text(step.after))
        _say(console, "")


def _account(number: int, step: Step) -> str:
    """Return "move 3: we play 4 (wins in 9 moves, depth 12, 80 ms); the bot plays 5"."""
    from bot.course.journal.grid import is_column
    from bot.game.notation import column_name

    ours = "start: a new game" if step.move == -1 else f"move {number}: we play {column_name(step.move)}{_why(step)}"
    if step.undone:
        return f"{ours}; it did not reach the server"
    if step.reply is None:
        return f"{ours}; no reply is recorded"
    if step.reply.get("status") is not True:
        return f"{ours}; the server refuses: {step.reply.get('msg')}"
    column = step.reply.get("botmove")
    if isinstance(column, int) and is_column(column):
        return f"{ours}; the bot plays {column_name(column)}"
    return f"{ours}; we start" if step.move == -1 else f"{ours}; the bot does not move"


def _why(step: Step) -> str:
    """Return what the engine knew of its move, in parentheses."""
    from bot.cli.console import describe_score
    from bot.cli.formatting import duration

    known = step.intent.get
    said = []
    if (score := known("score")) is not None:
        ply = None if step.met is None else sum(cell != 0 for row in step.met for cell in row)
        said.append(describe_score(score, proven=known("proven") is True, ply=ply))
    if depth := known("depth"):
        said.append(f"depth {depth}")
    if source := known("source"):
        said.append(source)
    if (seconds := known("move_s")) is not None:
        said.append(f"{duration(seconds)}{', late' if known('late') else ''}")
    return f" ({', '.join(said)})" if said else ""
