"""Layout of the rules array: everything but the leaf values that distinguishes one program's search from another's.

The array has dtype int64. `bot.agents.program` fills it in this order, the kernels read it at these indices.
"""

from __future__ import annotations

INFINITY = 1 << 40
"""Half width of the root window; a paper's infinite value is this number."""
NO_VALUE = -(1 << 60)
"""Value of a column that was not searched."""

# Indices of a search's counters: shape (COUNTERS,), int64.
LEAVES, NODES, PASSES, ABORT, MOST_NODES, MOST_LEAVES = range(6)
COUNTERS = 6
"""The last two are no counters but the counts that end a search; 0 is no maximum."""

# Indices of the rules.
PRUNE = 0
"""1: alpha-beta; 0: plain minimax."""
MIRROR = 1
"""1: a position and its mirror image share an entry of the table."""
LEAVES_TOO = 2
"""1: leaves are looked up in the table before they are evaluated, and stored after, as inner nodes are."""
ORDER = 3
"""First of seven columns, in the order of search below the root."""
ROOT = 10
"""First of seven columns, in the order of search at the root, where the first of equal ones is played."""
WON, LOST, WON_PER_PLY, LOST_PER_PLY = range(17, 21)
"""Value of a game won or lost by the maximiser, and what each ply of remaining depth adds to it."""
END_ADDS = 21
"""1: a won or lost game's value is increased by its leaf value."""
DRAW_IS_LEAF = 22
"""1: a full board has its leaf value; 0: it counts 0."""
ONE_SIDED = 23
"""1: only the maximiser's nodes test for four in a row, of either side (bot/papers/edap01/notes.md)."""
OPTIONS = 24
"""First index of the evaluation's own options."""
