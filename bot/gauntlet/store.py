"""The one store of results: a file of JSON lines to which each result is saved at once, so that a killed run resumes.

The first line is the head, which says what the file is. Every other line is a record with its key, and with the
fingerprint of the sources that made it, where those can change (`bot.gauntlet.versions`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from bot.errors import UsageError
from bot.files import LineFile

Head = dict[str, Any]
"""What a file is and what determines all its records, as JSON; a file with another head is refused."""
Records = dict[str, dict[str, Any]]
"""Records by key, each with its ``key`` and its ``sources``."""


def load(path: Path, head: Head) -> Records:
    """Return the records of a file, the last one of each key; none where there is no file.

    Damaged lines, such as the last one of a killed run, are skipped. Raises UsageError for a file with another head.
    """
    with usable(path):
        lines = LineFile(path, beginning=f"{json.dumps(head)}\n").lines()
    found: Records = {}
    for line in lines[1:]:
        with suppress(ValueError, TypeError, KeyError):
            record = json.loads(line)
            found[record["key"]] = record
    return found


class RecordStore:
    """The records of a run that can be interrupted, for use in a with statement; without a path they are only kept.

    Several processes may add to one file at once: nothing in it is ever changed.

    Entering it raises UsageError, and leaves the file as it is, where the file has another head or cannot be written.
    """

    def __init__(self, path: Path | None, head: Head) -> None:
        self._path = path
        self._head = head
        self._file = LineFile(path, shared=True)
        self.known: Records = {}
        """All records by key, from earlier runs and this one, whatever their sources."""

    def __enter__(self) -> RecordStore:
        if self._path is not None:
            self.known = load(self._path, self._head)
            with usable(self._path):
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._file.__enter__()
                if not self._path.stat().st_size:
                    self._file.append(json.dumps(self._head))
        return self

    def __exit__(self, *error: object) -> None:
        with usable(self._path):  # what a full disk did not take is written once more
            self._file.__exit__(*error)

    def get(self, key: str, sources: str = "") -> dict[str, Any] | None:
        """Return the record of ``key``; None where there is none that these sources made."""
        record = self.known.get(key)
        return record if record is not None and record.get("sources", "") == sources else None

    def add(self, key: str, record: Mapping[str, Any], sources: str = "") -> None:
        """Save a record in place of an earlier one; the operating system has it when this returns.

        Raises UsageError where the file cannot be written.
        """
        self.known[key] = {"key": key, "sources": sources, **record}
        with usable(self._path):
            self._file.append(json.dumps(self.known[key]))


@contextmanager
def usable(path: Path | None) -> Iterator[None]:
    """Raise UsageError in place of an OSError: a folder that cannot be written, or a full disk."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{path} cannot be used: {error.strerror}.", "Choose another place.") from None
