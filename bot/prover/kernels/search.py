"""Local search for a diagram that keeps its promise from a position."""

from __future__ import annotations

import numpy as np
from numpy import float64, int64, uint8
from numpy.typing import NDArray

from bot.kernels.bits import FULL, playable_cells, popcount, winning_cells
from bot.kernels.jit import kernel
from bot.kernels.vectors import pointer
from bot.proof.kernels.rules import first_ranked, without_danger
from bot.proof.kernels.walk import BOUND, CUT_MASS, DRAW_FAILS, LIMIT, MASS, STAMP, STAMPS, STATES, failure, holds
from bot.prover.kernels.oracle import good_cells

BITS = 49
ORACLE_FROM = 16
"""First ply at which the exact solver is asked for mistakes; it is slow before."""
WORSENING = 0.3
"""Twice the probability of accepting a step that doubles the probability of failure."""
REJECTED = 3.0
"""Result for a diagram that fails with a probability above the bound."""


@kernel()
def seed_random(seed: int) -> None:
    """Seed the random numbers of these kernels."""
    np.random.seed(seed)


@kernel(inline=True)
def next_walk(words: NDArray[int64], limit: int) -> None:
    """Start a walk of at most ``limit`` positions, with an empty memo."""
    words[STATES] = 0
    words[LIMIT] = limit
    words[STAMP] += 1
    if words[STAMP] >= STAMPS:
        words[8:] = 0
        words[STAMP] = 1


@kernel()
def failure_probability(
    ours: int,
    mask: int,
    bound: float,
    rank: NDArray[int64],
    limit: int,
    words: NDArray[int64],
    values: NDArray[float64],
) -> float:
    """Return the probability that the diagram fails against random replies.

    The result is REJECTED if the probability is above ``bound``, and 1 plus the probability of the failures found so
    far if the walk exceeds ``limit`` positions.
    """
    next_walk(words, limit)
    values[MASS] = 0.0
    values[BOUND] = bound
    probability: float = failure(ours, mask, 1.0, pointer(rank), pointer(words), pointer(values))
    if words[STATES] > limit:
        met: float = values[CUT_MASS]
        return 1.0 + met
    return REJECTED if values[MASS] > bound else probability


@kernel()
def first_holding(
    ours: int, mask: int, ranks: NDArray[int64], order: NDArray[int64], limit: int, words: NDArray[int64]
) -> int:
    """Return the first index of ``order`` whose diagram (a row of ``ranks``) keeps its promise, or -1."""
    for place in range(order.size):
        next_walk(words, limit)
        if holds(ours, mask, pointer(ranks[order[place]]), pointer(words)):
            return place
    return -1


@kernel()
def move_above(rank: NDArray[int64], bit: int, target: int, below: bool) -> None:
    """Move ``bit`` directly before ``target``, or with ``below`` move ``target`` directly behind ``bit``."""
    old, new = rank[bit], rank[target]
    if not below:  # bit goes up to the place of target; all between go down
        for other in range(BITS):
            if new <= rank[other] < old:
                rank[other] += 1
        rank[bit] = new
    else:  # target goes down to the place of bit; all between go up
        for other in range(BITS):
            if new < rank[other] <= old:
                rank[other] -= 1
        rank[target] = old


@kernel()
def search_diagram(
    ours: int,
    mask: int,
    rank: NDArray[int64],
    budget: int,
    limit: int,
    oracle_share: float,
    words: NDArray[int64],
    values: NDArray[float64],
    known: NDArray[int64],
    table: NDArray[int64],
    memory: NDArray[int64],
    flag: NDArray[uint8],
    best_rank: NDArray[int64],
    patience: int,
    spent_at: NDArray[int64],
) -> float:
    """Improve ``rank`` until it keeps its promise, and return the smallest probability of failure found.

    The search also ends after ``budget`` positions, or after ``patience`` trials in a row without an improvement.
    ``best_rank`` (shape (49,)) receives the best ranks, ``spent_at`` (shape (1,)) the positions visited.
    ``oracle_share`` is the share of trials that correct a move which the exact solver calls a mistake.
    """
    line_cells = np.zeros(22, int64)
    line_chosen = np.zeros(22, int64)
    line_good = np.zeros(22, int64)
    trial = rank.copy()
    spent = 0
    draw_fails = words[DRAW_FAILS]
    trial_words, trial_values = words.copy(), values.copy()
    current = failure_probability(ours, mask, 2.0, rank, limit, words, values)
    spent += words[STATES]
    best = current
    best_rank[:] = rank
    fruitless = 0
    while best > 0.0 and spent < budget and fruitless < patience:
        # A failing line: replies weighted by the square root of their probability of failure, or random if unknown.
        exact = current <= 1.0
        words[STATES] = 0
        words[LIMIT] = limit
        values[BOUND] = 2.0
        length = 0
        mine, after = ours, mask
        while True:
            danger = winning_cells(mine ^ after, after)
            playable = playable_cells(after)
            if winning_cells(mine, after) & playable:
                break
            forced = playable & danger
            if forced:
                cell = forced & -forced
            else:
                cells = without_danger(mine, after, danger)
                cell = first_ranked(cells, pointer(rank))
                if cells & (cells - 1):
                    line_cells[length] = cells
                    line_chosen[length] = cell
                    good = cells
                    if popcount(after) >= ORACLE_FROM:
                        good = good_cells(mine, after, draw_fails, known, table, memory, flag)
                    if good == 0:
                        break
                    line_good[length] = good
                    length += 1
            mine |= cell
            after |= cell
            replies = playable_cells(after)
            if replies & danger or replies == 0:
                break
            total = 0.0
            picked = 0
            while replies:
                reply = replies & -replies
                replies ^= reply
                if after | reply == FULL:
                    continue
                weight = 1.0
                if exact:
                    values[MASS] = 0.0
                    weight = np.sqrt(failure(mine, after | reply, 0.0, pointer(rank), pointer(words), pointer(values)))
                total += weight
                if weight > 0.0 and np.random.random() * total < weight:
                    picked = reply
            if picked == 0:
                break
            after |= picked
        spent += words[STATES] + length
        if length == 0:
            fruitless = patience
            break
        # Change one decision of this line.
        target = 0
        place = 0
        if not exact or np.random.random() < oracle_share:
            count = 0
            for at in range(length):
                if line_chosen[at] & line_good[at] == 0 and line_good[at] & line_cells[at]:
                    count += at + 1
                    if np.random.random() * count < at + 1:
                        place = at
                        target = 1
        if target == 0 and not exact:
            spent += 22
            continue  # a line without a mistake
        if target == 0:
            count = 0
            for at in range(length):
                options = line_good[at] & line_cells[at] & ~line_chosen[at]
                if options:
                    count += at + 1
                    if np.random.random() * count < at + 1:
                        place = at
                        target = 1
        if target == 0:
            place = length - 1
            options = line_cells[place] & ~line_chosen[place]
        else:
            options = line_good[place] & line_cells[place] & ~line_chosen[place]
        if options == 0:
            fruitless += 1
            continue
        index = np.random.randint(0, popcount(options))
        while index:
            options &= options - 1
            index -= 1
        bit = popcount((options & -options) - 1)
        chosen = popcount(line_chosen[place] - 1)
        trial[:] = rank
        move_above(trial, bit, chosen, np.random.random() < 0.5)
        mass = current if exact else current - 1.0
        bound = max(mass, mass * WORSENING / max(np.random.random(), 1e-9))
        new = failure_probability(ours, mask, bound, trial, limit, trial_words, trial_values)
        spent += trial_words[STATES]
        if new <= 1.0 or (new < REJECTED and not exact):
            rank[:] = trial
            current = new
            words, trial_words = trial_words, words
            values, trial_values = trial_values, values
        if new < best:
            best = new
            best_rank[:] = trial
            fruitless = 0
        else:
            fruitless += 1
    spent_at[0] = spent
    return best
