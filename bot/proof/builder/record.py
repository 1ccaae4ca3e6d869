"""The record of a build: a text file, one line for each step, from which a killed build is resumed.

``D`` and the 42 cells of a new diagram in hexadecimal; ``L``, a position, the number of its diagram and whether it is
mirrored; ``B``, a position and the column played there; ``S``, a position in which searches found no diagram, the
positions they visited and whether it is certain that there is none. Later lines replace earlier ones.
"""

from __future__ import annotations

from pathlib import Path

from bot.errors import UsageError
from bot.files import LineFile
from bot.proof.builder.builder import Builder, Tried
from bot.proof.strategy import Branch, Leaf

_BEGINNINGS = ("D ", "L ", "B ", "S ")
"""What the first line of a record begins with."""


class Record(LineFile):
    """The file of a build's record; lines are only appended."""

    def __init__(self, path: Path | None) -> None:
        super().__init__(path, beginnings=_BEGINNINGS)

    def replay(self, builder: Builder) -> int:
        """Add the results of an earlier build to ``builder``; return the number of lines.

        An incomplete last line is ignored. Raises UsageError for a damaged line.
        """
        lines = self.lines()
        for number, line in enumerate(lines, start=1):
            try:
                _replay_line(builder, line.decode("ascii", "replace").split())
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
        case ["S", key, effort, impossible]:
            builder.tried[int(key)] = Tried(int(effort), impossible == "1")
        case _:
            raise ValueError(words)
