"""Kaggle's side of ConnectX for a submission: run as `python -I kaggle_arena.py FOLDER/main.py ...`.

Written from public descriptions: main.py is executed as text, without ``__file__`` but with its folder at the end of
the path of modules until it has been executed, and the last callable in it is the agent. That gets an observation
(`board`: 42 cells, the top row first; `mark`) and a configuration. The opponent is minimax of 3 plies, which chooses
among equal moves at random; it and the rules are the submission's own. Prints one JSON object.
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


def game(agent, we_start, limit_s, rng, seconds):
    """Play a game and return 1, 0.5 or 0 for the agent, and the moves."""
    from bot.engine.traps import likely_replies
    from bot.game import Board, format_moves

    board, moves = Board(), list[int]()
    while not board.is_over:
        mark = board.ply % 2 + 1
        if (mark == 1) == we_start:
            start = time.perf_counter()
            cells = [cell % 3 for row in board.to_grid(3 - 2 * mark) for cell in row]
            column = agent({"board": cells, "mark": mark}, CONFIGURATION | {"actTimeout": limit_s})
            seconds.append(round(time.perf_counter() - start, 3))
            assert type(column) is int, column
        else:
            column = rng.choice(likely_replies(board))
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
