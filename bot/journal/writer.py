"""The write-ahead writer: what we are about to do is on the disk before it is done."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
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
    is made for.
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
        writer.append("run", schema=SCHEMA, run=writer.path.stem, **header)
        writer.sync()
        return writer

    @classmethod
    def resume(cls, path: Path) -> JournalWriter:
        """Go on writing an existing file; a line that a crash has torn is closed first, so that it stays alone."""
        writer = cls(path)
        try:
            writer._open(0)
            content = path.read_bytes()
            if content and not content.endswith(b"\n"):
                complete = content.rfind(b"\n") + 1
                os.ftruncate(writer._descriptor, complete)
        except OSError as error:
            raise _refused(path, error) from None
        return writer

    def _open(self, flags: int) -> None:
        self._descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | flags, 0o644)

    def append(self, record_type: str, /, **fields: Any) -> None:
        """Write one record in one piece."""
        time = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        line = json.dumps({"type": record_type, "time": time, **fields}, separators=(",", ":")).encode() + b"\n"
        with self._guard():
            written = os.write(self._descriptor, line)
            if written != len(line):
                raise OSError(28, "No space left on device")

    def sync(self) -> None:
        """Wait until everything written is on the disk."""
        with self._guard():
            os.fsync(self._descriptor)

    def intent(self, game: int, move: int, ply: int, **fields: Any) -> None:
        """What is about to be sent; on the disk when this returns."""
        self.append("intent", game=game, move=move, ply=ply, **fields)
        self.sync()

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
        """The run is over; nothing follows."""
        self.append("run_end", reason=reason, **fields)
        self.sync()

    def check_room(self) -> None:
        """Raise JournalError when the disk has hardly room for another game: better now than in its middle."""
        with self._guard():
            if hasattr(os, "fstatvfs"):
                disk = os.fstatvfs(self._descriptor)
                if disk.f_bavail * disk.f_frsize < _ROOM_BYTES:
                    raise OSError(28, "No space left on device")

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    @contextmanager
    def _guard(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise _refused(self.path, error) from None


def _number(path: Path) -> int:
    head = path.name.partition("-")[0]
    return int(head) if head.isdigit() else 0


def _refused(path: Path, error: OSError) -> JournalError:
    return JournalError(
        f"The journal {path} cannot be written: {error.strerror}.",
        "Make room or choose another --logs folder, then run the same command: it takes the game up again.",
    )
