"""Complete a strategy best-first: always extend the strategy that is expected to need the fewest positions.

Each position has a cost, the number of positions that the strategy needs for it: 1 for a leaf, 1 plus the costs of the
replies for a branch, and for a position that was not extended yet the mean cost of such positions. A bad choice of a
move is noticed when its cost grows, and is left for a better one; what was found below it stays known.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.errors import UsageError
from bot.proof.builder.builder import SEARCH_FROM, Builder
from bot.proof.positions import board_of
from bot.proof.strategy import Branch, Leaf

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


@dataclass
class BestFirst:
    """Extends the strategy of a builder until it is complete from the given roots."""

    builder: Builder
    costs: dict[int, float] = field(default_factory=dict)
    """Costs of the positions that were extended or became leaves."""
    complete: set[int] = field(default_factory=set)
    _parents: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    _means: dict[int, tuple[float, int]] = field(default_factory=dict)
    """By ply: the sum of the costs of completed branches, and their number."""

    def solve(self, root: int) -> None:
        """Complete the strategy from ``root``."""
        self.adopt()
        while root not in self.complete:
            self.extend(self.frontier(root))

    def adopt(self) -> None:
        """Take over the entries of an earlier build: those from which every reply leads to a leaf are complete."""
        entries = self.builder.strategy.entries
        for key in sorted(entries, key=lambda key: -board_of(key).ply):
            children = self.builder.strategy.children(key)
            if all(child in self.complete for child in children):
                self.complete.add(key)
                self.costs[key] = 1.0 + sum(self.costs[child] for child in children)

    def grow(self, roots: Iterable[int]) -> None:
        """Complete the strategy from ``roots``, and put them in use."""
        for root in roots:
            self.solve(root)
            self.builder.strategy.acquire([root])

    def frontier(self, root: int) -> int:
        """Return the position to extend: the costliest of the replies again and again, so that bad moves fail soon."""
        key = root
        while key in self.costs:
            children = self.builder.strategy.children(key)
            key = max((child for child in children if child not in self.complete), key=self.cost)
        return key

    def cost(self, key: int) -> float:
        """Return the cost of a position, or what it is expected to be."""
        found = self.costs.get(key)
        if found is not None:
            return found
        if isinstance(self.builder.strategy.entries.get(key), Leaf):
            return 1.0
        ply = board_of(key).ply
        total, count = self._means.get(ply, (0.0, 0))
        expected = (total + WEIGHT * EXPECTED.get(ply + 1 - ply % 2, LATE)) / (count + WEIGHT)
        return expected if key in self.builder.tried else UNSEARCHED * expected

    def extend(self, key: int) -> None:
        """Make a position a leaf or a branch, and bring the costs of the positions before it up to date."""
        builder = self.builder
        entry = builder.strategy.entries.get(key)  # known if the build was resumed
        if isinstance(entry, Leaf) or (entry is None and builder.leaf(key, self.budget(key))):
            self.costs[key] = 1.0
            self.complete.add(key)
        else:
            column = entry.column if isinstance(entry, Branch) else self._first_choice(key)
            self._play(key, column)
            for good in builder.good_columns(key):
                for child in builder.strategy.replies(key, good):
                    self._parents[child].add(key)
            self._update(key)
        self._propagate(key)

    def budget(self, key: int) -> int:
        """Return the positions that a search for a diagram may visit before ``key`` becomes a branch."""
        return int(self.builder.thorough * min(4.0, max(0.5, self.cost(key) / 20.0)))

    def _first_choice(self, key: int) -> int:
        """Return the good column with the smallest cost, after quick searches where they can matter."""
        builder = self.builder
        columns = builder.good_columns(key)
        if len(columns) == 1:
            return columns[0]
        if not columns:
            raise UsageError("The promise cannot be kept: a position is lost, or drawn where a win is promised.")
        replies = {column: builder.strategy.replies(key, column) for column in columns}
        best, least = columns[0], math.inf
        for column in sorted(columns, key=lambda column: sum(map(self.cost, replies[column]))):
            total = sum(map(self.cost, replies[column]))
            for child in replies[column]:
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
        return 1.0 + sum(map(self.cost, self.builder.strategy.replies(key, column)))

    def _play(self, key: int, column: int) -> None:
        if self.builder.strategy.entries.get(key) != Branch(column):
            self.builder.set_entry(key, Branch(column))

    def _update(self, key: int) -> bool:
        """Compute the cost of a branch again, and change its move if another is much cheaper; return if it changed."""
        strategy = self.builder.strategy
        entry = strategy.entries[key]
        if key in self.complete or isinstance(entry, Leaf):
            return False
        column, before = entry.column, self.costs.get(key)
        children = strategy.replies(key, column)
        if all(child in self.complete for child in children):
            self.complete.add(key)
        else:
            best = min(self.builder.good_columns(key), key=lambda good: self._total(key, good))
            persistence = PERSISTENCE if board_of(key).ply >= SEARCH_FROM else EARLY_PERSISTENCE
            if self._total(key, column) > persistence * self._total(key, best):
                self._play(key, best)
                column = best
                if all(child in self.complete for child in strategy.replies(key, column)):
                    self.complete.add(key)
        self.costs[key] = self._total(key, column)
        if key in self.complete:
            ply = board_of(key).ply
            total, count = self._means.get(ply, (0.0, 0))
            self._means[ply] = (total + self.costs[key], count + 1)
        return self.costs[key] != before or key in self.complete

    def _propagate(self, key: int) -> None:
        todo = [key]
        while todo:
            changed = [parent for parent in self._parents[todo.pop()] if parent in self.costs and self._update(parent)]
            todo.extend(changed)
