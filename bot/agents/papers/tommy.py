"""Tommy, Hardjianto, Agani 2017: alpha-beta ("X", always MAX) against MTD(f) ("O", always MIN).

IOP Conf. Ser. 190 012044. The evaluation is that of the paper (bot/lab/README.md#tommy-evaluation); the two searches
follow its pseudo-code, with the details that the published leaf counts decide (bot/lab/README.md#tommy-searches).
"""

from __future__ import annotations

import numpy as np

from bot.agents.kernels.rules import ABORT, INFINITY
from bot.agents.papers.growing_table import entries_needed, new_table
from bot.agents.papers.paper import Counters, Flag, Found, PaperAgent
from bot.agents.papers.rules import CENTRE_RIGHT_FIRST, Ends, Linear, make_rules
from bot.game import Board

WEIGHTS = (0, 1, 10, 100, 0)
"""Values of a window with one, two or three discs of one colour and none of the other; four end the game."""
RULES = make_rules(Linear(WEIGHTS, WEIGHTS), Ends(won=INFINITY, lost=-INFINITY), CENTRE_RIGHT_FIRST)
FIRST_GUESS = 1
"""First guess of MTD(f) from X's view, at every move: the only value tried that gives the published counts."""


def first_legal(board: Board) -> int:
    """Return the first playable column in the paper's order, which is played when every move loses."""
    return next(column for column in CENTRE_RIGHT_FIRST if board.can_play(column))


class TommyAlphaBeta(PaperAgent):
    """The paper's X: fail-soft alpha-beta to a fixed depth, without a table."""

    def search(self, board: Board, depth: int, counters: Counters, flag: Flag) -> Found | None:
        """Search for the first best column in the paper's order."""
        from bot.agents.kernels.search import search_columns

        values = np.empty(7, dtype=np.int64)
        search_columns(board.current, board.opponent, depth, INFINITY, 1, RULES, counters, flag, values)
        if counters[ABORT]:
            return None
        column = max(CENTRE_RIGHT_FIRST, key=lambda column: values[column])
        return Found(column, int(values[column]), depth)


class TommyMtdf(PaperAgent):
    """The paper's O: MTD(f) to the same depth; every move has a new table, in which mirror images share entries."""

    passes_counted = True
    view = -1

    def search(self, board: Board, depth: int, counters: Counters, flag: Flag) -> Found | None:
        """Search for the minimiser's move; the value found is the side to move's."""
        from bot.agents.kernels.search import mtdf

        table = new_table(entries_needed(depth))
        value, column = mtdf(board.current, board.opponent, -1, depth, FIRST_GUESS, RULES, counters, table, flag)
        if counters[ABORT]:
            return None
        return Found(first_legal(board) if column < 0 else int(column), -int(value), depth)
