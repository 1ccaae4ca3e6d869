"""Several threads on one position: each solves it, with one transposition table for all, until the first has the score.

The table needs no locks: an entry is one word, which holds key and bounds, so none is ever half written, and each is
true whichever thread proved it. Each thread has a workspace of its own, and so its own history of moves. It leaves the
moves that another thread is searching for last, and what another has settled alone (`bot.engine.kernels.sharing`): so
the threads go different ways from the root on, and find in the table what others have proven.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Thread

from bot.engine.jit.addresses import address
from bot.engine.jit.arrays import Flag, Words
from bot.engine.kernels.solve import RESUME, Question, solve
from bot.engine.kernels.workspace import CLAIMS_BEFORE, INDEX_MASK, LOWER, NODES, UPPER, USED_MASK

_CLAIMS_BEFORE = 24
"""Ply before which threads claim moves: the searches behind later moves are too short to share."""


def solve_together(question: Question, table: Words, workspaces: Sequence[Words], flags: tuple[Flag, Flag]) -> None:
    """Continue a solution that the leader, the first of the ``workspaces``, began and left within its table.

    Writes bounds and the nodes of all threads into the leader's workspace. The second of the ``flags`` is set when a
    thread has ended.
    """
    leader, *helpers = workspaces
    table[leader.item(USED_MASK) + 1 :] = 0
    leader[USED_MASK] = leader[INDEX_MASK]
    leader[CLAIMS_BEFORE] = _CLAIMS_BEFORE
    nodes = leader.item(NODES)
    for helper in helpers:
        helper[:] = leader

    def work(workspace: Words) -> None:
        arrays = address(table), address(workspace), *map(address, flags)
        solve(*question, RESUME, *arrays)
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
    leader[LOWER] = max(each.item(LOWER) for each in workspaces)
    leader[UPPER] = min(each.item(UPPER) for each in workspaces)
    leader[NODES] += sum(helper.item(NODES) - nodes for helper in helpers)
