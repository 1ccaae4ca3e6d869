"""The EDAP01 report of 2021 (Hicham Mohamad, Lund): the alpha-beta agent that played the course's server.

The report describes the search in full (bot/lab/README.md#edap01-agent). It does not give the evaluation's constants;
those below are an assumption.
"""

from __future__ import annotations

import numpy as np

from bot.agents.kernels.rules import ABORT
from bot.agents.papers.paper import Counters, Flag, Found, PaperAgent
from bot.agents.papers.rules import CENTRE_LEFT_FIRST, Ends, Linear, make_rules
from bot.game import Board

BOUND = 1_000_000
"""Half width of the report's first window."""
STREAKS = (0, 0, 10, 100, 100_000)
"""Assumed values of two, three and four discs in a window without an opposing disc."""
COLUMN_WEIGHTS = (1, 1, 3, 6, 3, 1, 1)
"""Assumed values of a disc by column; the report only ranks them: highest, middle and lowest."""

EVALUATION = Linear(STREAKS, STREAKS, squares=[COLUMN_WEIGHTS] * 6)
PUBLISHED = make_rules(
    EVALUATION,
    Ends(won=0, lost=0, won_per_ply=1, lost_per_ply=1, add_leaf_value=True),
    CENTRE_LEFT_FIRST,
    blind=True,
)
"""With the report's defects: the minimiser's nodes test the wrong board for four in a row, so the search continues
below a position that the maximiser has won; the remaining depth is added to wins of either side; a full board is valued
by its streaks."""
INTENDED = make_rules(
    EVALUATION,
    Ends(won=0, lost=0, won_per_ply=1, lost_per_ply=-1, add_leaf_value=True, draw_is_leaf=False),
    CENTRE_LEFT_FIRST,
)


class Edap01(PaperAgent):
    """The report's agent; it plays the first best column. Only the intended version prunes at the root."""

    def __init__(self, name: str, depth: int, *, intended: bool = False) -> None:
        super().__init__(name, depth)
        self._intended = intended

    def search(self, board: Board, depth: int, counters: Counters, flag: Flag) -> Found | None:
        """Search the columns of the root from the centre outward, left before right."""
        from bot.agents.kernels.search import search_columns

        rules, exact = (INTENDED, 1) if self._intended else (PUBLISHED, 7)
        values = np.empty(7, dtype=np.int64)
        search_columns(board.current, board.opponent, depth, BOUND, exact, rules, counters, flag, values)
        if counters[ABORT]:
            return None
        column = max(CENTRE_LEFT_FIRST, key=lambda column: values[column])
        return Found(column, int(values[column]), depth)
