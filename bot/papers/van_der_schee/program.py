"""van der Schee 2014: MTD(f) with iterative deepening and a table of bounds, a Python 2 program from a blog.

"Python Connect4 AI (MTD(f) algorithm)", LeaseWeb Labs, January 2014. Two versions: as published, with all defects,
and as intended (bot/papers/van_der_schee/notes.md).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from bot.agents.family import Family, Option, above_0, one_of
from bot.agents.growing_table import entries_needed, grown, new_table
from bot.agents.kernels.arrays import Counters, Rules
from bot.agents.kernels.rules import ABORT, INFINITY, OPTIONS, PASSES
from bot.agents.paper import Found, PaperAgent
from bot.agents.program import Ends, Program
from bot.engine.jit.arrays import Flag
from bot.engine.jit.bits import BOTTOM, FULL, popcount
from bot.engine.jit.compiling import kernel
from bot.game import Board
from bot.papers.windows import DIRECTIONS, FALLING, by_count, free_windows

NOTHING = (3, -1)
"""The pair of value and column before the first depth: a first guess, and no column."""
BOUND = 1000
"""The bounds that the published MTD(f) starts from; a won game counts 999."""
THINK_S = 2.0
"""The program's time limit for a move, seconds."""
BY_PASSES = ("published", "mtdf")
"""The searches by passes with an empty window: they deepen, and have a table unless the name says otherwise."""
INTENDED = OPTIONS
"""Option of the evaluation; 1: without the published program's defects."""
ROW_BITS = (BOTTOM << 1 | BOTTOM << 3 | BOTTOM << 5, BOTTOM << 2 | BOTTOM << 3, BOTTOM << 4 | BOTTOM << 5)
"""The cells whose row number has bit 0, 1, 2 set: three population counts give a sum of row numbers."""


@kernel()
def row_sum(cells: int) -> int:
    """Return the sum of the row numbers (0 at the bottom) of all ``cells``."""
    return popcount(cells & ROW_BITS[0]) + 2 * popcount(cells & ROW_BITS[1]) + 4 * popcount(cells & ROW_BITS[2])


@kernel()
def schee_score(mine: int, theirs: int, intended: int) -> int:
    """Return one side's score after van der Schee 2014.

    Each open window counts its own discs times 6 less the mean row of its empty cells. As published, the cell recorded
    as the threat of three discs is the last one of the window instead of the empty one, and an error of operator
    precedence makes stacked threats a penalty. A window of four own discs counts 0 (the published program divides by
    zero there).
    """
    total = threats = 0
    for step, starts in DIRECTIONS:
        free = free_windows(theirs, step, starts)
        one, two, three, _ = by_count(mine, free, step)
        window = one | two | three
        while window:
            start = window & -window
            window ^= start
            empty = (start | start << step | start << 2 * step | start << 3 * step) & ~mine
            holes: int = popcount(empty)
            total += (4 - holes) * (6 - row_sum(empty) // holes)
        if intended:
            threats |= (three | three << step | three << 2 * step | three << 3 * step) & ~mine
        elif step == FALLING:  # the program scans it from the lower right end: its last cell is the first one here
            threats |= three
        else:
            threats |= three << 3 * step
    stacked = threats & threats << 1 & FULL
    return total + (600 if intended else 6) * popcount(stacked) - 100 * row_sum(stacked)


@kernel()
def evaluate(mine: int, theirs: int, side: int, rules: Rules) -> int:
    """Return the leaf value; as published it is that of the side to move there, but is used as the maximiser's."""
    intended = rules[INTENDED]
    value: int = schee_score(mine, theirs, intended) - schee_score(theirs, mine, intended)
    return value if intended or side > 0 else -value


PUBLISHED = Program(evaluate, Ends(won=999, lost=-999, draw_is_leaf=False), (0,))
AS_INTENDED = Program(evaluate, Ends(won=1_000_000, lost=-1_000_000, draw_is_leaf=False), (1,))
"""A won game counts more than any heuristic value (these stay below some thousands)."""


def published_mtdf(
    position: tuple[int, int, int, int], best: tuple[int, int], counters: Counters, arrays: Any
) -> tuple[int, int]:
    """Run the published driver; return the value and column of the last pass that gave a column.

    ``best`` is the pair of the depth before, at first `NOTHING`. It is what a depth answers of which no pass gives a
    column: the root was found in the table, or no move was better than the lowest bound.
    """
    from bot.papers.van_der_schee.search import published_minimax

    value = best[0]
    lower, upper = -BOUND, BOUND
    while lower < upper:
        beta = value + 1 if value == lower else value
        counters[PASSES] += 1
        value, column = published_minimax(*position, beta - 1, beta, *arrays)
        if counters[ABORT]:
            break
        if column >= 0:
            best = value, column
        if value < beta:
            upper = value
        else:
            lower = value
    return best


class VanDerSchee(PaperAgent):
    """Iterative deepening: each depth begins with the value of the depth before; the table lives with the agent.

    As published it begins with its column, too: a depth of which no pass gives a column repeats it. Where no depth has
    given one, the published program makes no move at all, and this one plays the first playable column.

    The key of the published table has no side: its values are sound only while the computer always plays one side. Here
    the key has the side that the computer plays, so an agent may play both.
    """

    def __init__(self, *program: Any, search: str, table: bool | str, **limits: Any) -> None:
        """``search``, ``table``: the values of these options."""
        self.deepens = search in BY_PASSES
        super().__init__(*program, **limits)
        self.form = search
        self.keeps = search in BY_PASSES if table == "own" else table
        self._table = new_table()
        if not self.keeps:
            self._table[-1, 0] = len(self._table)  # it is full
        self._best = NOTHING

    @property
    def repeats(self) -> bool:
        """Its table makes an answer depend on the positions before."""
        return False

    def search(self, board: Board, depth: int, counters: Counters, flag: Flag) -> Found:
        """Search by MTD(f) with the published program's defects or without, or by one search."""
        from bot.agents.kernels.search import mtd, search_root

        if self.keeps:
            self._table = grown(self._table, entries_needed(depth))
        best = NOTHING if depth == 1 else self._best
        position = board.current, board.opponent, 1, depth
        arrays: Any = self.program.evaluate, self.program.rules, counters, self._table, flag
        if self.form == "published":
            self._best = published_mtdf(position, best, counters, arrays)
        elif self.form == "mtdf":
            self._best = mtd(*position, best[0], INFINITY, *arrays)
        else:
            values = np.empty(7, np.int64)
            self._best = search_root(*position, -INFINITY, INFINITY, 1, values, *arrays)
        return self._best


def _make(
    name: str,
    depth: int,
    _seed: int | None,
    *,
    program: Program,
    search: str,
    mirror: bool,
    think: float | None,
    **choices: Any,
) -> PaperAgent:
    if think is None and ":" not in name.partition(",")[0]:
        think = THINK_S
    program = replace(program, mirror=mirror, prune=search != "minimax")
    return VanDerSchee(name, depth, program, search=search, think_s=think, **choices)


def _options(*searches: str) -> dict[str, Option]:
    """Return the options: the search, of which the last two use nothing of the program but its leaf values."""
    return {
        "search": one_of("The search", *searches, "mtdf", "alpha-beta", "minimax"),
        "mirror": one_of("Whether mirror images share entries of the table", True, False),
        "table": one_of("Whether the search has a table; its own choice: MTD(f) has one", "own", True, False),
        "think": above_0("Time after which no further depth is started", float),
        "clock": above_0("Nodes after which no further depth is started", int),
    }


SOURCE = "van der Schee 2014"
FAMILIES = (
    Family(
        "vds",
        f"{SOURCE}: MTD(f) as published, defects included",
        partial(_make, program=PUBLISHED),
        _options("published"),
        9,
        True,
    ),
    Family("vds-intended", f"{SOURCE}: MTD(f) as intended", partial(_make, program=AS_INTENDED), _options(), 9, True),
)
