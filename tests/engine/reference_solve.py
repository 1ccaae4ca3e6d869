"""The exact score in plain Python, for late positions: columns are strings of x (moves first) and o, bottom first."""

from __future__ import annotations

from functools import cache

Columns = tuple[str, ...]


def columns_of(grid: list[list[int]], first_player: int) -> Columns:
    """Return the columns of a 6 x 7 list of rows, row 0 on top; ``first_player`` is the first player's number in it."""
    rows = grid[::-1]
    return tuple(
        "".join("x" if row[column] == first_player else "o" for row in rows if row[column]) for column in range(7)
    )


def side_at(columns: Columns, column: int, row: int) -> str:
    """Return the disc in a cell, an empty string where there is none."""
    return columns[column][row : row + 1] if 0 <= column < 7 and row >= 0 else ""


def makes_four(columns: Columns, column: int, side: str) -> bool:
    """Return whether a disc of ``side`` in ``column`` makes four in a row."""
    height = len(columns[column])
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        run = 1
        for sign in (1, -1):
            step = sign
            while side_at(columns, column + step * right, height + step * up) == side:
                run += 1
                step += sign
        if run >= 4:
            return True
    return False


@cache
def solve(columns: Columns, alpha: int = -22, beta: int = 22) -> int:
    """Return the score of an unfinished position for the side to move, by alpha-beta to the game's end."""
    ply = sum(map(len, columns))
    side = "xo"[ply % 2]
    legal = [column for column in (3, 2, 4, 1, 5, 0, 6) if len(columns[column]) < 6]
    if any(makes_four(columns, column, side) for column in legal):
        return 21 - ply // 2
    if ply == 41:
        return 0
    for column in legal:
        child = (*columns[:column], columns[column] + side, *columns[column + 1 :])
        alpha = max(alpha, -solve(child, -beta, -alpha))
        if alpha >= beta:
            break
    return alpha
