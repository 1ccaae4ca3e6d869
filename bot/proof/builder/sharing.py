"""Make the file of a complete strategy smaller: few diagrams for all leaves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from bot.proof.builder.builder import Builder
from bot.proof.format import FIRST_LEAF
from bot.proof.walk import walk


def share_diagrams(builder: Builder, roots: Sequence[int]) -> None:
    """Do without one diagram after the other, the least used first, where others hold in all of its leaves."""
    leaves: defaultdict[int, list[int]] = defaultdict(list)
    for key, entry in walk(roots, builder.entries.__getitem__):
        if entry >= FIRST_LEAF:
            leaves[(entry - FIRST_LEAF) // 2].append(key)
    for diagram in sorted(leaves, key=lambda diagram: len(leaves[diagram])):
        others = sorted(leaves.keys() - {diagram}, key=lambda other: -len(leaves[other]))
        rows = [2 * other + mirrored for other in others for mirrored in (0, 1)]
        found: dict[int, int] = {}
        for key in leaves[diagram]:
            row = builder.first_holding(key, rows)
            if row is None:
                break
            found[key] = row
        else:
            del leaves[diagram]
            for key, row in found.items():
                builder.entries[key] = FIRST_LEAF + row
                leaves[row // 2].append(key)
