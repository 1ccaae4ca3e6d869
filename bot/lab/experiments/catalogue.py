"""The list of experiments, by name."""

from __future__ import annotations

from bot.errors import UsageError
from bot.lab.experiments import algorithms, defects, halim, kang, regret, streak, tommy
from bot.lab.experiments.base import Experiment

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (
        tommy.TABLE_1,
        halim.TABLE_1,
        kang.TABLE_6,
        kang.TABLE_7,
        kang.TABLE_8,
        kang.TABLE_9,
        kang.FIGURES,
        streak.STREAK,
        defects.DEFECTS,
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
