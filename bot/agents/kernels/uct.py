"""UCT: Monte-Carlo tree search with upper confidence bounds.

L. Kocsis, C. Szepesvari: Bandit based Monte-Carlo planning. ECML 2006: UCT with UCB1; the move with the
most visits is played ("robust child": G. Chaslot et al.: Progressive strategies for Monte-Carlo tree search. New
Mathematics and Natural Computation 4, 2008).

A playout adds one node. Moves without a visit come first, in the move order; the others by their upper confidence
bound. From the new node on, both sides move at random. Random numbers: S. K. Park, K. W. Miller: Random number
generators: good ones are hard to find. Communications of the ACM 31 (1988), with the multiplier 48271.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from bot.agents.kernels.arrays import Counters
from bot.agents.kernels.rules import LEAVES, NODES
from bot.agents.kernels.search import landing
from bot.engine.jit.arrays import Flag, Words
from bot.engine.jit.bits import FULL, four, playable_cells, popcount
from bot.engine.jit.compiling import kernel

EXPLORATION = math.sqrt(2.0)
"""Weight of the confidence bound for rewards from 0 to 1 (UCB1)."""
MULTIPLIER, MODULUS = 48_271, 2**31 - 1


@kernel()
def random_playout(current: int, other: int, random: Words) -> float:
    """Return the reward of the side to move after random moves: 1 for a win, 0.5 for a draw, 0 for a loss."""
    reward = 0.0
    while True:
        playable = playable_cells(current | other)
        if playable == 0:
            return 0.5
        random[0] = random[0] * MULTIPLIER % MODULUS
        for _ in range(random[0] % popcount(playable)):
            playable &= playable - 1
        current, other = other, current | (playable & -playable)
        reward = 1.0 - reward
        if four(other):
            return reward


@kernel()
def best_child(node: int, order: Words, children: Words, visits: Words, total: NDArray[float64]) -> int:
    """Return the column with the highest upper confidence bound among the children of a fully expanded node."""
    chosen, highest = -1, -1.0
    logarithm = math.log(visits[node])
    for column in order:
        child = children[node, column]
        if child > 0:
            bound = total[child] / visits[child] + EXPLORATION * math.sqrt(logarithm / visits[child])
            if bound > highest:
                chosen, highest = column, bound
    return chosen


@kernel()
def uct(
    current: int,
    other: int,
    playouts: int,
    order: Words,
    counters: Counters,
    children: Words,
    visits: Words,
    total: NDArray[float64],
    random: Words,
    stop: Flag,
    deadline: Flag,
) -> None:
    """Perform ``playouts`` playouts, or fewer after ``stop`` or ``deadline``; node 0 is the root.

    ``order`` holds the seven columns in the order of first visits.

    ``children`` (playouts + 1, 7), ``visits`` and ``total`` (playouts + 1) are zero at first. ``total`` is the reward
    of the side that moved into the node. ``random`` holds one number from 1 to MODULUS - 1. LEAVES counts playouts,
    NODES the nodes that they pass in the tree.
    """
    path = [0] * 43
    nodes = 1
    for _ in range(playouts):
        if stop[0] != 0 or deadline[0] != 0:
            return
        mine, theirs, node, length = current, other, 0, 1
        path[0] = 0
        reward = -1.0  # of the side that moved into the last node; below 0 while it is not known
        while reward < 0.0:
            column = -1
            for candidate in order:
                if children[node, candidate] == 0 and landing(mine | theirs, candidate) != 0:
                    column = candidate
                    break
            is_new = column >= 0
            if is_new:
                children[node, column] = nodes
                nodes += 1
            else:
                column = best_child(node, order, children, visits, total)
            mine, theirs = theirs, mine | landing(mine | theirs, column)
            node = children[node, column]
            path[length] = node
            length += 1
            if four(theirs):
                reward = 1.0
            elif mine | theirs == FULL:
                reward = 0.5
            elif is_new:
                reward = 1.0 - random_playout(mine, theirs, random)
        counters[LEAVES] += 1
        counters[NODES] += length
        for step in range(length - 1, -1, -1):
            visits[path[step]] += 1
            total[path[step]] += reward
            reward = 1.0 - reward
