"""Writes positions.txt: unfinished positions of plies 8 to 40 whose exact scores two independent solvers agree on.

    python tests/engine/data/make_positions.py

The solvers are the engine's and BitBully (extra: dev), which share no line of code. The positions are made here, by
seed: random games, games between minimax searches, games full of threats, nearly full boards, and mirror images.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from importlib.metadata import version
from pathlib import Path

from bitbully import bitbully_core

from bot import __version__
from bot.agents.catalogue import make_agent
from bot.engine.agent import Agent, Limit
from bot.engine.solver import Solver
from bot.engine.warmup import warm_up
from bot.game import Board, format_moves
from bot.trials.bench.positions import Position, random_position

SEED = 20
OUT = Path(__file__).with_name("positions.txt")
Chooser = Callable[[Board, random.Random], int]


def random_counts() -> Iterator[tuple[int, int]]:
    """How many random positions of each ply: fewer of those that take long."""
    for ply in range(8, 41):
        yield ply, 10 if ply < 12 else 30 if ply < 16 else 55


def stops(chance: random.Random, choose: Chooser, least: int, most: int) -> Position | None:
    """A position of a game that ``choose`` plays on from a random opening, ``least`` to ``most`` discs, or None."""
    opening = random_position(chance.randint(2, 7), chance)
    board, columns = opening.board, list(opening.columns)
    target = chance.randint(least, most)
    while len(columns) < target and not board.is_over:
        columns.append(choose(board, chance))
        board = board.play(columns[-1])
    return None if board.is_over or len(columns) < least else Position(tuple(columns), board)


def must_answer(board: Board) -> bool:
    """Whether the side to move cannot win at once, but must stop the other from it."""
    if any(board.wins_with(column) for column in board.legal_columns()):
        return False
    waiting = Board(board.opponent, board.mask)
    return any(waiting.wins_with(column) for column in board.legal_columns())


def threatening(board: Board, chance: random.Random) -> int:
    """Stops a win, else threatens one where possible, else plays at random; never wins itself unless it must."""
    legal = list(board.legal_columns())
    chance.shuffle(legal)
    waiting = Board(board.opponent, board.mask)
    stopping = [column for column in legal if waiting.wins_with(column)]
    if stopping:
        return stopping[0]
    quiet = [column for column in legal if not board.wins_with(column)] or legal
    threats = [column for column in quiet if must_answer(board.play(column))]
    return threats[0] if threats and chance.random() < 0.8 else quiet[0]


def searching(players: tuple[Agent, Agent]) -> Chooser:
    """Two minimax searches of different depth, with a random move now and then."""

    def choose(board: Board, chance: random.Random) -> int:
        if chance.random() < 0.1:
            return chance.choice(board.legal_columns())
        return players[board.ply % 2].choose(board, Limit()).column

    return choose


def gather(count: int, make: Callable[[], Position | None], fits: Callable[[Position], bool], seen: set[Board]):
    """``count`` different positions that ``make`` makes and that fit."""
    while count:
        position = make()
        if position is not None and position.board not in seen and fits(position):
            seen.add(position.board)
            count -= 1
            yield position


def all_positions() -> Iterator[tuple[str, Position]]:
    """Every position with its kind, all boards different."""
    seen: set[Board] = set()
    chance = random.Random(SEED)
    players = make_agent("depth5", seed=SEED), make_agent("depth4", seed=SEED + 1)
    warm_up(*players)
    search = searching(players)
    everything: list[tuple[str, Position]] = []

    def add(kind: str, count: int, make: Callable[[], Position | None], fits: Callable[[Position], bool] = bool):
        everything.extend((kind, position) for position in gather(count, make, fits, seen))

    for ply, count in random_counts():
        add("random", count, partial(random_position, ply, chance))
    add("search", 300, lambda: stops(chance, search, 12, 40))
    add("full", 100, lambda: stops(chance, search, 36, 40))
    add("forced", 200, lambda: stops(chance, threatening, 10, 36), lambda found: must_answer(found.board))
    yield from everything
    for _, position in chance.sample([pair for pair in everything if pair[1].board.ply >= 12], 100):
        image = position.board.mirror()
        if image not in seen:
            yield "mirror", Position(tuple(6 - column for column in position.columns), image)


def main() -> None:
    solver, peer = Solver(), bitbully_core.BitBullyCore()
    lines = []
    for kind, position in all_positions():
        board = bitbully_core.BoardCore()
        for column in position.columns:
            board.play(column)
        score = solver.solve(position.board).score
        if score != peer.mtdf(board, 0):
            raise SystemExit(f"{format_moves(position.columns)}: {score} or {peer.mtdf(board, 0)}?")
        lines.append(f"{format_moves(position.columns)} {score} {kind}")
    head = [
        "# Moves (columns 1-7), exact score for the side to move, kind. Two independent solvers agree on each:",
        f"# bot {__version__} and BitBully {version('bitbully')} without its book.",
        f"# Made on {date.today()} by `python tests/engine/data/make_positions.py` (seed {SEED}):",
        f"# {len(lines)} positions.",
    ]
    OUT.write_text("\n".join(head + lines) + "\n")


if __name__ == "__main__":
    main()
