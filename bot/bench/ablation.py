"""What each technique of the solver gains: its kernel with one of them taken out, on the same positions.

A technique is taken out by editing the text of `bot.engine.kernels.solve` before it is compiled, so that the kernel
itself carries no switches. Every edit must find its place, or it raises LookupError: a table of gains cannot go stale
unseen.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import numpy as np

from bot.agent import Stop
from bot.bench.positions import Position
from bot.engine.kernels import solve as kernels
from bot.game import Board
from bot.kernels import jit

BITS = 18


@dataclass(frozen=True, slots=True)
class Technique:
    """One thing that makes the solver faster, and how its kernel is written without it (patterns, replacements)."""

    name: str
    edits: tuple[tuple[str, str], ...] = ()
    bits: int = BITS


_HALVE = "beta = lower + (upper - lower + 1) // 2\n"
_FORCED_AS_NODES = (
    r"    while forced:.*?    possible = playable & ~\(danger >> 1\)",
    "    if forced:\n"
    "        if forced & (forced - 1):\n"
    "            return -win_at(ply + 1)\n"
    "        playable = forced\n"
    "    possible = playable & ~(danger >> 1)",
)
_LATE_WIN = (r"if upper > win_at\(ply \+ 4\):", "if False:")

TECHNIQUES = (
    Technique(
        "dead discs left out of the key",
        (
            (r"current & my_live, opponent & their_live", "current, opponent"),
            (r"opponent & covered\(opponent \| \(empty \^ cell\)\), discs & my_live", "opponent, discs"),
        ),
    ),
    Technique("second player's follow-up as a bound", ((r"second_follows_up\([^()]*\)", "30"),)),
    Technique("first player's odd threat as a bound", ((r"first_has_odd_threat\([^()]*\)", "-30"),)),
    Technique("threats order the moves", ((r"THREAT = 1024", "THREAT = 0"),)),
    Technique("useless threats do not count", ((r"mine & ~\(danger << 1\)", "mine"),)),
    Technique(
        "history orders the moves",
        ((r"\+ memory\[counts \+ popcount\(cell - 1\)\]\n", "- CENTRE * abs(3 - popcount(cell - 1) // 7)\n"),),
    ),
    Technique("no reward for the first move's cutoff", ((r"if place > list_start:", "if True:"),)),
    Technique(
        "two threats, or a threat above every answer, win",
        (
            (r"if \(now & \(now - 1\)\) \| \(now & \(mine >> 1\)\):", "if False:"),
            (r"elif next_playable & ~\(mine >> 1\) == 0:", "elif False:"),
            _LATE_WIN,
        ),
    ),
    Technique("otherwise no win before the third move", (_LATE_WIN,)),
    Technique("enhanced transposition cutoff", ((r"if entry & TAG == child & TAG:", "if False:"),)),
    Technique("no node for a forced move", (_FORCED_AS_NODES,)),
    Technique("windows step outward", ((r"beta = lower \+ 1\n", _HALVE), (r"beta = upper\n", _HALVE))),
    Technique(
        "four directions in one register",
        (
            (r"popcount, winning_cells\n", "popcount\nfrom bot.bench.scalar import covered, winning_cells\n"),
            (r"import covered, pointer\n", "import pointer\n"),
        ),
    ),
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
    """Positions where both disagree."""


class Variant:
    """The solver's kernel, edited."""

    def __init__(self, technique: Technique | None) -> None:
        self._kernels: Any = kernels if technique is None else _compiled(technique)
        bits = BITS if technique is None else technique.bits
        self._table = np.zeros(1 << bits, dtype=np.int64)
        self._memory = np.zeros(kernels.MEMORY_WORDS, dtype=np.int64)
        self._never = Stop()
        self.nodes, self.seconds, self.scores = 0, 0.0, list[int]()

    def solve(self, board: Board, *, weak: bool) -> None:
        """Note nodes, processor seconds and what was found, with a cold table."""
        memory, flag = self._memory, self._never.flag
        memory[kernels.NODE_LIMIT] = 1 << 62
        memory[kernels.INDEX_MASK] = len(self._table) - 1
        window = (-1, 1) if weak else (-21, 21)
        start = time.thread_time()
        self._kernels.narrow(board.current, board.mask, 0, *window, 0, self._table, memory, flag, flag)
        self.seconds += time.thread_time() - start
        self.nodes += int(memory[kernels.NODES])
        lower, upper = int(memory[kernels.LOWER]), int(memory[kernels.UPPER])
        self.scores.append((lower > 0) - (upper < 0) if weak else lower)


def gains(positions: Sequence[Position], *, weak: bool = False) -> Iterator[Gain]:
    """Every technique left out in turn; position by position beside the whole solver, which shares its hardships."""
    for technique in TECHNIQUES:
        whole, without = Variant(None), Variant(technique)
        for board in (position.board for position in positions):
            whole.solve(board, weak=weak)
            without.solve(board, weak=weak)
        wrong = sum(one != other for one, other in zip(whole.scores, without.scores, strict=True))
        yield Gain(technique.name, without.nodes / whole.nodes, without.seconds / whole.seconds, wrong)


def edited(technique: Technique) -> str:
    """The kernel's source without the technique; raises LookupError where an edit does not apply."""
    assert kernels.__file__ is not None
    source = Path(kernels.__file__).read_text(encoding="utf-8")
    for pattern, replacement in technique.edits:
        source, count = re.subn(pattern, replacement.replace("\\", r"\\"), source, flags=re.DOTALL)
        if count == 0:
            raise LookupError(f"The kernel no longer holds {pattern!r}.")
    return source


def _compiled(technique: Technique) -> ModuleType:
    """The edited kernel, compiled for this process alone."""
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(jit, "CACHE", None):
        path = Path(folder) / "variant.py"
        path.write_text(edited(technique), encoding="utf-8")
        name = f"bot_variant_{abs(hash(technique.name))}"
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return module
