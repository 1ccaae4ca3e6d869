"""A hint in three steps: whether there is a threat, where to look, and the column with its reason."""

from __future__ import annotations

from bot.game import Board
from bot.game.notation import column_name, column_names
from bot.learn.coach.position import PositionView, view
from bot.learn.coach.sentences import tried

QUIET = "Nothing is forced yet: look for a good place."
"""The first step where neither side can force a four and no column loses at once."""
AREAS = (
    ("Look on the left, at columns 1 and 2.", (0, 1)),
    ("Look in the middle, at columns 3 to 5.", (2, 3, 4)),
    ("Look on the right, at columns 6 and 7.", (5, 6)),
)


def hint_steps(board: Board, best: int, score: int) -> tuple[str, str, str]:
    """Return the steps that lead to the ``best`` column of an unfinished position, whose exact score is ``score``."""
    seen, mover, other = view(board), "XO"[board.ply % 2], "OX"[board.ply % 2]
    where = next(text for text, columns in AREAS if best in columns)
    why = tried(best, best, score, score, prevents=False)
    if len(seen.forced) == 1:
        why = f"Column {column_name(best)} makes four."
    elif seen.forced[:1] == (best,):
        why = f"{mover} can force a four with {column_names(seen.forced)}."
    elif seen.danger == (best,):
        why = f"Column {column_name(best)} blocks {other}'s four. {why}"
    return _threat(seen, mover, other), where, why


def _threat(seen: PositionView, mover: str, other: str) -> str:
    """Return the first step: what is urgent, without a column."""
    if seen.forced:
        return f"{mover} can make four now." if len(seen.forced) == 1 else f"{mover} can force a four."
    if seen.danger:
        return f"{other} threatens to {'make' if len(seen.danger) == 1 else 'force'} a four."
    return f"Some columns would let {other} make four at once." if seen.losing else QUIET
