"""Error rates of the sequential test in simulated matches: ``python -m tests.lab.simulate_sprt --matches 20000``.

A second implementation of the statistic (`bot.lab.arena.pairs.Sprt`), compiled: Newton's method in place of halving an
interval, and the maximum of the likelihood in place of the shares. ``tests/lab/test_pairs.py`` compares the two.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from bot.lab.arena.pairs import EMPTY_COUNT, PAIR_SCORES, Sprt, expected_score

OPENINGS: dict[str, tuple[float, tuple[float, ...]]] = {
    "balanced openings, no draws": (0.0, (0.0,)),
    "balanced openings, half drawn": (0.5, (0.0,)),
    "openings of 250 Elo or none, a fifth drawn": (0.2, (-250.0, 0.0, 250.0)),
    "openings of 600 Elo, a fifth drawn": (0.2, (-600.0, 600.0)),
    "openings of 600 Elo, no draws": (0.0, (-600.0, 600.0)),
    "openings of 900 Elo, no draws": (0.0, (-900.0, 900.0)),
}
"""Kinds of matches: the share of draws, and by how much an opening favours the side that moves first."""
TESTS = ((0.0, 20.0), (-20.0, 20.0), (0.0, 50.0), (0.0, 100.0), (0.0, 200.0))
MOST_PAIRS = 1_000_000


def pair_shares(elo: float, draws: float, favours: Sequence[float]) -> NDArray[np.float64]:
    """Return the probabilities of a pair's five results for an agent that is stronger by ``elo`` in every game."""
    shares = np.zeros(5)
    for favour in favours:
        one, other = (
            (
                (1 - draws) * (1 - expected_score(elo + sign * favour)),
                draws,
                (1 - draws) * expected_score(elo + sign * favour),
            )
            for sign in (1, -1)
        )
        shares += np.convolve(one, other) / len(favours)
    return shares


def shares_with_score(elo: float, draws: float, favours: Sequence[float]) -> NDArray[np.float64]:
    """Return the probabilities under which the expected score is that of ``elo``: openings and draws flatten it."""
    low, high = -3000.0, 3000.0
    for _ in range(100):
        middle = (low + high) / 2
        is_less = pair_shares(middle, draws, favours) @ np.array(PAIR_SCORES) < expected_score(elo)
        low, high = (middle, high) if is_less else (low, middle)
    return pair_shares(low, draws, favours)


@numba.njit
def log_likelihood(counts: Any, mean: float) -> float:
    """Return the greatest log-likelihood of distributions with this mean, less that of the observed shares."""
    low, high = -1 / (1 - mean), 1 / mean
    multiplier = 0.0
    for _ in range(100):
        value = slope = 0.0
        for place in range(5):
            offset = 0.25 * place - mean
            weight = 1 + multiplier * offset
            value += counts[place] * offset / weight
            slope -= counts[place] * (offset / weight) ** 2
        if value > 0:
            low = multiplier
        else:
            high = multiplier
        step = multiplier - value / slope
        if not low < step < high:
            step = (low + high) / 2
        if abs(step - multiplier) < 1e-13:
            break
        multiplier = step
    total = 0.0
    for place in range(5):
        total -= counts[place] * math.log(1 + multiplier * (0.25 * place - mean))
    return total


@numba.njit
def _play(limits: Any, means: tuple[float, float], bounds: tuple[float, float], matches: int, seed: int) -> Any:
    """Return how many matches accepted elo0 and elo1, and the number of all pairs."""
    np.random.seed(seed)
    accepted = np.zeros(2, dtype=np.int64)
    pairs = 0
    for _ in range(matches):
        counts = np.full(5, EMPTY_COUNT)
        for _ in range(MOST_PAIRS):
            place = min(int(np.searchsorted(limits, np.random.random(), side="right")), 4)
            counts[place] = counts[place] + 1 if counts[place] >= 1 else 1.0
            pairs += 1
            ratio = log_likelihood(counts, means[1]) - log_likelihood(counts, means[0])
            if ratio >= bounds[1] or ratio <= bounds[0]:
                accepted[int(ratio > 0)] += 1
                break
    return accepted, pairs


def error_rate(test: Sprt, is_stronger: bool, kind: str, matches: int, seed: int = 1) -> tuple[float, float]:
    """Return the share of wrong decisions where ``elo1`` is true, or else ``elo0``, and the mean number of pairs."""
    draws, favours = OPENINGS[kind]
    elo = test.elo1 if is_stronger else test.elo0
    shares = shares_with_score(elo, draws, favours)
    means = expected_score(test.elo0), expected_score(test.elo1)
    accepted, pairs = _play(np.cumsum(shares), means, test.bounds, matches, seed)
    return accepted[0 if is_stronger else 1] / matches, pairs / matches


def main() -> None:
    """Print the table of bot/lab/arena/README.md."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=20_000)
    matches = parser.parse_args().matches
    print("| ELO0, ELO1 | games | ELO0 is true: errors, mean pairs | ELO1 is true: errors, mean pairs |")
    print("| --- | --- | --- | --- |")
    for elo0, elo1 in TESTS:
        for kind in OPENINGS:
            found = [error_rate(Sprt(elo0, elo1), is_stronger, kind, matches) for is_stronger in (False, True)]
            columns = " | ".join(f"{100 * rate:.1f} %, {pairs:.0f}" for rate, pairs in found)
            print(f"| {elo0:g}, {elo1:g} | {kind} | {columns} |", flush=True)


if __name__ == "__main__":
    main()
