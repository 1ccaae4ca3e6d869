"""Tommy, Hardjianto, Agani 2017: alpha-beta ("X", always MAX) against MTD(f) ("O", always MIN).

"Alpha Beta Pruning Versus MTD(f)", IOP Conf. Ser. 190 012044. The evaluation is the paper's section on it (notes
1.2), the two searches its pseudo-code as the published leaf counts decide it (notes 1.4 and 1.5).
"""

from __future__ import annotations

import numpy as np

from bot.game import Board
from bot.lab.kernels.rules import ABORT, INFINITY
from bot.lab.papers.memory import entries_needed, new_table
from bot.lab.papers.paper import Counters, Flag, Found, PaperAgent
from bot.lab.papers.rules import CENTRE_RIGHT_FIRST, Ends, Linear, make_rules

WEIGHTS = (0, 1, 10, 100, 0)
"""One, two, three discs of one colour in a segment and none of the other; four end the game."""
RULES = make_rules(Linear(WEIGHTS, WEIGHTS), Ends(won=INFINITY, lost=-INFINITY), CENTRE_RIGHT_FIRST)
FIRST_GUESS = 1
"""The first null window is (0, 1) from X's view at every move: the only tried guess with the published counts."""


def first_legal(board: Board) -> int:
    """The first column with room in the paper's order: played when every move loses."""
    return next(column for column in CENTRE_RIGHT_FIRST if board.can_play(column))


class TommyAlphaBeta(PaperAgent):
    """The side X: fail-soft alpha-beta to a fixed depth, no table."""

    def search(self, board: Board, depth: int, counters: Counters, flag: Flag) -> Found | None:
        """First strict improvement in the order of the columns."""
        from bot.lab.kernels.search import search_columns

        values = np.empty(7, dtype=np.int64)
        search_columns(board.current, board.opponent, depth, INFINITY, 1, RULES, counters, flag, values)
        if counters[ABORT]:
            return None
        column = max(CENTRE_RIGHT_FIRST, key=lambda column: values[column])
        return Found(column, int(values[column]), depth)


class TommyMtdf(PaperAgent):
    """The side O: MTD(f) to the same depth with a table that knows mirror images, fresh at every move."""

    passes_counted = True
    view = -1

    def search(self, board: Board, depth: int, counters: Counters, flag: Flag) -> Found | None:
        """The minimiser's move; the value is turned to the mover's view."""
        from bot.lab.kernels.search import mtdf

        table = new_table(entries_needed(depth))
        value, column = mtdf(board.current, board.opponent, -1, depth, FIRST_GUESS, RULES, counters, table, flag)
        if counters[ABORT]:
            return None
        return Found(first_legal(board) if column < 0 else int(column), -int(value), depth)
