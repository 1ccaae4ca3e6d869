"""Tommy, Hardjianto, Agani 2017: alpha-beta ("X", always MAX) against MTD(f) ("O", always MIN).

IOP Conf. Ser. 190 012044. The evaluation is that of the paper; the two searches follow its pseudo-code, with the
details that the published leaf counts decide (notes.md).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bot.agents.family import Family, Option, one_of
from bot.agents.growing_table import entries_needed, new_table
from bot.agents.kernels.arrays import Counters
from bot.agents.kernels.rules import INFINITY
from bot.agents.paper import Found, PaperAgent
from bot.agents.program import Ends, Program, linear
from bot.engine.jit.arrays import Flag
from bot.game import Board
from bot.game.columns import CENTRE_RIGHT_FIRST
from bot.papers.windows import linear_value

WEIGHTS = (0, 1, 10, 100, 0)
"""Values of a window with one, two or three discs of one colour and none of the other; four end the game."""
PROGRAM = Program(linear_value, Ends(won=INFINITY, lost=-INFINITY), linear(WEIGHTS, WEIGHTS), CENTRE_RIGHT_FIRST)


class TommyMtdf(PaperAgent):
    """The paper's O: MTD(f) to the same depth; every move has a new table, in which mirror images share entries."""

    guess = 1
    """First guess in X's view, the same at every move."""
    zero = True
    """False: one search with the whole window instead of passes with an empty one."""
    remembers = True
    """False: the table takes no entries."""

    def search(self, board: Board, depth: int, counters: Counters, flag: Flag) -> Found:
        """Search for the minimiser's move; the value found is the side to move's."""
        from bot.agents.kernels.search import mtd, search_root

        table = new_table(entries_needed(depth + self.program.leaves_too))
        if not self.remembers:
            table[-1, 0] = len(table)  # a full table
        position = board.current, board.opponent, -1, depth
        arrays = self.program.evaluate, self.program.rules, counters, table
        if self.zero:
            value, column = mtd(*position, self.guess, INFINITY, *arrays, flag)
            return -value, column
        values = np.empty(7, np.int64)
        found: Found = search_root(*position, -INFINITY, INFINITY, 1, values, *arrays, flag)
        return found


def _alpha_beta(name: str, depth: int, _seed: int | None) -> PaperAgent:
    return PaperAgent(name, depth, PROGRAM)


def _mtdf(
    name: str, depth: int, _seed: int | None, *, mirror: bool, table: bool, zero: bool, leaves: bool, guess: int
) -> PaperAgent:
    agent = TommyMtdf(name, depth, replace(PROGRAM, mirror=mirror, leaves_too=leaves))
    agent.remembers, agent.zero, agent.guess = table, zero, max(-INFINITY, min(INFINITY, guess))
    return agent


SWITCHES = {
    "mirror": one_of("Whether mirror images share entries of the table", True, False),
    "table": one_of("Whether the table takes entries", True, False),
    "zero": one_of("Whether windows are empty", True, False),
    "leaves": one_of("Whether the table takes leaves too, as the paper's pseudo-code says", False, True),
    "guess": Option("First guess of MTD(f) in X's view", int, "Write a whole number such as 1 or -50.", 1),
}
"""Parts of MTD(f) that can be left out or changed, to see what each is worth."""
FAMILIES = (
    Family("tommy-ab", "Tommy 2017: alpha-beta, the paper's X", _alpha_beta),
    Family("tommy-mtdf", "Tommy 2017: MTD(f) with a mirror-aware table, the paper's O", _mtdf, SWITCHES),
)
