"""Reading journals: records, games, and the game that a crash left unfinished."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bot.address import normalised_server
from bot.errors import JournalError
from bot.journal.schema import Record, complaint


@dataclass(slots=True)
class Game:
    """The records of one game, in order."""

    number: int
    records: list[Record] = field(default_factory=list)
    ended: Record | None = None
    lines: list[int] = field(default_factory=list)
    """The line of each record, 0 where it is unknown."""

    @property
    def result(self) -> float | None:
        """1, 0.5, -1 or -10; 0 when the server lost the game; None while it is unfinished."""
        return None if self.ended is None else float(self.ended["result"])

    @property
    def last(self) -> Record | None:
        """The last intent or reply: what a run that goes on starts from."""
        return next((record for record in reversed(self.records) if record["type"] in ("intent", "reply")), None)

    @property
    def is_opened(self) -> bool:
        """Whether the server may know of the game: something was sent that was not provably left undone."""
        pending = False
        for record in self.records:
            kind = record.get("kind") if record["type"] == "event" else record["type"]
            if kind == "silent_start" or (kind == "reply" and record.get("status") is True):
                return True
            if kind in ("intent", "carried_over", "unconfirmed", "not_processed", "not_sent"):
                pending = kind not in ("not_processed", "not_sent")
        return pending


@dataclass(slots=True)
class Journal:
    """One run: its header, its games, and its end unless it crashed."""

    path: Path
    header: Record
    games: list[Game] = field(default_factory=list)
    end: Record | None = None
    """The last ``run_end``, unless the run was taken up again after it."""
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
        game = self.games[-1] if self.games else None
        return game if game is not None and game.ended is None and game.is_opened else None


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
        except (ValueError, RecursionError):
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
        add_record(journal, record, number)
    if journal is None:
        raise JournalError(f"The journal {path} is empty.", "Its run ended before its first record; remove it.")
    return journal


def add_record(journal: Journal, record: Record, line: int = 0) -> None:
    """Put the run's next record where it belongs, as whoever follows a growing file does too."""
    if record["type"] == "run_end":
        journal.end = record
        return
    journal.end = None
    number = record.get("game")
    if not isinstance(number, int):
        return
    game = _game(journal, number)
    game.records.append(record)
    game.lines.append(line)
    if record["type"] == "game_end":
        game.ended = record
    if record["type"] == "event" and isinstance(record.get("ended"), list):
        _end_unseen(journal, record["ended"])


def _end_unseen(journal: Journal, ends: list[Record]) -> None:
    """Games whose end an event of a later game tells: a crash may have swallowed their own last records."""
    for end in ends:
        if complaint({**end, "type": "game_end"}) is None:
            game = _game(journal, end["game"])
            game.ended = game.ended or {**end, "type": "game_end"}


def _game(journal: Journal, number: int) -> Game:
    """The run's game of this number. The one before may still get its end after the next has begun."""
    for game in reversed(journal.games):
        if game.number <= number:
            break
    else:
        game = None
    if game is None or game.number != number:
        game = Game(number)
        journal.games.append(game)
        journal.games.sort(key=lambda entry: entry.number)
    return game


def journal_files(folder: Path) -> list[Path]:
    """The runs' files in ``folder``, oldest first; without those that died before their first record was whole."""
    return [path for path in sorted(folder.glob("*.jsonl")) if path.is_file() and _has_a_line(path)]


def journals(folder: Path, server: str | None = None, stil_ids: Sequence[str] | None = None) -> Iterator[Journal]:
    """The runs in ``folder``, oldest first, of this server and these ids if given. Raises JournalError on damage."""
    for path in journal_files(folder):
        journal = read_journal(path)
        if server is not None and normalised_server(journal.server) != normalised_server(server):
            continue
        if stil_ids is not None and set(journal.stil_ids) != set(stil_ids):
            continue
        yield journal


def _has_a_line(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return b"\n" in file.read(1 << 16)
    except OSError as error:
        raise JournalError(f"The journal {path} cannot be read: {error.strerror}.") from None


def _damaged(path: Path, number: int, why: str) -> JournalError:
    return JournalError(f"Line {number} of {path} is damaged: {why}.", "Move the file away, or mend the line.")
