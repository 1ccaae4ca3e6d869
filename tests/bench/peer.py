"""A solver under test: a process of its own, which speaks the protocol of README.md."""

from __future__ import annotations

import shlex
import subprocess
from dataclasses import dataclass

from bot.engine.score import sign


@dataclass(frozen=True)
class Answer:
    """A solver's result for one position, and its cost."""

    value: int
    nodes: int
    seconds: float
    clearing_s: float = 0.0
    """Processor time of clearing the table, where ``seconds`` does not include it."""


class Peer:
    """A solver as a child process, which measures its own processor time.

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
    """Start a solver's program; the end of its input ends it."""
    words = shlex.split(command)
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
