"""Read journals: lines, records, games and runs, and the game that a crash left unfinished."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bot.course.address import normalised_server
from bot.course.journal.schema import FIELDS, SCHEMA, Record, complaint, translated
from bot.course.protocol import refuses_key
from bot.errors import JournalError

Notify = Callable[[str], None]
NO_HEADER: Record = {"type": "run", "schema": SCHEMA, "server": "", "stil_ids": []}
"""Stands in for a header that is damaged."""


def _ignore(_text: str) -> None:
    pass


@dataclass(slots=True)
class Game:
    """The records of one game, in order."""

    number: int
    records: list[Record] = field(default_factory=list)
    ended: Record | None = None
    lines: list[int] = field(default_factory=list)
    """Line number of each record, 0 if unknown."""
    opened_by: Record | None = None
    """The intent, among an earlier game's records, whose move found no running game and opened this one."""

    @property
    def result(self) -> float | None:
        """1, 0.5, -1 or -10; 0 if the server lost the game; None if the game is unfinished."""
        return None if self.ended is None else float(self.ended["result"])

    @property
    def last(self) -> Record | None:
        """The last intent or reply; None if there is none."""
        return next((record for record in reversed(self.records) if record["type"] in ("intent", "reply")), None)

    @property
    def is_opened(self) -> bool:
        """Whether the server may have the game: some request for it may have been processed."""
        is_possible = is_pending = False
        for record in self.records:
            kind = record.get("kind") if record["type"] == "event" else record["type"]
            if kind == "silent_start" or (kind == "reply" and record.get("status") is True):
                return True
            if kind == "intent":
                is_possible, is_pending = is_possible or is_pending, True
            elif kind == "unconfirmed":
                is_possible = True
            elif kind == "not_sent" or (kind == "reply" and refuses_key(record.get("msg"))):
                is_pending = False  # but an earlier request whose reply was lost may have opened the game
        return is_possible or is_pending

    @property
    def is_counted(self) -> bool:
        """Whether the server has or had the game, so that the standings count it once it has ended.

        A game that --fresh gave up although its opening had been refused never existed.
        """
        if self.ended is not None and self.ended.get("known_by") != "abandoned":
            return True
        return self.is_opened


@dataclass(frozen=True, slots=True)
class Damage:
    """A line that is not a record."""

    line: int
    """Line number, from 1."""
    reason: str
    """A clause such as "it is not JSON"."""

    def __str__(self) -> str:
        return f"Line {self.line} is damaged and was skipped: {self.reason}."


@dataclass(slots=True)
class Journal:
    """One run: its header, its games, and its end if it did not crash."""

    path: Path
    header: Record
    games: list[Game] = field(default_factory=list)
    end: Record | None = None
    """The last ``run_end``, unless the run was resumed after it."""
    torn: bool = False
    """Whether the last line was cut short by a crash; it is skipped."""
    damaged: list[Damage] = field(default_factory=list)
    """Lines that are not records; they are skipped."""

    @property
    def server(self) -> str:
        return str(self.header["server"])

    @property
    def stil_ids(self) -> tuple[str, ...]:
        return tuple(str(stil_id) for stil_id in self.header["stil_ids"])

    @property
    def player(self) -> tuple[str, tuple[str, ...]]:
        """The normalised server and the sorted ids: equal for runs of the same player at the same server."""
        return normalised_server(self.server), tuple(sorted(self.stil_ids))

    @property
    def unfinished(self) -> Game | None:
        """The last game, if it may have been opened and has no end."""
        game = self.games[-1] if self.games else None
        return game if game is not None and game.ended is None and game.is_opened else None


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a journal: a record, damage, or a torn end."""

    number: int
    """From 1."""
    record: Record | None = None
    """With the names of the current schema; None when the line is damaged or torn."""
    problem: str = ""
    """Why the line is not a record, as a clause."""
    is_torn: bool = False
    """Whether this is an unfinished last line."""


def parse_line(line: bytes, number: int = 0, schema: int = 1) -> Line:
    """Return the parsed line, given without its newline; ``schema`` is that of the journal's header."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return Line(number, problem="it is not JSON")
    if isinstance(record, dict) and schema < SCHEMA:
        record = translated(record)
    problem = complaint(record)
    return Line(number, problem=problem) if problem else Line(number, record)


def parse_records(content: bytes) -> Iterator[Line]:
    """Yield every line of a journal, in order. Damaged lines are yielded too; an unfinished last line is torn."""
    *lines, rest = content.split(b"\n")
    schema = 1
    for number, line in enumerate(lines, start=1):
        parsed = parse_line(line, number, schema)
        if parsed.record is not None and parsed.record["type"] == "run":
            schema = parsed.record["schema"]
        yield parsed
    if rest:
        yield Line(len(lines) + 1, is_torn=True)


def read_records(path: Path) -> Iterator[Line]:
    """Yield every line of the journal in ``path``; see `parse_records`. Raises JournalError if it cannot be read."""
    return parse_records(_content(path))


def read_journal(path: Path) -> Journal:
    """Return the run in ``path``; see `parse_journal`. Raises JournalError also if the file cannot be read."""
    return parse_journal(_content(path), path)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise JournalError(f"The journal {path} cannot be read: {error.strerror}.") from None


def parse_journal(content: bytes, path: Path = Path("journal.jsonl")) -> Journal:
    """Return the run in a journal's bytes. Damaged lines are skipped and listed in ``damaged``.

    A journal without its header belongs to no player. Raises JournalError for a later schema, and for bytes without any
    record.
    """
    journal: Journal | None = None
    damaged: list[Damage] = []
    torn = False
    for line in parse_records(content):
        torn = line.is_torn
        if line.problem:
            damaged.append(Damage(line.number, line.problem))
        if line.record is None or line.record["type"] not in FIELDS:
            continue
        if journal is None:
            check_schema(line.record, path)
            journal = Journal(path, line.record if line.record["type"] == "run" else NO_HEADER)
        if line.record["type"] != "run":
            add_record(journal, line.record, line.number)
    if journal is None:
        raise _no_journal(path, damaged)
    if journal.header is NO_HEADER and not damaged:
        damaged.append(Damage(1, "the run's header is missing"))
    journal.damaged, journal.torn = damaged, torn
    if damaged:
        _restore_ends(journal)
    return journal


def _restore_ends(journal: Journal) -> None:
    """End games whose ``game_end`` is damaged by their last reply, except the last game, which a run may resume."""
    for game in journal.games[:-1]:
        last = game.last or {}
        if game.ended is None and last.get("status") is True and last.get("result"):
            game.ended = {"type": "game_end", "game": game.number, "result": last["result"], "known_by": "reply"}


def check_schema(header: Record, path: Path) -> None:
    """Raise JournalError if the header's schema is later than this program's."""
    if header["type"] == "run" and header["schema"] > SCHEMA:
        raise JournalError(
            f"The journal {path} has schema {header['schema']}, and this version reads up to schema {SCHEMA}.",
            "Update the program.",
        )


def add_record(journal: Journal, record: Record, line: int = 0) -> None:
    """Add the run's next record to its game. The page also uses this to follow a growing journal."""
    if record["type"] == "run_end":
        journal.end = record
        return
    journal.end = None
    number = record.get("game")
    if not isinstance(number, int) or number < 1:  # an event before the first game
        return
    game = _game(journal, number)
    game.records.append(record)
    game.lines.append(line)
    if record["type"] == "game_end":
        game.ended = record
    if record.get("kind") == "silent_start":
        game.opened_by = _last_intent(journal, number)
    if record["type"] == "event" and isinstance(record.get("ended"), list):
        _end_unseen(journal, record["ended"])


def _last_intent(journal: Journal, number: int) -> Record | None:
    """Return the last intent before the game with this number."""
    earlier = (record for game in reversed(journal.games) if game.number < number for record in reversed(game.records))
    return next((record for record in earlier if record["type"] == "intent"), None)


def _end_unseen(journal: Journal, ends: list[Record]) -> None:
    """End games whose end only an event of a later game records: a crash may have prevented their own records."""
    for end in ends:
        game = _game(journal, end["game"])
        game.ended = game.ended or {**end, "type": "game_end"}


def _game(journal: Journal, number: int) -> Game:
    """Return the run's game with this number, new if necessary. Records of earlier games may follow those of later."""
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
    """Return the ``*.jsonl`` files in ``folder``, oldest first, except those without one whole line."""
    try:
        return [path for path in sorted(folder.glob("*.jsonl")) if path.is_file() and _has_a_line(path)]
    except OSError:
        return []


def journals(
    folder: Path, server: str | None = None, stil_ids: Sequence[str] | None = None, notify: Notify = _ignore
) -> Iterator[Journal]:
    """Yield the runs in ``folder``, oldest first; only those of this server and these ids if given.

    Damage does not raise: ``notify`` gets a sentence for each file that is ignored because it is not a journal, and for
    each journal with skipped lines.
    """
    for path in journal_files(folder):
        try:
            journal = read_journal(path)
        except JournalError as error:
            notify(f"{error.message} The file is ignored.")
            continue
        if journal.header is NO_HEADER:
            notify(f"The journal {path} is ignored: its header is damaged, so it belongs to no player.")
        at, who = journal.player
        if server is not None and at != normalised_server(server):
            continue
        if stil_ids is not None and who != tuple(sorted(stil_ids)):
            continue
        if journal.damaged:
            lines = "1 line is" if len(journal.damaged) == 1 else f"{len(journal.damaged)} lines are"
            notify(f"In the journal {path}, {lines} damaged and skipped (the first: line {journal.damaged[0].line}).")
        yield journal


def _has_a_line(path: Path) -> bool:
    """Return whether the file's first line is whole; True if it cannot be read, as `read_journal` says why."""
    try:
        with path.open("rb") as file:
            return file.readline().endswith(b"\n")
    except OSError:
        return True


def _no_journal(path: Path, damaged: Sequence[Damage]) -> JournalError:
    if damaged:
        return JournalError(f"The file {path} is not a journal: it holds no record of a game.")
    return JournalError(
        f"The journal {path} is empty.", "Its run ended before its first record; the file can be removed."
    )
