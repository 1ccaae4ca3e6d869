"""van der Schee 2014: MTD(f) with iterative deepening and a table of bounds, a Python 2 program from a blog.

"Python Connect4 AI (MTD(f) algorithm)", LeaseWeb Labs, January 2014. Two versions: as published, with all defects
(bot/lab/README.md#van-der-schee-evaluation and bot/lab/README.md#van-der-schee-search), and as intended
(bot/lab/README.md#van-der-schee-as-intended).
"""

from __future__ import annotations

import time

from bot.agents.kernels.rules import ABORT
from bot.agents.papers.growing_table import entries_needed, grown, new_table
from bot.agents.papers.paper import Counters, Flag, Found, PaperAgent, next_depth
from bot.agents.papers.rules import Ends, Schee, make_rules
from bot.game import Board

PUBLISHED = make_rules(Schee(), Ends(won=999, lost=-999, draw_is_leaf=False))
INTENDED = make_rules(Schee(intended=True), Ends(won=1_000_000, lost=-1_000_000, draw_is_leaf=False))
"""A won game counts more than any heuristic value (these stay below some thousands)."""
FIRST_GUESS = 3
THINK_S = 2.0
"""The program's time limit for a move, seconds."""


class VanDerSchee(PaperAgent):
    """Iterative deepening: each depth's first guess is the value of the depth before; the table lives with the agent.

    The published program's table key is the board alone, which is sound only while the computer always plays the same
    side; here the side is part of the key. The counters of a decision are those of its last depth.
    """

    deepens = True
    passes_counted = True

    def __init__(self, name: str, depth: int, *, intended: bool = False, think_s: float | None = None) -> None:
        """``think_s``: seconds after which no further depth is started; None: always search to the full depth."""
        super().__init__(name, depth)
        self._intended = intended
        self._think_s = think_s
        self._table = new_table()

    def search(self, board: Board, depth: int, counters: Counters, flag: Flag) -> Found | None:
        """Search to depths 1, 2, ...; return the move of the last completed depth."""
        start = time.perf_counter()
        found: Found | None = None
        value = FIRST_GUESS
        for now in range(1, depth + 1):
            next_depth(counters)
            self._table = grown(self._table, entries_needed(now))
            value, column = self._pass(board, now, value, counters, flag)
            if counters[ABORT]:
                break
            found = Found(column if column >= 0 else board.legal_columns()[0], value, now)
            if self._think_s is not None and time.perf_counter() - start > self._think_s:
                break
        return found

    def _pass(self, board: Board, depth: int, guess: int, counters: Counters, flag: Flag) -> tuple[int, int]:
        from bot.agents.kernels.search import mtdf
        from bot.agents.kernels.van_der_schee import published_mtdf

        current, other = board.current, board.opponent
        if self._intended:
            value, column = mtdf(current, other, 1, depth, guess, INTENDED, counters, self._table, flag)
        else:
            value, column = published_mtdf(current, other, depth, guess, PUBLISHED, counters, self._table, flag)
        return int(value), int(column)
