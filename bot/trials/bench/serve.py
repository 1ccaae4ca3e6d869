"""Our solver as a peer of `bench solver`: it answers one request a line (README.md in this folder)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from bot.errors import BotError
from bot.game import Board, parse_moves
from bot.trials.bench.peer import QUESTIONS, VERSION
from bot.trials.bench.positions import Position
from bot.trials.bench.solvers import Ours


def serve(requests: Iterable[str], write: Callable[[str], None], solver: Ours, name: str) -> None:
    """Answer the requests of `bench solver` with our solver until they end."""
    write(f"peer {VERSION} {name}")
    for line in requests:
        write(_answer(solver, line))


def _answer(solver: Ours, line: str) -> str:
    question, _, moves = line.strip().partition(" ")
    if question not in QUESTIONS:
        return f"error: the requests are: {', '.join(QUESTIONS)}"
    try:
        columns = parse_moves(moves)
        solver.set_up(Position(columns, Board.from_moves(columns)))
        start = time.thread_time()
        value = solver.score() if question == "exact" else solver.outcome()
        seconds = time.thread_time() - start
    except (BotError, ValueError) as error:
        return f"error: {error}"
    return f"{value} {solver.nodes} {seconds:.9f}"
