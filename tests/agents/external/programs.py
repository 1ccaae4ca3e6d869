"""Little foreign agents for tests, good ones and bad ones: classes in a file, and programs without this package."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from bot.agents.external import child, names
from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.errors import UsageError
from bot.game import Board
from tests.processes import python_json

CLASSES = '''
class Leftmost:
    def choose(self, board, limit):
        return board.legal_columns()[0]


class Column:
    def __init__(self, column, seed=None):
        self.column, self.seed = column, seed

    def choose(self, board, limit):
        print("printing is harmless")
        legal = board.legal_columns()
        return self.column if self.column in legal else legal[-1]


class Drawn:
    """Plays at random, from the seed alone."""

    def __init__(self, seed):
        import random

        self.random = random.Random(seed)

    def choose(self, board, limit):
        return self.random.choice(board.legal_columns())


class Late(Leftmost):
    """Behaves for its first two moves of a game; subclasses fail in the third."""

    moves = 0

    def choose(self, board, limit):
        self.moves += 1
        return super().choose(board, limit) if self.moves < 3 else self.fail()


class Raises(Late):
    def fail(self):
        raise RuntimeError("no idea")


class Broken:
    def __init__(self):
        raise ValueError("no weights")
'''

PROGRAM = """#!{python} -S
import sys, time
moves = 0
for line in sys.stdin:
    words = line.split()
    if words[0] == "c4agent":
        reply = "c4agent 1 tiny"
    elif words[0] == "new":
        reply, seed = "ready", words[1]
    else:
        heights = [words[1].count(str(column)) for column in range(1, 8)]
        reply = "move " + str(next(column for column in range(1, 8) if heights[column - 1] < 6))
        moves += 1
        if moves > {after}:
            {bad}
    print(reply, flush=True)
"""
"""A program in plain Python that knows nothing of this package; ``bad`` is what it does after some moves."""


HOSTED = """
import io, json, sys
from pathlib import Path
from bot.agents.external.host import answer, foreign_maker
from bot.agents.external.loading import prepare
from bot.errors import BotError
path, names, requests = Path(sys.argv[1]).absolute(), *map(json.loads, sys.argv[2:])
prepare(path)
said = []
for name in names:
    out = io.StringIO()
    try:
        answer(foreign_maker(path, name, {}), name, requests, out)
    except BotError as error:
        print("error", error, file=out)
    said.append(out.getvalue().splitlines())
print(json.dumps(said))
"""


class Fails(Agent):
    """An agent of this process that returns ``found``, or raises it."""

    name = "fails"

    def __init__(self, found: object) -> None:
        self._found = found

    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Any:  # noqa: ARG002
        if isinstance(self._found, BaseException):
            raise self._found
        return self._found


class Noting(Agent):
    """Keeps the limit that it is given."""

    name = "noting"
    limit = Limit()

    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:  # noqa: ARG002
        self.limit = limit
        return Decision(3)


FAILURES: tuple[tuple[object, str], ...] = (
    (3, "Fails.choose returned 3, which is full (column 4, counted from 1)."),
    (Decision(3), "Fails.choose returned 3, which is full (column 4, counted from 1)."),
    (Decision(9), "Fails.choose returned 9, which is not a column from 0 to 6."),
    (2.0, "Fails.choose returned 2.0, which is not a column from 0 to 6."),
    (None, "Fails.choose returned None, which is not a column from 0 to 6."),
    ("4", "Fails.choose returned '4', which is not a column from 0 to 6."),
    (ZeroDivisionError("by zero"), "fails failed: ZeroDivisionError: by zero (programs.py, line "),
    (UsageError("It has no plan.", "Try another."), "fails failed: It has no plan."),
)
"""What `Fails` does in a position whose column 3 is full, and how that is told."""


def replies(file: Path, names: list[str], *requests: str) -> list[list[str]]:
    """Return what functions of a file, answer: all in one process that is like theirs."""
    return cast("list[list[str]]", python_json(HOSTED, str(file), json.dumps(names), json.dumps(requests)))


def classes(folder: Path) -> Path:
    """Write the classes and return the file."""
    path = folder / "foreign.py"
    path.write_text(CLASSES, encoding="utf-8")
    return path


def program(folder: Path, name: str = "tiny", bad: str = "pass", after: int = 2) -> str:
    """Write an executable program, which does ``bad`` after that many moves, and return the agent's name."""
    path = folder / name
    path.write_text(PROGRAM.format(python=sys.executable, bad=bad, after=after), encoding="utf-8")
    path.chmod(0o755)
    return f"command:{path}"


def readme_block(language: str) -> str:
    """Return the first block of a language in the README of the programs from outside."""
    text = Path(names.__file__).with_name("README.md").read_text(encoding="utf-8")
    return text.split(f"```{language}\n")[1].split("```")[0]


@contextmanager
def ended() -> Iterator[None]:
    """End every program that was started in the block."""
    try:
        yield
    finally:
        child.end_programs()
