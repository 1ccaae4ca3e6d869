"""What a statement of a source comes to: one number, a verdict, and one sentence for people.

The interval decides. A statement says on which side of a bound a number lies:

| verdict | the 95 % interval lies |
|---|---|
| supported | on the stated side |
| refuted | on the other side |
| undecided | on both |

Where the source leaves its program open, its readings are judged together (`readings_above`):

| verdict | readings |
|---|---|
| supported | their mean lies on the stated side, and nothing shows that some lie on the other |
| not reproduced | none lies on the stated side, or their mean lies on the other and nothing shows that some do not |
| depends on the reading | some lie on one side and some on the other, beyond chance |
| undecided | anything else |
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from bot.lab.arena.statistics import Estimate, wilson
from bot.lab.replication.statistics import LEVEL, exact

Verdict = Literal["supported", "refuted", "undecided", "not reproduced", "depends on the reading", "not testable"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


@dataclass(frozen=True)
class Finding:
    """The result of a statement."""

    verdict: Verdict
    sentence: str
    """What was found, with numbers in the source's own unit."""
    estimate: Estimate | None = None
    """The number that decides; of readings, their mean. None: nothing can be tested."""
    unit: str = ""
    """Unit of the estimate, such as "share of games"."""
    stated: str = ""
    """What the statement says of the estimate, such as "above 0.5"."""


def above(estimate: Estimate, bound: float, unit: str, sentence: str) -> Finding:
    """Return the finding on a statement that a number lies above ``bound``."""
    return Finding(_side(estimate, bound, 1), sentence, estimate, unit, f"above {bound:g}")


def below(estimate: Estimate, bound: float, unit: str, sentence: str) -> Finding:
    """Return the finding on a statement that a number lies below ``bound``."""
    return Finding(_side(estimate, bound, -1), sentence, estimate, unit, f"below {bound:g}")


def certain(value: float, stated: float, unit: str, sentence: str, *, margin: float = 0.0) -> Finding:
    """Return the finding on a statement that names a number without chance, printed to within ``margin``."""
    verdict: Verdict = "supported" if abs(value - stated) <= margin + 1e-9 else "refuted"
    return Finding(verdict, sentence, exact(value), unit, f"equal to {stated:.10g}")


def not_testable(reason: str) -> Finding:
    """Return the finding on a statement that nothing here decides."""
    return Finding("not testable", reason)


def _side(estimate: Estimate, bound: float, sign: int) -> Verdict:
    """Return the verdict on a number that is stated to lie above (``sign`` 1) or below (-1) ``bound``."""
    least, most = sorted((sign * (estimate.low - bound), sign * (estimate.high - bound)))
    if least > 0:
        return "supported"
    if most < 0 or estimate.is_exact:
        return "refuted"
    return "undecided"


def readings_above(estimates: Sequence[Estimate], bound: float, unit: str, sentence: str, *, exist: int) -> Finding:
    """Return the finding on a statement that a number lies above ``bound``, from its estimates in all readings played.

    ``exist``: the number of readings that there are. ``sentence`` goes on with their range, sides and mean.
    """
    return _together(estimates, bound, 1, unit, sentence, exist)


def readings_below(estimates: Sequence[Estimate], bound: float, unit: str, sentence: str, *, exist: int) -> Finding:
    """Return the finding on a statement that a number lies below ``bound``; see `readings_above`."""
    return _together(estimates, bound, -1, unit, sentence, exist)


def _together(estimates: Sequence[Estimate], bound: float, sign: int, unit: str, sentence: str, exist: int) -> Finding:
    pooled = pool(estimates)
    values = np.array([estimate.value for estimate in estimates])
    holding = int((sign * (values - bound) > 0).sum())
    stated = f"{'above' if sign > 0 else 'below'} {bound:g}"
    played, least, most = len(values), plain(values.min()), plain(values.max())
    summary = (
        f"{sentence} Over the readings that were played ({played:,} of {exist:,}) the {unit} ranges from {least} to"
        f" {most}; in {holding:,} it is {stated}, in {played - holding:,} not."
    )
    verdict = _verdict_on_readings(estimates, bound, sign, _side(pooled, bound, sign), holding)
    return Finding(verdict, summary, pooled, f"{unit}, mean of readings", stated)


def _verdict_on_readings(
    estimates: Sequence[Estimate], bound: float, sign: int, mean: Verdict, holding: int
) -> Verdict:
    """Return the verdict from that on their mean and from how many lie on the stated side."""
    if crosses(estimates, bound, sign):
        return "depends on the reading"
    if holding == 0 or mean == "refuted":
        return "not reproduced"
    return mean


def pool(estimates: Sequence[Estimate]) -> Estimate:
    """Return the mean over readings, whose samples are independent, with its 95 % interval.

    That of shares is Wilson's, like that of one share; that of other numbers Student's with the degrees of freedom of
    B. Welch (1947): readings of few games have uncertain errors.
    """
    from scipy import special

    value = float(np.mean([estimate.value for estimate in estimates]))
    size, sample = sum(estimate.size for estimate in estimates), estimates[0].sample
    if size == 0:
        return exact(value)
    variances = np.array([estimate.error**2 for estimate in estimates]) / len(estimates) ** 2
    variance = float(variances.sum())
    if all(estimate.is_share for estimate in estimates):
        effective = value * (1 - value) / variance if variance > 0 else size
        interval = wilson(value * effective, effective)
        return Estimate(value, *interval, size, sample, math.sqrt(variance), is_share=True)
    half = math.sqrt(variance)
    if 0 < variance < math.inf:
        others = np.array([max(1, estimate.size - 1) for estimate in estimates])
        half *= float(special.stdtrit(variance**2 / (variances**2 / others).sum(), 1 - LEVEL / 2))
    return Estimate(value, value - half, value + half, size, sample, math.sqrt(variance))


def crosses(estimates: Sequence[Estimate], bound: float, sign: int = 1) -> bool:
    """Return whether some true numbers lie on the stated side of ``bound`` and some do not, beyond chance.

    The test of M. Gail and R. Simon (Testing for qualitative interactions, Biometrics 41, 1985): the smaller of both
    sides' sums of squared standard scores, whose distribution is a mixture of chi-squared ones.
    """
    from scipy import stats

    distances = sign * np.array([estimate.value - bound for estimate in estimates])
    if all(estimate.is_exact for estimate in estimates):
        return bool((distances > 0).any() and (distances <= 0).any())
    scores = np.array([_squared_score(estimate, bound) for estimate in estimates])
    smaller = min(scores[distances > 0].sum(), scores[distances < 0].sum())
    others = np.arange(1, len(scores))
    chance = stats.binom.pmf(others, len(scores) - 1, 0.5) @ stats.chi2.sf(smaller, others)
    return bool(smaller > 0 and chance < LEVEL)


def _squared_score(estimate: Estimate, bound: float) -> float:
    """Return the squared distance from ``bound`` in standard errors: in those of a true number that is ``bound``.

    The errors found would not do: a few games that happen to be equal have none.
    """
    distance = (estimate.value - bound) ** 2
    if distance == 0 or estimate.is_exact:
        return math.inf if distance else 0.0
    found, moved = estimate.error**2 * max(1, estimate.size - 1), distance
    if estimate.is_share:
        moved = max(moved, bound * (1 - bound) - estimate.value * (1 - estimate.value))
    return distance * estimate.size / (found + moved)


def shown(estimate: Estimate) -> str:
    """Return a number with its interval and its sample, such as "0.55 (0.52 to 0.57; 568 openings)"."""
    if estimate.is_exact:
        return f"{plain(estimate.value)}, without chance"
    interval = f"{plain(estimate.low)} to {plain(estimate.high)}"
    return f"{plain(estimate.value)} ({interval}; {estimate.size:,} {estimate.sample})"


def plain(value: float) -> str:
    """Return a number for people: three digits, or all before the point, and no negative zero."""
    text = f"{value:,.0f}" if abs(value) >= 999.5 else f"{value:.3g}"
    return "0" if text == "-0" else text
