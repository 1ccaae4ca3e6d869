"""Halim, Judianto, Lukas, Widjaja: minimax with alpha-beta and a linear evaluation, depth 1 to 8.

f = a1 x1 + a2 x2 + a3 x3 + a4 x4 with 1, 200, 100, 1000 (notes 3.3). The paper leaves open what exactly is counted;
the reading here is the recommended one (notes 3.4), its main alternatives are options.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.game import Board
from bot.lab.kernels.rules import ABORT, INFINITY
from bot.lab.papers.paper import Counters, Flag, Found, PaperAgent
from bot.lab.papers.rules import Ends, Linear, make_rules

A1, A2, A3, A4 = 1, 200, 100, 1000
DOMINANT = 10_000_000
DEEPEST = 8


@dataclass(frozen=True)
class Reading:
    """How the evaluation's words are read; the defaults are the recommended reading."""

    literal: bool = False
    """A finished game adds +-1000, as printed, to the other terms; otherwise it outranks
    everything, a quick win and a slow loss being better."""
    touched: bool = False
    """A line counts for x1 only with a disc of its owner in it; otherwise every window without an enemy disc."""
    difference: bool = False
    """x1 is the system's lines less the opponent's; otherwise the system's alone."""
    pairs: bool = False
    """x2 counts only the discs of windows that hold at least two."""

    def rules(self) -> NDArray[np.int64]:
        """x1 counts open windows, x2 the own discs in them, x3 the opponent's in his, subtracted."""
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
    """The system at one depth; every column is searched with a full window, so that equal values are truly equal."""

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
        """``deterministic``: the lowest of equal columns, else one at random; ``think_s``: seconds per move."""
        super().__init__(name, depth)
        self._rules = (reading or Reading()).rules()
        self._deterministic = deterministic
        self._random = random.Random(seed)
        self._think_s = think_s

    def search(self, board: Board, depth: int, counters: Counters, flag: Flag) -> Found | None:
        """At the full depth at once, or with a time limit by depths 1, 2, ... until it is used up."""
        from bot.lab.kernels.search import search_columns

        start = time.perf_counter()
        found: Found | None = None
        for now in range(depth if self._think_s is None else 1, depth + 1):
            counters[:ABORT] = 0
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
