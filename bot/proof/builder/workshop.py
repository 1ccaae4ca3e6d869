"""The steps of `bot proof build`: complete a strategy, share its diagrams, write the proof file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bot.errors import UsageError
from bot.files import LineFile, replace_file
from bot.proof.builder.best_first import BestFirst
from bot.proof.builder.builder import Builder
from bot.proof.builder.sharing import share_diagrams
from bot.proof.fast_check import ProvenClaim, verify
from bot.proof.format import FIRST_LEAF, Claim, Proof
from bot.proof.walk import roots_of, walk

OPENINGS = {"1": (0, 6), "2": (1, 5), "3": (2, 4)}
"""Openings by name: the column and its mirror image."""


def openings_of(names: str) -> tuple[int, ...]:
    """Return the columns of openings such as "12" and their mirror images; raise UsageError for unknown names."""
    if not names or not set(names) <= set(OPENINGS):
        raise UsageError(f"Unknown openings {names!r}.", "Choose from 1, 2 and 3; 7, 6 and 5 are their mirror images.")
    return tuple(sorted(column for name in set(names) for column in OPENINGS[name]))


@contextmanager
def recording(builder: Builder, path: Path) -> Iterator[None]:
    """Take over the searches that an interrupted build has left in ``path``, and append those of the body.

    The file is deleted when the body has ended. Raises UsageError where it is damaged or belongs to another promise.
    """
    heading = f"searches for diagrams that {'win' if builder.finder.draw_fails else 'do not lose'}"
    file = LineFile(path, beginnings=(heading,))
    lines = file.lines()
    for number, line in enumerate(lines[1:], start=2):
        try:
            builder.replay(line.decode("ascii", "replace"))
        except (ValueError, IndexError):
            raise UsageError(f"Line {number} of {path} is damaged.", "Delete it and those after it.") from None
    with file as record:
        if not lines:
            record.append(heading)
        builder.log = record.append
        yield
    path.unlink()


def complete(builder: Builder, roots: Sequence[int]) -> None:
    """Complete the strategy from ``roots``, and make its leaves share diagrams."""
    best_first = BestFirst(builder)
    for root in roots:
        best_first.solve(root)
    share_diagrams(builder, roots)


def write(builder: Builder, openings: tuple[int, ...], out: Path) -> list[ProvenClaim]:
    """Write the claim of a complete strategy to ``out`` atomically; return what the file proves.

    The other player's claims in the file are kept. Raises RejectedError, and writes nothing, where a claim is not
    proven.
    """
    known = Proof.load(out) if out.exists() else Proof((), ())
    diagrams: list[bytes] = []
    claims = [
        Claim(claim.must_win, claim.openings, _moved(claim.entries, known.diagrams, diagrams))
        for claim in known.claims
        if bool(claim.openings) != bool(openings)
    ]
    entries = (entry for _, entry in walk(roots_of(openings), builder.entries.__getitem__))
    claims.append(Claim(builder.finder.draw_fails, openings, _moved(entries, builder.orders, diagrams)))
    proof = Proof(tuple(diagrams), tuple(sorted(claims, key=lambda claim: claim.openings)))
    verdicts = verify(proof)
    replace_file(out, proof.to_bytes())
    return verdicts


def _moved(entries: Iterable[int], orders: Sequence[bytes], diagrams: list[bytes]) -> tuple[int, ...]:
    """Return ``entries`` with their diagrams, those of ``orders``, appended to ``diagrams`` and numbered as there."""
    numbers: dict[int, int] = {}
    moved = []
    for entry in entries:
        number, mirrored = divmod(entry - FIRST_LEAF, 2)
        if entry >= FIRST_LEAF and number not in numbers:
            numbers[number] = len(diagrams)
            diagrams.append(orders[number])
        moved.append(FIRST_LEAF + 2 * numbers[number] + mirrored if entry >= FIRST_LEAF else entry)
    return tuple(moved)
