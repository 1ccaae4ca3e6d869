"""The fast checker: the same verdict as check.py in a fraction of the time, for tests and the page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bot.game.notation import column_name
from bot.proof.diagram import mirror_order
from bot.proof.format import Claim, Proof
from bot.proof.kernels import check
from bot.proof.positions import board_of
from bot.proof.ranks import ranks_of
from bot.proof.reading import RejectedError, entries_of
from bot.proof.strategy import Leaf


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a claim's check has met."""

    claim: Claim
    branches: int
    leaves: int
    diagrams: int
    """Distinct diagrams that the leaves follow."""
    positions: int
    """Positions visited below the leaves; a memo forgets some, so this is no exact count."""

    @property
    def sentence(self) -> str:
        """What is proven, and what it takes."""
        side, promise = "The first player", "always wins" if self.claim.must_win else "never loses"
        if self.claim.openings:
            side = f"The second player, after {' '.join(map(column_name, self.claim.openings))},"
        return (
            f"{side} {promise}: {self.branches} branches, {self.leaves} leaves with {self.diagrams} diagrams, "
            f"{self.positions} positions visited."
        )


def verify(proof: Proof) -> list[Verdict]:
    """Check every claim; raise RejectedError, with the reason, where one is not proven."""
    return [verify_claim(claim, proof.diagrams) for claim in proof.claims]


def verify_claim(claim: Claim, diagrams: Sequence[bytes], roots: Sequence[int] | None = None) -> Verdict:
    """Check one claim, from its own first positions or from other ``roots``; raise RejectedError."""
    entries = entries_of(claim, roots)
    leaves: defaultdict[Leaf, list[int]] = defaultdict(list)
    for key, entry in entries.items():
        if isinstance(entry, Leaf):
            leaves[entry].append(key)
    positions = 0
    for leaf, keys in leaves.items():
        if leaf.diagram >= len(diagrams):
            raise RejectedError(f"A leaf names diagram {leaf.diagram}, which the file does not hold.")
        order = diagrams[leaf.diagram]
        ranks = ranks_of(mirror_order(order) if leaf.mirrored else order)
        words = np.zeros(check.WORKSPACE, np.int64)
        for key in keys:
            board = board_of(key)
            if not check.keeps(board.current, board.mask, int(claim.must_win), ranks, words):
                raise RejectedError(f"Diagram {leaf.diagram} fails in the position with the number {key}.")
        positions += int(words[check.VISITED])
    count = sum(map(len, leaves.values()))
    return Verdict(claim, len(entries) - count, count, len({leaf.diagram for leaf in leaves}), positions)
