"""Predict a soak by simulation: as many games against the same bot, at the soak's rates of faults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.trials.faults.plan import FaultSpec
from bot.trials.simulation.campaign import SeriesTask, play_task, seed_of
from bot.trials.simulation.faults import VIRTUAL
from bot.trials.simulation.opponents.roster import is_foreign
from bot.trials.simulation.report import figures

if TYPE_CHECKING:
    from bot.trials.simulation.soak_judge import OpponentReport

SERIES = 5
"""Number of simulated series, each as long as the soak; fewer if they have more than MOST_GAMES games in all."""
MOST_GAMES = 250
"""Maximum number of simulated games; at least one series is played."""


def predicted(bot: str, starter: str, seed: int, report: OpponentReport) -> dict[str, Any] | None:
    """Return predicted losses per 100 lost replies and per 1,000 games; None if the opponent is not a foreign bot."""
    if not is_foreign(bot) or report.games == 0 or report.sent == 0:
        return None
    tasks = [
        SeriesTask(number, bot, report.games, seed_of(seed, number, bot), rates_of(report), starter)
        for number in range(max(1, min(SERIES, MOST_GAMES // report.games)))
    ]
    found = figures(map(play_task, tasks))
    names = ("games", "lost", "lost_per_1000_games", "lost_per_100_lost_replies")
    return {name: found[name] for name in names}


def rates_of(report: OpponentReport) -> FaultSpec:
    """Return the rates of faults in the soak's journals, in the simulation's form."""
    lost, unsent = (count / report.sent for count in (report.lost_replies, report.not_sent))
    kill = min(1.0, report.kills / max(1, report.records))
    return FaultSpec.parse(f"reset={lost},refuse={unsent},kill={kill}", VIRTUAL)
