"""Reasons in words."""

from __future__ import annotations

from bot.coach.reason import Kind, Reason
from bot.coach.threats import cell_name
from bot.game.board import ROWS
from bot.game.notation import column_name

_MOST_LISTED = 8
"""Quiet moves that are listed in a sentence; more are counted."""


def sentence(reason: Reason) -> str:
    """Return a reason as one or two sentences. The discs are called X (the first player) and O."""
    who, other = "XO"[reason.player - 1], "OX"[reason.player - 1]
    shown = reason.line[reason.quiet :]
    first, last = column_name(shown[0]), column_name(shown[-1])
    cell = cell_name(max((cell for cell in reason.cells if cell // ROWS == shown[-1]), default=0))
    quiet = reason.line[0 if reason.missed else 1 : reason.quiet]
    then = ""
    if quiet:
        near = len(quiet) <= _MOST_LISTED
        then = f"After {_listed(quiet)}, best play, " if near else f"After {len(quiet)} plies of best play, "
    verb = "could " if reason.missed and not quiet else "can "
    simple = {
        Kind.FOUR: f"{who} {verb}make four at once in column {first}.",
        Kind.UNBLOCKED: f"{who} makes four in column {first}: that cell had to be blocked.",
        Kind.OPENED: f"{who} makes four in column {first}, directly above this disc.",
        Kind.DOUBLE_THREAT: (
            f"{who} {verb}open two fours at the same time with column {first}; {other} can block only one."
        ),
        Kind.FORCED_SEQUENCE: f"{who} {verb}force a four with {_listed(shown)}: each move threatens four.",
        Kind.ZUGZWANG: (
            f"{who} only has to answer every disc in the same column. In the end every other column is full or loses "
            f"at once, too, and {other} must open column {last}, below {who}'s threat at {cell}."
        ),
        Kind.FOLLOW_UP_WIN: f"{who} only has to answer every disc in the same column: a four comes in every line.",
        Kind.FOLLOW_UP: (
            f"{who} never loses by answering every disc in the same column, making or blocking fours where they arise."
        ),
    }
    return then + simple[reason.kind]


def _listed(columns: tuple[int, ...]) -> str:
    return " ".join(map(column_name, columns))
