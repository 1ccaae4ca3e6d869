"""What each technique of the solver gains: its kernel without one of them, on the same positions.

`bot.engine.kernels.switches` holds a constant for each technique. `variant` imports the kernel's module a second time,
under another name, with some of these constants changed, and compiles it for this process only.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from bot.agent_types import Stop
from bot.bench.positions import Position
from bot.engine.kernels import keys, moves, ordering, quiet, switches, table
from bot.engine.kernels import solve as kernels
from bot.engine.kernels.addresses import address
from bot.engine.score import HIGHEST, LOWEST, Bounds
from bot.game import Board
from bot.kernels.jit import VARIANT

BITS = 18
"""Index bits of the transposition table, 2 MB."""


@dataclass(frozen=True, slots=True)
class Technique:
    """One technique of the solver, and how the kernel is configured without it."""

    name: str
    switches: tuple[str, ...] = ()
    """Names in `bot.engine.kernels.switches` that are False without it."""
    bits: int = BITS


TECHNIQUES = (
    Technique("dead discs left out of the key", ("LIVING_DISCS_KEY",)),
    Technique("second player's follow-up as a bound", ("FOLLOW_UP_BOUND",)),
    Technique("first player's odd threat as a bound", ("ODD_THREAT_BOUND",)),
    Technique("threats order the moves", ("THREAT_ORDER",)),
    Technique("useless threats do not count", ("USELESS_THREATS_EXCLUDED",)),
    Technique("threats playable next turn count more", ("NEXT_THREATS_FIRST",)),
    Technique("history orders the moves", ("HISTORY_ORDER",)),
    Technique("no reward for the first move's cutoff", ("FIRST_CUTOFF_UNREWARDED",)),
    Technique("the last attack needs no node", ("LAST_ATTACK",)),
    Technique("enhanced transposition cutoff", ("ENHANCED_CUTOFF",)),
    Technique("moves that the table refutes are skipped", ("REFUTED_SKIPPED",)),
    Technique("a single move that does not lose is forced", ("SINGLE_MOVE_FORCED",)),
    Technique("mirror images share an entry in the first plies", ("MIRROR_KEYS",)),
    Technique("two entries share a bucket", ("BUCKETS",)),
    Technique("entries of all children are fetched first", ("PREFETCH",)),
    Technique("windows step outward", ("OUTWARD_WINDOWS",)),
    Technique("four directions in one register", ("VECTOR_DIRECTIONS",)),
    Technique("a table of 2 MB, not 512 KB", bits=BITS - 2),
    Technique("a table of 2 MB, not 8 MB", bits=BITS + 2),
)


@dataclass(frozen=True, slots=True)
class Gain:
    """What leaving a technique out costs: nodes and processor time, as multiples of the whole solver's."""

    name: str
    nodes: float
    seconds: float
    wrong: int
    """Positions where the two results differ."""


class Variant:
    """The solver's kernel without one technique (None: with all), and the totals of its runs."""

    def __init__(self, technique: Technique | None) -> None:
        self._kernels: Any = variant(*technique.switches) if technique is not None and technique.switches else kernels
        bits = BITS if technique is None else technique.bits
        self._table = np.zeros(1 << bits, dtype=np.int64)
        self._workspace = np.zeros(kernels.WORKSPACE_WORDS, dtype=np.int64)
        self._never = Stop().flag
        self.nodes, self.seconds, self.results = 0, 0.0, list[int | None]()

    def solve(self, board: Board, *, weak: bool) -> None:
        """Solve with a cold table; add nodes and processor seconds, and append the score or the outcome."""
        workspace = self._workspace
        workspace[kernels.NODE_LIMIT] = 1 << 62
        workspace[kernels.INDEX_MASK] = len(self._table) - 1
        window = (-1, 1) if weak else (LOWEST, HIGHEST)
        never = address(self._never)
        arrays = address(self._table), address(workspace), never, never
        start = time.thread_time()
        _, lower, upper, nodes = self._kernels.solve(board.current, board.mask, 0, *window, 0, *arrays)
        self.seconds += time.thread_time() - start
        self.nodes += nodes
        bounds = Bounds(lower, upper)
        self.results.append(bounds.outcome if weak else bounds.score)


def gains(positions: Sequence[Position], *, weak: bool = False) -> Iterator[Gain]:
    """Leave out every technique in turn and yield what that costs.

    Both kernels solve each position one right after the other, so that a busy machine slows down both.
    """
    for technique in TECHNIQUES:
        whole, without = Variant(None), Variant(technique)
        for board in (position.board for position in positions):
            whole.solve(board, weak=weak)
            without.solve(board, weak=weak)
        wrong = sum(one != other for one, other in zip(whole.results, without.results, strict=True))
        yield Gain(technique.name, without.nodes / whole.nodes, without.seconds / whole.seconds, wrong)


def variant(*off: str) -> ModuleType:
    """Return the kernel's module, compiled again with these switches off; the engine's own module does not change.

    Raises LookupError at an unknown switch.
    """
    name = f"{VARIANT}{'_'.join(off).lower()}"
    if name in sys.modules:
        return sys.modules[name]
    kept = {part.__name__: part for part in (keys, ordering, quiet, table, moves)}
    with _switched_off(off):
        try:
            for place, part in kept.items():  # the solver's kernel imports what stands in these places
                sys.modules[place] = _imported(f"{name}_{place.rpartition('.')[2]}", part)
            return _imported(name, kernels)
        finally:
            sys.modules.update(kept)


def _imported(name: str, original: ModuleType) -> ModuleType:
    """Import a module a second time, under another name."""
    spec = importlib.util.spec_from_file_location(name, original.__file__)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # numba looks it up while it compiles
    spec.loader.exec_module(module)
    return module


@contextmanager
def _switched_off(names: Sequence[str]) -> Iterator[None]:
    """Set these switches to False for the import of a module within this context."""
    unknown = [name for name in names if getattr(switches, name, None) is not True]
    if unknown:
        raise LookupError(f"The kernel has no switch called {unknown[0]}.")
    try:
        for name in names:
            setattr(switches, name, False)
        yield
    finally:
        for name in names:
            setattr(switches, name, True)
