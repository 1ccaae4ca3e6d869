"""The fast checker: the same verdict as check.py in a few seconds, for `bot proof check` and tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bot.game.notation import column_name
from bot.proof.diagram import rows_of
from bot.proof.format import FIRST_LEAF, Claim, Proof, RejectedError
from bot.proof.kernels import follow
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
    leaves = {key: entry - FIRST_LEAF for key, entry in entries.items() if entry >= FIRST_LEAF}
    ranks, words = rows_of(diagrams), np.zeros(follow.WORKSPACE, np.int64)
    words[follow.DRAW_FAILS] = claim.must_win
    for key, row in leaves.items():
        if row >= len(ranks):
            raise RejectedError(f"A leaf refers to diagram {row // 2}, which is not in the file.")
        board = board_of(key)
        if follow.first_holding(board.current, board.mask, ranks, np.array([row]), follow.NO_LIMIT, words) < 0:
            raise RejectedError(f"Diagram {row // 2} fails in the position with the number {key}.")
    return ProvenClaim(claim, len(entries) - len(leaves), len(leaves), len({row // 2 for row in leaves.values()}))
