"""A run as its journal shows it: reading the records, and the one projection that follows from them.

Nothing that is concluded from the records is one of them: results, notes and numbers of games follow from
`Journal.take`, which passes each record through the session again.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import attrgetter
from pathlib import Path

from bot.course.events import (
    OLDEST_SCHEMA,
    SCHEMA,
    Choose,
    Chosen,
    Counted,
    Event,
    Failed,
    GameEnded,
    Note,
    Open,
    Options,
    ReadStatistics,
    Replied,
    Send,
    Started,
)
from bot.course.hypotheses import BOT_FIRST, EMPTY, Position
from bot.course.journal.games import RecordedGame, Step
from bot.course.journal.records import Record, RunEnded, parse_line
from bot.course.protocol import NEW_GAME, Identity
from bot.course.session import Session, UnexpectedEventError, step
from bot.errors import JournalError

Notify = Callable[[str], None]
"""Takes a sentence for the user."""
NO_HEADER = Started(0.0, Options(games=10**6))
"""Stands in for a header that is damaged."""
_SCHEMA = re.compile(rb'\{[^\n]*"schema":\s*(\d{1,9})')

_SENT = b'"type":"sent"}'
"""The end of a record that journals had until the fifth edition: its request was leaving. No fact follows from it."""


# Lines and files


@dataclass(frozen=True, slots=True)
class Line:
    """One whole line of a journal: a record, or damage."""

    number: int
    """From 1."""
    record: Record | None = None
    """None when the line is damaged."""
    problem: str = ""
    """Why the line is not a record, as a clause such as "it is not JSON"."""

    def __str__(self) -> str:
        return f"Line {self.number} is damaged and was skipped: {self.problem}."


def parse_records(content: bytes) -> Iterator[Line]:
    """Yield every whole line of a journal, in order, damaged ones too."""
    for number, line in enumerate(content.split(b"\n")[:-1], start=1):
        if line.endswith(_SENT):
            yield Line(number)
            continue
        try:
            yield Line(number, parse_line(line))
        except ValueError as error:
            yield Line(number, problem=str(error))


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
    _check_schema(content, path)
    journal = Journal(path, torn=not content.endswith(b"\n"))
    for line in parse_records(content):
        journal.read(line)
    if not journal.records:
        reason = "is not a journal: it holds no record of a game" if content else "is empty: its run never began"
        raise JournalError(f"The file {path} {reason}.")
    if journal.header is NO_HEADER and not journal.damaged:
        journal.damaged.append(Line(1, problem="the run's header is missing"))
    return journal


def _check_schema(content: bytes, path: Path) -> None:
    """Raise JournalError for a journal of an edition that is not read."""
    header = _SCHEMA.match(content)
    schema = SCHEMA if header is None else int(header[1])
    if not OLDEST_SCHEMA <= schema <= SCHEMA:
        raise JournalError(
            f"The journal {path} has schema {schema}, and this version reads schemas {OLDEST_SCHEMA} to {SCHEMA}.",
            "Read it with the edition of the program that wrote it.",
        )


def parse_outline(content: bytes, path: Path) -> Journal:
    """Return the ends of a journal's games, for lists and counts of many runs.

    A finished run's last record tells them, and is trusted: to pass all records through the session takes 5 ms a game.
    Raises JournalError.
    """
    last = content[content.rfind(b"\n", 0, -1) + 1 :]
    if b'"finished"' in last:
        with suppress(ValueError):
            header, end = parse_line(content.partition(b"\n")[0]), parse_line(last)
            if isinstance(header, Started) and isinstance(end, RunEnded) and end.reason == "finished":
                games = [RecordedGame(item.game, ended=item) for item in end.games]
                return Journal(path, header, games, end, substituted_moves=end.substituted_moves)
    return parse_journal(content, path)


def journal_files(folder: Path) -> list[Path]:
    """Return the ``*.jsonl`` files in ``folder``, oldest first."""
    return sorted(path for path in folder.glob("*.jsonl") if path.is_file())


def _copies(files: Iterable[Path]) -> set[Path]:
    """Return the files with the same header as one that is as long or longer: a run counts once."""
    runs = defaultdict(list)
    for path in files:
        with suppress(OSError), path.open("rb") as file:
            runs[file.readline().strip()].append((os.fstat(file.fileno()).st_size, path))
    return {path for header, found in runs.items() if header for _, path in sorted(found)[:-1]}


def journals(folder: Path, player: Identity | None = None, notify: Notify = lambda _text: None) -> Iterator[Journal]:
    """Yield the outlines of this player's runs in ``folder``, or of everybody's, oldest first.

    Damage does not raise: ``notify`` gets a sentence for each file that is ignored because it is not a journal, and for
    each journal with skipped lines that mattered. An empty file is a run that ended before its first record.
    """
    files = journal_files(folder)
    copies = _copies(files)
    for path in files:
        if path in copies:
            notify(f"The file {path} is ignored: it is a copy of another journal, whose games count once.")
            continue
        try:
            content = _content(path)
            if not content:
                continue
            journal = parse_outline(content, path)
        except JournalError as error:
            notify(f"{error.message} The file is ignored.")
            continue
        if journal.header is NO_HEADER:
            notify(f"The journal {path} is ignored: its header is damaged, so it belongs to no player.")
        if player not in (None, journal.player):
            continue
        if journal.damaged:
            lines = "1 line is" if len(journal.damaged) == 1 else f"{len(journal.damaged)} lines are"
            notify(f"In the journal {path}, {lines} damaged and skipped (the first: line {journal.damaged[0].number}).")
        yield journal


# The projection


@dataclass(slots=True)
class Journal:
    """One run: its header, its games, and its end if it did not crash."""

    path: Path
    header: Started = NO_HEADER
    games: list[RecordedGame] = field(default_factory=list)
    """By number."""
    run_end: RunEnded | None = None
    """The last record, if it is the run's end."""
    torn: bool = False
    """Whether the last line was cut short by a crash; it is skipped."""
    damaged: list[Line] = field(default_factory=list)
    """Lines that are not records; they are skipped."""
    problems: list[str] = field(default_factory=list)
    """Where records outside the games contradict those before them, in sentences with the number of the line."""
    substituted_moves: int = 0
    """Moves that another agent had to choose, because ours had failed."""
    session: Session = field(default_factory=Session)
    """The session after all records."""
    records: list[Record] = field(default_factory=list)
    """All records; none where the last one was trusted, whose session is not that of the run either."""
    is_damaged: bool = False
    """Whether lines cannot be read, or records do not follow from those before them."""
    _is_end_hidden: bool = False
    """Whether the lines behind the last record cannot be read: they may hide a request."""
    _schema: int = SCHEMA
    """The edition that has written the last run's records: its session may have decided otherwise."""

    @property
    def player(self) -> Identity:
        """Who played, and at which server."""
        return Identity.of(self.header.options.server, self.header.options.stil_ids)

    @property
    def ends(self) -> list[GameEnded]:
        """The ends of the finished games, in order."""
        return [game.ended for game in self.games if game.ended is not None]

    @property
    def unfinished(self) -> int | None:
        """The number of the game that the next run must resume; None if there is none.

        It is running, or was asked for without an answer, or its result is not certain yet; or damage may hide it.
        """
        may_be_hidden = self._is_end_hidden and self.run_end is None
        return self.session.open_game or (self.session.game if may_be_hidden else None)

    @property
    def unfinished_was_answered(self) -> bool:
        """Whether the server has answered a request of the unfinished game, so that it certainly has it."""
        return self.unfinished is not None and self.session.answered == self.unfinished

    @property
    def may_be_forfeited(self) -> bool:
        """Whether the unfinished game may be running at the server, so that a new game forfeits it."""
        return self.unfinished_was_answered and not self.session.is_idle

    def read(self, line: Line) -> None:
        """Add the next line of the file; a damaged one is skipped."""
        if line.problem:
            self.damaged.append(line)
            self.is_damaged = self._is_end_hidden = True
        if line.record is not None:
            self.take(line.record, line.number)

    def take(self, record: Record, line: int = 0) -> None:
        """Add the run's next record, which is in this ``line`` of the file."""
        self._is_end_hidden = False
        if not self.records and isinstance(record, Started):
            self.header = record
        elif not self.records:
            self.session, _ = step(self.session, NO_HEADER)
        self.records.append(record)
        self.run_end = None
        if isinstance(record, RunEnded):
            self.run_end = record
            self._take_witnesses(record, line)
        else:
            self._take_event(record, line)

    def _take_event(self, event: Event, line: int) -> None:
        before = self.session.position
        follows = self._advance(event)
        self.substituted_moves += isinstance(event, Chosen) and bool(event.note)
        number = event.game or self.session.game
        game = self._game(number) if isinstance(event, (Chosen, Replied)) else self._last_up_to(number)
        if not follows:
            text = f"Line {line}: the record {event.type!r} does not follow from those before it."
            (game or self).problems.append(text)
        for item in self.session.news:
            if isinstance(item, GameEnded):
                self._game(item.game).ended = item
        if game is not None:
            self._add(game, event, before)
        for item in self.session.news:
            noted = self._last_up_to(item.game)
            if isinstance(item, Note) and noted is not None:
                noted.last_notes.append(item.text)

    def _advance(self, event: Event) -> bool:
        """Pass an event through the session; return whether it follows from those before it."""
        if isinstance(event, Started):
            self._schema = event.schema
        before = self._as_written(event)
        is_of_another_game = isinstance(event, Chosen) and event.game not in (0, self.session.game)
        try:
            if is_of_another_game:
                raise UnexpectedEventError
            self.session, _ = step(before, event)
        except UnexpectedEventError:
            self._miss(event.game)
            self.session, _ = step(_behind_damage(before, event), event)
            return False
        self.session = replace(self.session, news=(*before.news, *self.session.news))
        return True

    def _miss(self, number: int) -> None:
        """Take the games before this one for ended: damaged lines hide their ends, whose results are not known."""
        self.is_damaged = True
        for game in self.games:
            if game.ended is None and game.number < number:
                game.ended = GameEnded(game.number, 0.0, "unknown")

    def _as_written(self, event: Event) -> Session:
        """Return the session that ``event`` was passed to: earlier editions concluded ends without a reading."""
        is_missing = isinstance(self.session.command, ReadStatistics) and isinstance(event, Chosen)
        if self._schema == SCHEMA or not is_missing:
            return replace(self.session, news=())
        before = replace(self.session, wasted=0)  # an end that is not known counts more here
        return step(before, Counted(event.at, None, "http 404"))[0]

    def _add(self, game: RecordedGame, event: Event, before: Position | None) -> None:
        """Add an event to its game; ``before`` was the certain position until then."""
        if isinstance(event, Chosen):
            game.steps.append(Step(event, before))
            if event.note:
                game.last_notes.append(event.note)
        elif isinstance(event, Started):
            game.last_notes.append(f"Resumed with {event.options.engine}.")
        elif isinstance(event, (Replied, Failed)) and game.steps and game.steps[-1].outcome is None:
            last_step = game.steps[-1]
            last_step.outcome = event
            if isinstance(event, Failed) and not last_step.may_be_sent:
                last_step.notes.append(event.message)
            if isinstance(event, Replied) and event.reply.status:
                last_step.after = self.session.position or self._final()
            session = self.session
            if session.game > game.number and not session.is_idle:
                self._game(session.game).steps.append(game.steps.pop())  # it opened the next game

    def _final(self) -> Position | None:
        """Return the final position of the game that the last reply has ended; None if it has ended none."""
        end = next((item for item in self.session.news if isinstance(item, GameEnded) and item.moves), None)
        if end is None:
            return None
        return reduce(Position.play, end.moves, EMPTY if end.we_started else BOT_FIRST)

    def _take_witnesses(self, end: RunEnded, line: int) -> None:
        """Take the ends that the run told its user: the records should show the same, unless they are damaged."""
        for witness in end.games:
            game = self._game(witness.game)
            is_inferred = self._schema < SCHEMA and witness.known_by == "inferred"
            if game.ended != witness and not self.damaged and not is_inferred:
                shown = "no end" if game.ended is None else f"another one ({game.ended.result:g})"
                text = f"the run told an end (result {witness.result:g}), its records show {shown}."
                game.problems.append(f"Line {line}: {text}")
            game.ended = witness
            self._look_no_longer_for(witness)
        told = {witness.game for witness in end.games}
        for game in self.games:
            if game.ended is not None and game.number not in told:
                game.problems.append(f"Line {line}: the run did not tell the end that its records show.")

    def _look_no_longer_for(self, end: GameEnded) -> None:
        """Let the session know a result that an earlier edition has concluded, and this one would look for."""
        if self.session.unseen == end.game:
            self.session.end_game(end.result, end.known_by)
            self.session.news = ()

    def _last_up_to(self, number: int) -> RecordedGame | None:
        """Return the run's last game with at most this number."""
        return next((game for game in reversed(self.games) if game.number <= number), None)

    def _game(self, number: int) -> RecordedGame:
        """Return the run's game with this number, new if necessary. Records of earlier games may follow later ones."""
        game = self._last_up_to(number)
        if game is None or game.number != number:
            game = RecordedGame(number)
            self.games = sorted([*self.games, game], key=attrgetter("number"))
        return game


def _behind_damage(session: Session, event: Event) -> Session:
    """Return the session to which ``event`` was passed, as far as that is known: records before it are missing.

    No game is known to run, and -1 may have been sent. So the next board is the truth, and where none follows, the game
    goes on by a column.
    """
    command: Open | Choose | Send | ReadStatistics = Send(NEW_GAME)
    if isinstance(event, Chosen):
        command = Open() if event.move == NEW_GAME else Choose()
    elif isinstance(event, Counted):
        command = ReadStatistics()
    number = max(1, event.game)
    hidden = (0.0,) * (number - session.game)
    session = replace(session, results=(*session.results, *hidden)[: number - 1], command=command)
    session.know(None)
    return session
