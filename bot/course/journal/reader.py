"""Read journals: lines, records, and the games of a run, by passing its records through the session again."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path

from bot.course.address import Identity
from bot.course.journal.games import Game, Step
from bot.course.session.events import (
    SCHEMA,
    Chosen,
    Counted,
    Failed,
    GameEnded,
    News,
    Note,
    Record,
    Replied,
    RunEnded,
    Send,
    Started,
    parse_line,
)
from bot.course.session.fold import Fold
from bot.course.session.position import Position
from bot.course.session.state import Session
from bot.errors import JournalError
from bot.game import Board

Notify = Callable[[str], None]
NO_HEADER = Started(0.0, games=10**6)
"""Stands in for a header that is damaged."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a journal: a record, damage, or a torn end."""

    number: int
    """From 1."""
    record: Record | None = None
    """None when the line is damaged or torn."""
    problem: str = ""
    """Why the line is not a record, as a clause such as "it is not JSON"."""
    is_torn: bool = False
    """Whether this is an unfinished last line."""

    def __str__(self) -> str:
        return f"Line {self.number} is damaged and was skipped: {self.problem}."


@dataclass(slots=True)
class Journal:
    """One run: its header, its games, and its end if it did not crash."""

    path: Path
    header: Started = NO_HEADER
    games: list[Game] = field(default_factory=list)
    end: RunEnded | None = None
    """The last ``run_end``, unless the run was resumed after it."""
    torn: bool = False
    """Whether the last line was cut short by a crash; it is skipped."""
    damaged: list[Line] = field(default_factory=list)
    """Lines that are not records; they are skipped."""
    substituted_moves: int = 0
    """Moves that another agent had to choose, because ours had failed."""
    records: list[tuple[int, Record]] = field(default_factory=list)
    """All records, each with the number of its line."""
    problems: list[str] = field(default_factory=list)
    """Where records outside the games contradict those before them, in sentences with the number of the line."""
    counted: Counted | None = None
    """The reading of the server's statistics after the last finished game; None if there was none."""
    fold: Fold = field(default_factory=Fold)

    def take(self, record: Record, line: int = 0) -> None:
        """Add the run's next record, which is in this ``line`` of the file."""
        if not self.records:
            self.header = record if isinstance(record, Started) else NO_HEADER
            if self.header is NO_HEADER:
                self.fold.take(NO_HEADER)
        self.records.append((line, record))
        self.substituted_moves += is_substituted(record)
        self.counted = reading_after(record, self.counted)
        self.end = record if isinstance(record, RunEnded) else None
        if isinstance(record, RunEnded):
            return
        before = self.session.position
        problems = self.fold.take(record)
        number = max(1, record.game or self.session.number)
        is_of_game = isinstance(record, (Chosen, Replied, GameEnded))
        game = self._game(number) if is_of_game else self._last_up_to(number)
        (self.problems if game is None else game.problems).extend(f"Line {line}: {text}" for text in problems)
        if game is not None:
            self._add(game, record, before)
        if not isinstance(record, (GameEnded, Note)):
            for end in self.unrecorded:
                if isinstance(end, GameEnded):
                    self._game(end.game).ended = end

    def _add(self, game: Game, record: Record, before: Position | None) -> None:
        """Add a record to its game; ``before`` was the certain position until then."""
        step = game.steps[-1] if game.steps else None
        notes = game.notes if step is None else step.notes
        if isinstance(record, Chosen):
            game.steps.append(Step(record, before, notes=[record.note] if record.note else []))
        elif isinstance(record, GameEnded):
            game.ended = record
        elif isinstance(record, Note):
            notes.append(record.text)
        elif isinstance(record, Started):
            notes.append(f"Resumed with {record.engine}.")
        elif isinstance(record, (Replied, Failed)) and step is not None and step.outcome is None:
            step.outcome = record
            if isinstance(record, Failed):
                notes += [] if step.is_sent else [record.message]
            elif record.reply.status:
                step.after = self.session.position or _final(self.unrecorded)
            if self.session.number > game.number:  # the move met no running game, and opened the next one
                self._game(self.session.number).steps.append(game.steps.pop())

    def _last_up_to(self, number: int) -> Game | None:
        """Return the run's last game with at most this number."""
        return next((game for game in reversed(self.games) if game.number <= number), None)

    def _game(self, number: int) -> Game:
        """Return the run's game with this number, new if necessary. Records of earlier games may follow later ones."""
        game = self._last_up_to(number)
        if game is None or game.number != number:
            game = Game(number)
            self.games.append(game)
            self.games.sort(key=lambda entry: entry.number)
        return game

    @property
    def session(self) -> Session:
        """The session after all records."""
        return self.fold.session

    @property
    def unrecorded(self) -> list[News]:
        """News of the last event that a crash kept from being recorded."""
        return self.fold.expected

    @property
    def unfinished(self) -> int | None:
        """The number of the game that the next run must resume; None if there is none.

        It is running, or was asked for without an answer, or its end was shown and not recorded.
        """
        ends = [item.game for item in self.unrecorded if isinstance(item, GameEnded)]
        is_open = not self.session.is_idle or isinstance(self.session.command, Send)
        return ends[0] if ends else max(1, self.session.number) if is_open else None

    @property
    def unfinished_was_answered(self) -> bool:
        """Whether the server has answered a request of the unfinished game, so that it certainly has it."""
        return self.unfinished is not None and self.is_answered(self.unfinished)

    def is_answered(self, number: int) -> bool:
        """Return whether the server has answered a request of this game, so that it has or had it."""
        return any(game.is_counted for game in self.games if game.number == number)

    @property
    def player(self) -> Identity:
        """Who played, and at which server."""
        return Identity.of(self.header.server, self.header.stil_ids)


def is_substituted(record: Record) -> bool:
    """Return whether another agent had to choose this move, because ours had failed."""
    return isinstance(record, Chosen) and bool(record.note)


def reading_after(record: Record, counted: Counted | None) -> Counted | None:
    """Return the reading of the statistics that holds after ``record``.

    A game's end outdates the one before it, unless that has shown the end; one that failed outdates none.
    """
    if isinstance(record, Counted):
        return counted if record.stats is None and counted is not None else record
    is_outdated = isinstance(record, GameEnded) and record.known_by != "statistics"
    return None if is_outdated else counted


def _final(news: Sequence[News]) -> Position | None:
    """Return the final position of the game that the last reply has ended; None if it has ended none."""
    ends = [item for item in news if isinstance(item, GameEnded) and item.moves]
    return reduce(Position.play, ends[-1].moves, Position(Board(), bool(ends[-1].we_started))) if ends else None


def parse_records(content: bytes, first: int = 1) -> Iterator[Line]:
    """Yield every line of a journal, in order, from line number ``first`` on.

    Damaged lines are yielded too; an unfinished last line is torn.
    """
    *lines, rest = content.split(b"\n")
    for number, line in enumerate(lines, start=first):
        try:
            yield Line(number, parse_line(line))
        except ValueError as error:
            yield Line(number, problem=str(error))
    if rest:
        yield Line(first + len(lines), is_torn=True)


def read_journal(path: Path) -> Journal:
    """Return the run in ``path``; see `parse_journal`. Raises JournalError also if the file cannot be read."""
    return parse_journal(_content(path), path)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise JournalError(f"The journal {path} cannot be read: {error.strerror}.") from None


def parse_journal(content: bytes, path: Path = Path("journal.jsonl")) -> Journal:
    """Return the run in a journal's bytes; its records are passed through a session.

    Damaged lines are skipped and listed in ``damaged``. A journal without its header belongs to no player. Raises
    JournalError for another schema, and for bytes without any record.
    """
    header = re.match(rb'\{[^\n]*"schema":\s*(\d{1,9})', content)
    schema = SCHEMA if header is None else int(header[1])
    if schema != SCHEMA:
        raise JournalError(
            f"The journal {path} has schema {schema}, and this version reads only schema {SCHEMA}.",
            "Read it with the edition of the program that wrote it.",
        )
    journal = Journal(path)
    for line in parse_records(content):
        journal.torn = line.is_torn
        if line.problem:
            journal.damaged.append(line)
            journal.fold.is_damaged = True
        if line.record is not None:
            journal.take(line.record, line.number)
    if not journal.records:
        reason = "is not a journal: it holds no record of a game" if content else "is empty: its run never began"
        raise JournalError(f"The file {path} {reason}.")
    if journal.header is NO_HEADER and not journal.damaged:
        journal.damaged.append(Line(1, problem="the run's header is missing"))
    return journal


def read_outline(path: Path) -> Journal:
    """Return the run in ``path`` with the ends of its games only, for lists and counts of many runs.

    Ten times as fast as `read_journal`, because the records are not passed through the session, unless a line is
    damaged or the last game has no recorded end. Raises JournalError.
    """
    return parse_outline(_content(path), path)


def parse_outline(content: bytes, path: Path) -> Journal:
    """Return the outline of a journal's bytes; see `read_outline`."""
    lines = list(parse_records(content))
    records = [line.record for line in lines if line.record is not None]
    last = next((record for record in reversed(records) if isinstance(record, (Chosen, GameEnded))), None)
    first = records[0] if records else None
    if not isinstance(first, Started) or isinstance(last, Chosen) or any(line.problem for line in lines):
        journal = parse_journal(content, path)
        games = [replace(game, steps=[]) if game.ended is not None else game for game in journal.games]
        return replace(journal, games=games, records=[])
    end = records[-1]
    games = [Game(record.game, ended=record) for record in records if isinstance(record, GameEnded)]
    counted: Counted | None = None
    for record in records:
        counted = reading_after(record, counted)
    return Journal(
        path,
        first,
        games,
        end if isinstance(end, RunEnded) else None,
        torn=lines[-1].is_torn,
        substituted_moves=sum(map(is_substituted, records)),
        counted=counted,
    )


def journal_files(folder: Path) -> list[Path]:
    """Return the ``*.jsonl`` files in ``folder``, oldest first."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if entry.name.endswith(".jsonl") and entry.is_file())
    except OSError:
        return []
    return [folder / name for name in names]


def journals(
    folder: Path,
    player: Identity | None = None,
    notify: Notify = lambda _text: None,
    *,
    outlines: bool = False,
) -> Iterator[Journal]:
    """Yield the runs in ``folder``, oldest first; only those of this ``player`` if given.

    Damage does not raise: ``notify`` gets a sentence for each file that is ignored because it is not a journal, and for
    each journal with skipped lines. An empty file is a run that ended before its first record. ``outlines``: see
    `read_outline`.
    """
    for path in journal_files(folder):
        try:
            content = _content(path)
            if not content:
                continue
            journal = parse_outline(content, path) if outlines else parse_journal(content, path)
        except JournalError as error:
            notify(f"{error.message} The file is ignored.")
            continue
        if journal.header is NO_HEADER:
            notify(f"The journal {path} is ignored: its header is damaged, so it belongs to no player.")
        if player is not None and journal.player != player:
            continue
        if journal.damaged:
            lines = "1 line is" if len(journal.damaged) == 1 else f"{len(journal.damaged)} lines are"
            notify(f"In the journal {path}, {lines} damaged and skipped (the first: line {journal.damaged[0].number}).")
        yield journal
