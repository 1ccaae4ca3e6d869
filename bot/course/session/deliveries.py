"""Learn how often a request whose reply was lost had been processed, by the kind of the failure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

CRASHED = {"crashed after sending": 0.85, "crashed before sending": 0.02}
"""Probability that the server processed a request whose reply a crash of this process prevented. The second is not 0
because a power cut can lose the record that a request was sent."""
PRIOR_CASES = 2.0
"""Weight of the guess that half of the requests whose replies are lost had been processed, in reconciled cases."""
LEAST_DELIVERED, MOST_DELIVERED = 0.05, 0.95
"""Bounds of the probability learnt from reconciled cases: the next failure may have another cause."""


@dataclass(frozen=True, slots=True)
class Deliveries:
    """How often the server had processed requests whose replies were lost, by kind of failure. Immutable."""

    cases: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Numbers of reconciled cases, by `Failed.kind`: those that had been processed, and all."""

    def probability(self, kind: str) -> float:
        """Return the probability that the server had processed a request before a failure of this kind."""
        if kind in CRASHED:
            return CRASHED[kind]
        return _share([self.cases.get(kind, (0, 0))])

    @property
    def usual(self) -> float:
        """The probability for a failure whose kind is not known yet."""
        return _share(self.cases.values())

    def with_case(self, kind: str, *, was_processed: bool) -> Deliveries:
        """Return the counts with one more case; a crash and a failure without a kind have their own probability."""
        if not kind or kind in CRASHED:
            return self
        processed, total = self.cases.get(kind, (0, 0))
        return Deliveries({**self.cases, kind: (processed + was_processed, total + 1)})


def _share(cases: Iterable[tuple[int, int]]) -> float:
    """Return the probability of having been processed, by the prior and these numbers of cases."""
    processed, total = PRIOR_CASES / 2, PRIOR_CASES
    for processed_cases, all_cases in cases:
        processed += processed_cases
        total += all_cases
    return min(MOST_DELIVERED, max(LEAST_DELIVERED, processed / total))
