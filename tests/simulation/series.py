"""Series of games of one client against one opponent, in virtual time, with kills, resumptions and lost replies.

A task is played the same in any process: its random numbers follow from its seed, and caches change no decision.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from bot.course import policy
from bot.course.events import Event, GameEnded, Learnt, Options, Started, Stop, StopReason
from bot.course.hypotheses import AnswerBook
from bot.course.policy import EngineHost
from bot.course.protocol import DRAWN, WON
from bot.course.run.run import ColumnChooser, Driver
from bot.course.session import Session
from bot.engine.agent import Decision, Limit
from bot.engine.perfect import Perfect
from tests.course.foreign_course import Course
from tests.simulation.bots import BOTS
from tests.simulation.faults import Dice, FaultPlan
from tests.simulation.world import Killed, VirtualDisk, VirtualWorld

MOST_KILLS = 1000
LONG_S = 1e6
"""A time limit that is never reached, seconds."""


class Chooser(EngineHost):
    """The chooser of live play without a clock. It decides once in each position, which changes no decision."""

    def __init__(self) -> None:
        engine = Perfect(unhurried=True)
        decided = cache(lambda board: engine.choose(board, Limit(hard_s=LONG_S, think_s=LONG_S)))
        agent: Any = SimpleNamespace(choose=lambda board, _limit, _stop: decided(board))
        super().__init__(agent, LONG_S)

    def __call__(self, session: Session, left_s: float) -> Decision:  # noqa: ARG002
        """See `bot.course.run.run.ColumnChooser`."""
        with patch.multiple(policy, PLAN_S=LONG_S, HYPOTHESES_S=LONG_S):
            return super().__call__(session, LONG_S)


live_chooser = cache(Chooser)
"""Returns this process's chooser, with its caches."""


@dataclass
class Series:
    """Games at a world, whose client is started again from its journal whenever it was killed."""

    world: VirtualWorld
    chooser: ColumnChooser
    answers: AnswerBook = field(default_factory=AnswerBook)
    """What the client knows of the opponent's answers before."""
    stop: Stop | None = None
    kills: int = 0

    def __post_init__(self) -> None:
        self.session = Session(answers=self.answers)
        self.disk = VirtualDisk(self.world, self.session)

    def play(self, games: int) -> Series:
        """Play until this number of games is finished, or a run ends by itself."""
        while self.stop is None and self.kills <= MOST_KILLS:
            self.world.is_dead = False
            driver = Driver(self.session, self.world, self.disk, self.chooser, self._step)
            started = Started(
                self.world.now(),
                Options(games - self.disk.finished, patience_s=self.world.patience_s),
                Learnt(keeps_statistics=self.session.base is not None),
                self.session.game if self.disk.records else 0,
            )
            try:
                self.stop, self.session = driver.run(started), driver.session
            except Killed:
                self.kills += 1
                journal = self.disk.journal
                for end in journal.ends[self.disk.audited :]:  # the kill came before the session took the reply
                    self.disk.audit(end)
                self.session = journal.session
            self.world.sleep(2.0)
        return self

    @property
    def counts(self) -> Counter[str]:
        """What has happened."""
        finished = self.world.course.finished
        counts = Counter(
            games=len(finished),
            kills=self.kills,
            invented=self.disk.invented,
            wrong=self.disk.wrong_guesses,
            unfinished=self.stop is None or self.stop.reason is not StopReason.FINISHED,
            replies=self.world.lost,
        )
        for game in finished:
            counts[{WON: "won", DRAWN: "drawn"}.get(game.result, game.ended)] += 1
            counts["lost"] += game.result < 0
        return counts

    def _step(self, session: Session, _event: Event) -> None:
        for item in session.news:
            if isinstance(item, GameEnded):
                self.disk.audit(item)


@dataclass(frozen=True)
class Task:
    """One series."""

    bot: str
    games: int
    seed: int
    plan: FaultPlan = field(default_factory=dict)
    train: int = 0
    """Games without faults that are played first, so that the bot's answers are remembered."""


def played(task: Task) -> tuple[Series, Dice]:
    """Play one series; also return its dice."""
    dice = Dice(task.plan, task.seed)
    world = VirtualWorld(Course(BOTS[task.bot], task.seed, "random"), dice)
    return Series(world, live_chooser(), trained(task.bot, task.train)).play(task.games), dice


def play_task(task: Task) -> Counter[str]:
    """Play one series, and return its counts, those of faults by their kinds."""
    series, dice = played(task)
    return series.counts + dice.counts + Counter(requests=dice.requests)


@cache
def trained(bot: str, games: int) -> AnswerBook:
    """Return what a session has learnt of the bot's answers in ``games`` games without faults, begun by either side."""
    return played(Task(bot, games, seed_of("training", bot)))[0].session.answers if games else AnswerBook()


def seed_of(*parts: object) -> int:
    """Return a 48-bit seed that depends on all parts."""
    return int.from_bytes(hashlib.sha256(repr(parts).encode()).digest()[:6], "big")
