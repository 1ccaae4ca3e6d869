"""Shrinking by passes: all branches of one ply are taken in turn, by the pass that promises most for its time.

A pass is of one kind and one ply. What it promises is the number of positions that it saved in a second of processor
time when it last ran; its next round, with twice the budget, is expected to save less. So a pass that saves little is
postponed, not given up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from bot.game.board import CELLS
from bot.proof.builder.builder import SEARCH_FROM
from bot.proof.builder.shrink import Shrinker

PER_NODE = 100_000
"""Budget of the first round for each position that a step would save, in positions visited: about 20 ms."""
LEAST_SAVED = 16
"""Positions that a step is taken to save at least, when its budget is computed."""
LONGEST = 50_000_000
"""Largest budget of a step, in positions visited: about ten seconds."""
ROUNDS = 10
"""Rounds of each pass; in the last one, all budgets are the largest."""
SLICE_S = 2.0
"""Processor time after which another pass may be chosen, seconds."""
FIRST_RATE = 5.0
"""Positions that a pass which has not run yet is expected to save, per second."""
DECAY = 0.5
"""Expected rate of a pass's next round, as a share of the last one's."""
WEIGHT_S = 2.0
"""Processor time that an expected rate counts for when the rate of a round is computed, seconds."""


@dataclass
class Pass:
    """One kind of step for all branches of a ply, in rounds with rising budgets."""

    name: str
    work: Callable[[int, int], Iterator[None]]
    """Does a round, given the ply and the number of the round; yields after each step."""
    ply: int
    round: int = 0
    expected: float = FIRST_RATE
    """Positions saved per second, before this round began."""
    saved: int = 0
    spent_s: float = 0.0
    steps: Iterator[None] | None = None
    """The rest of the round; None before it begins."""
    has_budget: bool = True
    """Whether each round has a higher budget; otherwise there is no last one."""
    is_idle: bool = False
    """Whether the last round had nothing to do."""

    @property
    def rate(self) -> float:
        """Positions that the pass is expected to save, per second of processor time."""
        return (self.expected * WEIGHT_S + self.saved) / (WEIGHT_S + self.spent_s)

    def next_round(self) -> None:
        """Prepare the next round."""
        self.expected = DECAY * self.rate
        self.round += self.has_budget and not self.is_idle
        self.saved, self.spent_s, self.steps = 0, 0.0, None


@dataclass
class Passes:
    """Makes a strategy smaller by the most promising pass, again and again."""

    shrinker: Shrinker
    clock: Callable[[], float] = time.process_time
    """Processor time in seconds."""
    report: Callable[[str], None] = lambda _line: None
    """Receives a line after each round."""
    passes: list[Pass] = field(init=False)

    def __post_init__(self) -> None:
        plies = range(CELLS - 1, -1, -1)
        self.passes = [Pass("leaves", self._leaves, ply) for ply in plies if ply >= SEARCH_FROM]
        self.passes += [Pass("moves", self._moves, ply) for ply in plies]
        self.passes += [
            Pass("known diagrams", self._known, ply, has_budget=False) for ply in plies if ply >= SEARCH_FROM
        ]

    def run(self, end_s: float) -> bool:
        """Take steps until the clock shows ``end_s``; return False if nothing is left to try before that.

        First, branches change to moves whose replies are solved by now, which costs a few seconds the first time.
        """
        if saved := self.shrinker.play_solved():
            self.report(f"Moves whose replies are solved: {saved} positions saved")
        while self.clock() < end_s:
            left = [one for one in self.passes if one.round < ROUNDS]
            if all(one.is_idle for one in left):
                return False
            self._advance(max(left, key=lambda one: one.rate), end_s)
        return True

    def _advance(self, one: Pass, end_s: float) -> None:
        """Take steps of a pass for a while."""
        strategy = self.shrinker.builder.strategy
        size, start_s = strategy.size, self.clock()
        if one.steps is None:
            one.steps, one.is_idle = one.work(one.ply, one.round), True
        is_over = True
        for _ in one.steps:
            one.is_idle = False
            if self.clock() >= min(start_s + SLICE_S, end_s):
                is_over = False
                break
        one.saved += size - strategy.size
        one.spent_s += self.clock() - start_s
        if is_over:
            if one.saved or one.spent_s > SLICE_S:
                self.report(
                    f"ply {one.ply}, {one.name}, round {one.round + 1}: {one.saved} positions saved in "
                    f"{one.spent_s:.1f} s; {strategy.size} in use"
                )
            one.next_round()

    def _budget(self, key: int, number: int) -> int:
        saved = self.shrinker.builder.strategy.exclusive(key)
        return min(PER_NODE * max(LEAST_SAVED, saved) << number, LONGEST)

    def _leaves(self, ply: int, number: int) -> Iterator[None]:
        """Search for diagrams."""
        builder = self.shrinker.builder
        for key in self.shrinker.branches(ply):
            tried = builder.tried.get(key)
            if self.shrinker.is_branch(key) and not (tried and tried.impossible):
                budget = self._budget(key, number)
                if tried is None or tried.effort < budget:
                    builder.leaf(key, budget)
                    yield

    def _moves(self, ply: int, number: int) -> Iterator[None]:
        """Try other good moves, the largest branches first: they may save what is below others."""
        builder = self.shrinker.builder
        keys = self.shrinker.branches(ply)
        sizes = {key: builder.strategy.exclusive(key) for key in keys}
        for key in sorted(keys, key=lambda key: -sizes[key]):
            for column in self.shrinker.other_columns(key) if self.shrinker.is_branch(key) else ():
                if self.shrinker.is_branch(key):
                    self.shrinker.try_column(key, column, effort=self._budget(key, number))
                    yield

    def _known(self, ply: int, _number: int) -> Iterator[None]:
        """Try known diagrams."""
        for key in self.shrinker.branches(ply):
            if self.shrinker.is_branch(key) and self.shrinker.try_known(key) is not None:
                yield
