"""A claim of a source, the comparisons that decide it, and its verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from bot.lab.experiments.base import Results
from bot.lab.experiments.inference import LEVEL, Estimate, holm
from bot.lab.experiments.ledger.printed import Printed

Verdict = Literal["supported", "refuted", "undecided", "not testable"]
VERDICTS: tuple[Verdict, ...] = ("supported", "refuted", "undecided", "not testable")


@dataclass(frozen=True)
class Data:
    """What claims are judged by: the results of the experiments that were run, and the sources' own tables."""

    results: dict[str, Results]
    printed: Printed = field(default_factory=Printed)


@dataclass(frozen=True)
class Exact:
    """A comparison without chance: counts, moves, printed numbers."""

    label: str
    shown: str
    """The numbers compared."""
    holds: bool


@dataclass(frozen=True)
class Sampled:
    """A comparison of an estimate with what the claim says of it."""

    label: str
    estimate: Estimate
    above: float | None = None
    """The claim says that the true number is above this."""
    below: float | None = None
    """The claim says that the true number is below this. Above and below together: it is between the two."""
    unit: str = "different games"
    """What the sample counts."""
    digits: int = 2

    @property
    def on_claimed_side(self) -> bool:
        """Whether the estimate is where the claim says."""
        value = self.estimate.value
        return (self.above is None or value > self.above) and (self.below is None or value < self.below)

    @property
    def p_value(self) -> float:
        """Two-sided p-value at the boundary that is nearest to the estimate."""
        bounds = [bound for bound in (self.above, self.below) if bound is not None]
        return self.estimate.p_value(min(bounds, key=lambda bound: abs(bound - self.estimate.value)))


@dataclass(frozen=True)
class Readings:
    """A statement on a program that the paper does not define: how many of its readings agree.

    It holds if all do. Readings that disagree refute nothing, because the paper's program may be another one.
    """

    label: str
    agreeing: int
    readings: int


Part = Exact | Sampled | Readings


@dataclass(frozen=True)
class Claim:
    """A statement of a source, in this project's own words."""

    key: str
    source: str
    section: str
    says: str
    test: str
    """The test that decides it."""
    parts: Callable[[Data], list[Part]] | None = None
    """Returns the comparisons; the claim holds if all do. None: it cannot be tested."""
    needs: tuple[str, ...] = ()
    """Experiments whose results the test uses."""
    published: str = "-"
    """What the source prints as a result."""
    goal: str = "-"
    """What somebody wants to reach; not a published result."""


Finding = Literal["holds", "fails", "open"]


@dataclass(frozen=True)
class Judged:
    """A claim with its comparisons, what was found for each of them, and the verdict."""

    claim: Claim
    verdict: Verdict
    parts: tuple[tuple[Part, Finding, float | None], ...] = ()
    """Each comparison, its finding, and the adjusted p-value of a sampled one."""
    missing: tuple[str, ...] = ()
    """Experiments that were not run."""


def judge(claims: Sequence[Claim], data: Data) -> list[Judged]:
    """Return the verdict on every claim; the p-values of all sampled comparisons are adjusted together by Holm."""
    compared: list[tuple[Claim, list[Part], tuple[str, ...]]] = []
    for claim in claims:
        missing = tuple(name for name in claim.needs if not data.results.get(name))
        compared.append((claim, claim.parts(data) if claim.parts and not missing else [], missing))
    sampled = [part for _, parts, _ in compared for part in parts if isinstance(part, Sampled)]
    adjusted = iter(holm([part.p_value for part in sampled]))
    judged = []
    for claim, parts, missing in compared:
        found = []
        for part in parts:
            p_value = next(adjusted) if isinstance(part, Sampled) else None
            found.append((part, finding(part, p_value), p_value))
        judged.append(Judged(claim, _verdict(claim, [each for _, each, _ in found]), tuple(found), missing))
    return judged


def finding(part: Part, adjusted: float | None) -> Finding:
    """Return what one comparison shows."""
    if isinstance(part, Exact):
        return "holds" if part.holds else "fails"
    if isinstance(part, Readings):
        return "holds" if 0 < part.agreeing == part.readings else "open"
    if adjusted is None or adjusted >= LEVEL:
        return "open"
    return "holds" if part.on_claimed_side else "fails"


def _verdict(claim: Claim, findings: list[Finding]) -> Verdict:
    """Return "refuted" if any comparison fails, "supported" if all hold, "undecided" otherwise and without results."""
    if claim.parts is None:
        return "not testable"
    if "fails" in findings:
        return "refuted"
    return "supported" if findings and all(each == "holds" for each in findings) else "undecided"
