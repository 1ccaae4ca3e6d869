"""Tommy, Hardjianto, Agani 2017: alpha-beta ("X", always MAX) against MTD(f) ("O", always MIN).

IOP Conf. Ser. 190 012044. The evaluation is that of the paper (bot/lab/README.md#tommy-evaluation); the two searches
follow its pseudo-code, with the details that the published leaf counts decide (bot/lab/README.md#tommy-searches).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bot.agents.family import Family, one_of
from bot.agents.growing_table import entries_needed, new_table
from bot.agents.kernels.rules import ABORT, INFINITY, LEAVES, NODES
from bot.agents.kernels.windows import linear as evaluate
from bot.agents.paper import Counters, Flag, Found, PaperAgent
from bot.agents.program import CENTRE_RIGHT_FIRST, LEFT_TO_RIGHT, WINDOW_MATRIX, Ends, Program, linear
from bot.game import Board
from bot.game.board import STRIDE

WEIGHTS = (0, 1, 10, 100, 0)
"""Values of a window with one, two or three discs of one colour and none of the other; four end the game."""
PROGRAM = Program(evaluate, Ends(won=INFINITY, lost=-INFINITY), linear(WEIGHTS, WEIGHTS), CENTRE_RIGHT_FIRST)
FIRST_GUESS = 1
"""First guess of MTD(f) from X's view, at every move: the only value tried that gives the published counts."""


class TommyMtdf(PaperAgent):
    """The paper's O: MTD(f) to the same depth; every move has a new table, in which mirror images share entries."""

    zero = True
    """False: one search with the whole window instead of passes with an empty one."""
    remembers = True
    """False: the table takes no entries."""

    def search(self, board: Board, depth: int, counters: Counters, flag: Flag) -> Found | None:
        """Search for the minimiser's move; the value found is the side to move's."""
        from bot.agents.kernels.search import mtd, search_root

        table = new_table(entries_needed(depth))
        if not self.remembers:
            table[-1, 0] = len(table)  # a full table
        position = board.current, board.opponent, -1, depth
        arrays = self.program.leaf, self.program.rules, counters, table
        if self.zero:
            value, column = mtd(*position, FIRST_GUESS, INFINITY, *arrays, flag)
            value = -value
        else:
            values = np.empty(7, np.int64)
            value, column = search_root(*position, -INFINITY, INFINITY, 1, values, *arrays, None, flag)
        if counters[ABORT]:
            return None
        return Found(column, value, depth)


class ByCell(PaperAgent):
    """X with the text's order read another way: in every position the largest weight of the landing cell first.

    In plain Python: the order differs from position to position, and one statement at depth 5 needs it.
    """

    def search(self, board: Board, depth: int, counters: Counters, _flag: Flag) -> Found | None:
        """Search by fail-soft alpha-beta; nothing interrupts it."""
        return Found(*self._value(board, depth, -INFINITY, INFINITY, counters), depth)

    def _value(self, board: Board, depth: int, alpha: int, beta: int, counters: Counters) -> tuple[int, int]:
        """Return the column and its value."""
        counters[NODES] += 1
        if board.is_over or depth == 0:
            counters[LEAVES] += 1
            return -1, -INFINITY if board.has_winner else self.program.static_value(board)
        columns = sorted(filter(board.can_play, CENTRE_RIGHT_FIRST), key=lambda column: -_weight(board, column))
        chosen, best = columns[0], -INFINITY
        for column in columns:
            value = -self._value(board.play(column), depth - 1, -beta, -max(alpha, best), counters)[1]
            if value > best:
                chosen, best = column, value
            if best >= beta:
                break
        return chosen, best


def _weight(board: Board, column: int) -> int:
    return WINDOW_MATRIX[(board.mask >> column * STRIDE & 0b111111).bit_count()][column]


ORDERS = {
    "list": CENTRE_RIGHT_FIRST,
    "cell": CENTRE_RIGHT_FIRST,
    "left": LEFT_TO_RIGHT,
    "edge": CENTRE_RIGHT_FIRST[::-1],
}
"""The order of the columns: the paper's list, the weight of the landing cell, and two worse ones."""


def _alpha_beta(name: str, depth: int, _seed: int | None, *, order: str) -> PaperAgent:
    kind = ByCell if order == "cell" else PaperAgent
    return kind(name, depth, replace(PROGRAM, order=ORDERS[order]))


def _mtdf(name: str, depth: int, _seed: int | None, *, mirror: bool, table: bool, zero: bool) -> PaperAgent:
    agent = TommyMtdf(name, depth, replace(PROGRAM, mirror=mirror))
    agent.remembers, agent.zero = table, zero
    return agent


SWITCHES = {
    "mirror": one_of("Whether mirror images share entries of the table", True, False),
    "table": one_of("Whether the table takes entries", True, False),
    "zero": one_of("Whether windows are empty", True, False),
}
"""Parts of MTD(f) that can be left out, to see what each is worth."""
ORDER = {
    "order": one_of("Order of the columns: the paper's list, by landing cell, from the left, or from the edge", *ORDERS)
}
FAMILIES = (
    Family("tommy-ab", "Tommy 2017", "alpha-beta, the paper's X", _alpha_beta, ORDER, own_depth=10),
    Family(
        "tommy-mtdf", "Tommy 2017", "MTD(f) with a mirror-aware table, the paper's O", _mtdf, SWITCHES, own_depth=10
    ),
)
