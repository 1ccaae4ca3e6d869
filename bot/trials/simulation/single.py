"""Enumerate single lost replies: at every request of a game without faults, processed and not processed.

A game with one lost reply equals the game without faults up to that request. Against a deterministic bot the
enumeration therefore has no sampling error. It measures the cost of rare faults: few games with a fault have two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from bot.course.session.answers import AnswerBook
from bot.game import format_moves
from bot.trials.simulation.campaign import answers_of, trained
from bot.trials.simulation.chooser import SimulationChooser, live_chooser
from bot.trials.simulation.faults import Dice, FaultPlan
from bot.trials.simulation.opponents.roster import bot_called
from bot.trials.simulation.oracle import TrueAnswers, Truth, oracle_chooser
from bot.trials.simulation.series import Outcome, play_series

SEEDS = (7, 8)
"""Seeds of the games against a stochastic bot; a deterministic bot has one game with each starter."""


@dataclass(frozen=True, slots=True)
class SingleTask:
    """All single lost replies of one game."""

    bot: str
    we_start: bool
    seed: int
    train: int
    oracle: bool = False
    """Whether the oracle decides, not the policy."""

    @property
    def game(self) -> tuple[str, bool, int]:
        """What tasks of the same game have in common, whether the policy or the oracle decides."""
        return self.bot, self.we_start, self.seed


@dataclass(frozen=True, slots=True)
class Case:
    """One lost reply and the end of its game."""

    request: int
    """Number of the request in the game; 1 is the -1 that opens it."""
    was_processed: bool
    result: float
    reason: str
    moves: str
    """The game's moves, columns 1-7."""

    @property
    def is_opening(self) -> bool:
        """Whether the reply was to the request for a new game."""
        return self.request == 1


@dataclass(frozen=True, slots=True)
class SingleResult:
    """The cases of a task."""

    task: SingleTask
    result: float
    """Result of the game without faults."""
    cases: tuple[Case, ...]

    @property
    def moves(self) -> list[Case]:
        """The cases in which the reply to a move was lost."""
        return [case for case in self.cases if not case.is_opening]


def tasks_of(
    bots: Sequence[str],
    *,
    train: int,
    starter: str = "random",
    with_oracle: bool = False,
) -> list[SingleTask]:
    """Return a task for each bot, starter and (for stochastic bots) seed, for the policy and, if wanted, the oracle."""
    tasks = []
    for bot in bots:
        seeds = SEEDS[:1] if bot_called(bot).is_deterministic else SEEDS
        for name in ("student", "bot"):
            if starter in (name, "random"):
                tasks += [SingleTask(bot, name == "student", seed, train) for seed in seeds]
    if with_oracle:
        tasks += [replace(task, oracle=True) for task in tasks]
    return tasks


def play_out(task: SingleTask) -> SingleResult:
    """Play the game without faults, and the game with every single lost reply."""

    starter = "student" if task.we_start else "bot"

    def played(faults: FaultPlan) -> Outcome:
        return play_series(
            answers_of(task.bot),
            1,
            dice=Dice(faults, task.seed),
            seed=task.seed,
            chooser=deciding(task.oracle),
            starter=starter,
            answers=known_answers(task.bot, task.train, task.oracle),
        )

    base = played(FaultPlan())
    cases = []
    for request in range(1, base.dice.requests + 1):
        for kind in ("reset_before", "reset_after"):
            game = played(FaultPlan({request: {kind: 1.0}})).world.finished[0]
            moves = format_moves(game.moves)
            cases.append(Case(request, kind == "reset_after", game.result, game.reason, moves))
    return SingleResult(task, base.world.finished[0].result, tuple(cases))


@cache
def truth_of(bot: str) -> Truth:
    """Return the true probabilities of the bot's answers, with this process's cache of them."""
    return Truth(answers_of(bot), bot_called(bot).is_deterministic)


def deciding(oracle: bool) -> SimulationChooser:
    """Return the chooser of live play, or the oracle."""
    return oracle_chooser() if oracle else live_chooser()


def known_answers(bot: str, games: int, oracle: bool) -> AnswerBook:
    """Return the answer book before the first game: after the training, and for an oracle with the true answers."""
    learnt = trained(bot, games, "random")
    if oracle:
        return TrueAnswers(learnt=learnt, truth=truth_of(bot))
    return learnt
