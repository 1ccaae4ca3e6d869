"""The write-ahead writer: every request to /move is on the disk before it is sent."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from bot.course.journal.schema import SCHEMA, outcome_of
from bot.course.journal.sink import FileSink, Sink, is_other_than_folder
from bot.course.protocol import NEW_GAME
from bot.errors import JournalError
from bot.files import sync_folder

ROOM_BYTES = 1 << 20
"""Free space required before a game is opened, bytes: a game takes about 20 KB."""


def utc_now() -> str:
    """Return the current time, UTC, ISO 8601 with milliseconds."""
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")


class JournalWriter:
    """Appends records to one run's journal. Raises JournalError if the disk cannot take a record.

    An intent is written and synced before `intent` returns. A reply is only written: the next intent's sync covers it.
    A power cut may lose the reply; the intent without a reply is then treated as a lost reply. A record that could not
    be written whole is cut off, so a whole record never follows half a record.
    """

    def __init__(self, sink: Sink, path: Path = Path("journal.jsonl"), now: Callable[[], str] = utc_now) -> None:
        """Append to ``sink``. ``path`` names it in messages; ``now`` returns the text of each record's ``time``."""
        self.path = path
        self._sink = sink
        self._now = now

    @classmethod
    def create(cls, folder: Path, name: str, *, now: Callable[[], str] = utc_now, **header: Any) -> JournalWriter:
        """Start a new file in ``folder`` with the run's header; ``name`` becomes part of the file's name.

        File names begin with a running number, so they sort in the order of creation even when the clock is set back.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            number = 1 + max((_number(path) for path in folder.glob("*.jsonl")), default=0)
            while True:
                stamp = now()[:19].replace("-", "").replace(":", "")
                path = folder / f"{number:06d}-{stamp}Z-{name}.jsonl"
                try:
                    writer = cls(FileSink(path, create=True), path, now)
                    break
                except FileExistsError:
                    number += 1
        except OSError as error:
            hint = "Choose another --logs folder."
            if is_other_than_folder(folder):
                raise JournalError(f"{folder} is not a folder.", hint) from None
            raise _refused(folder, error, hint) from None
        try:
            writer.start(**header)
            sync_folder(folder)
        except BaseException:
            writer.close()
            raise
        return writer

    @classmethod
    def resume(cls, path: Path, now: Callable[[], str] = utc_now) -> JournalWriter:
        """Continue an existing file; a last line that a crash has torn is cut off first.

        The torn record is dropped on purpose: an intent counts only once it is whole.
        """
        try:
            writer = cls(FileSink(path), path, now)
        except OSError as error:
            raise _refused(path, error) from None
        try:
            content = path.read_bytes()
            if not content.endswith(b"\n"):
                writer._sink.truncate(content.rfind(b"\n") + 1)
        except OSError as error:
            writer.close()
            raise _refused(path, error) from None
        return writer

    def start(self, **header: Any) -> None:
        """Write the run's header: the first record of a new journal; synced."""
        self.append("run", schema=SCHEMA, run=self.path.stem, **header)
        self.sync()

    def append(self, record_type: str, /, **fields: Any) -> None:
        """Write one whole record, or nothing."""
        line = _as_json({"type": record_type, "time": self._now(), **fields}).encode() + b"\n"
        with self._guard():
            self._sink.write(line)

    def sync(self) -> None:
        """Wait until everything written is on the disk."""
        with self._guard():
            self._sink.sync()

    def intent(self, game: int, move: int, ply: int, **fields: Any) -> None:
        """Record a request that is about to be sent; on the disk when this returns.

        If it raises (Ctrl-C included), the record is cut off, and the request must not be sent. A game is opened only
        if there is room to record all of it.
        """
        if move == NEW_GAME:
            self.check_room()
        length = self._sink.size()
        try:
            self.append("intent", game=game, move=move, ply=ply, **fields)
            self.sync()
        except BaseException:
            self._cut(length)
            raise

    def reply(self, game: int, **fields: Any) -> None:
        """Record the server's reply."""
        self.append("reply", game=game, **fields)

    def event(self, game: int, kind: str, text: str, **fields: Any) -> None:
        """Record an event: something unusual, or needed to resume the run."""
        self.append("event", game=game, kind=kind, text=text, **fields)

    def game_end(self, game: int, result: float, **fields: Any) -> None:
        """Record that a game is over with the server's ``result``."""
        self.append("game_end", game=game, result=result, outcome=outcome_of(result), **fields)

    def run_end(self, reason: str, **fields: Any) -> None:
        """Record the end of the run: the last record, unless the run is resumed."""
        self.append("run_end", reason=reason, **fields)
        self.sync()

    def check_room(self) -> None:
        """Raise JournalError if less than ROOM_BYTES are free."""
        with self._guard():
            room = self._sink.room()
        if room is not None and room < ROOM_BYTES:
            raise _refused(self.path, f"only {room / 1e6:.1f} MB are free")

    def close(self) -> None:
        """Close the journal; a second call does nothing."""
        self._sink.close()

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Convert an OSError to a JournalError, and cut off what was written meanwhile."""
        length = self._sink.size()
        try:
            yield
        except OSError as error:
            self._cut(length)
            raise _refused(self.path, error) from None

    def _cut(self, length: int) -> None:
        with suppress(OSError):
            self._sink.truncate(length)


def _as_json(record: dict[str, Any]) -> str:
    """Return the record as standard JSON: no NaN, no infinity, numpy's numbers as plain ones."""
    try:
        return json.dumps(record, separators=(",", ":"), allow_nan=False, default=_plain)
    except ValueError:
        return json.dumps(_finite(record), separators=(",", ":"), default=_plain)


def _plain(value: Any) -> Any:
    """Return a number or array of numpy as Python's own (without importing numpy), anything else as text."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(entry) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _number(path: Path) -> int:
    head = path.name.partition("-")[0]
    return int(head) if head.isdecimal() and head.isascii() else 0


_ROOM_HINT = "Make room on the disk, then run the same command again: it resumes an unfinished game."


def _refused(path: Path, error: OSError | str, hint: str = _ROOM_HINT) -> JournalError:
    reason = error if isinstance(error, str) else error.strerror or error
    return JournalError(f"The journal {path} cannot be written: {reason}.", hint)
