"""`bot proof`: explain and check the proven strategy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from bot.cli.formatting import echo
from bot.cli.options import AsJson, MovesArgument, argument
from bot.errors import ExitCode

proof = typer.Typer(help="The proof that the agent `proof` plays by: explain and check it.", no_args_is_help=True)


@proof.command()
def check(
    file: Annotated[Path | None, argument("FILE", "A proof file; without it: the one of this package.")] = None,
) -> None:
    """Check every claim of a proof file, in a few seconds. `python bot/proof/check.py FILE` needs no package.

    Exit code 0: proven; 1: rejected, also where the file does not follow the format; 2: it cannot be read.

    \b
    Examples:
      bot proof check                              the shipped proof
      bot proof check proof.bin
    """
    from bot.proof.fast_check import verify
    from bot.proof.format import Proof, RejectedError
    from bot.proof.plan import SHIPPED

    try:
        verdicts = verify(Proof.load(file or SHIPPED))
    except RejectedError as error:
        echo(f"Rejected: {error}")
        raise typer.Exit(ExitCode.BUG) from None
    for verdict in verdicts:
        echo(verdict.sentence)
    echo("Both claims are proven." if len(verdicts) == 2 else "The claim is proven.")


@proof.command()
def explain(moves: MovesArgument, as_json: AsJson = False) -> None:
    """Tell why the proof plays its move in a position, and what it answers to each reply.

    An entry of the proof names a move, or a diagram: an order of the cells by which the proof plays to the end of the
    game. Give the moves of the game in order: the proof keeps to a diagram once it has met it.

    \b
    Examples:
      bot proof explain ""                         the first move, which wins
      bot proof explain 4                          what it answers to each reply
      bot proof explain 444 --json                 the same, for programs
    """
    from bot.cli.formatting import numbered, print_json, print_table
    from bot.game import Board, parse_moves
    from bot.proof.explain import proof_json

    columns = parse_moves(moves)
    place = proof_json(columns)
    if as_json:
        print_json(numbered(place))
        return
    turn, move = place["turn"], place["move"]
    lines = _said(move, is_past=turn != "proof") if move else []
    if turn == "outside":
        lines.append("No claim of the proof covers this position. Start again, or take a move back.")
    echo(f"{Board.from_moves(columns)}\n")
    for line in lines:
        echo(line)
    following = proof_json((*columns, move["column"])) if turn == "proof" else place
    if following["replies"]:
        echo()
        print_table([("reply", "answer", ""), *map(_row, following["replies"])])


def _said(move: dict[str, Any], *, is_past: bool) -> list[str]:
    """Return the reason and meaning of the proof's move, line by line."""
    from bot.game.notation import column_letter

    lines = list(move["sentences"])
    if is_past:
        lines.insert(0, "The proof has just moved. It said:")
    if move["diagram"]:
        cells = " ".join(f"{column_letter(column)}{row + 1}" for column, row in move["order"])
        lines.append(f"The list: {cells}")
    if move["entries"]:
        lines.append(f"{move['entries']:,} entries of the proof follow from here.")
    return lines


def _row(reply: dict[str, Any]) -> tuple[object, ...]:
    """Return a reply of the opponent, the proof's answer, and what follows, as cells of a table."""
    answer = "" if reply["answer"] is None else reply["answer"] + 1
    if reply["ends"]:
        follows = "the game ends"
    elif reply["answer"] is None:
        follows = "not covered"
    elif reply["diagram"]:
        follows = "a diagram decides"
    elif reply["entries"] == 1:
        follows = "1 entry"
    else:
        follows = f"{reply['entries']:,} entries"
    return reply["column"] + 1, answer, follows
