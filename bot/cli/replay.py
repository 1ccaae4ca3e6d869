"""`bot replay`: a journal's games, board by board, checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from bot.journal.steps import Replay, Step
    from bot.play.move_review import MoveReview
    from bot.protocol import Grid


def replay(
    file: Annotated[Path | None, typer.Argument(help="A journal; left out: the newest one in --logs.")] = None,
    game: Annotated[int | None, typer.Option(help="Only this game.", min=1)] = None,
    verify: Annotated[bool, typer.Option("--verify", help="Only check, show no boards.")] = False,
    values: Annotated[
        bool, typer.Option("--values", help="Check every move of ours against the exact scores too.")
    ] = False,
    logs: Annotated[Path, typer.Option(help="Folder of the journals.")] = Path("logs"),
    as_json: Annotated[bool, typer.Option("--json", help="Print one object with all games and problems.")] = False,
) -> None:
    """Show a journal's games board by board and verify them: each board follows from the last, the result is right.

    Damaged lines are skipped and named. Exit code 0: everything is in order; 2: the file is no journal;
    4: a line is damaged, a game cannot have happened as written, or a move gave value away.
    """
    from dataclasses import asdict

    from rich.console import Console

    from bot.journal.reader import read_journal
    from bot.journal.verify import count_problems, replay_game
    from bot.play.move_review import Reviewer

    path = file or _newest(logs)
    journal = read_journal(path)
    games = [entry for entry in journal.games if game in (None, entry.number)]
    if game is not None and not games:
        raise UsageError(f"{path} has no game {game}.", f"It has {len(journal.games)} games.")
    console = Console(stderr=as_json)
    reviewer = Reviewer() if values else None
    report: list[dict[str, Any]] = []
    for entry in games:
        told = replay_game(entry)
        judged = reviewer.review(told) if reviewer is not None else None
        if not verify and not as_json:
            _show(console, told)
        _sum_up(console, told, judged)
        report.append(_as_json(told, judged))
    of_run = count_problems(path) if game is None else []
    for text in of_run:
        _say(console, text)
    for damage in journal.damaged:
        _say(console, str(damage))
    if journal.torn:
        _say(console, "The last line is torn: the run was cut off while it was written.")
    wrong = (
        len(journal.damaged)
        + len(of_run)
        + sum(len(entry["problems"]) + len(entry.get("given_away", ())) for entry in report)
    )
    noun = "problem" if wrong == 1 else "problems"
    _say(console, f"{path}: {len(games)} game{'' if len(games) == 1 else 's'}, {wrong or 'no'} {noun}.")
    if as_json:
        damaged = [asdict(damage) for damage in journal.damaged]
        summary = {"journal": str(path), "torn": journal.torn, "damaged": damaged, "problems": wrong, "run": of_run}
        summary["games"] = report
        typer.echo(json.dumps(summary))
    if wrong:
        raise typer.Exit(ExitCode.PROTOCOL)


def _newest(logs: Path) -> Path:
    from bot.journal.reader import journal_files

    found = journal_files(logs)
    if not found:
        raise UsageError(f"There is no journal in {logs}.", "Play first, or name a file.")
    return found[-1]


def _say(console: Console, text: str) -> None:
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def _sum_up(console: Console, told: Replay, judged: MoveReview | None) -> None:
    """The game in a line, and a line for everything that is to be said about it."""
    _say(console, f"Game {told.game.number}: {_verdict(told)}{_judgement(judged)}")
    for text in [*told.problems, *(judged.given_away if judged else [])]:
        _say(console, f"  {text}")
    for text in [*judged.excused, *judged.slower, *judged.unchecked] if judged else []:
        _say(console, f"  Note: {text}")


def _verdict(told: Replay) -> str:
    started = {True: "we started, ", False: "the bot started, ", None: ""}[told.we_started]
    moves = sum(step.move >= 0 for step in told.steps)
    noun = "move" if moves == 1 else "moves"
    return f"{started}{_result(told)} after {moves} {noun} of ours; {'NOT ' if told.problems else ''}in order"


def _result(told: Replay) -> str:
    from bot.journal.schema import outcome_of

    result = told.game.result
    if result is None:
        return "not finished"
    words = {"void": "void (the server lost it)", "illegal": "lost by an illegal move"}
    outcome = outcome_of(result)
    known_by = told.game.ended.get("known_by") if told.game.ended else None
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
    return f"; {judged.checked} moves checked, {lost or 'none'} gave value away"


def _as_json(told: Replay, judged: MoveReview | None) -> dict[str, Any]:
    """The game as an object of --json."""
    from dataclasses import asdict

    from bot.journal.schema import outcome_of

    result, ended = told.game.result, told.game.ended or {}
    return {
        "game": told.game.number,
        "result": result,
        "outcome": None if result is None else outcome_of(result),
        "we_started": told.we_started,
        "moves": ended.get("moves"),
        "requests": len(told.steps),
        "problems": told.problems,
        **({} if judged is None else asdict(judged)),
    }


def _show(console: Console, told: Replay) -> None:
    """Every request with the board that it led to."""
    for text in told.notes:
        _say(console, f"Note: {text}")
    for number, step in enumerate(told.steps):
        _say(console, f"\nGame {told.game.number}, {_account(number, step)}")
        for text in step.notes:
            _say(console, f"Note: {text}")
        if step.after is not None:
            console.print(_drawn(step.after))
    _say(console, "")


def _drawn(grid: Grid) -> Text:
    """A student's view, drawn as it is: whether it can arise is the verifier's business, not the drawing's."""
    from bot.cli.console import disc_text
    from bot.game import Board

    def bits(*players: int) -> int:
        return sum(1 << column * 7 + 5 - row for row in range(6) for column in range(7) if grid[row][column] in players)

    return disc_text(Board(bits(1), bits(1, -1)))


def _account(number: int, step: Step) -> str:
    """'move 3: we play d (score +5, proven, depth 12, 0.08 s); the bot plays e.'"""
    from bot.game.notation import column_letter
    from bot.journal.grid import is_column

    ours = "start: a new game" if step.move == -1 else f"move {number}: we play {column_letter(step.move)}{_why(step)}"
    if step.undone:
        return f"{ours}; it did not reach the server"
    if step.reply is None:
        return f"{ours}; no reply is recorded"
    if step.reply.get("status") is not True:
        return f"{ours}; the server refuses: {step.reply.get('msg')}"
    column = step.reply.get("botmove")
    if isinstance(column, int) and is_column(column):
        return f"{ours}; the bot plays {column_letter(column)}"
    return f"{ours}; we start" if step.move == -1 else f"{ours}; the bot does not move"


def _why(step: Step) -> str:
    """What the engine thought of its move, in parentheses."""
    known = step.intent.get
    said = []
    if isinstance(score := known("score"), (int, float)):
        said.append(f"score {score:+g}{', proven' if known('proven') is True else ''}")
    if isinstance(depth := known("depth"), int):
        said.append(f"depth {depth}")
    if isinstance(source := known("source"), str) and source:
        said.append(source)
    if isinstance(seconds := known("move_s"), (int, float)):
        said.append(f"{seconds:.2f} s{', late' if known('late') else ''}")
    return f" ({', '.join(said)})" if said else ""
