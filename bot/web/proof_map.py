"""The proof as a tree for the page: its move with the reason, or the replies to it, in any position that it covers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.game import Board
from bot.proof.explain import Explanation, explain, replies


def proof_json(columns: Sequence[int]) -> dict[str, Any]:
    """Return what the proof says in the position after ``columns`` (0..6).

    ``turn``: "proof" if the proof's player is to move, "opponent" if the proof has moved, "outside" where no claim
    covers the position, "over" at its end. ``move``: the proof's move here or, on the opponent's turn, the one that
    led here, with its reason in ``sentences`` and its diagram's cells as pairs [column, row]; null where there is none.
    ``replies``: the opponent's columns with the proof's ``answer`` and the number of ``entries`` below each.
    """
    board = Board.from_moves(columns)
    last = _last_move(columns)
    if board.is_over:
        return {"turn": "over", "move": last, "replies": []}
    own = explain(board, columns)
    if own is not None:
        return {"turn": "proof", "move": _move_json(own), "replies": []}
    following = replies(board, columns)
    if all(reply.answer is None and not board.play(reply.column).is_over for reply in following):
        return {"turn": "outside", "move": None, "replies": []}
    rows = [
        {
            "column": reply.column,
            "answer": reply.answer,
            "diagram": reply.is_diagram,
            "entries": reply.entries,
            "ends": board.play(reply.column).is_over,
        }
        for reply in following
    ]
    return {"turn": "opponent", "move": last, "replies": rows}


def _last_move(columns: Sequence[int]) -> dict[str, Any] | None:
    """Return the explanation of the last move if the proof made it."""
    if not columns:
        return None
    found = explain(Board.from_moves(columns[:-1]), columns[:-1])
    return None if found is None or found.column != columns[-1] else _move_json(found)


def _move_json(found: Explanation) -> dict[str, Any]:
    return {
        "column": found.column,
        "wins": found.must_win,
        "sentences": list(found.sentences),
        "entries": found.entries,
        "diagram": found.is_diagram,
        "order": [list(cell) for cell in found.order],
        "follow": [list(cell) for cell in found.follow],
        "claim": [list(cell) for cell in found.claim],
    }
