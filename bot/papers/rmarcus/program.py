"""The web AI of rmarcus.info as of 23 December 2014, Halim's opponent, rebuilt move for move.

Its rules are described in bot/papers/rmarcus/notes.md.
"""

from __future__ import annotations

import numpy as np

from bot.agents.family import Family
from bot.agents.kernels.arrays import Counters, Rules
from bot.agents.kernels.rules import INFINITY
from bot.agents.paper import Found, PaperAgent
from bot.agents.program import Ends, Program
from bot.engine.jit.arrays import Flag
from bot.engine.jit.bits import popcount
from bot.engine.jit.compiling import kernel
from bot.game import Board
from bot.papers.windows import DIRECTIONS, free_windows


@kernel()
def evaluate(mine: int, theirs: int, _side: int, _rules: Rules) -> int:
    """Return the leaf value of an unfinished game: a window with discs of one side only counts 1 for that side.

    Empty windows are counted for both sides here, which is the same.
    """
    total = 0
    for step, starts in DIRECTIONS:
        total += popcount(free_windows(theirs, step, starts)) - popcount(free_windows(mine, step, starts))
    return total


PROGRAM = Program(evaluate, Ends(won=1000, lost=-1000, draw_is_leaf=False))


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
