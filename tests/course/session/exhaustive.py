"""Simulate every fault and every pair of faults, at every request and record of some games, up to equal states.

A series without faults has a few hundred commands, each with a dozen faults and kills; two of them make hundreds of
thousands of cases. Most soon reach a state that another case has reached: each state is followed once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from bot.course.session.belief import Belief
from bot.course.session.events import Chosen, Reason, Stop
from bot.course.session.policy import NEGLIGIBLE
from bot.course.session.state import Session
from bot.trials.simulation.campaign import answers_of, seed_of, trained
from bot.trials.simulation.chooser import SimulationChooser, live_chooser
from bot.trials.simulation.server import ServerRules
from tests.course.session.branching import Branch, Brancher, Node

EXAMPLES = 20
"""Maximum number of examples kept for each kind of violation."""


def explore(bot: str, games: int, first: int, *, max_faults: int, seed: int = 1, train: int = 0) -> Explorer:
    """Follow every case of ``games`` games against ``bot`` whose first fault is in game ``first``, from 0."""
    chooser = FrozenChooser(live_chooser())
    rules = ServerRules(answers_of(bot), seed_of(seed, "exhaustive", bot))
    explorer = Explorer(Brancher(rules, games, chooser, chooser.could_be_avoided, trained(bot, train, "random")), first)
    explorer.follow(explorer.brancher.root(max_faults))
    return explorer


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
    cases: tuple[int, ...] = ()
    """Distinct schedules with 0, 1, 2, ... faults."""
    states: dict[int, tuple[int, ...] | None] = field(default_factory=dict)
    """By node: numbers of distinct schedules from it, by number of faults; None while it is being followed."""
    commands: int = 0
    """Commands performed, each with its own faults."""
    wrong: Counter[str] = field(default_factory=Counter)
    """Violations by kind, counted once per state."""
    examples: dict[str, list[str]] = field(default_factory=dict)
    """The faults that led to the first violations of each kind."""
    guesses: int = 0
    """Results recorded as inferred or by statistics that differ from the server's."""
    stops: Counter[str] = field(default_factory=Counter)
    """Ends of runs by reason, counted once per state."""

    def follow(self, root: Node) -> None:
        """Follow every branch of ``root`` to its end."""
        frames = [self._frame(root, (), root.faults)]
        while frames:
            frame = frames[-1]
            branch = next(frame.branches, None)
            if branch is None:
                done = self.states[frame.key] = tuple(frame.cases)
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
            known = self.states.get(key)
            if known is not None:
                _add(frame, known)
            elif key in self.states:
                self._violated("goes round in circles", path)
            else:
                frames.append(self._frame(branch.node, path, root.faults, key))
        self.cases = self.states[root.key()] or ()

    def _frame(self, node: Node, path: tuple[str, ...], faults: int, key: int | None = None) -> _Frame:
        key = node.key() if key is None else key
        self.states[key] = None
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
