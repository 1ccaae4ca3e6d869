"""All experiments by name."""

from __future__ import annotations

from bot.errors import UsageError
from bot.lab.experiments import halim, kang, regret, slips, streak, tommy
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
        slips.SLIPS,
        regret.REGRET,
    )
}


def find(name: str) -> Experiment:
    """The experiment called ``name``; raises UsageError, with the list of names, where there is none."""
    if name not in EXPERIMENTS:
        raise UsageError(f"There is no experiment {name!r}.", f"Choose one of: {', '.join(EXPERIMENTS)}.")
    return EXPERIMENTS[name]
