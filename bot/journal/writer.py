"""The write-ahead writer: what we are about to do is on the disk before it is done."""

from __future__ import annotations

import errno
import json
import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from bot.errors import JournalError
from bot.journal.schema import SCHEMA, outcome_of

_ROOM_BYTES = 1 << 20
"""Free space asked for before a game is opened: a game takes about 20 KB."""


class JournalWriter:
    """Appends records to one run's file. Raises JournalError, in one sentence, when the disk refuses.

    An intent is flushed and fsynced before `intent` returns; a reply is only flushed, since the next intent's fsync
    carries it along, and a reply that a power cut swallows leaves an intent behind, which is the case that recovery
    is made for. What the disk refuses is taken back, so that the file never holds half a record before a whole one,
    nor an intent that was never sent.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor = -1

    @classmethod
    def create(cls, folder: Path, name: str, **header: Any) -> JournalWriter:
        """Start a new file in ``folder`` with the run's header. ``name`` tells runs of one moment apart.

        File names sort in the order of creation even when the clock is set back: they begin with a running number.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            number = 1 + max((_number(path) for path in folder.glob("*.jsonl")), default=0)
            while True:
                stamp = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%SZ")
                writer = cls(folder / f"{number:06d}-{stamp}-{name}.jsonl")
                try:
                    writer._open(os.O_EXCL | os.O_CREAT)
                    break
                except FileExistsError:
                    number += 1
        except OSError as error:
            raise _refused(folder, error) from None
        try:
            writer.append("run", schema=SCHEMA, run=writer.path.stem, **header)
            writer.sync()
            sync_folder(folder)
        except BaseException:
            writer.close()
            raise
        return writer

    @classmethod
    def resume(cls, path: Path) -> JournalWriter:
        """Go on writing an existing file; a last line that a crash has torn is cut off first.

        What a torn line was about to say is lost with it, and must be: an intent counts only once it is whole.
        """
        writer = cls(path)
        try:
            writer._open(0)
            content = path.read_bytes()
            if not content.endswith(b"\n"):
                os.ftruncate(writer._descriptor, content.rfind(b"\n") + 1)
        except OSError as error:
            writer.close()
            raise _refused(path, error) from None
        return writer

    def _open(self, flags: int) -> None:
        self._descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | flags, 0o644)

    def append(self, record_type: str, /, **fields: Any) -> None:
        """Write one record in one piece, or nothing."""
        time = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        line = _line({"type": record_type, "time": time, **fields})
        with self._guard():
            if os.write(self._descriptor, line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def sync(self) -> None:
        """Wait until everything written is on the disk."""
        with self._guard():
            os.fsync(self._descriptor)

    def intent(self, game: int, move: int, ply: int, **fields: Any) -> None:
        """What is about to be sent; on the disk when this returns.

        When it raises (Ctrl-C too), nothing may be sent, and the record is taken back.
        """
        length = os.fstat(self._descriptor).st_size
        try:
            self.append("intent", game=game, move=move, ply=ply, **fields)
            self.sync()
        except BaseException:
            self._cut(length)
            raise

    def reply(self, game: int, **fields: Any) -> None:
        """What the server answered."""
        self.append("reply", game=game, **fields)

    def event(self, game: int, kind: str, text: str, **fields: Any) -> None:
        """Something a reader of the journal should know."""
        self.append("event", game=game, kind=kind, text=text, **fields)

    def game_end(self, game: int, result: float, **fields: Any) -> None:
        """A game is over with the server's ``result``."""
        self.append("game_end", game=game, result=result, outcome=outcome_of(result), **fields)

    def run_end(self, reason: str, **fields: Any) -> None:
        """The run is over; nothing follows unless it is taken up again."""
        self.append("run_end", reason=reason, **fields)
        self.sync()

    def check_room(self) -> None:
        """Raise JournalError when the disk has hardly room for another game: better now than in its middle."""
        with self._guard():
            if hasattr(os, "fstatvfs"):
                disk = os.fstatvfs(self._descriptor)
                if disk.f_bavail * disk.f_frsize < _ROOM_BYTES:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Turn the disk's refusal into a sentence, and take back what was written meanwhile."""
        length = os.fstat(self._descriptor).st_size
        try:
            yield
        except OSError as error:
            self._cut(length)
            raise _refused(self.path, error) from None

    def _cut(self, length: int) -> None:
        with suppress(OSError):
            os.ftruncate(self._descriptor, length)


class MemorySink:
    """A journal in memory: the records that a file would hold, in the same bytes, with a clock of the caller's.

    It stands in for `JournalWriter` where nothing may touch a disk, and equal runs must give equal bytes.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        """``now`` gives seconds since the epoch; it need not be the real time."""
        self.records: list[dict[str, Any]] = []
        self._now = now

    def append(self, record_type: str, /, **fields: Any) -> None:
        """Write one record."""
        self.records.append({"type": record_type, "time": self._now(), **fields})

    def intent(self, game: int, move: int, ply: int, **fields: Any) -> None:
        """Write what is about to be sent."""
        self.append("intent", game=game, move=move, ply=ply, **fields)

    def reply(self, game: int, **fields: Any) -> None:
        """Write what the server answered."""
        self.append("reply", game=game, **fields)

    def event(self, game: int, kind: str, text: str, **fields: Any) -> None:
        """Write something that a reader of the journal should know."""
        self.append("event", game=game, kind=kind, text=text, **fields)

    def game_end(self, game: int, result: float, **fields: Any) -> None:
        """Write that a game is over with the server's ``result``."""
        self.append("game_end", game=game, result=result, outcome=outcome_of(result), **fields)

    def run_end(self, reason: str, **fields: Any) -> None:
        """Write that the run is over."""
        self.append("run_end", reason=reason, **fields)

    def check_room(self) -> None:
        """Do nothing: memory has room for another game."""

    def content(self) -> bytes:
        """Return the journal as a file would hold it."""
        return b"".join(_line({**record, "time": _stamp(record["time"])}) for record in self.records)


def _stamp(seconds: float) -> str:
    return (_EPOCH + timedelta(seconds=seconds)).isoformat(timespec="milliseconds")


_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def _line(record: dict[str, Any]) -> bytes:
    return _as_json(record).encode() + b"\n"


def _as_json(record: dict[str, Any]) -> str:
    """The record as JSON that every program reads: no NaN, no infinity, numbers of numpy as plain ones."""
    try:
        return json.dumps(record, separators=(",", ":"), allow_nan=False, default=_plain)
    except ValueError:
        return json.dumps(_finite(record), separators=(",", ":"), default=_plain)


def _plain(value: Any) -> Any:
    """A number or array of numpy as Python's own (the hot path does not import numpy to ask); else its text."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(entry) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def sync_folder(folder: Path) -> None:
    """Make the new file's name last through a power cut too; not every system can, and then it is left at that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _number(path: Path) -> int:
    head = path.name.partition("-")[0]
    return int(head) if head.isdecimal() and head.isascii() else 0


def _refused(path: Path, error: OSError) -> JournalError:
    return JournalError(
        f"The journal {path} cannot be written: {error.strerror or error}.",
        "Make room or choose another --logs folder, then run the same command: it takes the game up again.",
    )
