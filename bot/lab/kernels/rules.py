"""What a search plays by: one int64 array, filled by bot.lab.papers.rules, read by the kernels at these places."""

from __future__ import annotations

INFINITY = 1 << 40
"""The bound of every first window; a paper's infinite value is this very number."""
NO_VALUE = -(1 << 60)
"""Stands where a column was not searched."""

# Counters, one array per search.
LEAVES, NODES, PASSES, HITS, ABORT = range(5)
COUNTERS = 5

# Places in the rules.
EVALUATION = 0
"""Which leaf value: one of the three kinds below."""
WINDOWS, SCHEE, KANG_FEATURES = range(3)
PRUNE = 1
"""1: alpha-beta; 0: plain minimax."""
BLIND = 2
"""1: the minimiser's nodes do not look for a four (EDAP01 as published)."""
ORDER = 3
"""Seven columns in the order of search."""
WON, LOST, WON_PER_PLY, LOST_PER_PLY = range(10, 14)
"""Value of a finished game, and what is added to it for every ply of depth left."""
END_ADDS = 14
"""1: the leaf value is added to that of a finished game."""
DRAW_IS_LEAF = 15
"""1: a full board has its leaf value, 0: it has 0."""
OPTIONS = 16
"""First of the evaluation's own numbers."""
LENGTH = 40

# Options of WINDOWS.
OWN_WINDOWS = OPTIONS
"""Five weights: of the maximiser's open windows with 0, 1, 2, 3, 4 of his discs."""
OTHER_WINDOWS = OPTIONS + 5
"""The same for the minimiser's, subtracted."""
SQUARES = OPTIONS + 10
"""Four boards: the cells whose weight has bit 0, 1, 2, 3 set; a disc is worth its cell."""
OFFSET = OPTIONS + 14
USES_WINDOWS = OPTIONS + 15
"""0: only squares count, and the windows need not be looked at."""

# Options of SCHEE.
INTENDED = OPTIONS
"""1: without the published program's slips."""

# Options of KANG_FEATURES.
FEATURES = OPTIONS
"""Bit n - 1 switches feature n on."""
OPEN_THREE = OPTIONS + 1
"""Value of three in a row that can be completed at both ends."""
