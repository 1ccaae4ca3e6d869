"""Every sentence of the coach, in one table: what happened, what to look for, and why.

The discs are called X (the first player) and O, cells by letter and row. The page puts "you" and colours in their
place, so a side is never the subject of a verb that "you" would change: sides "could", "had to", "played".
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.review import MoveVerdict
from bot.engine.score import sign
from bot.game.board import ROWS
from bot.game.notation import column_name
from bot.learn.coach.position import PositionView, cell_name
from bot.learn.coach.reason import Reason, ReasonKind

_MOST_LISTED = 4
"""Columns of best play that are listed in a sentence; more are "perfect play by both"."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How a kind of mistake is put; ``{mover}``, ``{opponent}`` and ``{column}`` are filled in."""

    name: str
    happened: str
    question: str = ""
    """Empty where what happened cannot be seen at sight: that of `QUESTIONS` is asked."""


MISSED = {
    ReasonKind.FOUR: Wording("missed win", "{mover} played column {column} and missed a four.", "Where was the four?"),
    ReasonKind.DOUBLE_THREAT: Wording(
        "missed double threat",
        "{mover} played column {column} and missed two fours at once.",
        "Which disc opened two fours at once?",
    ),
    ReasonKind.FORCED_SEQUENCE: Wording(
        "missed forced sequence",
        "{mover} played column {column} and missed a forced four.",
        "Where could the four be forced?",
    ),
    ReasonKind.QUIET_MOVE: Wording(
        "missed quiet move",
        "{mover} played column {column} and missed a win by a quiet move.",
        "After which disc did every reply lose?",
    ),
    ReasonKind.ZUGZWANG: Wording(
        "gave up the {parity} threat",
        "{mover} played column {column} and gave up the {parity} threat.",
    ),
    ReasonKind.FOLLOW_UP_WIN: Wording(
        "missed follow-up",
        "{mover} played column {column} and gave up a win by follow-up.",
    ),
    ReasonKind.FOLLOW_UP: Wording(
        "missed follow-up",
        "{mover} played column {column} and gave up a draw by follow-up.",
    ),
}
"""Mistakes with which the mover missed something."""
ALLOWED = {
    ReasonKind.UNBLOCKED: Wording(
        "missed block",
        "{mover} played column {column} and left {opponent}'s four open.",
        "Where should {mover} have blocked?",
    ),
    ReasonKind.OPENED: Wording(
        "poisoned column",
        "{mover}'s disc in column {column} let {opponent} make four on top.",
        "Which column was safe?",
    ),
    ReasonKind.DOUBLE_THREAT: Wording(
        "allowed double threat",
        "After {mover}'s column {column}, {opponent} could open two fours at once.",
        "Which column prevented that?",
    ),
    ReasonKind.FORCED_SEQUENCE: Wording(
        "allowed forced sequence",
        "After {mover}'s column {column}, {opponent} could force a four.",
        "Which column prevented that?",
    ),
    ReasonKind.QUIET_MOVE: Wording(
        "allowed quiet move",
        "After {mover}'s column {column}, {opponent} could win by a quiet move.",
        "Which column prevented that?",
    ),
    ReasonKind.ZUGZWANG: Wording(
        "allowed the {parity} threat",
        "{mover}'s column {column} let {opponent} win by the {parity} threat.",
    ),
    ReasonKind.FOLLOW_UP_WIN: Wording(
        "allowed follow-up",
        "{mover}'s column {column} let {opponent} win by follow-up.",
    ),
    ReasonKind.FOLLOW_UP: Wording(
        "allowed follow-up",
        "{mover}'s column {column} let {opponent} draw by follow-up.",
    ),
}
"""Mistakes with which the mover allowed something."""
QUESTIONS = {
    "blunder": {1: "Which column kept the win?", 0: "Which column kept the draw?"},
    "slower": {1: "Which column won sooner?"},
    "sooner": {-1: "Which column lasted longest?"},
}
"""What to look for where nothing is seen at sight, by the verdict and the outcome of the position before the mistake.
"""
TRIED = {
    (1, 1): "Column {column} keeps the win.",
    (0, 0): "Column {column} keeps the draw.",
    (-1, -1): "Column {column} lasts longest.",
    (1, 0): "Column {column} turns a won position into a drawn one.",
    (1, -1): "Column {column} turns a won position into a lost one.",
    (0, -1): "Column {column} turns a drawn position into a lost one.",
}
"""What a column does, by the outcome before and after it."""
LATER = {1: "Column {column} wins, but later.", -1: "Column {column} loses sooner."}
"""What a column does that keeps the outcome of a won or lost position, but is not the best."""
SAFE = "Column {column} prevents that; column {best} is better still."
"""What a column does that prevents what the mistake visibly allowed, and is not the best."""
PREVENTS = "Column {column} prevents that. Against perfect play, the game was lost already."
"""The same in a position that exact play loses."""
LOST_FROM_THE_START = "The game was lost for {loser} from the first move on: {winner} kept the win throughout."


def wording(mover: str, column: int, reason: Reason) -> Wording:
    """Return how a mistake is put that ``reason`` explains at once; ``mover`` is X or O."""
    found = (MISSED if reason.missed else ALLOWED)[reason.kind]
    opponent = "O" if mover == "X" else "X"
    names = {"mover": mover, "opponent": opponent, "column": column_name(column), "parity": parity(reason)}
    return Wording(*(text.format(**names) for text in (found.name, found.happened, found.question)))


def judged(mover: str, column: int, verdict: MoveVerdict, best: int) -> Wording:
    """Return how a move is put that nothing at sight explains; ``best`` is the score before it, for the mover."""
    question = QUESTIONS.get(verdict.kind, {}).get(sign(best), "")
    return Wording("", f"{mover}'s column {column_name(column)} {verdict.text}.", question)


def tried(column: int, best: int, before: int, after: int, *, prevents: bool) -> str:
    """Return what a column does, of exact score ``after`` for the mover; the ``best`` column has ``before``.

    ``prevents``: whether it prevents what the mistake visibly allowed.
    """
    outcome = (sign(before), sign(after))
    text = TRIED[outcome]
    if prevents and before < 0:
        text = PREVENTS
    elif prevents and after < before:
        text = SAFE
    elif after < before and outcome[0] == outcome[1]:
        text = LATER[outcome[1]]
    return text.format(column=column_name(column), best=column_name(best))


def sentence(reason: Reason) -> str:
    """Return a reason as one or two sentences."""
    who, other = "XO"[reason.player - 1], "OX"[reason.player - 1]
    shown = reason.line[reason.quiet :]
    first, last = column_name(shown[0]), column_name(shown[-1])
    quiet = reason.line[0 if reason.missed else 1 : reason.quiet]
    then = ""
    if quiet:
        columns = "column" if len(quiet) == 1 else "columns"
        then = f"After {columns} {_listed(quiet)}, " if len(quiet) <= _MOST_LISTED else "With perfect play by both, "
    plain = {
        ReasonKind.FOUR: f"{who} could make four at once in column {first}.",
        ReasonKind.UNBLOCKED: f"{who} could make four in column {first}: that cell was left open.",
        ReasonKind.OPENED: f"{who} could make four in column {first}, on top of {other}'s disc there.",
        ReasonKind.DOUBLE_THREAT: (
            f"{who} could open two fours at the same time with column {first}; {other} could block only one."
        ),
        ReasonKind.FORCED_SEQUENCE: f"{who} could force a four with {_listed(shown)}: each threat had to be blocked.",
        ReasonKind.QUIET_MOVE: f"{who} could play column {first}, and then no reply held.",
        ReasonKind.ZUGZWANG: (
            f"{who} only had to answer every disc in the same column, until {other} had to open column {last}, below "
            f"{who}'s {parity(reason)} threat at {cell_name(last_cell(reason))}."
        ),
        ReasonKind.FOLLOW_UP_WIN: (
            f"{who} only had to answer every disc in the same column, and made four whatever {other} played."
        ),
        ReasonKind.FOLLOW_UP: (
            f"{who} could not lose: it was enough to answer every disc in the same column, making or blocking fours "
            "where they arose."
        ),
    }
    return then + plain[reason.kind]


def last_cell(reason: Reason) -> int:
    """Return the cell, column * 6 + row, of the disc that makes the final four; 0 where no four is made."""
    return max((cell for cell in reason.cells if cell // ROWS == reason.line[-1]), default=0)


def parity(reason: Reason) -> str:
    """Return "odd" or "even", by the row of the final disc, counted from 1."""
    return "even" if last_cell(reason) % ROWS % 2 else "odd"


def _listed(columns: tuple[int, ...]) -> str:
    return " ".join(map(column_name, columns))


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known of a position, and the line that shows it, if one does."""

    text: str
    line: tuple[int, ...] = ()
    """Columns 0..6 from the position."""
    pairs: tuple[tuple[int, int], ...] = ()
    """Follow-up only: the pairs of cells (lower, upper)."""


def facts(view: PositionView, ply: int) -> list[Fact]:
    """Return what is known of a position after ``ply`` discs, one sentence each, the most urgent first."""
    mover, other = ("X", "O") if ply % 2 == 0 else ("O", "X")
    found: list[Fact] = []
    if len(view.forced) == 1:
        found.append(Fact(f"{mover} can make four in column {_listed(view.forced)}."))
    elif view.forced:
        found.append(Fact(f"{mover} can force a four with {_listed(view.forced)}.", view.forced))
    elif len(view.danger) == 1:
        enough = ", and blocking it is not enough" if view.danger[0] in view.losing else ""
        found.append(Fact(f"{other} threatens four in column {_listed(view.danger)}{enough}."))
    elif view.danger:
        found.append(Fact(f"{other} threatens to force a four, beginning with column {_listed(view.danger[:1])}."))
    if view.zugzwang:
        found.append(Fact(f"Zugzwang: every column of {mover} lets {other} make four above it."))
    elif view.losing and len(view.danger) != 1:
        found.append(Fact(f"{other} makes four at once after column {', '.join(map(column_name, view.losing))}."))
    if view.follow_up is not None:
        aim = "makes four" if view.follow_up.wins else "never loses"
        text = f"{other} {aim} by answering every disc in the same column."
        found.append(Fact(text, view.follow_up.line, view.follow_up.pairs))
    for player in (1, 2):
        named = [f"{cell_name(threat.cell)} ({threat.kind})" for threat in view.threats if threat.player == player]
        if named:
            found.append(Fact(f"Threats of {'XO'[player - 1]}: {', '.join(named)}."))
    return found
