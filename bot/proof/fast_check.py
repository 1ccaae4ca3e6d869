"""The fast checker: the same verdict as check.py in a few seconds, for `bot proof check` and tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bot.game.notation import column_name
from bot.proof.diagram import mirror_order, ranks_of
from bot.proof.format import FIRST_LEAF, Claim, Proof, RejectedError
from bot.proof.kernels.follow import MEMO, keeps_promise
from bot.proof.positions import board_of
from bot.proof.walk import entries_of


@dataclass(frozen=True, slots=True)
class ProvenClaim:
    """The result of checking a claim that is proven."""

    claim: Claim
    branches: int
    leaves: int
    diagrams: int
    """Number of distinct diagrams of the leaves."""

    @property
    def sentence(self) -> str:
        """The proven claim and its size, in one sentence."""
        side, promise = "The first player", "always wins" if self.claim.must_win else "never loses"
        if self.claim.openings:
            side = f"The second player, after {' '.join(map(column_name, self.claim.openings))},"
        return f"{side} {promise}: {self.branches:,} branches, {self.leaves:,} leaves with {self.diagrams:,} diagrams."


def verify(proof: Proof) -> list[ProvenClaim]:
    """Check every claim; raise RejectedError, with the reason, where one is not proven."""
    return [verify_claim(claim, proof.diagrams) for claim in proof.claims]


def verify_claim(claim: Claim, diagrams: Sequence[bytes], roots: Sequence[int] | None = None) -> ProvenClaim:
    """Check one claim, from its own first positions or from other ``roots``; raise RejectedError."""
    entries = entries_of(claim, roots)
    leaves = {key: divmod(entry - FIRST_LEAF, 2) for key, entry in entries.items() if entry >= FIRST_LEAF}
    memo = np.empty(MEMO, np.int64)
    for key, (number, is_mirrored) in leaves.items():
        if number >= len(diagrams):
            raise RejectedError(f"A leaf refers to diagram {number}, which is not in the file.")
        board, order = board_of(key), diagrams[number]
        if is_mirrored:
            order = mirror_order(order)
        if not keeps_promise(board.current, board.mask, claim.must_win, ranks_of(order), memo):
            raise RejectedError(f"Diagram {number} fails in the position with the number {key}.")
    return ProvenClaim(claim, len(entries) - len(leaves), len(leaves), len({number for number, _ in leaves.values()}))
