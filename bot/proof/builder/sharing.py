"""Make the file of a complete strategy smaller: few diagrams for all leaves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from bot.proof.builder.builder import Builder
from bot.proof.strategy import Leaf


def leaves_of(builder: Builder) -> dict[int, list[int]]:
    """Return the leaves in use by diagram."""
    leaves: defaultdict[int, list[int]] = defaultdict(list)
    for key, entry in builder.strategy.in_use():
        if isinstance(entry, Leaf):
            leaves[entry.diagram].append(key)
    return dict(leaves)


def share_diagrams(builder: Builder) -> Iterator[bool]:
    """Do without one diagram after the other, the least used first, where others hold in all of its leaves.

    Yield after each diagram whether it was replaced.
    """
    leaves = leaves_of(builder)
    for diagram in sorted(leaves, key=lambda diagram: len(leaves[diagram])):
        others = sorted(leaves.keys() - {diagram}, key=lambda other: -len(leaves[other]))
        rows = np.array([2 * other + mirrored for other in others for mirrored in (0, 1)], np.int64)
        found: dict[int, int] = {}
        for key in leaves[diagram]:
            row = builder.first_holding(key, rows)
            if row is None:
                break
            found[key] = row
        else:
            for key, row in found.items():
                builder.set_entry(key, Leaf(row // 2, bool(row % 2)))
                leaves[row // 2].append(key)
            del leaves[diagram]
        yield diagram not in leaves
