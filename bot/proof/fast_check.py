"""The fast checker: the same verdict as check.py in about two seconds, for `bot proof check` and tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bot.game.notation import column_name
from bot.proof.diagram import rows_of
from bot.proof.format import Claim, Proof, RejectedError
from bot.proof.kernels import follow
from bot.proof.positions import board_of
from bot.proof.reading import entries_of
from bot.proof.strategy import Leaf


@dataclass(frozen=True, slots=True)
class Verdict:
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


def verify(proof: Proof) -> list[Verdict]:
    """Check every claim; raise RejectedError, with the reason, where one is not proven."""
    return [verify_claim(claim, proof.diagrams) for claim in proof.claims]


def verify_claim(claim: Claim, diagrams: Sequence[bytes], roots: Sequence[int] | None = None) -> Verdict:
    """Check one claim, from its own first positions or from other ``roots``; raise RejectedError."""
    entries = entries_of(claim, roots)
    leaves = {key: entry for key, entry in entries.items() if isinstance(entry, Leaf)}
    ranks, words = rows_of(diagrams), np.zeros(follow.WORKSPACE, np.int64)
    words[follow.DRAW_FAILS] = claim.must_win
    for key, leaf in leaves.items():
        if leaf.diagram >= len(diagrams):
            raise RejectedError(f"A leaf refers to diagram {leaf.diagram}, which is not in the file.")
        board, rows = board_of(key), np.array([2 * leaf.diagram + leaf.mirrored])
        if follow.first_holding(board.current, board.mask, ranks, rows, follow.NO_LIMIT, words) < 0:
            raise RejectedError(f"Diagram {leaf.diagram} fails in the position with the number {key}.")
    used = {leaf.diagram for leaf in leaves.values()}
    return Verdict(claim, len(entries) - len(leaves), len(leaves), len(used))
