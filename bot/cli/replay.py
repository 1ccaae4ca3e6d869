"""`bot replay`: a journal's games, board by board, checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from bot.journal.verify import Replay, Step


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

    Exit code 0: everything is in order; 4: a game cannot have happened as written, or a move gave value away.
    """
    from rich.console import Console

    from bot.journal.reader import read_journal
    from bot.journal.verify import replay_game
    from bot.match.values import value_losses

    path = file or _newest(logs)
    journal = read_journal(path)
    games = [entry for entry in journal.games if game in (None, entry.number)]
    if game is not None and not games:
        raise UsageError(f"{path} has no game {game}.", f"It has {len(journal.games)} games.")
    console = Console(stderr=as_json)
    report: list[dict[str, object]] = []
    wrong = 0
    for entry in games:
        told = replay_game(entry)
        if values:
            told.problems += value_losses(told)
        if not verify and not as_json:
            _show(console, told)
        _say(console, f"Game {entry.number}: {_verdict(told)}")
        for text in told.problems:
            _say(console, f"  {text}")
        report.append(
            {"game": entry.number, "result": entry.result, "moves": len(told.steps), "problems": told.problems}
        )
    if journal.torn:
        _say(console, "The last line is torn: the run was cut off while it was written.")
    _say(console, f"{path}: {len(games)} games, {wrong or 'no'} problem{'s' if wrong != 1 else ''}.")
    if as_json:
        typer.echo(json.dumps({"journal": str(path), "torn": journal.torn, "problems": wrong, "games": report}))
    if wrong:
        raise typer.Exit(ExitCode.PROTOCOL)


def _newest(logs: Path) -> Path:
    found = sorted(logs.glob("*.jsonl"))
    if not found:
        raise UsageError(f"There is no journal in {logs}.", "Play first, or name a file.")
    return found[-1]


def _say(console: Console, text: str) -> None:
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def _verdict(told: Replay) -> str:
    from bot.journal.schema import outcome_of

    result = told.game.result
    ended = "not finished" if result is None else "void" if result == 0 else outcome_of(result)
    started = {True: "we started, ", False: "the bot started, ", None: ""}[told.we_started]
    moves = sum(step.move >= 0 for step in told.steps)
    return f"{started}{ended} after {moves} moves of ours; {'in order' if not told.problems else 'NOT in order'}"


def _show(console: Console, told: Replay) -> None:
    from bot.cli.face import disc_text
    from bot.game import Board

    for number, step in enumerate(told.steps):
        _say(console, f"\nGame {told.game.number}, request {number}: {_account(step)}")
        if step.after is not None:
            discs = sum(cell != 0 for row in step.after for cell in row)
            # A student's view is drawn as it is; validity is the verifier's business, not the drawing's.
            board = Board(_bits(step.after, (1,)), _bits(step.after, (1, -1)))
            console.print(disc_text(board) if discs else disc_text(Board()))


def _bits(grid: list[list[int]], players: tuple[int, ...]) -> int:
    return sum(1 << (column * 7 + 5 - row) for row in range(6) for column in range(7) if grid[row][column] in players)


def _account(step: Step) -> str:
    from bot.game.notation import column_letter

    if step.move == -1:
        ours = "a new game"
    else:
        score = step.intent.get("score")
        known = "" if score is None else f" (score {score:+g}{', proven' if step.intent.get('proven') else ''})"
        ours = f"we play {column_letter(step.move)}{known}"
    if step.reply is None:
        return f"{ours}; the reply was lost"
    if not step.reply.get("status"):
        return f"{ours}; the server refuses: {step.reply.get('msg')}"
    column = step.reply.get("botmove")
    theirs = f"the bot plays {column_letter(column)}" if isinstance(column, int) and column >= 0 else "no bot move"
    return f"{ours}; {theirs}"
