"""The solvers under test: ours, and another one in a process of its own, which speaks the protocol of README.md."""

from __future__ import annotations

import shlex
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn

from bot.agents.external.child import LineProcess
from bot.engine.score import sign
from bot.engine.solver import Solver
from bot.errors import UsageError
from bot.game import Board, parse_moves

LATE = Board.from_moves(parse_moves("1643164664443333222243266725"))
"""A position that every solver solves at once: it brings code and arrays back into the processor's caches, which the
other solver has emptied, before the clock starts. Without it, the next late position would take ten times as long."""
_LONGEST_LINE = 500
_LONGEST_END_S = 1.0
"""Time for a peer to end after the end of its input, seconds."""


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

    Raises UsageError where the process cannot be started, ends, exceeds the time limit or breaks the protocol.
    """

    def __init__(self, command: str, longest_wait_s: float) -> None:
        self._command, self._longest_wait_s = command.removeprefix("command:"), longest_wait_s
        try:
            self._process = LineProcess(shlex.split(self._command), _LONGEST_LINE)
        except (OSError, ValueError, IndexError) as error:
            raise UsageError(f"The peer {command!r} cannot be started: {error}.") from None
        line = self._line("its first line")
        if not line.startswith("peer 1 "):
            self._fail(f"begins with {line!r}, not with 'peer 1 NAME', 1 being the protocol's version")
        self.name = line.removeprefix("peer 1 ")

    def answer(self, question: str, moves: str) -> Answer:
        """Ask for the position after ``moves``. Clearing the table and filling the caches are the peer's task."""
        request = f"{question} {moves}".strip()
        with suppress(OSError, ValueError):  # a peer that has ended is noticed where its answer is missing
            self._process.send(request)
        line = self._line(f"the answer to {request!r}")
        try:
            value, nodes, *times = line.split()
            found = Answer(sign(int(value)) if question == "weak" else int(value), int(nodes), *map(float, times))
            if not all(each >= 0 for each in (found.nodes, found.seconds, found.clearing_s)):
                raise ValueError
        except (TypeError, ValueError):
            self._fail(f"answers {request!r} with {line!r}, not with a score, nodes and seconds")
        return found

    def close(self) -> None:
        """End the process: by the end of its input, otherwise by force."""
        self._process.close_input()
        self._process.exit_code(_LONGEST_END_S)
        self._process.kill()

    def _line(self, what: str) -> str:
        try:
            line = self._process.next_line(self._longest_wait_s)
        except TimeoutError:
            self._fail(f"did not write {what} within {self._longest_wait_s:g} s")
        if not line:
            self._fail(f"ended (exit code {self._process.exit_code(_LONGEST_END_S)}) before {what}")
        return line.decode("utf-8", "replace").strip()

    def _fail(self, what: str) -> NoReturn:
        self._process.kill()
        raise UsageError(f"The peer {self._command!r} {what}.", "See the protocol in tests/bench/README.md.")
