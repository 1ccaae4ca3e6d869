"""`bot proof`: explain and check the proven strategy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.formatting import echo
from bot.cli.options import AsJson, MovesArgument, argument
from bot.errors import ExitCode, UsageError

proof = typer.Typer(help="Explain and check the proof that the agent `proof` plays by.", no_args_is_help=True)


@proof.command()
def check(
    file: Annotated[Path | None, argument("FILE", "A proof file; without it: the one of this package.")] = None,
) -> None:
    """Check every claim of a proof file, in about a minute. `python bot/proof/check.py FILE` needs no package.

    Exit code 0: proven; 1: rejected, also where the file does not follow the format; 2: it cannot be read.

    \b
    Examples:
      bot proof check                              the shipped proof
      bot proof check proof.bin
    """
    import zlib

    from bot.cli.progress import ProgressLine
    from bot.proof.check import claims_of, prove
    from bot.proof.player import SHIPPED

    path = file or SHIPPED
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"The proof {path} cannot be read: {error.strerror}.") from None
    try:
        for claim in claims_of(content):
            says, _, _, entries, _ = claim
            with ProgressLine("entries checked", len(entries)) as checked:
                for _ in prove(claim):
                    checked.advance()
            echo(f"{says}: proven, {len(entries):,} entries.")
    except (ValueError, zlib.error) as error:
        echo(f"Rejected: {error}. The rules have their numbers in bot/proof/README.md.")
        raise typer.Exit(ExitCode.BUG) from None
    echo("Every claim is proven.")


@proof.command()
def explain(moves: MovesArgument, as_json: AsJson = False) -> None:
    """Tell why the proof plays its move in a position, and what it answers to each reply.

    Give the moves of the game in order: the proof plays on by a fixed order of the cells once it has begun to.

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
    turn, move, following = place["turn"], place["move"], place["replies"]
    echo(f"{Board.from_moves(columns)}\n")
    if move and turn != "proof":
        echo("The proof has just moved. It said:")
    for line in move["sentences"] if move else ():
        echo(line)
    if turn == "outside":
        echo("No claim of the proof covers this position. Start again, or take a move back.")
    if turn == "proof":
        following = proof_json((*columns, move["column"]))["replies"]
    if following:
        echo()
        print_table([("reply", "answer"), *((each["column"] + 1, _answer(each)) for each in following)])


def _answer(reply: dict[str, int | None]) -> str:
    """Return the proof's answer to a reply, or why there is none."""
    if reply["ends"]:
        return "the game ends"
    return "not covered" if reply["answer"] is None else str(reply["answer"] + 1)
