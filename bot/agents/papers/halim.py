"""Halim, Judianto, Lukas, Widjaja: minimax with alpha-beta and a linear evaluation, depth 1 to 8.

f = a1 x1 + a2 x2 + a3 x3 + a4 x4 with the weights 1, 200, 100, 1000. The paper does not define exactly what x1 to x4
count. The default here is the recommended reading of bot/lab/README.md#halim-evaluation; its alternatives are options.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.agents.kernels import rules as layout
from bot.agents.kernels.rules import ABORT, INFINITY
from bot.agents.papers.paper import Counters, Flag, Found, PaperAgent, next_depth
from bot.agents.papers.rules import TIES, Covered, Ends, Linear, make_rules, with_order
from bot.game import Board

A1, A2, A3, A4 = 1, 200, 100, 1000
DOMINANT = 10_000_000
"""Value of a won game, above every sum of the other terms."""


ENDS = {
    "dominant": Ends(won=DOMINANT, lost=-DOMINANT, won_per_ply=1, lost_per_ply=-1),
    "flat": Ends(won=DOMINANT, lost=-DOMINANT),
    "added": Ends(won=A4, lost=-A4, add_leaf_value=True),
    "only": Ends(won=A4, lost=-A4),
}
"""Readings of x4. A finished game outranks everything, the quicker win first, or without regard to its length; it adds
+-1000 to the other terms, as printed; or it counts +-1000 and nothing else."""
VIEWS = ("own", "mover", "last")
"""Whose evaluation a leaf has: the system's, that of the side to move there, or that of the side that moved last."""


@dataclass(frozen=True)
class Reading:
    """A reading of the paper's evaluation; the defaults are the recommended one.

    x1 counts the system's open windows, x2 the own discs in them, window by window; x3, which is subtracted, is the
    same for the opponent.
    """

    lines: int = 0
    """x1 counts the windows that hold at least this number of their owner's discs (0..3)."""
    discs: int = 1
    """x2 and x3 count the discs of the windows that hold at least this number of them (1..3)."""
    difference: bool = False
    """x1 is the system's windows less the opponent's; otherwise the system's alone."""
    distinct: bool = False
    """x2 and x3 count each disc once; otherwise once in each window."""
    plus: bool = False
    """x3 is added, as the formula is printed."""
    defend: bool = False
    """The weights of x2 and x3 change places: 100 and 200, so that a2 < a3."""
    ends: str = "dominant"
    """A key of `ENDS`."""
    view: str = "own"
    """One of `VIEWS`."""

    def rules(self) -> NDArray[np.int64]:
        """Return the rules array."""
        attack, defence = (A3, A2) if self.defend else (A2, A3)
        defence = -defence if self.plus else defence
        lines = [A1 if discs >= self.lines else 0 for discs in range(5)]
        counted = [0 if self.distinct or discs < self.discs else discs for discs in range(5)]
        own = [lines[discs] + attack * counted[discs] for discs in range(5)]
        other = [(lines[discs] if self.difference else 0) + defence * counted[discs] for discs in range(5)]
        covered = Covered(self.discs, attack, defence) if self.distinct else None
        rules = make_rules(Linear(own, other, covered=covered), ENDS[self.ends])
        rules[layout.VIEW] = VIEWS.index(self.view)
        return rules


class Halim(PaperAgent):
    """The paper's system at one depth.

    To play a random one of equal columns, every column is searched with a full window, so that equal values are exact;
    the first of equal columns is found with the usual narrowing.
    """

    def __init__(
        self,
        name: str,
        depth: int,
        *,
        reading: Reading | None = None,
        ties: str = "lowest",
        seed: int | None = None,
        think_s: float | None = None,
    ) -> None:
        """``ties``: a key of `TIES`, which of equal columns is played; ``think_s``: seconds a move."""
        super().__init__(name, depth)
        self._rules = with_order((reading or Reading()).rules(), TIES[ties])
        self._ties = ties
        self._random = random.Random(seed)
        self._think_s = think_s
        self.deepens = think_s is not None

    def search(self, board: Board, depth: int, counters: Counters, flag: Flag) -> Found | None:
        """Search to the full depth at once, or with a time limit to depths 1, 2, ... until the time is used up."""
        from bot.agents.kernels.search import search_columns

        start = time.perf_counter()
        exact = 7 if self._ties == "random" else 1
        found: Found | None = None
        for now in range(depth if self._think_s is None else 1, depth + 1):
            next_depth(counters)
            values = np.empty(7, dtype=np.int64)
            search_columns(board.current, board.opponent, now, INFINITY, exact, self._rules, counters, flag, values)
            if counters[ABORT]:
                break
            best = int(values.max())
            columns = [column for column in TIES[self._ties] if values[column] == best]
            found = Found(self._random.choice(columns) if self._ties == "random" else columns[0], best, now)
            if self._think_s is not None and time.perf_counter() - start > self._think_s:
                break
        return found
