"""Techniques of the solver's kernel that a measurement can leave out; the engine always uses all of them.

The modules `keys`, `table` and `solve` read these constants when they are imported, and the compiler removes the
branches that they rule out. `bot.trials.bench.ablation` imports these modules again with some of the constants changed.
"""

from __future__ import annotations

LIVING_DISCS_KEY = True
"""Positions that differ only in dead discs share a table entry."""
FOLLOW_UP_BOUND = True
"""The second player's follow-up is an upper bound of the first player's score."""
ODD_THREAT_BOUND = True
"""The first player's odd threat is a lower bound of the first player's score."""
THREAT_ORDER = True
"""Moves that make threats are searched first."""
USELESS_THREATS_EXCLUDED = True
"""A threat directly above a winning cell of the opponent does not count in the move order."""
NEXT_THREATS_FIRST = True
"""A threat directly above a playable cell, which can be filled next turn, counts half as much again."""
HISTORY_ORDER = True
"""Moves are ordered by the history heuristic, else only from the centre outward."""
FIRST_CUTOFF_UNREWARDED = True
"""The history heuristic does not reward a cutoff by the first move."""
LAST_ATTACK = True
"""Where only two threats at once could still win in time, a position is settled without a node of its own."""
ENHANCED_CUTOFF = True
"""Enhanced transposition cutoff: a child's table entry may settle the node before any move is searched."""
REFUTED_SKIPPED = True
"""A move that its child's table entry refutes is not searched."""
SINGLE_MOVE_FORCED = True
"""A move is also forced where every other one loses at once."""
MIRROR_KEYS = True
"""In the first plies, a position and its mirror image share a table entry."""
BUCKETS = True
"""Two table entries share a bucket, and the one with more work behind it is kept."""
PREFETCH = True
"""The table entries of all children are fetched into the cache before the first is read."""
OUTWARD_WINDOWS = True
"""Null windows step outward from the first result, else they halve the interval."""
VECTOR_DIRECTIONS = True
"""Threats in all four directions are computed in one vector register."""
