"""The proof file, decoded. README.md, beside this file, defines the format."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

from bot.errors import UsageError

MAGIC = b"C4PROOF1"
CELLS = 42
FIRST_LEAF = 7
"""Smallest entry of a leaf, 7 + 2 * diagram + (1 if it is mirrored); smaller ones are the columns of branches."""
ALL_OPENINGS = 0b1111111
"""Bits of the openings, one for each column."""
_CLAIM = struct.Struct("<BBI")


class RejectedError(UsageError):
    """A file does not follow the format, or does not prove its claims."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim: what the strategy promises, for which player, and its entries in the order of the walk."""

    must_win: bool
    """Whether it promises a win; otherwise not to lose."""
    openings: tuple[int, ...]
    """The opponent's first columns (0..6) that the claim covers; empty: the claim is for the first player."""
    entries: tuple[int, ...]
    """Columns and leaves, see `FIRST_LEAF`."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The content of a file: diagrams, each 42 cells (column * 6 + row), most urgent first, and claims."""

    diagrams: tuple[bytes, ...]
    claims: tuple[Claim, ...]

    @classmethod
    def from_bytes(cls, content: bytes) -> Proof:
        """Decode a file's content; raise RejectedError where it does not follow the format."""
        try:
            return cls._decoded(content)
        except (ValueError, struct.error, zlib.error):
            raise RejectedError(
                "The file is not a proof file, or it is damaged.",
                "Without a file, `bot proof check` checks the shipped one.",
            ) from None

    @classmethod
    def _decoded(cls, content: bytes) -> Proof:
        if not content.startswith(MAGIC):
            raise ValueError("magic")
        stream = zlib.decompressobj()
        body = stream.decompress(content[len(MAGIC) :])
        if not stream.eof or stream.unused_data:
            raise ValueError("bytes are missing or left over")
        (count,) = struct.unpack_from("<H", body)
        place = 2 + CELLS * count
        diagrams = tuple(body[start : start + CELLS] for start in range(2, place, CELLS))
        if any(sorted(diagram) != list(range(CELLS)) for diagram in diagrams):
            raise ValueError("a diagram does not hold every cell once")
        if place >= len(body):
            raise ValueError("no claim")
        claims = []
        while place < len(body):
            must_win, bits, count = _CLAIM.unpack_from(body, place)
            if must_win > 1 or bits > ALL_OPENINGS:
                raise ValueError("a claim of no known kind")
            place += _CLAIM.size
            entries = struct.unpack_from(f"<{count}H", body, place)
            place += 2 * count
            openings = tuple(column for column in range(7) if bits >> column & 1)
            claims.append(Claim(bool(must_win), openings, entries))
        return cls(diagrams, tuple(claims))

    @classmethod
    def load(cls, path: Path) -> Proof:
        """Read a file; raise UsageError where it cannot be read, RejectedError where it does not follow the format."""
        try:
            content = path.read_bytes()
        except OSError as error:
            raise UsageError(f"The proof {path} cannot be read: {error.strerror}.") from None
        return cls.from_bytes(content)
