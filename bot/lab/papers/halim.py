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

from bot.game import Board
from bot.lab.kernels.rules import ABORT, INFINITY
from bot.lab.papers.paper import Counters, Flag, Found, PaperAgent, next_depth
from bot.lab.papers.rules import Ends, Linear, make_rules

A1, A2, A3, A4 = 1, 200, 100, 1000
DOMINANT = 10_000_000
"""Value of a won game, above every sum of the other terms."""


@dataclass(frozen=True)
class Reading:
    """A reading of the paper's evaluation; the defaults are the recommended one."""

    literal: bool = False
    """A finished game adds +-1000 to the other terms, as printed; otherwise it outranks them, and quick wins and slow
    losses are better."""
    touched: bool = False
    """x1 counts only windows that hold a disc of their owner; otherwise every window without an opposing disc."""
    difference: bool = False
    """x1 is the system's windows less the opponent's; otherwise the system's alone."""
    pairs: bool = False
    """x2 and x3 count only the discs of windows that hold at least two; otherwise those of all open windows."""

    def rules(self) -> NDArray[np.int64]:
        """Return the rules array: x1 counts open windows, x2 the own discs in them, x3 (subtracted) the opponent's."""
        lines = [0 if self.touched and not discs else A1 for discs in range(5)]
        own = [lines[discs] + A2 * (0 if self.pairs and discs < 2 else discs) for discs in range(5)]
        other = [
            (lines[discs] if self.difference else 0) + A3 * (0 if self.pairs and discs < 2 else discs)
            for discs in range(5)
        ]
        if self.literal:
            return make_rules(Linear(own, other), Ends(won=A4, lost=-A4, add_leaf_value=True))
        return make_rules(Linear(own, other), Ends(won=DOMINANT, lost=-DOMINANT, won_per_ply=1, lost_per_ply=-1))


class Halim(PaperAgent):
    """The paper's system at one depth; every column is searched with a full window, so equal values are exact."""

    def __init__(
        self,
        name: str,
        depth: int,
        *,
        reading: Reading | None = None,
        deterministic: bool = True,
        seed: int | None = None,
        think_s: float | None = None,
    ) -> None:
        """``deterministic``: play the lowest of equal columns, otherwise a random one; ``think_s``: seconds a move."""
        super().__init__(name, depth)
        self._rules = (reading or Reading()).rules()
        self._deterministic = deterministic
        self._random = random.Random(seed)
        self._think_s = think_s
        self.deepens = think_s is not None

    def search(self, board: Board, depth: int, counters: Counters, flag: Flag) -> Found | None:
        """Search to the full depth at once, or with a time limit to depths 1, 2, ... until the time is used up."""
        from bot.lab.kernels.search import search_columns

        start = time.perf_counter()
        found: Found | None = None
        for now in range(depth if self._think_s is None else 1, depth + 1):
            next_depth(counters)
            values = np.empty(7, dtype=np.int64)
            search_columns(board.current, board.opponent, now, INFINITY, 7, self._rules, counters, flag, values)
            if counters[ABORT]:
                break
            best = int(values.max())
            columns = [column for column in range(7) if values[column] == best]
            found = Found(columns[0] if self._deterministic else self._random.choice(columns), best, now)
            if self._think_s is not None and time.perf_counter() - start > self._think_s:
                break
        return found
