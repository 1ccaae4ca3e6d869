"""Kaggle's side of ConnectX for a submission, in plain Python: run as `python -I kaggle_arena.py FOLDER/main.py ...`.

Written from public descriptions: main.py is executed as text, without ``__file__`` but with its folder at the end of
the path of modules until it has been executed, and the last callable in it is the agent. That gets an observation
(`board`: 42 cells, the top row first; `mark`) and a configuration. The opponent `negamax` searches 4 plies; a won game
counts by how early it is won, a leaf by the neighbours of the last disc, and equal moves are chosen at random. Prints
one JSON object.
"""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path
from typing import Any

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Struct(dict[str, Any]):
    """Kaggle's objects: keys are attributes too."""

    __getattr__ = dict.__getitem__


def last_callable(path):
    """Return the agent of a submission."""
    space: dict[str, Any] = {}
    sys.path.append(str(Path(path).parent))
    exec(compile(Path(path).read_text(encoding="utf-8"), path, "exec"), space)
    sys.path.pop()
    return [value for value in space.values() if callable(value)][-1]


def play(board, column, mark):
    """Drop a disc into a copy of the board and return copy and cell."""
    cell = max(cell for cell in range(column, 42, 7) if board[cell] == 0)
    return [*board[:cell], mark, *board[cell + 1 :]], cell


def is_win(board, cell):
    """Return whether the disc in this cell is part of four in a row."""
    for down, right in DIRECTIONS:
        count = -1
        for sign in (1, -1):
            y, x = divmod(cell, 7)
            while 0 <= y < 6 and 0 <= x < 7 and board[y * 7 + x] == board[cell]:
                count, y, x = count + 1, y + sign * down, x + sign * right
        if count >= 4:
            return True
    return False


def neighbours(board, cell):
    """Return the value of a leaf: discs of ours below, left and right of the last one."""
    row, column = divmod(cell, 7)
    places = ((row + 1, column), (row, column - 1), (row, column + 1))
    return sum(y < 6 and 0 <= x < 7 and board[y * 7 + x] == board[cell] for y, x in places)


def negamax(board, mark, depth, rng):
    """Return the value and the column of the side to move."""
    moves = [(column, *play(board, column, mark)) for column in range(7) if board[column] == 0]
    for column, after, cell in moves:
        if is_win(after, cell):
            return (board.count(0) + 1) / 2 + 10, column
    best, chosen = 0 if not moves else -1e9, None
    for column, after, cell in moves:
        value = neighbours(after, cell) if depth <= 1 else -negamax(after, 3 - mark, depth - 1, rng)[0]
        if value > best or (value == best and rng.random() < 0.5):
            best, chosen = value, column
    return best, chosen


def game(agent, we_start, limit_s, rng, seconds):
    """Play a game and return 1, 0.5 or 0 for the agent, and the moves."""
    configuration = Struct(rows=6, columns=7, inarow=4, actTimeout=limit_s, timeout=limit_s)
    board, mark, moves = [0] * 42, 1, ""
    while 0 in board:
        if (mark == 1) == we_start:
            start = time.perf_counter()
            column = agent(Struct(board=list(board), mark=mark, remainingOverageTime=60), configuration)
            seconds.append(round(time.perf_counter() - start, 3))
            assert type(column) is int and board[column] == 0, column
        else:
            column = negamax(board, mark, 4, rng)[1]
        board, cell = play(board, column, mark)
        moves += str(column + 1)
        if is_win(board, cell):
            return float((mark == 1) == we_start), moves
        mark = 3 - mark
    return 0.5, moves


def main(path, games, limit_s, seed):
    """Play the games."""
    start = time.perf_counter()
    agent, rng, seconds = last_callable(path), random.Random(int(seed)), list[float]()
    loaded_s = round(time.perf_counter() - start, 3)
    played = [game(agent, number % 2 == 0, float(limit_s), rng, seconds) for number in range(int(games))]
    results, moves = zip(*played, strict=True)
    package = sys.modules["bot"].__file__
    print(
        json.dumps({"package": package, "results": results, "moves": moves, "loaded_s": loaded_s, "seconds": seconds})
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
