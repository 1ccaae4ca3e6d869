"""`bot analyse`: what a position is worth, by book and exact solver."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.errors import BotError, UsageError

if TYPE_CHECKING:
    from bot.engine.analysis import Analysis, Analyst

_OUTCOMES = {1: "win", 0: "draw", -1: "loss", None: None}


def analyse(
    moves: Annotated[
        str | None, typer.Argument(help='Columns 1-7 or a-g in order of play; "" is the empty board.')
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(help="Read one position a line (what follows a blank is ignored); - is standard input."),
    ] = None,
    weak: Annotated[bool, typer.Option("--weak", help="Win, draw or loss only: faster.")] = False,
    score_only: Annotated[bool, typer.Option("--score-only", help="Leave out columns and best line.")] = False,
    no_book: Annotated[bool, typer.Option("--no-book", help="Leave out the opening book.")] = False,
    deadline: Annotated[
        float | None, typer.Option(help="Seconds a position; what is not proven by then is given as bounds.", min=0.0)
    ] = None,
    threads: Annotated[
        int, typer.Option(help="Threads for one position, with one table; pays on idle cores.", min=1, max=64)
    ] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a position.")] = False,
) -> None:
    """Say what a position is worth, every column of it, and how play goes on: exact scores, no estimates.

    A score is for the side to move: +n wins with its n-th disc from the end, -n loses so, 0 is a draw.
    With --file one line is written for each line read, in its order, as soon as it is known.
    """
    if (moves is None) == (file is None):
        raise UsageError("Give either MOVES or --file.", 'The empty board is "".')
    from bot.engine.analysis import Analyst
    from bot.engine.perfect import shipped_book

    analyst = Analyst(None if no_book else shipped_book(), threads=threads)
    with _status(file is None):
        analyst.warm_up()
    options = {"weak": weak, "deadline_s": deadline}
    if moves is not None:
        with _status(True):
            analysis = _analyse(analyst, moves, score_only, options)
        typer.echo(json.dumps(_as_json(analysis, moves)) if as_json else _in_words(analysis, weak))
        return
    assert file is not None
    for line in _lines(file):
        typer.echo(_batch_line(analyst, line.split(" ")[0].strip(), score_only, options, as_json))
        sys.stdout.flush()


def _analyse(analyst: Analyst, moves: str, score_only: bool, options: dict[str, Any]) -> Analysis:
    from bot.game import Board, parse_moves

    board = Board.from_moves(parse_moves(moves))
    if board.is_over:
        result = "won" if board.has_winner else "drawn"
        raise UsageError(f"The game is over in this position: {result}.", "Leave out the last move.")
    return analyst.score(board, **options) if score_only else analyst.analyse(board, **options)


def _batch_line(analyst: Analyst, moves: str, score_only: bool, options: dict[str, Any], as_json: bool) -> str:
    """Return the answer to one line of a batch; a bad line gives an error, and the batch goes on."""
    from bot.engine.score import interval

    try:
        analysis = _analyse(analyst, moves, score_only, options)
    except BotError as error:
        return json.dumps({"moves": moves, "error": str(error)}) if as_json else f"{moves} error: {error}"
    if as_json:
        return json.dumps(_as_json(analysis, moves))
    return f"{moves} {interval(analysis.bounds)}"


def _lines(file: Path) -> Iterator[str]:
    """The file's lines as they come."""
    if str(file) == "-":
        yield from (line.rstrip("\n") for line in sys.stdin)
        return
    try:
        with file.open(encoding="utf-8", errors="replace") as source:
            yield from (line.rstrip("\n") for line in source)
    except OSError as error:
        raise UsageError(f"The file {file} cannot be read: {error.strerror}.", "Check the path.") from None


def _as_json(analysis: Analysis, moves: str) -> dict[str, Any]:
    from bot.game import format_moves, parse_moves

    bounds, columns = analysis.bounds, analysis.columns
    answer: dict[str, Any] = {
        "moves": format_moves(parse_moves(moves)),
        "score": bounds.score,
        "scores": [None if told is None else told.score for told in columns] or None,
        "best": [column + 1 for column in analysis.best] if columns else None,
        "outcome": _OUTCOMES[bounds.outcome],
        "exact": bounds.exact,
        "bounds": [bounds.lower, bounds.upper],
        "outcomes": [None if told is None else _OUTCOMES[told.outcome] for told in columns] or None,
        "pv": [column + 1 for column in analysis.line] if columns else None,
        "nodes": analysis.nodes,
        "seconds": round(analysis.seconds, 6),
    }
    return answer


def _in_words(analysis: Analysis, weak: bool) -> str:
    from bot.engine.score import explain, interval, sentence
    from bot.game.notation import column_letter
    from bot.game.rendering import render_text

    board = analysis.board
    mover, other = ("X", "O") if board.ply % 2 == 0 else ("O", "X")
    lines = [render_text(board, to_move=mover, other=other), ""]
    lines.append(sentence(analysis.bounds, board.ply, mover))
    if analysis.columns:
        lines.append("")
    for column, told in enumerate(analysis.columns):
        mark = "*" if column in analysis.best else " "
        text = "full" if told is None else f"{interval(told):>7}  {explain(told, board.ply)}"
        lines.append(f"{mark} {column_letter(column)} {text}")
    if analysis.best:
        lines += ["", "best: " + " ".join(column_letter(column) for column in analysis.best)]
    if analysis.line:
        lines.append("line: " + " ".join(column_letter(column) for column in analysis.line))
    lines += ["", f"{analysis.nodes:,} nodes, {analysis.seconds:.3f} s"]
    if not analysis.bounds.exact and not weak:
        lines.append("Not finished in time: bounds only. A longer --deadline proves more.")
    return "\n".join(lines)


def _status(wanted: bool) -> Any:
    """A sign of life on a terminal while the solver works."""
    if not (wanted and sys.stderr.isatty()):
        return nullcontext()
    from rich.console import Console

    return Console(stderr=True).status("solving ...")
