"""Series of games of one client against one opponent, in virtual time, with kills, resumptions and lost replies.

A task is played the same in any process: its random numbers follow from its seed, and caches change no decision.
"""

from __future__ import annotations

import copy
import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from bot.course.events import Event, GameEnded, Replied, Started, Stop, StopReason
from bot.course.learnt import AnswerBook
from bot.course.policy import MovePlan, SharedColumn, choose
from bot.course.protocol import DRAWN, WON
from bot.course.run.engine_host import EngineProspects, planned
from bot.course.run.run import ColumnChooser, Driver
from bot.course.session import Session
from bot.engine.agent import Decision, Limit
from bot.engine.perfect import Perfect
from bot.game import Board
from tests.simulation.bots import player_of
from tests.simulation.faults import Dice, FaultPlan
from tests.simulation.world import Killed, SimulatedCourse, VirtualDisk, VirtualWorld

MOST_KILLS = 1000


class Chooser:
    """The chooser of live play without a clock. Its caches are exact, so they change no decision."""

    def __init__(self) -> None:
        self._engine, self._prospects = Perfect(unhurried=True), EngineProspects()
        self._decided = cache(self._decide)

    def __call__(self, session: Session, left_s: float) -> Decision | SharedColumn:  # noqa: ARG002
        """See `bot.course.run.run.ColumnChooser`."""
        position = session.playing
        if position is None:
            return choose(session.hypotheses, self._prospects, session.lost_move)
        decision = self._decided(position.board)
        if not decision.proven:
            return decision
        plan = MovePlan(session.answers, self._prospects, delivered=session.deliveries.usual)
        return planned(decision, plan.refine(position.board, decision.column))

    def _decide(self, board: Board) -> Decision:
        return self._engine.choose(board, Limit(hard_s=1e6, think_s=1e6))


live_chooser = cache(Chooser)
"""Returns this process's chooser, with its caches."""


@dataclass
class Series:
    """Games at a world, whose client is started again from its journal whenever it was killed."""

    world: VirtualWorld
    chooser: ColumnChooser
    answers: AnswerBook = field(default_factory=AnswerBook)
    """What the client knows of the opponent's answers before."""
    watch: Callable[[Session, Event], None] = lambda _session, _event: None
    """Called after every step of the session."""
    stop: Stop | None = None
    kills: int = 0

    def __post_init__(self) -> None:
        self.session = Session(answers=self.answers)
        self.disk = VirtualDisk(self.world, self.session)

    def play(self, games: int, runs: int = 1) -> Series:
        """Play until this number of games is finished, at most by so many runs that end by themselves."""
        while runs and self.kills <= MOST_KILLS and not self.is_complete:
            driver = Driver(self.session, self.world, self.disk, self.chooser, self._step)
            started = Started(
                self.world.now(),
                games - self.disk.finished,
                self.session.game if self.disk.records else 0,
                patience_s=self.world.patience_s,
                keeps_statistics=self.session.base is not None,
            )
            try:
                self.stop, runs = driver.run(started), runs - 1
                self.session = driver.session
            except Killed:
                self.kills += 1
                journal = self.disk.journal
                for end in journal.ends[self.disk.audited :]:  # the kill came before the session took the reply
                    self.disk.audit(end)
                self.session = journal.session
            self.world.sleep(2.0)
        return self

    @property
    def is_complete(self) -> bool:
        """Whether all games are finished."""
        return self.stop is not None and self.stop.reason is StopReason.FINISHED

    @property
    def counts(self) -> Counter[str]:
        """What has happened. Lost games and lost replies to moves are counted by whether we had started, too."""
        finished = self.world.course.finished
        counts = Counter(
            games=len(finished),
            kills=self.kills,
            invented=self.disk.invented,
            wrong=self.disk.wrong_guesses,
            unfinished=not self.is_complete,
        )
        for game in finished:
            counts[{WON: "won", DRAWN: "drawn"}.get(game.result, game.ended)] += 1
            if game.result < 0:
                counts.update(["lost", *sides(game.student_started, "lost")])
        for side, number in self.world.lost.items():
            counts.update(sides(side, "replies") * number)
        return counts

    def _step(self, session: Session, event: Event) -> None:
        for item in session.news:
            if isinstance(item, GameEnded):
                self.disk.audit(item)
        self.watch(session, event)


def sides(we_started: bool, what: str) -> list[str]:
    """Return the names under which something of one game is counted."""
    return [f"{what} in all", f"{what} moving {'first' if we_started else 'second'}"]


@dataclass(frozen=True)
class Task:
    """One series."""

    bot: str
    games: int
    seed: int
    plan: FaultPlan = field(default_factory=dict)
    one_loss: float | None = None
    """Instead of ``plan``: one lost reply in each game, and the probability that its move was played."""
    starter: str = "random"
    train: int = 0
    """Games without faults that are played first, so that the bot's answers are remembered."""


class OneLoss(Dice):
    """Dice that schedule one lost reply when a game has begun: they watch the series.

    Each of our moves is equally likely, if the game without a fault has them. The lost reply belongs to a move that was
    played with the probability ``played``. The place does not depend on it.
    """

    def __init__(self, played: float, seed: int) -> None:
        super().__init__({}, seed)
        self._played, self._opened = played, 0

    def watch(self, world: VirtualWorld, session: Session, event: Event) -> None:
        """Schedule the lost reply of a game that has been opened; ``event`` is its first board."""
        opened = world.course.started
        if opened == self._opened or not isinstance(event, Replied):
            return
        self._opened = opened
        place, is_played = self.random.random(), self.random.random() < self._played
        number = self.requests + 1 + int(place * moves_to_come(world, session))
        self.scheduled[number] = "reset_after" if is_played else "reset_before"


def moves_to_come(world: VirtualWorld, session: Session) -> int:
    """Return the number of our moves until the running game ends, if nothing fails: it is played in a copy."""
    dice = Dice({}, seed=0)
    twin = VirtualWorld(copy.deepcopy(world.course), dice, world.time_s)
    driver, finished = Driver(session, twin, VirtualDisk(twin), live_chooser()), len(twin.course.finished)
    command = session.command
    while len(twin.course.finished) == finished and not isinstance(command, Stop):
        assert command is not None
        command = driver.take(driver.perform(command))
    return dice.requests


def played(task: Task) -> tuple[Series, Dice]:
    """Play one series; also return its dice."""
    dice = Dice(task.plan, task.seed) if task.one_loss is None else OneLoss(task.one_loss, task.seed)
    world = VirtualWorld(SimulatedCourse(player_of(task.bot), task.seed, task.starter), dice)
    series = Series(world, live_chooser(), trained(task.bot, task.train))
    if isinstance(dice, OneLoss):
        series.watch = lambda session, event: dice.watch(world, session, event)
    return series.play(task.games), dice


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
