"""`bot replay`: a journal's games, board by board, checked."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Exit

from bot.cli.formatting import print_json
from bot.cli.options import AsJson, GameOption, Logs, argument, flag
from bot.errors import ExitCode, JournalError, UsageError
from bot.game.notation import with_count

if TYPE_CHECKING:
    from bot.cli.console import OutputConsole
    from bot.course.journal.games import RecordedGame, Step
    from bot.course.run.move_review import MoveReview


def replay(
    file: Annotated[
        Path | None, argument("FILE", "A journal; without it: the newest one with games in --logs.")
    ] = None,
    *,
    game: GameOption = None,
    verify: Annotated[bool, flag("--verify", "Only check, show no boards.")] = False,
    values: Annotated[bool, flag("--values", "Check each of our moves against the exact scores too.")] = False,
    logs: Logs = Path("logs"),
    as_json: AsJson = False,
) -> None:
    """Show the games of a journal board by board, and verify them.

    Each board has to follow from the last one, and the result has to be right. Damaged lines are skipped and listed.
    --json prints one object with all games and problems. Exit code 0: everything is in order; 2: the file is no
    journal; 4: a line is damaged, a game cannot have happened as written, or a move gave value away.

    \b
    Examples:
      bot replay                                   the newest run in logs
      bot replay --game 3 --values                 one game, with a check of our moves
      bot replay logs/RUN.jsonl --verify           only check a journal
    """
    from bot.cli.console import OutputConsole
    from bot.cli.progress import ProgressLine
    from bot.course.journal.games import game_problems
    from bot.course.journal.journal import read_journal
    from bot.course.run.move_review import Reviewer

    path = file or _newest(logs)
    journal = read_journal(path)
    games = chosen_games(path, journal.games, game)
    console = OutputConsole(stderr=as_json)
    reviewer = Reviewer() if values else None
    report: list[dict[str, Any]] = []
    for entry in games:
        problems, judged = game_problems(entry), None
        if reviewer is not None:
            with ProgressLine(f"Checking the moves of game {entry.number}"):
                judged = reviewer.review(entry)
        if not verify and not as_json:
            _show(console, entry)
        _sum_up(console, entry, problems, judged)
        report.append(_as_json(entry, problems, judged))
    of_run = journal.problems if game is None else []
    for text in (*of_run, *map(str, journal.damaged)):
        console.say(text)
    if journal.torn:
        console.say("The last line is incomplete: the run was cut off while it was written.")
    in_games = sum(len(entry["problems"]) + len(entry.get("given_away", ())) for entry in report)
    wrong = len(journal.damaged) + len(of_run) + in_games
    console.say(f"{path}: {with_count(len(games), 'game')}, {with_count(wrong, 'problem', 'no')}.")
    if as_json:
        damaged = [{"line": line.number, "reason": line.problem} for line in journal.damaged]
        summary = {"journal": str(path), "torn": journal.torn, "damaged": damaged, "problems": wrong, "run": of_run}
        print_json({**summary, "games": report})
    if wrong:
        raise Exit(ExitCode.PROTOCOL)


def chosen_games(path: Path, games: Sequence[RecordedGame], number: int | None) -> list[RecordedGame]:
    """Return the game of this number of a journal, or all games without one; raise UsageError if it has no such."""
    chosen = [game for game in games if number in (None, game.number)]
    if number is not None and not chosen:
        held = f"It has {with_count(len(games), 'game')}"
        if games:
            held += ": " + ", ".join(str(game.number) for game in games[:20])
        raise UsageError(f"{path} has no game {number}.", f"{held}.")
    return chosen


def _newest(logs: Path) -> Path:
    """Return the newest journal with at least one game."""
    from bot.course.journal.journal import journal_files, read_journal

    for path in reversed(journal_files(logs)):
        with suppress(JournalError):  # not a journal, or one that cannot be read
            if read_journal(path).games:
                return path
    raise UsageError(f"There is no journal with a game in {logs}.", "Play first with `bot play`, or give a file.")


def _sum_up(console: OutputConsole, game: RecordedGame, problems: Sequence[str], judged: MoveReview | None) -> None:
    """Print the game in one line, and a line for each problem and note."""
    line = f"{_result(game)} after {with_count(game.our_moves, 'move')} of ours"
    if game.we_started is not None:
        starter = "we" if game.we_started else "the server's bot"
        line = f"{starter} started, {line}"
    line += "; NOT in order" if problems else "; in order"
    below = list(problems)
    if judged is not None:
        lost = len(judged.given_away) + len(judged.excused)
        line += f"; {with_count(judged.checked, 'move')} checked, {lost or 'none'} gave value away"
        below += judged.given_away
        below += [f"Note: {note}" for note in (*judged.excused, *judged.slower, *judged.unchecked)]
    console.say(f"Game {game.number}: {line}")
    for text in below:
        console.say(f"  {text}")


def _result(game: RecordedGame) -> str:
    from bot.course.run.standings import RESULTS

    if game.ended is None:
        return "not finished"
    how = {
        "abandoned": " (given up)",
        "statistics": " (by the server's statistics)",
        "inferred": " (inferred)",
        "server_reset": " (the server no longer had it)",
    }.get(game.ended.known_by, "")
    return RESULTS[game.ended.result] + how


def _as_json(game: RecordedGame, problems: Sequence[str], judged: MoveReview | None) -> dict[str, Any]:
    """Return the game as an object of --json."""
    from bot.course.journal.games import outcome_of
    from bot.game import format_moves

    found = {
        "game": game.number,
        "result": game.result,
        "outcome": None if game.result is None else outcome_of(game.result),
        "we_started": game.we_started,
        "moves": None if game.ended is None else format_moves(game.moves),
        "requests": len(game.steps),
        "problems": problems,
    }
    return found if judged is None else {**found, **asdict(judged)}


def _show(console: OutputConsole, game: RecordedGame) -> None:
    """Show every request with the board that it led to."""
    from bot.cli.console import disc_text

    for text in game.notes:
        console.say(f"Note: {text}")
    number = 0
    for step in game.steps:
        number = max(number, step.number)
        console.say(f"Game {game.number}, {_account(number, step)}")
        for text in step.notes:
            console.say(f"Note: {text}")
        if step.after is not None:
            console.print(disc_text(step.after.grid))
        console.say("")


def _account(number: int, step: Step) -> str:
    """Return "move 3: we play 4 (wins in 9 moves, depth 12, 80 ms); the server's bot plays 5"."""
    from bot.course.events import Replied
    from bot.game.notation import column_name

    ours = "start: a new game" if step.move == -1 else f"move {number}: we play {column_name(step.move)}{_why(step)}"
    if not step.may_be_sent:
        return f"{ours}; it did not reach the server"
    if not isinstance(step.outcome, Replied):
        return f"{ours}; no reply is recorded"
    reply = step.outcome.reply
    if not reply.status:
        return f"{ours}; the server refuses: {reply.msg}"
    if reply.botmove not in (None, -1):
        return f"{ours}; the server's bot plays {column_name(reply.botmove)}"
    if step.move == -1:
        return f"{ours}; we start"
    return f"{ours}; the server's bot does not move"


def _why(step: Step) -> str:
    """Return what the engine knew of its move, in parentheses."""
    from bot.cli.console import known_of
    from bot.cli.formatting import duration

    chosen = step.chosen
    said = known_of(chosen, None if step.met is None else step.met.ply)
    if chosen.source:
        said.append(chosen.source)
    if chosen.move_s:
        said.append(duration(chosen.move_s))
    if chosen.move_s and chosen.late:
        said.append("late")
    return f" ({', '.join(said)})"
