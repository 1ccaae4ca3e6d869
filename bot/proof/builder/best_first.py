"""Complete a strategy best-first: always extend the strategy that is expected to need the fewest positions.

Each position has a cost, the number of positions that the strategy needs for it: 1 for a leaf, 1 plus the costs of the
replies for a branch, and for a position that was not extended yet the mean cost of such positions. A bad choice of a
move is noticed when its cost grows, and is left for a better one; what was found below it stays known.
"""

from __future__ import annotations

import math
from collections import defaultdict

from bot.errors import UsageError
from bot.proof.builder.builder import SEARCH_FROM, Builder
from bot.proof.positions import board_of

EXPECTED = {1: 12_000.0, 3: 2_500.0, 5: 500.0, 7: 120.0, 9: 50.0, 11: 22.0, 13: 12.0, 15: 8.0}
"""Expected cost of a position by ply (an even ply counts as the odd one after it) if no diagram was found quickly."""
LATE = 6.0
"""The same for later plies."""
WEIGHT = 10.0
"""Number of completed positions that the expected cost counts for when the mean cost of a ply is computed."""
UNSEARCHED = 0.6
"""Expected cost of a position in which no diagram was searched yet, as a share of one in which none was found."""
PERSISTENCE = 1.5
"""A branch changes its move when the move's cost exceeds that of the best one by this factor."""
EARLY_PERSISTENCE = 3.0
"""The same before the first ply of searches, where a change costs most and is decided by expected costs alone."""


class BestFirst:
    """Extends the strategy of a builder until it is complete from a given position."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.costs: dict[int, float] = {}
        """Costs of the positions that were extended or became leaves."""
        self.complete: set[int] = set()
        self._parents: defaultdict[int, set[int]] = defaultdict(set)
        self._means: defaultdict[int, tuple[float, int]] = defaultdict(lambda: (0.0, 0))
        """By ply: the sum of the costs of completed branches, and their number."""

    def solve(self, root: int) -> None:
        """Complete the strategy from ``root``."""
        while root not in self.complete:
            self.extend(self._frontier(root))

    def _frontier(self, root: int) -> int:
        """Return the position to extend: the costliest of the replies again and again, so that bad moves fail soon."""
        key = root
        while key in self.costs:
            children = self.builder.replies(key, self.builder.entries[key])
            key = max((child for child in children if child not in self.complete), key=self.cost)
        return key

    def cost(self, key: int) -> float:
        """Return the cost of a position, or what it is expected to be."""
        found = self.costs.get(key)
        if found is not None:
            return found
        if self.builder.is_leaf(key):
            return 1.0
        ply = board_of(key).ply
        total, count = self._means[ply]
        expected = (total + WEIGHT * EXPECTED.get(ply + 1 - ply % 2, LATE)) / (count + WEIGHT)
        return expected if key in self.builder.tried else UNSEARCHED * expected

    def extend(self, key: int) -> None:
        """Make a position a leaf or a branch, and bring the costs of the positions before it up to date."""
        builder = self.builder
        # The costlier a position is, the longer a search that may save it pays.
        budget = int(builder.thorough * min(4.0, max(0.5, self.cost(key) / 20.0)))
        if builder.leaf(key, budget):
            self.costs[key] = 1.0
            self.complete.add(key)
        else:
            builder.entries[key] = self._first_choice(key)
            for good in builder.good_columns(key):
                for child in builder.replies(key, good):
                    self._parents[child].add(key)
            self._update(key)
        todo = [key]
        while todo:
            changed = [parent for parent in self._parents[todo.pop()] if parent in self.costs and self._update(parent)]
            todo.extend(changed)

    def _first_choice(self, key: int) -> int:
        """Return the good column with the smallest cost, after quick searches where they can matter."""
        builder = self.builder
        columns = builder.good_columns(key)
        if not columns:
            raise UsageError("The promise cannot be kept: a position is lost, or drawn where a win is promised.")
        if len(columns) == 1:
            return columns[0]
        best, least = columns[0], math.inf
        for column in sorted(columns, key=lambda column: self._total(key, column)):
            total = self._total(key, column)
            for child in builder.replies(key, column):
                if total > PERSISTENCE * least:
                    break
                if child not in self.costs and board_of(child).ply >= SEARCH_FROM:
                    total -= self.cost(child)
                    builder.leaf(child, builder.quick)
                    total += self.cost(child)
            if total < least:
                best, least = column, total
        return best

    def _total(self, key: int, column: int) -> float:
        """Return the cost of a branch that plays ``column``."""
        return 1.0 + sum(map(self.cost, self.builder.replies(key, column)))

    def _update(self, key: int) -> bool:
        """Compute the cost of a branch again, and change its move if another is much cheaper; return if it changed."""
        if key in self.complete:
            return False
        builder, ply, before = self.builder, board_of(key).ply, self.costs.get(key)
        column = builder.entries[key]
        if not self._is_complete(key):
            best = min(builder.good_columns(key), key=lambda good: self._total(key, good))
            persistence = PERSISTENCE if ply >= SEARCH_FROM else EARLY_PERSISTENCE
            if self._total(key, column) > persistence * self._total(key, best):
                column = builder.entries[key] = best
        self.costs[key] = self._total(key, column)
        if self._is_complete(key):
            self.complete.add(key)
            total, count = self._means[ply]
            self._means[ply] = (total + self.costs[key], count + 1)
            return True
        return self.costs[key] != before

    def _is_complete(self, key: int) -> bool:
        """Return whether all replies to the branch at ``key`` are complete."""
        return all(child in self.complete for child in self.builder.replies(key, self.builder.entries[key]))
