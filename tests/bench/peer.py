"""The solvers under test: ours, and another one in a process of its own, which speaks the protocol of README.md."""

from __future__ import annotations

import shlex
import subprocess
import time
from dataclasses import dataclass

from bot.engine.score import sign
from bot.engine.solver import Solver
from bot.game import Board, parse_moves

LATE = Board.from_moves(parse_moves("1643164664443333222243266725"))
"""A position that every solver solves at once: it brings code and arrays back into the processor's caches, which the
other solver has emptied, before the clock starts. Without it, the next late position would take ten times as long."""


@dataclass(frozen=True)
class Answer:
    """A solver's result for one position, and its cost."""

    value: int | None
    nodes: int
    seconds: float
    clearing_s: float = 0.0
    """Processor time of clearing the table, where ``seconds`` does not include it."""


class Ours:
    """The engine's solver. It clears its table itself, within the measured time."""

    name = "bot"

    def __init__(self, threads: int = 1, *, processor_time: bool = False) -> None:
        self._solver = Solver(4, threads)
        self._clock = time.process_time if processor_time else time.perf_counter
        self._solver.warm_up()

    def answer(self, question: str, moves: str) -> Answer:
        """Solve the position after ``moves``: "exact" for its score, "weak" for its outcome."""
        board, is_weak = Board.from_moves(parse_moves(moves)), question == "weak"
        for each in (True, False):
            self._solver.solve(LATE, weak=each)
        start = self._clock()
        solved = self._solver.solve(board, weak=is_weak)
        seconds = self._clock() - start
        return Answer(solved.outcome if is_weak else solved.score, solved.nodes, seconds)


class Peer:
    """Another solver as a child process, which measures its own processor time.

    ValueError: it does not keep to the protocol. A peer that does not answer is waited for.
    """

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._asked, self._said = process.stdin, process.stdout
        protocol, version, self.name = self._line().split(maxsplit=2)
        if (protocol, version) != ("peer", "1"):
            raise ValueError(f"The peer speaks {protocol} {version}, not peer 1.")

    def answer(self, question: str, moves: str) -> Answer:
        """Ask for the position after ``moves``. Clearing the table and filling the caches are the peer's task."""
        print(question, moves, file=self._asked, flush=True)
        value, nodes, *times = self._line().split()
        return Answer(sign(int(value)) if question == "weak" else int(value), int(nodes), *map(float, times))

    def _line(self) -> str:
        assert self._said is not None
        return self._said.readline()


def started(command: str) -> subprocess.Popen[str]:
    """Start a peer's program; the end of its input ends it."""
    words = shlex.split(command.removeprefix("command:"))
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
