"""Error rates of the sequential test in simulated matches: ``python -m tests.lab.simulate_sprt 20000``.

A second implementation of the statistic (`bot.lab.arena.pairs.Sprt`) for many matches at once: the greatest likelihood
in place of the likeliest shares. ``tests/lab/test_statistics.py`` compares the two.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
import scipy  # loads its parts when they are used
from numpy.typing import NDArray

from bot.lab.arena.pairs import EMPTY_COUNT, PAIR_SCORES, Sprt, expected_score

Array = NDArray[np.float64]
OPENINGS: dict[str, tuple[float, tuple[float, ...]]] = {
    "balanced openings, no draws": (0.0, (0.0,)),
    "balanced openings, half drawn": (0.5, (0.0,)),
    "openings of 250 Elo or none, a fifth drawn": (0.2, (-250.0, 0.0, 250.0)),
    "openings of 600 Elo, a fifth drawn": (0.2, (-600.0, 600.0)),
    "openings of 600 Elo, no draws": (0.0, (-600.0, 600.0)),
    "openings of 900 Elo, no draws": (0.0, (-900.0, 900.0)),
}
"""Kinds of matches: the share of draws, and by how much an opening favours the side that moves first."""
TESTS = ((0.0, 20.0), (-20.0, 20.0), (0.0, 50.0), (0.0, 100.0))


def pair_shares(elo: float, draws: float, favours: Sequence[float]) -> Array:
    """Return the probabilities of a pair's five results for an agent that is stronger by ``elo`` in every game."""
    shares = np.zeros(5)
    for favour in favours:
        wins = [(1 - draws) * expected_score(elo + side * favour) for side in (1, -1)]
        one, other = ([1 - draws - win, draws, win] for win in wins)
        shares += np.convolve(one, other) / len(favours)
    return shares


def shares_with_score(elo: float, draws: float, favours: Sequence[float]) -> Array:
    """Return the probabilities under which the expected score is that of ``elo``: openings and draws flatten it."""
    wanted = expected_score(elo)
    found = scipy.optimize.brentq(
        lambda strength: pair_shares(strength, draws, favours) @ PAIR_SCORES - wanted, -3000, 3000
    )
    return pair_shares(found, draws, favours)


def log_likelihood(counts: Array, elo: float) -> Array:
    """Return, for each row of counts, the greatest log-likelihood of shares with the score of ``elo``.

    It is that of the observed shares less the greatest value of a concave function, where the slope is 0.
    """
    offsets = np.array(PAIR_SCORES) - expected_score(elo)
    low, high = (np.full((len(counts), 1), -1 / offset) for offset in (offsets[-1], offsets[0]))
    for _ in range(50):
        middle = (low + high) / 2
        slope = (counts * offsets / (1 + middle * offsets)).sum(axis=1, keepdims=True)
        low, high = np.where(slope > 0, middle, low), np.where(slope > 0, high, middle)
    return -np.asarray((counts * np.log1p(low * offsets)).sum(axis=1))


def error_rate(test: Sprt, is_stronger: bool, kind: str, matches: int, seed: int = 1) -> tuple[float, float]:
    """Return the share of wrong decisions where ``elo1`` is true, or else ``elo0``, and the mean number of pairs."""
    shares = shares_with_score(test.elo1 if is_stronger else test.elo0, *OPENINGS[kind])
    random, open_matches = np.random.default_rng(seed), np.zeros((matches, 5))
    wrong = pairs = 0
    while len(open_matches):
        pairs += len(open_matches)
        open_matches += random.multinomial(1, shares, len(open_matches))
        counts = np.maximum(open_matches, EMPTY_COUNT)
        ratio = log_likelihood(counts, test.elo1) - log_likelihood(counts, test.elo0)
        low, high = test.bounds
        wrong += int((ratio <= low if is_stronger else ratio >= high).sum())
        open_matches = open_matches[(low < ratio) & (ratio < high)]
    return wrong / matches, pairs / matches


def main() -> None:
    """Print the table of bot/lab/arena/README.md."""
    matches = int(sys.argv[1])
    print("| ELO0, ELO1 | games | ELO0 is true: errors, mean pairs | ELO1 is true: errors, mean pairs |")
    print("| --- | --- | --- | --- |")
    for elo0, elo1 in TESTS:
        for kind in OPENINGS:
            found = [error_rate(Sprt(elo0, elo1), is_stronger, kind, matches) for is_stronger in (False, True)]
            columns = " | ".join(f"{100 * rate:.1f} %, {pairs:.0f}" for rate, pairs in found)
            print(f"| {elo0:g}, {elo1:g} | {kind} | {columns} |", flush=True)


if __name__ == "__main__":
    main()
