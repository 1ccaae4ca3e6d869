"""Names of agents outside the package, and the commands that start them.

``file.py:name`` is a Python class or function, which a child process hosts; ``command:PATH`` is any program. Arguments
follow after commas: ``mine.py:Searcher,depth=3``.
"""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path

from bot.errors import UsageError

COMMAND = "command:"
_FILE = re.compile(r"(.+\.py):[A-Za-z_][\w.]*")
_START = (
    "import sys; sys.path[:] = filter(None, sys.path); from bot.agents.external.host import main; main(sys.argv[1:])"
)
_HOST = (sys.executable, "-c", _START)
"""Starts the host. The working folder is no place of modules: a bot.py there would take the name of this package."""


def names_a_program(name: str) -> bool:
    """Return whether ``name`` names a file or a command, whether or not it exists."""
    return name.startswith(COMMAND) or file_of(name) is not None


def file_of(name: str) -> Path | None:
    """Return the file of an agent such as ``mine.py:Searcher``, as the name gives it; None for any other agent."""
    found = _FILE.fullmatch(name.partition(",")[0])
    return None if found is None else Path(found[1])


def command_of(name: str) -> tuple[str, ...]:
    """Return the command that starts the program called ``name``; raise UsageError where there is none."""
    if name.startswith(COMMAND):
        return _program(name)
    head, *pairs = name.split(",")
    file, _, member = head.rpartition(":")
    path = Path(file)
    if not path.is_file():
        raise UsageError(f"There is no file {path}.", "Write the agent as FILE.py:NAME.")
    return (*_HOST, str(path.resolve()), member, *pairs)


def without_folders(name: str) -> str:
    """Return a name as people say it: of a file, `mine.py:Searcher` without its folders, of a program without its."""
    head, comma, arguments = name.partition(",")
    return f"{Path(head).name}{comma}{arguments}"


def short_name(name: str) -> str:
    """Return a name for display that holds no path: the class, or the program without its folder and arguments."""
    if name.startswith(COMMAND):
        return Path(_words(name)[0]).stem
    head = name.partition(",")[0]
    return head.rpartition(":")[2]


def _program(name: str) -> tuple[str, ...]:
    program, *arguments = _words(name)
    found = shutil.which(program)
    if found is None:
        hint = "Write command:PATH, with its arguments after blanks; it must be executable (`chmod +x PATH`)."
        raise UsageError(f"There is no program {program!r} that can be run.", hint)
    return (str(Path(found).absolute()), *arguments)  # not resolved: a link may name the environment it belongs to


def _words(name: str) -> list[str]:
    try:
        words = shlex.split(name.removeprefix(COMMAND))
    except ValueError as error:
        raise UsageError(f"{name!r} is not a command: {error}.", "Check its quotation marks.") from None
    if not words:
        raise UsageError("command: names no program.", "Write command:./engine, for instance.")
    return words
