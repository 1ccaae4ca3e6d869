"""The list of experiments, by name."""

from __future__ import annotations

from bot.errors import UsageError
from bot.lab.experiments import (
    algorithms,
    defects,
    halim,
    kang,
    kang_figures,
    openings,
    regret,
    streak,
    tommy,
    tommy_openings,
)
from bot.lab.experiments.base import Experiment
from bot.lab.experiments.readings import halim as halim_readings
from bot.lab.experiments.readings import kang as kang_readings

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (
        tommy.TABLE_1,
        tommy_openings.OPENINGS,
        tommy_openings.ORDERING,
        defects.DEFECTS,
        halim.TABLE_1,
        halim_readings.EXPERIMENT,
        kang.TABLE_6,
        kang.TABLE_7,
        kang.TABLE_8,
        kang.TABLE_9,
        kang.DEPTH,
        kang_figures.EXPERIMENT,
        kang_readings.EXPERIMENT,
        openings.EXPERIMENT,
        streak.STREAK,
        regret.REGRET,
        algorithms.COMPARISON,
    )
}

FORMER_NAMES = {"vds-slips": "vds-defects"}
"""Names of the first edition, still accepted."""


def find(name: str) -> Experiment:
    """Return the experiment called ``name``; raise UsageError, with the list of names, if there is none."""
    name = FORMER_NAMES.get(name, name)
    if name not in EXPERIMENTS:
        raise UsageError(f"There is no experiment {name!r}.", f"Choose one of: {', '.join(EXPERIMENTS)}.")
    return EXPERIMENTS[name]


READINGS = {"halim": halim_readings.EXPERIMENT, "kang": kang_readings.EXPERIMENT}
"""The experiments that enumerate the readings of a paper, by the paper."""


def find_readings(paper: str) -> Experiment:
    """Return the readings of ``paper``; raise UsageError, with the list of papers, if there are none."""
    if paper not in READINGS:
        raise UsageError(f"There are no readings of {paper!r}.", f"Choose one of: {', '.join(READINGS)}.")
    return READINGS[paper]
