"""The web AI of rmarcus.info as of 23 December 2014, Halim's opponent, rebuilt move for move.

Its rules are described in bot/papers/rmarcus/notes.md.
"""

from __future__ import annotations

import numpy as np

from bot.agents.family import Family
from bot.agents.kernels.arrays import Counters
from bot.agents.kernels.rules import INFINITY
from bot.agents.paper import Found, PaperAgent
from bot.agents.program import Ends, Program, linear
from bot.engine.jit.arrays import Flag
from bot.game import Board
from bot.papers.windows import linear_value

HELD = (0, 1, 1, 1, 1)
"""Values of a window by its discs: with discs of one side only it counts 1 for that side."""
PROGRAM = Program(linear_value, Ends(won=1000, lost=-1000, draw_is_leaf=False), linear(HELD, HELD))


class RMarcus(PaperAgent):
    """The computer's side; depth is its "moves to think ahead", its own move included. Every move has a new table."""

    def search(self, board: Board, depth: int, counters: Counters, flag: Flag) -> Found:
        """Search for the first best column in the program's own order."""
        from bot.papers.rmarcus.search import BINS, ENTRIES, web_search

        table = np.zeros((BINS, 1 + 2 * ENTRIES), dtype=np.int64)
        scratch = np.zeros((depth + 1, 7), dtype=np.int64)
        found: Found = web_search(
            *(board.current, board.opponent, 1, depth, -INFINITY, INFINITY),
            *(self.program.evaluate, self.program.rules, counters, table, scratch, flag),
        )
        return found


def _make(name: str, depth: int, _seed: int | None) -> PaperAgent:
    return RMarcus(name, depth, PROGRAM)


FAMILIES = (Family("rmarcus", "rmarcus.info, 23 December 2014: Halim's opponent, move for move", _make, {}, 5, True),)
