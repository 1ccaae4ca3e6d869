"""Every sentence of the coach about a move, in one table: what happened, what to look for, and why.

The discs are called X (the first player) and O, cells by letter and row. The page puts "you" and colours in their
place, so a side is never the subject of a verb that "you" would change: sides "could", "would", "played".
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.review import MoveVerdict
from bot.engine.score import sign
from bot.game.notation import column_name, column_names
from bot.learn.coach.reason import Reason, ReasonKind

_MOST_LISTED = 4
"""Columns of best play that are listed in a sentence; more are "best play up to move 27"."""


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
        "missed win by leaving the opponent no safe column",
        "{mover} played column {column} and missed a win by leaving the opponent no safe column.",
    ),
    ReasonKind.FOLLOW_UP_WIN: Wording(
        "missed follow-up",
        "{mover} played column {column} and missed a win by same-column answers.",
    ),
    ReasonKind.FOLLOW_UP: Wording(
        "missed follow-up",
        "{mover} played column {column} and missed a draw by same-column answers.",
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
        "After {mover}'s column {column}, {opponent} could make four on top.",
        "Which column prevented that?",
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
        "allowed win by leaving the opponent no safe column",
        "After {mover}'s column {column}, {opponent} could wait until no column is safe.",
    ),
    ReasonKind.FOLLOW_UP_WIN: Wording(
        "allowed follow-up",
        "After {mover}'s column {column}, {opponent} could win by same-column answers.",
    ),
    ReasonKind.FOLLOW_UP: Wording(
        "allowed follow-up",
        "After {mover}'s column {column}, {opponent} could draw by same-column answers.",
    ),
}
"""Mistakes with which the mover allowed something."""
QUESTIONS = {
    "blunder": {1: "Which column kept the win?", 0: "Which column kept the draw?"},
    "slower": {1: "Which column won sooner?"},
    "sooner": {-1: "Which column held out longest?"},
}
"""What to look for where nothing is seen at sight, by the verdict and the outcome of the position before the mistake.
"""
TRIED = {
    (1, 1): "Column {column} keeps the win.",
    (0, 0): "Column {column} keeps the draw.",
    (-1, -1): "Column {column} holds out longest.",
    (1, 0): "Column {column} turns a won position into a drawn one.",
    (1, -1): "Column {column} turns a won position into a lost one.",
    (0, -1): "Column {column} turns a drawn position into a lost one.",
}
"""What a column does, by the outcome before and after it."""
HINTS = {
    ReasonKind.UNBLOCKED: "could still make four.",
    ReasonKind.OPENED: "could make four on top.",
    ReasonKind.DOUBLE_THREAT: "could open two fours at once.",
    ReasonKind.FORCED_SEQUENCE: "could force a four.",
    ReasonKind.QUIET_MOVE: "could win by a quiet move.",
}
"""What the opponent could do after a column, as `sentence` says it, without a cell or column that tells the answer."""
LATER = {1: "Column {column} wins, but later.", -1: "Column {column} loses sooner."}
"""What a column does that keeps the outcome of a won or lost position, but is not the best."""
SAFE = "Column {column} prevents that; column {best} is better still."
"""What a column does that prevents what the mistake visibly allowed, and is not the best."""
PREVENTS = "Column {column} prevents that."
"""The same in a position that exact play loses."""
LOST_FROM_THE_START = "The game was lost for {loser} from the first move on: {winner} kept the win throughout."


def wording(mover: str, column: int, reason: Reason) -> Wording:
    """Return how a mistake is put that ``reason`` explains at once; ``mover`` is X or O."""
    found = (MISSED if reason.missed else ALLOWED)[reason.kind]
    opponent = "O" if mover == "X" else "X"
    names = {"mover": mover, "opponent": opponent, "column": column_name(column)}
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


def hint(reason: Reason) -> str:
    """Return what a wrong column allows, in a sentence that leaves the answer to be found."""
    return f"{'XO'[reason.player - 1]} {HINTS[reason.kind]}"


def sentence(reason: Reason, ply: int) -> str:
    """Return a reason in one sentence; ``ply``: discs on the board after its quiet plies."""
    who, other = "XO"[reason.player - 1], "OX"[reason.player - 1]
    shown = reason.line[reason.quiet :]
    first, last = column_name(shown[0]), column_name(shown[-1])
    plain = {
        ReasonKind.FOUR: f"{who} could make four at once in column {first}.",
        ReasonKind.UNBLOCKED: f"{who} could make four in column {first}: that cell was left open.",
        ReasonKind.OPENED: f"{who} could make four in column {first}, on top of {other}'s disc there.",
        ReasonKind.DOUBLE_THREAT: (
            f"{who} could open two fours at the same time with column {first}; {other} could block only one."
        ),
        ReasonKind.FORCED_SEQUENCE: (
            f"{who} could force a four with {column_names(shown)}: each threat must be blocked."
        ),
        ReasonKind.QUIET_MOVE: f"{who} could play column {first}: then every reply loses.",
        ReasonKind.ZUGZWANG: (
            f"{who} would only have to answer every disc in the same column: in the end no column is safe for "
            f"{other}, and column {last} lets {who} make four."
        ),
        ReasonKind.FOLLOW_UP_WIN: (
            f"{who} could make four whatever the replies: it is enough to answer every disc in the same column, "
            "making or blocking fours."
        ),
        ReasonKind.FOLLOW_UP: (
            f"{who} could no longer lose: it is enough to answer every disc in the same column, making or blocking "
            "fours."
        ),
    }
    return _lead(reason, ply) + plain[reason.kind]


def _lead(reason: Reason, ply: int) -> str:
    """Return what is played before the pattern: the better column where it is missed, then best play."""
    columns = reason.line[1 : reason.quiet]
    best_play = f"column{'s' * (len(columns) > 1)} {column_names(columns)}"
    if len(columns) > _MOST_LISTED:
        best_play = f"best play up to move {ply}"
    if reason.missed and reason.quiet:
        then = f" and then {best_play}" if columns else ""
        return f"With column {column_name(reason.line[0])} instead{then}, "
    return f"After {best_play}, " if columns else ""
