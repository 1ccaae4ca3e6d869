"""Several threads on one position: each solves it, with one transposition table for all, until the first has the score.

The table needs no locks: an entry is one word, which holds key and bounds, so none is ever half written, and each is
true whichever thread proved it. Each thread has a workspace of its own, and so its own history of moves. It leaves the
moves that another thread is searching for last, and what another has settled alone (`bot.engine.kernels.sharing`): so
the threads go different ways from the root on, and find in the table what others have proven.
"""

from __future__ import annotations

from threading import Thread

import numpy as np

from bot.engine.jit.addresses import address
from bot.engine.jit.arrays import Flag, Words
from bot.engine.kernels import solve as kernels
from bot.engine.kernels.workspace import CLAIMS_BEFORE, INDEX_MASK, LOWER, NODES, UPPER, USED_MASK

_CLAIMS_BEFORE = 24
"""Ply before which threads claim moves: the searches behind later moves are too short to share."""


class Team:
    """The helpers of one solver.

    Parameters
    ----------
    table, leader
        The solver's table and workspace.
    helpers
        Number of further threads.
    """

    def __init__(self, table: Words, leader: Words, helpers: int) -> None:
        self._table = table
        self._workspaces = [leader, *(np.zeros_like(leader) for _ in range(helpers))]

    def solve(self, question: kernels.Question, flags: tuple[Flag, Flag]) -> None:
        """Continue a solution that the leader began and left within its table and workspace.

        Writes bounds and the nodes of all threads into the leader's workspace. The second of the ``flags`` is set when
        a thread has ended.
        """
        leader, *helpers = self._workspaces
        self._table[leader.item(USED_MASK) + 1 :] = 0
        leader[USED_MASK] = leader[INDEX_MASK]
        leader[CLAIMS_BEFORE] = _CLAIMS_BEFORE
        nodes = leader.item(NODES)
        for helper in helpers:
            helper[:] = leader

        def work(workspace: Words) -> None:
            arrays = address(self._table), address(workspace), *map(address, flags)
            kernels.solve(*question, kernels.RESUME, *arrays)
            flags[1][0] = 1  # ends the others

        threads = [Thread(target=work, args=(helper,), daemon=True) for helper in helpers]
        try:
            for thread in threads:
                thread.start()
            work(leader)
        finally:
            flags[1][0] = 1
            leader[CLAIMS_BEFORE] = 0
            for thread in threads:
                if thread.ident is not None:
                    thread.join()
        leader[LOWER] = max(each.item(LOWER) for each in self._workspaces)
        leader[UPPER] = min(each.item(UPPER) for each in self._workspaces)
        leader[NODES] += sum(helper.item(NODES) - nodes for helper in helpers)
