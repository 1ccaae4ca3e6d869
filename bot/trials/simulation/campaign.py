"""Many series of games against many bots, over processes; results do not depend on the number of processes."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from bot.course.session.events import Chosen, Event, Reason
from bot.course.session.policy import Prospects
from bot.course.session.position import EMPTY
from bot.course.session.state import Session
from bot.lab.arena.workers import run_tasks
from bot.trials.simulation.chooser import Policy, SimulationChooser, chooser_of
from bot.trials.simulation.faults import FaultRates
from bot.trials.simulation.illegal import IllegalMove, IllegalMoves
from bot.trials.simulation.opponents.roster import answering, bot_called
from bot.trials.simulation.oracle import Truth, knowing, oracle_of
from bot.trials.simulation.series import OnStep, Outcome, play_series
from bot.trials.simulation.server import Answer
from bot.trials.simulation.world import VirtualWorld

_DEFAULT = Policy()
SERIES = 20
"""Games of a series: the length of the course's streak."""


@dataclass(frozen=True, slots=True)
class SeriesTask:
    """One series. Its seed depends on the campaign's seed, the series' number and the bot only."""

    number: int
    bot: str
    games: int
    seed: int
    rates: FaultRates
    starter: str = "random"
    train: int = 0
    """Games without faults that are played first, so that the bot's answers are remembered."""
    checks_values: bool = False
    journals: Path | None = None
    policy: Policy = _DEFAULT
    oracle: bool = False
    """Whether the oracle decides, not the policy."""


@dataclass(frozen=True, slots=True)
class SeriesResult:
    """The counts of a series, small enough to be sent between processes."""

    number: int
    bot: str
    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: Counter[tuple[bool, str]] = field(default_factory=Counter)
    """Lost games by whether we had started and by reason (see `FinishedGame`)."""
    lost_replies: Counter[bool] = field(default_factory=Counter)
    """Lost replies to moves, by whether we had started the game."""
    requests: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    kills: int = 0
    invented: int = 0
    """Results recorded as known by a reply that differ from the server's."""
    wrong_guesses: Counter[str] = field(default_factory=Counter)
    given_away: int = 0
    """Moves that gave value away although some column was right in every hypothesis."""
    unavoidable: int = 0
    """Moves that gave value away where no column was right in every hypothesis."""
    illegal: tuple[IllegalMove, ...] = ()
    stopped: str = ""
    """Why the series ended early; empty when it was finished."""


def tasks_of(
    bots: Sequence[str],
    games: int,
    *,
    seed: int,
    rates: FaultRates,
    starter: str = "random",
    train: int = 0,
    checks_values: bool = False,
    journals: Path | None = None,
) -> list[SeriesTask]:
    """Return tasks for series of SERIES games, against each bot in turn; the last one may be shorter."""
    return [
        SeriesTask(
            number=number,
            bot=(bot := bots[number % len(bots)]),
            games=min(SERIES, games - first),
            seed=seed_of(seed, number, bot),
            rates=rates,
            starter=starter,
            train=train,
            checks_values=checks_values,
            journals=journals,
        )
        for number, first in enumerate(range(0, games, SERIES))
    ]


def seed_of(*parts: object) -> int:
    """Return a 48-bit seed that depends on all parts."""
    return int.from_bytes(hashlib.sha256(repr(parts).encode()).digest()[:6], "big")


def run_campaign(tasks: Sequence[SeriesTask], workers: int) -> Iterator[SeriesResult]:
    """Yield the results in the order of completion."""
    for _, result in run_tasks(play_task, tasks, workers=workers):
        yield result


def play_task(task: SeriesTask) -> SeriesResult:
    """Play one series, and write its journal if a folder is given."""
    chooser = deciding(task.policy, task.oracle)
    values, illegal = Values(chooser.prospects), IllegalMoves(chooser.prospects)

    def watching(world: VirtualWorld) -> OnStep:
        return both(illegal.watching(world), values.watching(world)) if task.checks_values else illegal.watching(world)

    outcome = play_series(
        answers_of(task.bot),
        task.games,
        rates=task.rates,
        seed=task.seed,
        chooser=chooser,
        starter=task.starter,
        past=past_of(task.bot, task.train, task.starter, task.policy, task.oracle),
        on_step=watching,
    )
    if task.journals is not None:
        name = re.sub(r"[^a-z0-9]+", "-", task.bot.lower()).strip("-")
        (task.journals / f"{task.number:06d}-{name}.jsonl").write_bytes(outcome.disk.content())
    return result_of(task, outcome, values, illegal.found)


def result_of(task: SeriesTask, outcome: Outcome, values: Values, illegal: Sequence[IllegalMove]) -> SeriesResult:
    """Return the counts of a played series."""
    finished = outcome.stop is not None and outcome.stop.reason is Reason.FINISHED
    results = Counter(game.result for game in outcome.world.finished)
    return SeriesResult(
        number=task.number,
        bot=task.bot,
        games=len(outcome.world.finished),
        won=results[1.0],
        drawn=results[0.5],
        lost=Counter((game.we_started, game.reason) for game in outcome.world.finished if game.result < 0),
        lost_replies=outcome.world.lost,
        requests=outcome.dice.requests,
        faults=Counter(outcome.dice.drawn),
        kills=outcome.kills,
        invented=outcome.disk.invented,
        wrong_guesses=outcome.disk.wrong_guesses,
        given_away=values.given_away,
        unavoidable=values.unavoidable,
        illegal=tuple(illegal),
        stopped="" if finished else outcome.stop.message if outcome.stop else "killed too often",
    )


@cache
def answers_of(bot: str) -> Answer:
    """Return the bot's answer function, with this process's cache of its answers."""
    return answering(bot_called(bot))


@cache
def trained(bot: str, games: int, starter: str, policy: Policy) -> Session | None:
    """Return the session after ``games`` games without faults, with what it has learnt; None if ``games`` is 0."""
    if games == 0:
        return None
    outcome = play_series(
        answers_of(bot),
        games,
        rates=FaultRates(),
        seed=seed_of("training", bot),
        chooser=chooser_of(policy),
        starter=starter,
    )
    return outcome.session


@cache
def truth_of(bot: str) -> Truth:
    """Return the true probabilities of the bot's answers, with this process's cache of them."""
    return Truth(answers_of(bot), bot_called(bot).is_deterministic)


def deciding(policy: Policy, oracle: bool) -> SimulationChooser:
    """Return the chooser of a policy, or the oracle."""
    return oracle_of(policy) if oracle else chooser_of(policy)


def past_of(bot: str, games: int, starter: str, policy: Policy, oracle: bool) -> Session | None:
    """Return the session before the first game: after the training, and for an oracle with the bot's true answers."""
    past = trained(bot, games, starter, policy)
    if not oracle:
        return past
    return knowing(past or Session(answers=policy.answers()), truth_of(bot))


def both(first: OnStep, second: OnStep) -> OnStep:
    """Return a watcher that calls both."""

    def on_step(session: Session, event: Event) -> None:
        first(session, event)
        second(session, event)

    return on_step


@dataclass(slots=True)
class Values:
    """Counts moves that gave game-theoretic value away on the board that the server really held."""

    prospects: Prospects
    given_away: int = 0
    unavoidable: int = 0

    def watching(self, world: VirtualWorld) -> OnStep:
        """Return the watcher of a series' steps."""

        def on_step(session: Session, event: Event) -> None:
            if isinstance(event, Chosen) and event.move >= 0:
                self._judge(world, session, event.move)

        return on_step

    def _judge(self, world: VirtualWorld, session: Session, column: int) -> None:
        game = world.server.state.game
        row = self.prospects.prospects(EMPTY.board if game is None else game.board)
        if row[column] >= max(row):
            return
        boards = {hypothesis.playing.board for hypothesis in session.belief}
        rows = [self.prospects.prospects(board) for board in boards]
        if any(all(each[right] >= max(each) for each in rows) for right in range(7)):
            self.given_away += 1
        else:
            self.unavoidable += 1
