"""The board as plain text."""

from __future__ import annotations

from bot.game.board import Board


def render_text(board: Board, *, to_move: str = "X", other: str = "O", last: int | None = None) -> str:
    """Seven lines: the six rows, top first, and the column numbers.

    ``to_move`` and ``other`` are the discs' characters; ``last`` (0..6) marks the column just played with ^.
    """
    names = {0: ".", 1: to_move, -1: other}
    lines = [" ".join(names[cell] for cell in row) for row in board.to_grid()]
    lines.append(" ".join("1234567"))
    if last is not None:
        lines.append("  " * last + "^")
    return "\n".join(lines)
