"""Several threads on one position: they prove the same null windows with one transposition table.

The table needs no locks: an entry is one word, which holds key and bounds, so none is ever half written, and each is
true whichever thread proved it. Each thread has a workspace of its own, and so its own history of moves. It leaves the
moves that another thread is searching for last (`bot.engine.kernels.table`): so the threads go different ways from
the root on, and find in the table what others have proven. The first thread that closes a window ends the searches of
the others, and all go on to the next window.
"""

from __future__ import annotations

from threading import Lock, Thread

import numpy as np
from numpy import int64, uint8
from numpy.typing import NDArray

from bot.engine.kernels import solve as kernels
from bot.engine.kernels.addresses import address
from bot.engine.kernels.moves import MOVES

Words = NDArray[int64]
Flags = tuple[NDArray[uint8], NDArray[uint8]]

_NO_LIMIT = 1 << 62
_MODE = kernels.KEEP | kernels.RESUME
_CLAIMS_BEFORE = 24
"""Ply before which threads claim moves: the searches behind later moves are too short to share."""


class Team:
    """The helpers of one solver, and the bounds that all threads have proven together.

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
        self._lock = Lock()
        self._lower = self._upper = self._beta = 0
        self._is_stopped = False

    def solve(self, current: int, mask: int, window: tuple[int, int], guess: int, flags: Flags) -> None:
        """Continue a solution that the leader began and left within its table and workspace; see `kernels.solve`.

        Writes bounds and the nodes of all threads into the leader's workspace.
        """
        leader = self._workspaces[0]
        self._table[leader.item(kernels.USED_MASK) + 1 :] = 0
        leader[kernels.USED_MASK] = leader[kernels.INDEX_MASK]
        leader[kernels.CLAIMS_BEFORE] = _CLAIMS_BEFORE
        self._lower, self._upper = leader.item(kernels.LOWER), leader.item(kernels.UPPER)
        self._beta, self._is_stopped = guess + 1, False
        for helper in self._workspaces[1:]:
            helper[:MOVES] = leader[:MOVES]
            helper[kernels.NODES] = 0
        threads = [
            Thread(target=self._work, args=(helper, current, mask, window, flags), daemon=True)
            for helper in self._workspaces[1:]
        ]
        try:
            for thread in threads:
                thread.start()
            self._work(leader, current, mask, window, flags)
        finally:
            with self._lock:
                self._is_stopped = True
                self._interrupt(leader)
            leader[kernels.CLAIMS_BEFORE] = 0
            for thread in threads:
                if thread.ident is not None:
                    thread.join()
        leader[kernels.NODES] += sum(helper[kernels.NODES] for helper in self._workspaces[1:])
        leader[kernels.LOWER], leader[kernels.UPPER] = self._lower, self._upper

    def _work(self, workspace: Words, current: int, mask: int, window: tuple[int, int], flags: Flags) -> None:
        """Prove one null window after another, until the bounds have met within ``window`` or a flag is set."""
        arrays = address(self._table), address(workspace), *map(address, flags)
        while True:
            with self._lock:
                low, high = max(self._lower, window[0]), min(self._upper, window[1])
                if self._is_stopped or low >= high:
                    return
                beta = min(max(self._beta, low + 1), high)
                workspace[kernels.LOWER], workspace[kernels.UPPER] = self._lower, self._upper
                workspace[kernels.NODE_LIMIT] = _NO_LIMIT
            status, lower, upper, _ = kernels.solve(current, mask, beta - 1, beta - 1, beta, _MODE, *arrays)
            with self._lock:
                self._lower, self._upper = max(self._lower, lower), min(self._upper, upper)
                if status == kernels.CLOSED:
                    self._beta = beta + 1 if lower >= beta else beta - 1  # outward, as one thread does
                    self._interrupt(workspace)
                elif flags[0][0] or flags[1][0]:
                    return

    def _interrupt(self, winner: Words) -> None:
        """End the searches of all other threads; a thread that has not begun its search ends it at once."""
        for workspace in self._workspaces:
            if workspace is not winner:
                workspace[kernels.NODE_LIMIT] = -1
                workspace[kernels.CHECK_AT] = -1
