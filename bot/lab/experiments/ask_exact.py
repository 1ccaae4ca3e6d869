"""The work of a task: ask its agents in its positions, and score all columns by the exact solver.

Apart from `bot.lab.experiments.ask`, so that other questions do not depend on the solver.
"""

from __future__ import annotations

from typing import Any

from bot.engine.agent import StopFlag
from bot.lab.exact import exact_scores
from bot.lab.experiments import ask
from bot.lab.experiments.play import Result


def perform(task: dict[str, Any], stop: StopFlag) -> list[Result]:
    """Ask the agents of a task, and say what their columns are worth."""
    return ask.perform(task, stop, exact_scores)
