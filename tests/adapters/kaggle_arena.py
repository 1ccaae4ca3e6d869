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

ROWS, COLUMNS, IN_A_ROW, DEPTH = 6, 7, 4, 4


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
    """Drop a disc into a copy of the board and return copy and row."""
    row = max(row for row in range(ROWS) if board[row * COLUMNS + column] == 0)
    copy = list(board)
    copy[row * COLUMNS + column] = mark
    return copy, row


def is_win(board, row, column, mark):
    """Return whether the disc in this cell is part of four in a row."""
    for down, right in ((1, 0), (0, 1), (1, 1), (1, -1)):
        count = 1
        for sign in (1, -1):
            y, x = row + sign * down, column + sign * right
            while 0 <= y < ROWS and 0 <= x < COLUMNS and board[y * COLUMNS + x] == mark:
                count, y, x = count + 1, y + sign * down, x + sign * right
        if count >= IN_A_ROW:
            return True
    return False


def neighbours(board, row, column, mark):
    """Return the value of a leaf: discs of ours below, left and right of the last one."""
    places = ((row + 1, column), (row, column - 1), (row, column + 1))
    return sum(0 <= y < ROWS and 0 <= x < COLUMNS and board[y * COLUMNS + x] == mark for y, x in places)


def negamax(board, mark, depth, rng):
    """Return the value and the column of the side to move."""
    empty = board.count(0)
    if empty == 0:
        return 0, None
    columns = [column for column in range(COLUMNS) if board[column] == 0]
    for column in columns:
        after, row = play(board, column, mark)
        if is_win(after, row, column, mark):
            return (empty + 1) / 2 + 10, column
    best, chosen = -1e9, None
    for column in columns:
        after, row = play(board, column, mark)
        is_leaf = depth <= 1
        value = neighbours(after, row, column, mark) if is_leaf else -negamax(after, 3 - mark, depth - 1, rng)[0]
        if value > best or (value == best and rng.random() < 0.5):
            best, chosen = value, column
    return best, chosen


def game(agent, we_start, limit_s, rng, seconds):
    """Play a game and return 1, 0.5 or 0 for the agent, and the moves."""
    configuration = Struct(rows=ROWS, columns=COLUMNS, inarow=IN_A_ROW, actTimeout=limit_s, timeout=limit_s)
    board, mark, moves = [0] * 42, 1, ""
    while 0 in board:
        if (mark == 1) == we_start:
            start = time.perf_counter()
            column = agent(Struct(board=list(board), mark=mark, remainingOverageTime=60), configuration)
            seconds.append(time.perf_counter() - start)
            assert type(column) is int and board[column] == 0, column
        else:
            column = negamax(board, mark, DEPTH, rng)[1]
        board, row = play(board, column, mark)
        moves += str(column + 1)
        if is_win(board, row, column, mark):
            return float((mark == 1) == we_start), moves
        mark = 3 - mark
    return 0.5, moves


def main(path, games, limit_s, seed):
    """Play the games."""
    start = time.perf_counter()
    agent = last_callable(path)
    loaded_s = time.perf_counter() - start
    first = agent(Struct(board=[0] * 42, mark=1, remainingOverageTime=60), Struct())
    first_s = time.perf_counter() - start
    answer = {"first": first, "loaded_s": loaded_s, "first_s": first_s, "package": sys.modules["bot"].__file__}
    rng, seconds, results, lines = random.Random(int(seed)), list[float](), [], []
    for number in range(int(games)):
        result, moves = game(agent, number % 2 == 0, float(limit_s), rng, seconds)
        results.append(result)
        lines.append(moves)
    print(json.dumps({**answer, "results": results, "moves": lines, "seconds": [round(one, 3) for one in seconds]}))


if __name__ == "__main__":
    main(*sys.argv[1:])
