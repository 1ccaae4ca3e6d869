"""The steps that make a complete strategy smaller: try known diagrams and other good moves.

Every step keeps the strategy complete, so shrinking can be stopped after any of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.proof.builder.builder import Builder, OverBudgetError
from bot.proof.positions import board_of
from bot.proof.strategy import Branch


@dataclass
class Shrinker:
    """Improves the strategy of a builder step by step."""

    builder: Builder
    _compared: dict[int, int] = field(default_factory=dict)
    """Number of diagrams that `try_known` has tried, by position."""

    def branches(self, ply: int) -> list[int]:
        """Return the branches in use after ``ply`` moves."""
        in_use = self.builder.strategy.in_use()
        return [key for key, entry in in_use if isinstance(entry, Branch) and board_of(key).ply == ply]

    def is_branch(self, key: int) -> bool:
        """Return whether ``key`` is a branch in use; earlier steps may have changed it."""
        strategy = self.builder.strategy
        return key in strategy.references and isinstance(strategy.entries[key], Branch)

    def other_columns(self, key: int) -> list[int]:
        """Return the good columns of a branch that it does not play."""
        played = self.builder.strategy.entries[key]
        return [column for column in self.builder.good_columns(key) if Branch(column) != played]

    def try_column(self, key: int, column: int, *, effort: int) -> int:
        """Play ``column`` in ``key`` if that saves positions; return their number.

        The trial ends without a change when its searches have visited about ``effort`` positions.
        """
        builder, strategy = self.builder, self.builder.strategy
        entry = strategy.entries[key]
        old, new = strategy.children(key), strategy.replies(key, column)
        before = strategy.size
        end = builder.effort + effort
        strategy.release(old)
        taken: list[int] = []
        try:
            for child in sorted(new, key=lambda child: child not in builder.complete):
                builder.solve(child, before - strategy.size, end - builder.effort)
                strategy.acquire([child])
                taken.append(child)
                if strategy.size >= before:
                    raise OverBudgetError
        except OverBudgetError:
            strategy.release(taken)
            strategy.acquire(old)
            strategy.entries[key] = entry
            return 0
        gain = before - strategy.size
        strategy.entries[key] = Branch(column)
        builder.log(f"B {key} {column}")
        return gain

    def try_known(self, key: int) -> bool | None:
        """Make ``key`` a leaf if a known diagram keeps the promise there; return whether one does.

        Return None if all were tried before.
        """
        since = self._compared.get(key, 0)
        self._compared[key] = len(self.builder.orders)
        return self.builder.try_diagrams(key, since) if since < len(self.builder.orders) else None

    def play_solved(self) -> int:
        """Change to moves whose replies are all solved, if that saves positions; return the positions saved."""
        builder, strategy = self.builder, self.builder.strategy
        start = strategy.size
        for key in list(strategy.references):
            if not self.is_branch(key):
                continue
            for column in self.other_columns(key):
                if all(child in builder.complete for child in strategy.replies(key, column)):
                    self._play_if_smaller(key, column)
        return start - strategy.size

    def _play_if_smaller(self, key: int, column: int) -> None:
        strategy = self.builder.strategy
        before, entry = strategy.size, strategy.entries[key]
        strategy.change(key, Branch(column))
        if strategy.size < before:
            self.builder.log(f"B {key} {column}")
        else:
            strategy.change(key, entry)
