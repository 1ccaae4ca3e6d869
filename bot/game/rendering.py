"""The board as plain text."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.notation import column_name


def render_text(grid: Sequence[Sequence[int]], *, to_move: str = "X", other: str = "O", last: int | None = None) -> str:
    """Return seven lines: the six rows of `Board.to_grid`, top first, and the column numbers 1-7.

    ``to_move`` and ``other`` are the characters of the two sides' discs; ``last`` (0..6) adds a line that marks the
    column just played with ^.
    """
    names = {0: ".", 1: to_move, -1: other}
    lines = [" ".join(names[cell] for cell in row) for row in grid]
    lines.append(" ".join(column_name(column) for column in range(len(grid[0]))))
    if last is not None:
        lines.append("  " * last + "^")
    return "\n".join(lines)
