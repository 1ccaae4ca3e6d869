"""A journal's records as lines of a file, and the write-ahead writer: a request is on the disk before it is sent.

A record is an event of the session (`bot.course.events`) or the run's end, one JSON object a line with the field
``type``.

The records in `SYNCED` are on the disk when `write` returns. If it raises, a choice is cut off, and nothing may be
sent. A record is whole or absent; if the disk cannot take one, JournalError ends the run. A reply that ends a game is
synced before anything else is sent. A power cut may lose another last reply, which leaves a choice without a reply.
"""

from __future__ import annotations

import json
import os
import shutil
from codecs import BOM_UTF8
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from bot.course.events import Abandoned, Chosen, Event, GameEnded, LargeCount, Seconds, Started
from bot.errors import JournalError
from bot.files import open_bytes, sync_folder, write_whole

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True)
class RunEnded:
    """A process stops playing: the last record, unless the run is resumed.

    It repeats what the user was told: as a witness beside the games that follow from the records, and so that a list
    of runs need not read them.
    """

    reason: str
    """"finished", "interrupted" or "error"."""
    error: str = ""
    games: tuple[GameEnded, ...] = ()
    """The ends of all games of the journal, in order."""
    substituted_moves: LargeCount = 0
    """Moves of the journal that another agent had to choose."""
    at: Seconds = 0.0
    time: str = ""
    type: Literal["ended"] = "ended"


Record = Event | RunEnded
"""Everything that a run writes."""


_PARTS = ("options", "learnt")
"""Values of a record whose fields stand beside its own in the file, in all editions."""


@cache
def _records() -> TypeAdapter[Record]:
    """Return the reader and writer of records, made at its first use: that takes longer than to import this module."""
    from pydantic import Field, TypeAdapter

    return TypeAdapter(Annotated[Record, Field(discriminator="type")])


def as_line(record: Record, time: str) -> bytes:
    """Return ``record`` as a line of a journal; ``time`` is the wall-clock time, UTC, ISO 8601.

    Numbers of numpy, which an agent from outside may have put into a choice, become plain ones. All characters are
    ASCII: a server's text could control the terminal on which a journal is looked at. Raises ValueError, as
    `parse_line` would, for a value that could not be read again.
    """
    timed = replace(record, time=time)
    fields = json.loads(_records().dump_json(timed, fallback=lambda value: value.tolist(), warnings=False))
    for part in _PARTS:
        fields |= fields.pop(part, {})
    content = json.dumps(fields, separators=(",", ":")).encode()
    parse_line(content)
    return content + b"\n"


def parse_line(line: bytes) -> Record:
    """Return the record in a line of a journal.

    Raises ValueError with a clause such as "its field move is wrong" if the line is no record.
    """
    from pydantic import ValidationError
    from pydantic_core import from_json

    try:
        fields = from_json(line.removeprefix(BOM_UTF8))  # an editor on Windows has put it before the first line
    except ValueError:
        raise ValueError("it is not JSON") from None
    if isinstance(fields, dict):
        fields = {**fields, **dict.fromkeys(_PARTS, fields)}
    try:
        return _records().validate_python(fields)
    except ValidationError as error:
        raise ValueError(_reason(error.errors()[0])) from None


def _reason(problem: Any) -> str:
    """Return a clause about what is wrong with a record."""
    place = ".".join(str(name) for name in problem["loc"][1:] if name not in _PARTS)
    return f"its field {place} is wrong" if place else "it is not a record of this edition"


# The writer

ROOM_BYTES = 1 << 20
"""Free space required before a game is opened, bytes: a game takes about 20 KB."""
SYNCED = (Started, Chosen, Abandoned, RunEnded)
"""Records that are on the disk when `JournalWriter.write` returns; the next sync covers the others."""
_ROOM_HINT = (
    "Make room on the disk, or put the folder back, then run the same command again: it resumes an unfinished game."
)


def utc_now() -> str:
    """Return the current time, UTC, ISO 8601 with milliseconds."""
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")


def _opened(path: Path, flags: int = 0) -> int:
    """Return the descriptor of a file to which is only appended, readable by its owner only. Raises OSError."""
    return open_bytes(path, os.O_WRONLY | os.O_APPEND | flags, 0o600)


class JournalWriter:
    """Appends records to one run's journal. For one thread.

    A reply is only written: `sync`, or the next choice, brings it to the disk. A power cut may lose it until then; the
    choice without a reply is treated as a lost reply.
    """

    def __init__(self, path: Path, descriptor: int) -> None:
        """Append to the file ``path``, which is open with this ``descriptor``."""
        self.path = path
        self._descriptor = descriptor

    @classmethod
    def create(cls, folder: Path, name: str) -> JournalWriter:
        """Start a new file in ``folder``; its name is on the disk when this returns, its first record follows.

        ``name`` becomes part of the file's name, which begins with a running number: so the names sort in the order of
        creation even when the clock is set back. Raises JournalError.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            number = 1 + max((_number(path) for path in folder.glob("*.jsonl")), default=0)
            stamp = utc_now()[:19].replace("-", "").replace(":", "")
            path = folder / f"{number:06d}-{stamp}Z-{name}.jsonl"
            writer = cls(path, _opened(path, os.O_CREAT | os.O_EXCL))
            sync_folder(folder)
            return writer
        except OSError as error:
            raise _refused(folder, error, "Choose another --logs folder.") from None

    @classmethod
    def resume(cls, path: Path) -> JournalWriter:
        """Continue an existing file; a last line that a crash has torn is cut off first. Raises JournalError.

        The torn record is dropped on purpose: a choice counts only once it is whole.
        """
        try:
            whole = path.read_bytes().rfind(b"\n") + 1
            os.truncate(path, whole)
            return cls(path, _opened(path))
        except OSError as error:
            raise _refused(path, error) from None

    def write(self, record: Record) -> None:
        """Append ``record`` as one whole line, or nothing.

        A choice is on the disk when this returns. If this raises (Ctrl-C included), the choice is cut off, and its
        request must not be sent. A game is begun only if there is room to record all of it. Raises JournalError if the
        disk cannot take the record.
        """
        line = as_line(record, utc_now())
        length = os.fstat(self._descriptor).st_size
        try:
            if isinstance(record, Chosen) and record.ply == 0:
                self._check_room()
            write_whole(self._descriptor, line)
            if isinstance(record, SYNCED):
                os.fsync(self._descriptor)
        except BaseException as error:
            if isinstance(error, OSError) or isinstance(record, Chosen):
                with suppress(OSError):
                    os.ftruncate(self._descriptor, length)
            if isinstance(error, OSError):
                raise _refused(self.path, error) from None
            raise

    def sync(self) -> None:
        """Bring everything written to the disk: a game's end, before anything follows from it. Raises JournalError."""
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            raise _refused(self.path, error) from None

    def close(self) -> None:
        """Close the journal; a second call does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _check_room(self) -> None:
        room = shutil.disk_usage(self.path).free
        if room < ROOM_BYTES:
            raise _refused(self.path, f"only {room / 1e6:.1f} MB are free")


def _number(path: Path) -> int:
    """Return the running number at the beginning of a journal's name; 0 for another file."""
    head = path.name.partition("-")[0]
    is_number = head.isdecimal() and head.isascii()
    return int(head) if is_number else 0


def _refused(path: Path, error: OSError | str, hint: str = _ROOM_HINT) -> JournalError:
    reason = str(error)
    if isinstance(error, OSError) and error.strerror:
        reason = error.strerror
    return JournalError(f"The journal {path} cannot be written: {reason}.", hint)
