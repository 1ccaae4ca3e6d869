"""Reading journals: records, games, and the game that a crash left unfinished."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bot.errors import JournalError
from bot.journal.schema import Record, complaint


@dataclass(slots=True)
class Game:
    """The records of one game, in order."""

    number: int
    records: list[Record] = field(default_factory=list)
    ended: Record | None = None

    @property
    def result(self) -> float | None:
        """1, 0.5, -1 or -10; None while the game is unfinished."""
        return None if self.ended is None else float(self.ended["result"])

    @property
    def last(self) -> Record | None:
        """The last intent or reply: what a run that goes on starts from."""
        return next((record for record in reversed(self.records) if record["type"] in ("intent", "reply")), None)


@dataclass(slots=True)
class Journal:
    """One run: its header, its games, and its end unless it crashed."""

    path: Path
    header: Record
    games: list[Game] = field(default_factory=list)
    end: Record | None = None
    torn: bool = False
    """Whether the last line was cut short by a crash (and left out)."""

    @property
    def server(self) -> str:
        return str(self.header["server"])

    @property
    def stil_ids(self) -> tuple[str, ...]:
        return tuple(str(stil_id) for stil_id in self.header["stil_ids"])

    @property
    def unfinished(self) -> Game | None:
        """The last game, if it was opened and has no end."""
        return self.games[-1] if self.games and self.games[-1].ended is None else None


def read_records(path: Path) -> Iterator[tuple[int, Record | None]]:
    """Line numbers and records; a torn last line comes as None.

    Raises JournalError, naming file and line, for any other damage.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise JournalError(f"The journal {path} cannot be read: {error.strerror}.") from None
    lines = content.split(b"\n")
    whole = lines.pop() == b""
    for number, line in enumerate(lines, start=1):
        try:
            record = json.loads(line)
        except ValueError:
            raise _damaged(path, number, "it is no JSON") from None
        problem = complaint(record)
        if problem:
            raise _damaged(path, number, problem)
        yield number, record
    if not whole:
        yield len(lines) + 1, None


def read_journal(path: Path) -> Journal:
    """The whole run in ``path``. Raises JournalError when it is no journal, or damaged before its last line."""
    journal: Journal | None = None
    for number, record in read_records(path):
        if record is None:
            if journal is None:
                break
            journal.torn = True
            continue
        if journal is None:
            if record["type"] != "run":
                raise _damaged(path, number, "the run's header is missing")
            journal = Journal(path, record)
            continue
        add_record(journal, record)
    if journal is None:
        raise JournalError(f"The journal {path} is empty.", "Its run ended before its first record; remove it.")
    return journal


def add_record(journal: Journal, record: Record) -> None:
    """Put the run's next record where it belongs, as whoever follows a growing file does too."""
    if record["type"] == "run_end":
        journal.end = record
        return
    number = record.get("game")
    if not isinstance(number, int):
        return
    if not journal.games or journal.games[-1].number != number:
        journal.games.append(Game(number))
    game = journal.games[-1]
    game.records.append(record)
    if record["type"] == "game_end":
        game.ended = record


def journals(folder: Path, server: str | None = None, stil_ids: Sequence[str] | None = None) -> Iterator[Journal]:
    """The readable runs in ``folder``, oldest first, of this server and these ids if given.

    A file without a single whole record (a crash at birth) is passed over; other damage raises JournalError.
    """
    for path in sorted(folder.glob("*.jsonl")):
        if b"\n" not in path.read_bytes()[:65536]:
            continue
        journal = read_journal(path)
        if server is not None and journal.server != server:
            continue
        if stil_ids is not None and set(journal.stil_ids) != set(stil_ids):
            continue
        yield journal


def _damaged(path: Path, number: int, why: str) -> JournalError:
    return JournalError(f"Line {number} of {path} is damaged: {why}.", "Move the file away, or mend the line.")
