"""Small proofs for tests: parts of the shipped proof, and the verdict of both checkers."""

from __future__ import annotations

from dataclasses import dataclass

from bot.proof import check, fast_check
from bot.proof.format import FIRST_LEAF, Claim, Proof, RejectedError
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
    return Part(root, Claim(claim.must_win, (), tuple(entry for _, entry in walk([root], entries.__getitem__))))


def is_accepted(part: Part) -> bool:
    """Return the verdict of both checkers, which must agree."""
    board = board_of(part.root)
    try:
        check.prove([(board.current, board.opponent)], part.claim.entries, part.diagrams, part.claim.must_win)
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
