"""Small proofs for tests: parts of the shipped proof, files, and the verdict of both checkers."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

from bot.game.board import COLUMNS, STRIDE
from bot.proof import check, fast_check
from bot.proof.format import FIRST_LEAF, MAGIC, Claim, Proof, RejectedError
from bot.proof.plan import SHIPPED
from bot.proof.positions import board_of
from bot.proof.walk import entries_of, walk

PROOF = Proof.load(SHIPPED)


@dataclass(frozen=True)
class Part:
    """A claim from one position, with its diagrams."""

    root: int
    claim: Claim
    diagrams: tuple[bytes, ...] = PROOF.diagrams


def shipped_part(number: int) -> Part:
    """Return the part of the shipped claim ``number`` that begins with its branch of the most discs."""
    claim = PROOF.claims[number]
    entries = entries_of(claim)
    branches = [key for key, entry in entries.items() if entry < FIRST_LEAF]
    root = max(branches, key=lambda key: board_of(key).ply)
    needed = walk([root], entries.__getitem__, must_win=claim.must_win)
    return Part(root, Claim(claim.must_win, (), tuple(entry for _, entry in needed)))


def file_of(diagrams: int, *parts: bytes) -> bytes:
    """Return a proof file that gives this number of ``diagrams``; they and the claims are the ``parts``."""
    return MAGIC + zlib.compress(diagrams.to_bytes(2, "little") + b"".join(parts))


def claim_of(must_win: int, openings: int, *entries: int) -> bytes:
    """Return a claim as it stands in a file; ``openings`` is its byte."""
    return struct.pack(f"<BBI{len(entries)}H", must_win, openings, len(entries), *entries)


def in_bytes(cells: int) -> int:
    """Return a board's set of cells as check.py has it: with a byte for each column."""
    return sum((cells >> column * STRIDE & 0b111111) << 8 * column for column in range(COLUMNS))


def is_accepted(part: Part) -> bool:
    """Return the verdict of both checkers, which must agree."""
    board = board_of(part.root)
    try:
        root = in_bytes(board.current), in_bytes(board.opponent)
        check.prove([root], part.claim.entries, part.diagrams, part.claim.must_win)
    except ValueError:
        plain = False
    else:
        plain = True
    try:
        fast_check.verify_claim(part.claim, part.diagrams, [part.root])
    except RejectedError:
        assert not plain, part
    else:
        assert plain, part
    return plain
