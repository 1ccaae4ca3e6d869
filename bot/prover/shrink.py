"""Make a complete strategy smaller: turn branches into leaves, try other good moves, share and tidy diagrams.

Every step keeps the strategy complete, so the shrinker can be stopped at any time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

import numpy as np

from bot.proof.positions import board_of
from bot.proof.strategy import Branch, Leaf
from bot.prover.builder import POOL_LIMIT, SEARCH_FROM, Builder, OverBudgetError

LONGEST_SEARCH = 50_000_000
"""Limit of all searches for one position's diagram, in positions visited: about ten seconds."""
PER_NODE = 100_000
"""Budget of a search, in positions visited, for each position that a diagram would save: about 20 ms."""
LARGEST_TRIAL = 300
"""Largest branch, in positions, whose other moves are tried; larger trials take half a minute and seldom help."""
PREFERENCE = 0.3
"""Exponent of a branch's size in the probability of being drawn; small branches are tried quickly."""
DAMPING = 1.0
"""Exponent by which earlier trials lower the probability of being drawn."""


@dataclass
class Shrinker:
    """Improves the strategy of a builder step by step."""

    builder: Builder
    tries: Counter[int] = field(default_factory=Counter)
    gains: Counter[str] = field(default_factory=Counter)
    """Positions saved by each kind of step, and the number of steps of each kind."""

    def sizes(self) -> dict[int, int]:
        """Return, for each branch in use, the number of positions that only it needs."""
        strategy = self.builder.strategy
        branches = [key for key, entry in strategy.in_use() if isinstance(entry, Branch)]
        return {key: strategy.exclusive(key) for key in branches}

    def steps(self, count: int) -> int:
        """Try ``count`` improvements at randomly drawn branches, larger ones preferred; return the positions saved."""
        strategy, rng = self.builder.strategy, self.builder.finder.rng
        before = strategy.size
        sizes = self.sizes()
        keys = [key for key, size in sizes.items() if 0 < size <= LARGEST_TRIAL or board_of(key).ply >= SEARCH_FROM]
        if not keys:
            return 0
        weights = np.array([sizes[key] ** PREFERENCE / (1 + self.tries[key]) ** DAMPING for key in keys])
        for place in rng.choice(len(keys), size=min(count, len(keys)), replace=False, p=weights / weights.sum()):
            key = keys[int(place)]
            if key in strategy.references:
                self.step(key)
        return before - strategy.size

    def step(self, key: int) -> None:
        """Try once to save positions below ``key``."""
        strategy = self.builder.strategy
        before = strategy.size
        turn = self.tries[key]
        self.tries[key] += 1
        saved = strategy.exclusive(key)
        kind = "leaf" if (turn == 0 or turn % 2) and board_of(key).ply >= SEARCH_FROM else "move"
        if kind == "leaf":
            self.search_leaf(key, saved)
        elif saved <= LARGEST_TRIAL:
            self.try_columns(key)
        self.gains[kind] += before - strategy.size
        self.gains[kind + " steps"] += 1

    def search_leaf(self, key: int, saved: int) -> None:
        """Search for a diagram that replaces everything below ``key``."""
        tried = self.builder.tried.get(key)
        effort = tried.effort if tried else 0
        self.builder.leaf(key, min(effort + PER_NODE * max(8, saved), LONGEST_SEARCH))

    def try_columns(self, key: int) -> None:
        """Replace the move of ``key`` if another good move needs fewer positions."""
        entry = self.builder.strategy.entries[key]
        columns = self.builder.good_columns(key)
        assert isinstance(entry, Branch)
        others = [column for column in columns if column != entry.column]
        self.builder.finder.rng.shuffle(others)
        for column in others[:2]:
            self.try_column(key, column)

    def try_column(self, key: int, column: int) -> int:
        """Play ``column`` in ``key`` if that saves positions; return their number."""
        builder, strategy = self.builder, self.builder.strategy
        entry = strategy.entries[key]
        old = strategy.children(key)
        before = strategy.size
        strategy.release(old)
        taken: list[int] = []
        for child in sorted(strategy.replies(key, column), key=lambda child: child not in builder.complete):
            room = before - strategy.size
            try:
                builder.solve(child, room)
            except OverBudgetError:
                break
            strategy.acquire([child])
            taken.append(child)
            if strategy.size >= before:
                break
        else:
            gain = before - strategy.size
            strategy.entries[key] = Branch(column)
            builder.log(f"B {key} {column}")
            return gain
        strategy.release(taken)
        strategy.acquire(old)
        strategy.entries[key] = entry
        return 0

    def known_pass(self) -> int:
        """Try every diagram on every branch in use, fewest discs first; return the positions saved."""
        strategy = self.builder.strategy
        before = strategy.size
        branches = [key for key, entry in strategy.in_use() if isinstance(entry, Branch)]
        for key in sorted(branches, key=lambda key: board_of(key).ply):
            if key in strategy.references and board_of(key).ply >= SEARCH_FROM:
                self.builder.try_all_diagrams(key)
        return before - strategy.size

    def free_pass(self) -> int:
        """Change to moves whose replies are all solved, if that saves positions; return the positions saved."""
        builder, strategy = self.builder, self.builder.strategy
        start = strategy.size
        for key in list(strategy.references):
            if key not in strategy.references:
                continue
            entry = strategy.entries[key]
            if isinstance(entry, Leaf):
                continue
            for column in builder.good_columns(key):
                if column != entry.column and all(child in builder.complete for child in strategy.replies(key, column)):
                    before = strategy.size
                    strategy.change(key, Branch(column))
                    if strategy.size < before:
                        builder.log(f"B {key} {column}")
                        entry = Branch(column)
                    else:
                        strategy.change(key, entry)
        return start - strategy.size

    def share_diagrams(self) -> int:
        """Cover the leaves in use with few diagrams, greedily; return the number of diagrams left."""
        builder = self.builder
        leaves = [key for key, entry in builder.strategy.in_use() if isinstance(entry, Leaf)]
        rows = sorted({row for key in leaves for row in self._row(key)})
        covers: dict[int, set[int]] = {row: set() for row in rows}
        for key in leaves:
            board = board_of(key)
            for row in builder.holding_rows(board, rows, POOL_LIMIT):
                covers[row].add(key)
            covers[self._row(key)[0]].add(key)
        left = set(leaves)
        used: set[int] = set()
        while left:
            best = max(covers, key=lambda row: len(covers[row]))
            for key in covers.pop(best):
                builder.set_entry(key, Leaf(best // 2, bool(best % 2)))
                left.discard(key)
            used.add(best // 2)
            covers = {row: keys & left for row, keys in covers.items()}
        return len(used)

    def tidy_diagrams(self) -> None:
        """Replace each diagram in use by one that plays the same and that a file stores in fewer bytes."""
        builder = self.builder
        keys: defaultdict[int, list[tuple[int, bool]]] = defaultdict(list)
        for key, entry in builder.strategy.in_use():
            if isinstance(entry, Leaf):
                keys[entry.diagram].append((key, entry.mirrored))
        for diagram, leaves in keys.items():
            boards = [board_of(key).mirror() if mirrored else board_of(key) for key, mirrored in leaves]
            order = builder.finder.tidied(boards, builder.orders[diagram])
            number = builder.new_diagram(order)
            for key, mirrored in leaves:
                builder.set_entry(key, Leaf(number, mirrored))

    def _row(self, key: int) -> tuple[int, int]:
        """Return the row of a leaf's diagram, and of its mirror image."""
        entry = self.builder.strategy.entries[key]
        assert isinstance(entry, Leaf)
        row = 2 * entry.diagram + entry.mirrored
        return row, row ^ 1
