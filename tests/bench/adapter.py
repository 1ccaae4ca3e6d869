"""Speak the protocol of README.md for the solver of a checkout of this program: python adapter.py FOLDER."""

import sys
import time

sys.path.insert(0, sys.argv[1])

from bot.engine.solver import Solver
from bot.game import Board, parse_moves

LATE = Board.from_moves(parse_moves("1643164664443333222243266725"))
"""A position that every solver solves at once: it brings code and arrays back into the processor's caches, which the
other solver has emptied, before the clock starts. Without it, the next late position would take ten times as long."""

solver = Solver()
solver.warm_up()
print("peer 1 bot in", sys.argv[1], flush=True)
for line in sys.stdin:
    question, _, moves = line.strip().partition(" ")
    board = Board.from_moves(parse_moves(moves))
    solver.solve(LATE, weak=True), solver.solve(LATE)
    start = time.thread_time()
    solved = solver.solve(board, weak=question == "weak")
    seconds = time.thread_time() - start
    print(solved.score if question == "exact" else solved.outcome, solved.nodes, seconds, flush=True)
