"""Many series of games against many bots, over processes; results do not depend on the number of processes."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

from bot.course.events import StopReason
from bot.course.learnt import AnswerBook
from bot.trials.simulation.chooser import live_chooser
from bot.trials.simulation.faults import Dice, FaultPlan
from bot.trials.simulation.one_loss import OneLoss
from bot.trials.simulation.roster import answering, chosen
from bot.trials.simulation.series import Outcome, Watch, play_series, unwatched
from bot.trials.simulation.server import AnswerFunction

SERIES = 20
"""Games of a series: the length of the course's streak."""


@dataclass(frozen=True, slots=True)
class SeriesTask:
    """One series. Its seed depends on the campaign's seed, the series' number and the bot only."""

    number: int
    bot: str
    games: int
    seed: int
    faults: FaultPlan = field(default_factory=FaultPlan)
    one_loss: float | None = None
    """Instead of ``faults``: one lost reply in each game, and the probability that its move was played."""
    starter: str = "random"
    train: int = 0
    """Games without faults that are played first, so that the bot's answers are remembered."""
    journals: Path | None = None


@dataclass(frozen=True, slots=True)
class SeriesCounts:
    """What happened in a series, or in several: sums add up with ``+``."""

    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: Counter[tuple[bool, str]] = field(default_factory=Counter)
    """Lost games by whether we had started and by reason (see `SimulatedGame`)."""
    lost_replies: Counter[bool] = field(default_factory=Counter)
    """Lost replies to moves, by whether we had started the game."""
    requests: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    kills: int = 0
    invented: int = 0
    """Results recorded as known by a reply that differ from the server's."""
    wrong_guesses: Counter[str] = field(default_factory=Counter)
    stopped: Counter[str] = field(default_factory=Counter)
    """Series that ended early, by the reason."""

    @classmethod
    def of(cls, outcome: Outcome) -> SeriesCounts:
        """Count what happened in one series."""
        stop, finished = outcome.stop, outcome.world.finished
        results = Counter(game.result for game in finished)
        stopped: Counter[str] = Counter()
        if stop is None:
            stopped["killed too often"] = 1
        elif stop.reason is not StopReason.FINISHED:
            stopped[stop.message] = 1
        return cls(
            games=len(finished),
            won=results[1.0],
            drawn=results[0.5],
            lost=Counter((game.we_started, game.reason) for game in finished if game.result < 0),
            lost_replies=outcome.world.lost,
            requests=outcome.dice.requests,
            faults=Counter(outcome.dice.counts),
            kills=outcome.kills,
            invented=outcome.disk.invented,
            wrong_guesses=outcome.disk.wrong_guesses,
            stopped=stopped,
        )

    def __add__(self, other: SeriesCounts) -> SeriesCounts:
        """Return the sum."""
        return SeriesCounts(
            **{each.name: getattr(self, each.name) + getattr(other, each.name) for each in fields(self)}
        )


@dataclass(frozen=True, slots=True)
class SeriesResult:
    """The counts of one series, small enough to be sent between processes."""

    number: int
    bot: str
    counts: SeriesCounts


def tasks_of(bots: Sequence[str], games: int, *, seed: int, **settings: Any) -> list[SeriesTask]:
    """Return tasks for series of SERIES games, against each bot in turn; the last one may be shorter.

    ``settings`` are further fields of `SeriesTask`, the same for all.
    """
    tasks = []
    for number, first in enumerate(range(0, games, SERIES)):
        bot = bots[number % len(bots)]
        length = min(SERIES, games - first)
        own_seed = seed_of(seed, number, bot)
        tasks.append(SeriesTask(number=number, bot=bot, games=length, seed=own_seed, **settings))
    return tasks


def seed_of(*parts: object) -> int:
    """Return a 48-bit seed that depends on all parts."""
    return int.from_bytes(hashlib.sha256(repr(parts).encode()).digest()[:6], "big")


def play_task(task: SeriesTask) -> SeriesResult:
    """Play one series, and write its journal if a folder is given."""
    outcome = outcome_of(task)
    if task.journals is not None:
        (task.journals / f"{task.number:06d}-{task.bot}.jsonl").write_bytes(outcome.disk.content())
    return SeriesResult(task.number, task.bot, SeriesCounts.of(outcome))


def outcome_of(task: SeriesTask) -> Outcome:
    """Play one series."""
    chooser = live_chooser()
    dice = Dice(task.faults, task.seed)
    watch: Watch = unwatched
    if task.one_loss is not None:
        dice = watch = OneLoss(chooser, task.one_loss, task.seed)
    return play_series(
        answers_of(task.bot),
        task.games,
        dice=dice,
        seed=task.seed,
        chooser=chooser,
        starter=task.starter,
        answers=trained(task.bot, task.train),
        watch=watch,
    )


@cache
def answers_of(bot: str) -> AnswerFunction:
    """Return the bot's answer function, with this process's cache of its answers."""
    (found,) = chosen([bot])
    return answering(found)


@cache
def trained(bot: str, games: int) -> AnswerBook:
    """Return what a session has learnt of the bot's answers in ``games`` games without faults, begun by either side."""
    if games == 0:
        return AnswerBook()
    training = SeriesTask(0, bot, games, seed_of("training", bot))
    return outcome_of(training).session.answers
