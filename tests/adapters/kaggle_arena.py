"""Kaggle's side of ConnectX for a submission: run as `python -I kaggle_arena.py FOLDER/main.py ...`.

Written from public descriptions: main.py is executed as text, without ``__file__`` but with its folder at the end of
the path of modules until it has been executed, and the last callable in it is the agent. That gets an observation
(`board`: 42 cells, the top row first; `mark`) and a configuration. The opponent `negamax` searches 4 plies; a won game
counts by how early it is won, a leaf by the neighbours of the last disc, and equal moves are chosen at random. The
rules are those of the submission's own `bot.game`. Prints one JSON object.
"""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path
from typing import Any

CONFIGURATION = {"rows": 6, "columns": 7, "inarow": 4, "actTimeout": 2.0}


def last_callable(path):
    """Return the agent of a submission."""
    space: dict[str, Any] = {}
    sys.path.append(str(Path(path).parent))
    exec(compile(Path(path).read_text(encoding="utf-8"), path, "exec"), space)
    sys.path.pop()
    return [value for value in space.values() if callable(value)][-1]


def neighbours(board, column):
    """Return the value of a leaf: the last player's discs below, left and right of the last one, in ``column``."""
    grid = board.to_grid()
    row = next(row for row in range(6) if grid[row][column])
    places = ((row + 1, column), (row, column - 1), (row, column + 1))
    return sum(y < 6 and 0 <= x < 7 and grid[y][x] == -1 for y, x in places)


def negamax(board, depth, rng):
    """Return the value and the column of the side to move."""
    best, chosen = 0 if board.is_full else -1e9, None
    for column in board.legal_columns():
        if board.wins_with(column):
            return (43 - board.ply) / 2 + 10, column
    for column in board.legal_columns():
        after = board.play(column)
        value = neighbours(after, column) if depth <= 1 else -negamax(after, depth - 1, rng)[0]
        if value > best or (value == best and rng.random() < 0.5):
            best, chosen = value, column
    return best, chosen


def game(agent, we_start, limit_s, rng, seconds):
    """Play a game and return 1, 0.5 or 0 for the agent, and the moves."""
    from bot.game import Board, format_moves

    board, moves = Board(), list[int]()
    while not board.is_over:
        mark = board.ply % 2 + 1
        if (mark == 1) == we_start:
            start, codes = time.perf_counter(), {0: 0, 1: mark, -1: 3 - mark}
            cells = [codes[cell] for row in board.to_grid() for cell in row]
            column = agent({"board": cells, "mark": mark}, CONFIGURATION | {"actTimeout": limit_s})
            seconds.append(round(time.perf_counter() - start, 3))
            assert type(column) is int, column
        else:
            column = negamax(board, 4, rng)[1]
        board = board.play(column)
        moves.append(column)
    return {None: 0.5, 1: float(we_start), 2: float(not we_start)}[board.winner], format_moves(moves)


def main(path, games, limit_s, seed):
    """Play the games."""
    agent, rng, seconds = last_callable(path), random.Random(int(seed)), list[float]()
    played = [game(agent, number % 2 == 0, float(limit_s), rng, seconds) for number in range(int(games))]
    results, moves = zip(*played, strict=True)
    package = sys.modules["bot"].__file__
    print(json.dumps({"package": package, "results": results, "moves": moves, "seconds": seconds}))


if __name__ == "__main__":
    main(*sys.argv[1:])
