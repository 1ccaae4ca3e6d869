"""Reasons and positions in words. The discs are called X (the first player) and O, cells by letter and row."""

from __future__ import annotations

from bot.game.board import ROWS
from bot.game.notation import column_name
from bot.learn.coach.position import PositionView, cell_name
from bot.learn.coach.reason import Reason, ReasonKind

_MOST_LISTED = 8
"""Quiet moves that are listed in a sentence; more are counted."""


def sentence(reason: Reason, *, exact: bool = True) -> str:
    """Return a reason as one or two sentences; not ``exact``: its last quiet move is no claim about best play."""
    who, other = "XO"[reason.player - 1], "OX"[reason.player - 1]
    shown = reason.line[reason.quiet :]
    first, last = column_name(shown[0]), column_name(shown[-1])
    cell = cell_name(last_cell(reason))
    quiet = reason.line[0 if reason.missed else 1 : reason.quiet]
    then = ""
    if quiet:
        near = len(quiet) <= _MOST_LISTED
        then = f"After {_listed(quiet)}, best play, " if near else f"After {len(quiet)} plies of best play, "
    if not exact:
        then = f"With column {column_name(quiet[-1])}, "
    verb = "could " if reason.missed and not quiet else "can "
    simple = {
        ReasonKind.FOUR: f"{who} {verb}make four at once in column {first}.",
        ReasonKind.UNBLOCKED: f"{who} makes four in column {first}: that cell had to be blocked.",
        ReasonKind.OPENED: f"{who} makes four in column {first}, directly above this disc.",
        ReasonKind.DOUBLE_THREAT: (
            f"{who} {verb}open two fours at the same time with column {first}; {other} can block only one."
        ),
        ReasonKind.FORCED_SEQUENCE: f"{who} {verb}force a four with {_listed(shown)}: each move threatens four.",
        ReasonKind.ZUGZWANG: (
            f"{who} only has to answer every disc in the same column; in the end every other column is full or loses "
            f"at once, too, and {other} must open column {last}, below {who}'s {parity(reason)} threat at {cell}."
        ),
        ReasonKind.FOLLOW_UP_WIN: (
            f"{who} only has to answer every disc in the same column: a four comes in every line."
        ),
        ReasonKind.FOLLOW_UP: (
            f"{who} never loses by answering every disc in the same column, making or blocking fours where they arise."
        ),
        ReasonKind.QUIET_MOVE: f"{who} {verb}play column {first}, and then every column of {other} loses.",
    }
    return then + simple[reason.kind]


def last_cell(reason: Reason) -> int:
    """Return the cell, column * 6 + row, of the disc that makes the final four; 0 where no four is made."""
    return max((cell for cell in reason.cells if cell // ROWS == reason.line[-1]), default=0)


def parity(reason: Reason) -> str:
    """Return "odd" or "even", by the row of the final disc, counted from 1."""
    return "even" if last_cell(reason) % ROWS % 2 else "odd"


def _listed(columns: tuple[int, ...]) -> str:
    return " ".join(map(column_name, columns))


def facts(view: PositionView, ply: int) -> list[str]:
    """Return what is known of a position after ``ply`` discs, one sentence each, the side to move first."""
    mover, other = ("X", "O") if ply % 2 == 0 else ("O", "X")
    found = [f"{mover} to move."]
    for player in (1, 2):
        named = [f"{cell_name(threat.cell)} ({threat.kind})" for threat in view.threats if threat.player == player]
        if named:
            found.append(f"Threats of {'XO'[player - 1]}: {', '.join(named)}.")
    if view.forced:
        found.append(f"{mover} wins by force: {_listed(view.forced)}.")
    elif view.danger:
        found.append(f"If {mover} did nothing, {other} would win by force: {_listed(view.danger)}.")
    if view.zugzwang:
        found.append(f"{mover} is in zugzwang: every column lets {other} make four directly above.")
    elif view.losing:
        found.append(f"{other} makes four at once after: {_listed(view.losing)}.")
    if view.follow_up is not None:
        aim = "makes four in every line" if view.follow_up.wins else "never loses"
        found.append(f"{other} {aim} by answering every disc in the same column.")
    return found
