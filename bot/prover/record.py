"""The record of a build: a text file, one line for each step, from which a killed build is resumed.

``D`` and the 42 cells of a new diagram in hexadecimal; ``L``, a position, the number of its diagram and whether it is
mirrored; ``B``, a position and the column played there. Later lines replace earlier ones.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import TextIO

from bot.errors import UsageError
from bot.proof.strategy import Branch, Leaf
from bot.prover.builder import Builder


class Record:
    """The file of a build's record; lines are only appended."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._sink: TextIO | None = None

    def __enter__(self) -> Record:
        self._sink = self.path.open("a")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._sink is not None:
            self._sink.close()

    def write(self, line: str) -> None:
        """Append one line."""
        assert self._sink is not None
        self._sink.write(line + "\n")

    def flush(self) -> None:
        """Hand all lines to the operating system."""
        assert self._sink is not None
        self._sink.flush()

    def replay(self, builder: Builder) -> int:
        """Add the results of an earlier build to ``builder``; return the number of lines.

        An incomplete last line is removed from the file. Raises UsageError for a damaged line.
        """
        if not self.path.exists():
            return 0
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if whole != content:
            self.path.write_bytes(whole)
        lines = whole.decode("ascii", "replace").splitlines()
        for number, line in enumerate(lines, start=1):
            try:
                _replay_line(builder, line.split())
            except (ValueError, IndexError):
                raise UsageError(
                    f"Line {number} of {self.path} is damaged.",
                    "Delete this line and those after it, or use another --record.",
                ) from None
        return len(lines)


def _replay_line(builder: Builder, words: list[str]) -> None:
    match words:
        case ["D", order]:
            builder.add_diagram(bytes.fromhex(order))
        case ["L", key, diagram, mirrored]:
            if int(diagram) >= len(builder.orders):
                raise ValueError(diagram)
            builder.strategy.change(int(key), Leaf(int(diagram), mirrored == "1"))
        case ["B", key, column]:
            builder.strategy.change(int(key), Branch(int(column)))
        case _:
            raise ValueError(words)
