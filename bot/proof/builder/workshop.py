"""The steps of `bot proof build`: replay the record, complete the strategy, shrink it, write the proof file."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bot.errors import UsageError
from bot.files import replace_file
from bot.proof.builder.best_first import BestFirst
from bot.proof.builder.builder import Builder
from bot.proof.builder.finder import Finder
from bot.proof.builder.passes import Passes
from bot.proof.builder.record import Record
from bot.proof.builder.sharing import share_diagrams
from bot.proof.builder.shrink import Shrinker
from bot.proof.export import claim_of, roots_of
from bot.proof.format import FIRST_LEAF, Claim, Proof
from bot.proof.reading import entries_of
from bot.proof.strategy import Leaf

REPORT_S = 10.0
"""Time between two reports, seconds."""
WRITE_S = 60.0
"""Processor time between two writings of the file while it gets smaller, seconds."""
SHARING_S = 120.0
"""Processor time kept for making leaves share diagrams, seconds."""
SHARING_PART = 0.2
"""The same at most, as a part of the time for shrinking."""
OPENINGS = {"a": (0, 6), "b": (1, 5), "c": (2, 4)}
"""Openings by name: the column and its mirror image."""
_DIGITS = str.maketrans("abcdefg", "1234567")

Report = Callable[[str], None]
"""Receives a line about every ten seconds."""


@dataclass
class Workshop:
    """One player's strategy, its record and the file it is written to."""

    builder: Builder
    record: Record
    openings: tuple[int, ...]
    report: Report
    seed: int = 1
    _last_s: float = field(default_factory=time.monotonic)

    @classmethod
    def open(
        cls, record: Path, *, side: str, openings: str, seed: int, report: Report, resume: bool = True
    ) -> Workshop:
        """Replay ``record`` if it exists, or without ``resume`` rename it to ``.old``.

        Raises UsageError for a damaged record or an unknown side or opening.
        """
        if is_second(side) and (not openings or not set(openings) <= set(OPENINGS)):
            raise UsageError(
                f"Unknown openings {openings.translate(_DIGITS)!r}.",
                "Choose from 1, 2 and 3; 7, 6 and 5 are their mirror images.",
            )
        columns = sorted(column for letter in openings for column in OPENINGS[letter]) if side == "second" else []
        if not resume and record.exists():
            record.replace(record.with_name(record.name + ".old"))
        builder = Builder(Finder(draw_fails=side == "first", seed=seed))
        workshop = cls(builder, Record(record), tuple(columns), report, seed)
        lines = workshop.record.replay(builder)
        report(f"{record}: {lines} lines, {len(builder.strategy.entries)} positions known")
        return workshop

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Write everything that is found in this context to the record."""
        with self.record:
            self.builder.log = self._log
            yield

    def _log(self, line: str) -> None:
        self.record.append(line)
        now_s = time.monotonic()
        if now_s - self._last_s > REPORT_S:
            self._last_s = now_s
            strategy = self.builder.strategy
            self.report(
                f"{time.process_time():.0f} s of processor time: {len(strategy.entries)} positions known, "
                f"{strategy.size} in use, {len(self.builder.orders)} diagrams"
            )

    def build(self, out: Path) -> None:
        """Complete the strategy and write it to ``out``."""
        best_first = BestFirst(self.builder)
        roots = dict.fromkeys(roots_of(self.openings))
        best_first.grow(roots)
        self.builder.complete |= best_first.complete
        self.write(out)

    def shrink(self, out: Path, *, seconds: float, clock: Callable[[], float] = time.process_time) -> None:
        """Make the strategy smaller for about ``seconds`` of processor time, and write it to ``out``.

        ``clock`` returns the processor time in seconds.
        """
        if seconds <= 0:
            return
        end_s = clock() + seconds
        self._run_passes(out, end_s=end_s - min(SHARING_S, SHARING_PART * seconds), clock=clock)
        self.report("Sharing diagrams.")
        for _ in share_diagrams(self.builder):
            if clock() >= end_s:
                break
        self.write(out)

    def _run_passes(self, out: Path, *, end_s: float, clock: Callable[[], float]) -> None:
        """Run passes until the clock shows ``end_s`` or nothing is left to try; write gains once a minute."""
        strategy = self.builder.strategy
        passes = Passes(Shrinker(self.builder), clock=clock, report=self.report)
        size, is_left = strategy.size, True
        while is_left and clock() < end_s:
            is_left = passes.run(min(end_s, clock() + WRITE_S))
            if strategy.size < size:
                size = strategy.size
                self.write(out)
                self.report(self.summary())

    def summary(self) -> str:
        """Return the strategy's size in words."""
        entries = [entry for _, entry in self.builder.strategy.in_use()]
        leaves = [entry for entry in entries if isinstance(entry, Leaf)]
        diagrams = {leaf.diagram for leaf in leaves}
        return f"{len(entries) - len(leaves)} branches, {len(leaves)} leaves, {len(diagrams)} diagrams"

    def claim(self, known: list[bytes]) -> Claim:
        """Return the strategy as a claim whose diagrams are appended to ``known``."""
        numbers: dict[int, int] = {}
        builder = self.builder
        claim = claim_of(builder.strategy, must_win=builder.finder.draw_fails, openings=self.openings, numbers=numbers)
        shift = 2 * len(known)
        known.extend(builder.orders[old] for old in numbers)
        entries = tuple(entry + shift if entry >= FIRST_LEAF else entry for entry in claim.entries)
        return Claim(claim.must_win, claim.openings, entries)

    def write(self, out: Path) -> None:
        """Write the claim to ``out`` atomically; the other player's claims in the file are kept."""
        others = Proof.load(out) if out.exists() else Proof((), ())
        diagrams: list[bytes] = []
        claims = [
            _moved(claim, others.diagrams, diagrams)
            for claim in others.claims
            if bool(claim.openings) != bool(self.openings)
        ]
        claims.append(self.claim(diagrams))
        claims.sort(key=lambda claim: claim.openings)
        for claim in claims:
            entries_of(claim)  # raises RejectedError if the claim is not sound
        replace_file(out, Proof(tuple(diagrams), tuple(claims)).to_bytes())


def is_second(side: str) -> bool:
    """Return whether ``side`` names the second player; raise UsageError for any other name than first and second."""
    if side not in ("first", "second"):
        raise UsageError(f"Unknown side {side!r}.", "Write --side first or --side second.")
    return side == "second"


def _moved(claim: Claim, diagrams: tuple[bytes, ...], known: list[bytes]) -> Claim:
    """Return ``claim`` with its diagrams appended to ``known`` and numbered as there."""
    places: dict[int, int] = {}
    entries = []
    for entry in claim.entries:
        number, mirrored = divmod(entry - FIRST_LEAF, 2)
        if entry >= FIRST_LEAF and number not in places:
            places[number] = len(known)
            known.append(diagrams[number])
        entries.append(FIRST_LEAF + 2 * places[number] + mirrored if entry >= FIRST_LEAF else entry)
    return Claim(claim.must_win, claim.openings, tuple(entries))
