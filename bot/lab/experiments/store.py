"""The results file of an experiment: each task's result is saved at once, so that a killed run can be resumed."""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from bot.errors import UsageError
from bot.files import LineFile
from bot.lab.experiments.base import Experiment, Task

SOURCES = (
    "engine/jit/*.py",
    "agents/kernels/*.py",
    "agents/papers/*.py",
    "agents/games.py",
    "engine/minimax.py",
    "engine/random_mover.py",
)
"""The sources that decide games, relative to the package."""


def key_of(task: Task) -> str:
    """Return the task as text; equal tasks have equal keys."""
    return json.dumps(task, sort_keys=True)


def fingerprint(experiment: Experiment) -> str:
    """Return 16 hex digits that change with the sources of the agents or of the experiment's work.

    Results of other sources are not used. Any change of these files counts, even one of a comment. The code that only
    tabulates, draws or judges results is not among them.
    """
    bot = Path(__file__).parents[2]
    sources = {path for pattern in SOURCES for path in bot.glob(pattern)}
    own = inspect.getsourcefile(experiment.work)
    digest = hashlib.sha256()
    for source in sorted(sources | ({Path(own)} if own else set())):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raise UsageError in place of an OSError: a folder that cannot be written, or a full disk."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.", "Choose another folder with --out.") from None


_BEGINNING = ('{"fingerprint": ',)
"""What a results file begins with."""
PACKED = ".xz"
"""Suffix of packed results, which are read where the results themselves are missing."""
Entries = dict[str, dict[str, Any]]
"""Results and seconds by the key of the task."""


def load(path: Path) -> tuple[dict[str, Any], Entries]:
    """Return the header and the entries of a results file, or of its packed form; empty if there is neither.

    Damaged lines, such as the last one of a killed run, are skipped.
    """
    try:
        first, *lines = _content(path).splitlines()
        header = json.loads(first)
        known = {"fingerprint", "seed", "quick"} <= header.keys()
    except (OSError, EOFError, ValueError, AttributeError):
        return {}, {}
    entries: Entries = {}
    for line in lines:
        with suppress(ValueError, KeyError, TypeError):
            entry = json.loads(line)
            entries[entry["key"]] = {"result": entry["result"], "seconds": entry["seconds"]}
    return (header, entries) if known else ({}, {})


def _content(path: Path) -> bytes:
    """Return the bytes of a results file; the committed ones are packed by xz."""
    packed = path.with_name(path.name + PACKED)
    if path.exists() or not packed.exists():
        return path.read_bytes()
    import lzma

    return lzma.decompress(packed.read_bytes())


class Store:
    """A JSON Lines file: a header with fingerprint, seed and size of the run, then one line for each finished task.

    A file with another fingerprint is replaced by an empty one; a file of another kind raises UsageError.
    """

    def __init__(self, path: Path, *, fingerprint: str, seed: int, quick: bool) -> None:
        self._path = path
        self._header = {"fingerprint": fingerprint, "seed": seed, "quick": quick}
        self._done: Entries = {}
        self._file = LineFile(path)

    def __enter__(self) -> Store:
        header, entries = load(self._path)
        if header.get("fingerprint") == self._header["fingerprint"]:
            self._done = entries
        # The file is rewritten, so that no damaged line precedes a new one.
        lines = [json.dumps(self._header)]
        lines += [json.dumps({"key": key, **entry}) for key, entry in self._done.items()]
        with writing(self._path.parent):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = LineFile(self._path, lines, beginnings=_BEGINNING)
            self._file.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._file.__exit__(*error)

    def result(self, task: Task) -> dict[str, Any] | None:
        """Return the saved result of ``task``, or None."""
        entry = self._done.get(key_of(task))
        return None if entry is None else dict(entry["result"])

    def seconds(self, task: Task) -> float:
        """Return the time that a finished task took, seconds."""
        return float(self._done[key_of(task)]["seconds"])

    def save(self, task: Task, result: dict[str, Any], seconds: float) -> None:
        """Append one result to the file; it is handed to the operating system before this returns."""
        entry = {"result": result, "seconds": seconds}
        self._done[key_of(task)] = entry
        with writing(self._path.parent):
            self._file.append(json.dumps({"key": key_of(task), **entry}))
