"""Simulate every fault and every pair of faults, at every request and record of some games, up to equal states.

A series without faults has a few hundred commands, each with a dozen faults and kills; two of them make hundreds of
thousands of cases. Most soon reach a state that another case has reached: each state is followed once.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from bot.course.session.belief import Belief
from bot.course.session.events import Chosen, Reason, Stop
from bot.course.session.policy import NEGLIGIBLE
from bot.course.session.state import Session
from bot.lab.arena.workers import run_tasks
from bot.trials.simulation.branching import Branch, Brancher, Node
from bot.trials.simulation.campaign import answers_of, seed_of, trained
from bot.trials.simulation.chooser import Policy, SimulationChooser, chooser_of
from bot.trials.simulation.server import ServerRules

_DEFAULT = Policy()
EXAMPLES = 20
"""Maximum number of examples kept for each kind of violation."""


@dataclass(frozen=True, slots=True)
class ExhaustiveTask:
    """Games against one bot, with the first fault in one of them."""

    bot: str
    games: int
    first: int
    """The game of the first fault, from 0; the case without faults is counted with game 0."""
    max_faults: int
    seed: int
    starter: str = "random"
    train: int = 0
    refuses_idle_moves: bool = False


@dataclass(frozen=True, slots=True)
class ExhaustiveResult:
    """The counts and violations of a task's cases."""

    bot: str
    cases: tuple[int, ...]
    """Distinct schedules with 0, 1, 2, ... faults."""
    states: int
    commands: int
    """Commands performed, each with its own faults."""
    wrong: Counter[str]
    """Violations by kind, counted once per state."""
    examples: dict[str, list[str]]
    """The faults that led to the first violations of each kind."""
    guesses: int
    """Results recorded as inferred or by statistics that differ from the server's."""
    stops: Counter[str]
    """Ends of runs by reason, counted once per state."""
    seconds: float


def tasks_of(
    bots: Sequence[str], games: int, *, max_faults: int, seed: int, starter: str = "random", train: int = 0
) -> list[ExhaustiveTask]:
    """Return a task for each game; the games are divided among the bots as evenly as possible."""
    shares = [len(range(number, games, len(bots))) for number in range(len(bots))]
    return [
        ExhaustiveTask(bot, share, first, max_faults, seed_of(seed, "exhaustive", bot), starter, train)
        for bot, share in zip(bots, shares, strict=True)
        for first in range(share)
    ]


def run_tasks_of(tasks: Sequence[ExhaustiveTask], workers: int) -> Iterator[ExhaustiveResult]:
    """Yield the results in the order of completion."""
    for _, result in run_tasks(explore, tasks, workers=workers):
        yield result


def explore(task: ExhaustiveTask) -> ExhaustiveResult:
    """Follow every case of a task."""
    past = trained(task.bot, task.train, "random", _DEFAULT) or Session(answers=_DEFAULT.answers())
    chooser = FrozenChooser(chooser_of(_DEFAULT))
    rules = ServerRules(answers_of(task.bot), task.seed, task.starter, task.refuses_idle_moves)
    brancher = Brancher(rules, task.games, chooser, chooser.could_be_avoided, past.answers)
    start = time.monotonic()
    explorer = Explorer(brancher, task.first)
    faultless, *cases = explorer.follow(brancher.root(task.max_faults))
    return ExhaustiveResult(
        bot=task.bot,
        cases=(faultless if task.first == 0 else 0, *cases),
        states=len(explorer.cases),
        commands=explorer.commands,
        wrong=explorer.wrong,
        examples=explorer.examples,
        guesses=explorer.guesses,
        stops=explorer.stops,
        seconds=round(time.monotonic() - start, 1),
    )


@dataclass(slots=True)
class FrozenChooser:
    """The chooser with a cache of decisions by belief: the session's answer book is fixed."""

    chooser: SimulationChooser
    known: dict[Belief, Chosen] = field(default_factory=dict)
    weights: dict[Belief, tuple[float, ...]] = field(default_factory=dict)

    def __call__(self, session: Session, left_s: float) -> Chosen:
        """See `bot.course.run.driver.Chooser`."""
        weights = tuple(hypothesis.weight for hypothesis in session.belief)
        if self.weights.get(session.belief) != weights:
            self.weights[session.belief] = weights
            self.known[session.belief] = self.chooser(session, left_s)
        return self.known[session.belief]

    def could_be_avoided(self, belief: Belief, column: int) -> bool:
        """Return whether a column that is legal in all hypotheses saves at least as much as ``column``."""
        rows = [(self.chooser.prospects.prospects(item.playing.board), item) for item in belief]
        saved = [sum(item.weight * row[each] for row, item in rows) for each in range(7)]
        legal = [each for each in range(7) if all(item.playing.board.can_play(each) for item in belief)]
        return any(saved[each] >= saved[column] - NEGLIGIBLE for each in legal)


@dataclass(slots=True)
class _Frame:
    key: int
    branches: Iterator[Branch]
    path: tuple[str, ...]
    cases: list[int]
    cost: int = 0
    """Number of faults in the branch that is being followed."""


@dataclass(slots=True)
class Explorer:
    """A depth-first search over nodes, each followed once."""

    brancher: Brancher
    first: int
    """The game of the first fault, from 0."""
    cases: dict[int, tuple[int, ...] | None] = field(default_factory=dict)
    """By node: numbers of distinct schedules from it, by number of faults; None while it is being followed."""
    commands: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)
    guesses: int = 0
    stops: Counter[str] = field(default_factory=Counter)

    def follow(self, root: Node) -> tuple[int, ...]:
        """Follow every branch of ``root`` to its end; return the numbers of schedules by number of faults."""
        frames = [self._frame(root, (), root.faults)]
        while frames:
            frame = frames[-1]
            branch = next(frame.branches, None)
            if branch is None:
                done = self.cases[frame.key] = tuple(frame.cases)
                frames.pop()
                if frames:
                    _add(frames[-1], done)
                continue
            self.commands += 1
            frame.cost = len(branch.faults)
            path = (*frame.path, *branch.faults)
            self._note(branch, path)
            if isinstance(branch.node.command, Stop):
                self._stopped(branch.node, branch.node.command, path)
                _add(frame, (1,))
                continue
            key = branch.node.key()
            known = self.cases.get(key)
            if known is not None:
                _add(frame, known)
            elif key in self.cases:
                self._violated("goes round in circles", path)
            else:
                frames.append(self._frame(branch.node, path, root.faults, key))
        first = next(iter(self.cases))
        return self.cases[first] or ()

    def _frame(self, node: Node, path: tuple[str, ...], faults: int, key: int | None = None) -> _Frame:
        key = node.key() if key is None else key
        self.cases[key] = None
        branches = self.brancher.branches(node)
        is_faultless = node.faults == faults
        if is_faultless and min(node.ends, self.brancher.games - 1) != self.first:
            branches = islice(branches, 1)  # the branch without faults; another task follows the others
        return _Frame(key, branches, path, [0] * (faults + 1))

    def _note(self, branch: Branch, path: tuple[str, ...]) -> None:
        self.guesses += branch.guesses
        for text in branch.wrong:
            self._violated(text, path)

    def _stopped(self, node: Node, stop: Stop, path: tuple[str, ...]) -> None:
        self.stops[stop.reason.value] += 1
        if stop.reason is Reason.FINISHED and node.ends < self.brancher.games:
            self._violated("finished too early", path)

    def _violated(self, kind: str, path: tuple[str, ...]) -> None:
        self.wrong[kind] += 1
        examples = self.examples.setdefault(kind, [])
        if len(examples) < EXAMPLES:
            examples.append(" + ".join(path) or "no fault")


def _add(frame: _Frame, cases: Iterable[int]) -> None:
    """Add the schedules of the branch that has been followed, plus the branch's own faults."""
    for faults, count in enumerate(cases):
        if count:
            frame.cases[faults + frame.cost] += count


def in_json(results: Iterable[ExhaustiveResult]) -> dict[str, Any]:
    """Return the sums and each bot's figures."""
    ordered = sorted(results, key=lambda result: result.bot)
    wrong = sum((result.wrong for result in ordered), Counter[str]())
    bots = {result.bot: [other for other in ordered if other.bot == result.bot] for result in ordered}
    return {
        "games": len(ordered),
        "cases": _summed(ordered),
        "states": sum(result.states for result in ordered),
        "commands": sum(result.commands for result in ordered),
        "violations": dict(sorted(wrong.items())),
        "wrong_inferences": sum(result.guesses for result in ordered),
        "stops": dict(sorted(sum((result.stops for result in ordered), Counter[str]()).items())),
        "examples": [{"bot": result.bot, **result.examples} for result in ordered if result.examples],
        "bots": {
            bot: {"games": len(parts), "cases": _summed(parts), "states": sum(part.states for part in parts)}
            for bot, parts in bots.items()
        },
        "seconds": round(sum(result.seconds for result in ordered), 1),
    }


def _summed(results: Sequence[ExhaustiveResult]) -> list[int]:
    return [sum(counts) for counts in zip(*(result.cases for result in results), strict=True)]


def in_words(sums: dict[str, Any]) -> str:
    """Return the figures as lines."""
    cases = ", ".join(f"{count} with {n} fault{'' if n == 1 else 's'}" for n, count in enumerate(sums["cases"]))
    violations = ", ".join(f"{kind}: {count}" for kind, count in sums["violations"].items()) or "none"
    lines = [
        f"{sums['games']} games: {cases}.",
        f"{sums['states']} distinct states, {sums['commands']} commands, {sums['seconds']:.0f} s of one process.",
        f"Violations: {violations}. Wrong inferences, recorded as such: {sums['wrong_inferences']}.",
    ]
    for example in sums["examples"]:
        kinds = {kind: paths for kind, paths in example.items() if kind != "bot"}
        lines += [f"  {example['bot']}: {kind} after {path}" for kind, paths in kinds.items() for path in paths[:5]]
    return "\n".join(lines)
