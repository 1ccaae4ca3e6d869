"""Another solver in a process of its own, which speaks a line protocol (README.md in this folder)."""

from __future__ import annotations

import os
import shlex
from contextlib import suppress
from dataclasses import dataclass, replace
from math import isfinite
from statistics import fmean
from typing import NoReturn

from bot.agents.external.line_process import LineProcess
from bot.engine.score import sign
from bot.errors import UsageError

COMMAND = "command:"
"""What `--peer` begins with; the rest is the command of another solver."""
VERSION = "1"
"""Version of the protocol."""
QUESTIONS = ("exact", "weak")
LONGEST_WAIT_S = 300.0
"""Default for the longest wait for a line of the peer, seconds."""
_LONGEST_LINE = 500
_LONGEST_END_S = 1.0
"""Time for a peer to end after the end of its input, seconds."""
_SEE = "The protocol is described in bot/trials/bench/README.md."


@dataclass(frozen=True, slots=True)
class TimedAnswer:
    """A solver's result for one position, and its cost."""

    value: int | None
    nodes: int
    seconds: float
    clearing_s: float | None = None
    """Processor time of clearing the table; None where ``seconds`` includes it."""

    @classmethod
    def parse(cls, line: str) -> TimedAnswer:
        """Read a peer's answer, whose seconds are processor time; raises ValueError where it is none."""
        value, nodes, *times = line.split()
        if not 1 <= len(times) <= 2:
            raise ValueError(line)
        seconds = [float(text) for text in times]
        if int(nodes) < 0 or not all(isfinite(each) and each >= 0 for each in seconds):
            raise ValueError(line)
        return cls(int(value), int(nodes), *seconds)


class CommandPeer:
    """Another solver as a child process; a solver under test that measures its own processor time.

    Raises UsageError where the process cannot be started, ends, exceeds the time limit or breaks the protocol.
    """

    def __init__(self, command: str, longest_wait_s: float = LONGEST_WAIT_S) -> None:
        self._command, self._longest_wait_s = command, longest_wait_s
        self._cleared_s: list[float] = []
        self._process = self._started()
        try:
            self.name = self._greeting()
        except BaseException:
            self.close()
            raise

    @property
    def clearing(self) -> str:
        """Who pays for clearing the peer's table, as a sentence."""
        if not self._cleared_s:
            return f"Clearing the table of {self.name} is part of its time."
        mean_ms = 1000 * fmean(self._cleared_s)
        return f"Clearing the table of {self.name} is not part of its time: {mean_ms:.3f} ms of processor time each."

    def answer(self, question: str, moves: str) -> TimedAnswer:
        """Ask for the position after ``moves``. Clearing the table and filling the caches are the peer's task."""
        found = self._ask(f"{question} {moves}".strip())
        if found.clearing_s is not None:
            self._cleared_s.append(found.clearing_s)
        if question == "weak" and found.value is not None:
            found = replace(found, value=sign(found.value))
        return found

    def close(self) -> None:
        """End the process: by the end of its input, otherwise by force."""
        self._process.close_input()
        self._process.exit_code(_LONGEST_END_S)
        self._process.kill()

    def _started(self) -> LineProcess:
        try:
            return LineProcess(shlex.split(self._command, posix=os.name == "posix"), max_line=_LONGEST_LINE)
        except (OSError, ValueError, IndexError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UsageError(
                f"The peer {self._command!r} cannot be started: {reason}.",
                "Write --peer command:PATH, or --peer 'command:PATH ARGUMENTS'.",
            ) from None

    def _greeting(self) -> str:
        """Return the name in the peer's first line."""
        line = self._line("its first line")
        word, _, rest = line.partition(" ")
        version, _, name = rest.partition(" ")
        if word != "peer" or not name:
            self._fail(f"begins with {line!r}, not with 'peer {VERSION} NAME'")
        if version != VERSION:
            self._fail(f"speaks version {version} of the protocol, and this program version {VERSION}")
        return name

    def _ask(self, request: str) -> TimedAnswer:
        with suppress(OSError, ValueError):  # a peer that has ended is noticed where its answer is missing
            self._process.send(request)
        line = self._line(f"the answer to {request!r}")
        if line.startswith("error"):
            self._fail(f"refuses {request!r}: {line.removeprefix('error').strip()}")
        try:
            return TimedAnswer.parse(line)
        except ValueError:
            self._fail(f"answers {request!r} with {line!r}, not with a score, nodes and seconds")

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
        raise UsageError(f"The peer {self._command!r} {what}.", _SEE)
