"""Techniques of the solver's kernel that a measurement can leave out; the engine always uses all of them.

`bot.engine.kernels.solve` reads these constants when it is imported, and the compiler removes the branches that they
rule out. `bot.bench.ablation` imports that module a second time, under another name, with some of them changed.
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
HISTORY_ORDER = True
"""Moves are ordered by the history heuristic, else only from the centre outward."""
FIRST_CUTOFF_UNREWARDED = True
"""The history heuristic does not reward a cutoff by the first move."""
DOUBLE_THREATS = True
"""A move with two threats, or with a threat above every answer, wins without a search."""
LATE_WIN_BOUND = True
"""Where no move wins by a double threat, no win comes before the third move."""
ENHANCED_CUTOFF = True
"""Enhanced transposition cutoff: a child's table entry may settle the node before any move is searched."""
FORCED_MOVE_CHAIN = True
"""Forced moves are played within one node."""
OUTWARD_WINDOWS = True
"""Null windows step outward from the first result, else they halve the interval."""
VECTOR_DIRECTIONS = True
"""Threats in all four directions are computed in one vector register."""
