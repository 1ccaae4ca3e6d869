"""The layout of a search's workspace, an int64 array that belongs to one thread.

First come single words, then history counters, cells that settle nodes, and the moves of up to 42 plies.
"""

from __future__ import annotations

from bot.engine.jit.bits import BITS

NODES, NODE_LIMIT, INDEX_MASK, LOWER, UPPER, USED_MASK, CHECK_AT, SEARCH_AT = range(8)
"""First words of the workspace: nodes visited, most nodes, length of the table less one, the proven bounds, the part of
the table in use less one, the number of nodes at which that part grows or the search ends, and the address of
``search``."""
HISTORY = 8
"""First word of the history counters."""
HISTORIES = 22
"""Groups of plies with counters of their own, ``BITS`` for each: that of ply 41 is the last (`moves.first_count`).
Neighbouring plies of the same side share theirs: more sets gain nothing, and one for each side costs up to 24 % more
nodes (commit e9e60e5)."""
SETTLING = HISTORY + HISTORIES * BITS
"""First of 42 words: for each ply, the cells that lately settled a node while its moves were listed."""
MOVES = SETTLING + 42
"""First word of the move lists, ``LIST_WORDS`` for each ply."""
RATING, CELL, CURRENT, MASK, THREATS, KEY, PLY, SIGN = range(8)
"""Words of a move: 64 times its rating less its cell's number, so that no two are equal, and before it is rated the
useful winning cells of its side; its cell (one bit); then the quiet position that follows it: discs of the side to
move, all discs, winning cells of the other side, key, ply, and 1 where the same side is to move as before, else -1."""
MOVE_WORDS = 8
LIST_WORDS = 7 * MOVE_WORDS
WORKSPACE_WORDS = MOVES + 42 * LIST_WORDS
