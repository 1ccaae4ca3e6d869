"""Layout of the rules array: everything that distinguishes one paper's search from another's.

The array has shape (LENGTH,) and dtype int64. `bot.agents.papers.rules` fills it, the kernels read it at these indices.
"""

from __future__ import annotations

INFINITY = 1 << 40
"""Half width of the root window; a paper's infinite value is this number."""
NO_VALUE = -(1 << 60)
"""Value of a column that was not searched."""

# Indices of a search's counters: shape (COUNTERS,), int64.
LEAVES, NODES, PASSES, HITS, ABORT, MOST_NODES, MOST_LEAVES = range(7)
COUNTERS = 7
"""The last two are no counters but the counts that end a search; 0 is no maximum."""

# Indices of the rules.
EVALUATION = 0
"""Kind of the leaf value: one of the three below."""
WINDOWS, SCHEE, KANG_FEATURES = range(3)
PRUNE = 1
"""1: alpha-beta; 0: plain minimax."""
BLIND = 2
"""1: the minimiser's nodes do not test for four in a row (EDAP01 as published)."""
ORDER = 3
"""First of seven columns, in the order of search."""
WON, LOST, WON_PER_PLY, LOST_PER_PLY = range(10, 14)
"""Value of a game won or lost by the maximiser, and what each ply of remaining depth adds to it."""
END_ADDS = 14
"""1: a won or lost game's value is increased by its leaf value."""
DRAW_IS_LEAF = 15
"""1: a full board has its leaf value; 0: it counts 0."""
OPTIONS = 16
"""First index of the evaluation's own options."""
LENGTH = 40

# Options of WINDOWS.
OWN_WINDOWS = OPTIONS
"""First of five weights: the maximiser's open windows with 0, 1, 2, 3, 4 own discs."""
OTHER_WINDOWS = OPTIONS + 5
"""The same for the minimiser's open windows, subtracted."""
SQUARES = OPTIONS + 10
"""First of four bitboards: the cells whose weight has bit 0, 1, 2, 3 set; a disc counts its cell's weight."""
OFFSET = OPTIONS + 14
"""Constant added to every leaf value."""
USES_WINDOWS = OPTIONS + 15
"""0: all window weights are 0, so the windows are not counted."""
COVERED = OPTIONS + 16
"""Least own discs of an open window whose discs are counted once each (0: none), and the weights of own and other."""
VIEW = OPTIONS + 19
"""Whose value a leaf has: 0 the maximiser's, 1 that of the side to move there, 2 that of the side that moved last."""

# Options of SCHEE.
INTENDED = OPTIONS
"""1: without the published program's defects."""

# Options of KANG_FEATURES.
FEATURES = OPTIONS
"""Bit n - 1 is set when feature n is on."""
OPEN_THREE = OPTIONS + 1
"""Value of three in a row that can be completed at both ends."""
