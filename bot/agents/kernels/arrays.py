"""The arrays of this room's kernels; importing them compiles nothing."""

from __future__ import annotations

from bot.engine.jit.arrays import Words

Rules = Words
"""Numbers of an evaluation and of a search; `bot.agents.kernels.rules` names them."""
Counters = Words
"""What a search has visited and what it may visit; `bot.agents.kernels.rules` names them."""
Table = Words
"""A transposition table, see `bot.agents.kernels.table`."""
