"""A run as its journal shows it: the one projection of the records, made by passing them through the session again."""

from __future__ import annotations

from bisect import bisect_right, insort
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import attrgetter
from pathlib import Path

from bot.course.address import Identity
from bot.course.damage import rescued
from bot.course.events import (
    SCHEMA,
    Chosen,
    Counted,
    Event,
    Failed,
    GameEnded,
    Note,
    ReadStatistics,
    Replied,
    Started,
    outdate_reading,
)
from bot.course.hypotheses import BOT_FIRST, EMPTY, Position
from bot.course.journal.games import RecordedGame, Step
from bot.course.journal.records import Record, RunEnded
from bot.course.session import Session, UnexpectedEventError, step

NO_HEADER = Started(0.0, games=10**6)
"""Stands in for a header that is damaged."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a journal: a record, damage, or a torn end."""

    number: int
    """From 1."""
    record: Record | None = None
    """None when the line is damaged or torn, or held no fact in an old journal."""
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
    counted: Counted | None = None
    """The reading of the server's statistics after the last finished game; None if there was none."""
    session: Session = field(default_factory=Session)
    """The session after all records."""
    records: list[Record] = field(default_factory=list)
    """All records; none in an outline, whose session is not that of the run either."""
    _schema: int = SCHEMA
    """The edition that has written the last run's records: its session may have decided otherwise."""

    @property
    def player(self) -> Identity:
        """Who played, and at which server."""
        return Identity.of(self.header.server, self.header.stil_ids)

    @property
    def ends(self) -> list[GameEnded]:
        """The ends of the finished games, in order."""
        return [game.ended for game in self.games if game.ended is not None]

    @property
    def unfinished(self) -> int | None:
        """The number of the game that the next run must resume; None if there is none.

        It is running, or was asked for without an answer, or its result is not certain yet.
        """
        return self.session.game if self.session.has_open_game else None

    @property
    def unfinished_was_answered(self) -> bool:
        """Whether the server has answered a request of the unfinished game, so that it certainly has it."""
        return self.unfinished is not None and self.session.answered == self.unfinished

    @property
    def is_damaged(self) -> bool:
        """Whether lines cannot be read, or records do not follow from those before them."""
        return bool(self.damaged) or self.session.run.is_damaged

    @property
    def may_be_forfeited(self) -> bool:
        """Whether the unfinished game may be running at the server, so that a new game forfeits it."""
        return self.unfinished_was_answered and not self.session.is_idle

    def take(self, record: Record, line: int = 0) -> None:
        """Add the run's next record, which is in this ``line`` of the file."""
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
        self._count(event)
        number = event.game or self.session.game
        game = self._game(number) if isinstance(event, (Chosen, Replied)) else self._last_up_to(number)
        if not follows and game is not None:
            self._take_for_running(game)
        if not follows:
            problems = self.problems if game is None else game.problems
            problems.append(f"Line {line}: the record {event.type!r} does not follow from those before it.")
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
            event = replace(event, is_damaged=event.is_damaged or bool(self.damaged))
        is_of_another_game = isinstance(event, Chosen) and event.game not in (0, self.session.game)
        if is_of_another_game:  # damaged lines hide its beginning
            self.session = rescued(self.session, event)
            return False
        try:
            before = self._as_written(event)
            self.session, _ = step(before, event)
            self.session = replace(self.session, news=(*before.news, *self.session.news))
        except UnexpectedEventError:
            self.session = rescued(self.session, event)
            return False
        return True

    def _as_written(self, event: Event) -> Session:
        """Return the session that ``event`` was passed to: earlier editions concluded ends without a reading."""
        is_missing = isinstance(self.session.command, ReadStatistics) and isinstance(event, Chosen)
        if self._schema == SCHEMA or not is_missing:
            return replace(self.session, news=())
        before = replace(self.session, wasted=0)  # an end that is not known counts more here
        return step(before, Counted(event.at, None))[0]

    def _count(self, event: Event) -> None:
        """Count a substituted move, and keep the reading of the statistics that holds from now on.

        A reading that failed outdates none; a game's end does, unless the reading itself has shown it.
        """
        if isinstance(event, Chosen) and event.note:
            self.substituted_moves += 1
        if isinstance(event, Counted) and (event.stats is not None or self.counted is None):
            self.counted = event
        if outdate_reading(self.session.news):
            self.counted = None

    def _add(self, game: RecordedGame, event: Event, before: Position | None) -> None:
        """Add an event to its game; ``before`` was the certain position until then."""
        if isinstance(event, Chosen):
            game.steps.append(Step(event, before))
            if event.note:
                game.last_notes.append(event.note)
        elif isinstance(event, Started):
            game.last_notes.append(f"Resumed with {event.engine}.")
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
        ends = [item for item in self.session.news if isinstance(item, GameEnded) and item.moves]
        if not ends:
            return None
        last = ends[-1]
        position = EMPTY if last.we_started else BOT_FIRST
        return reduce(Position.play, last.moves, position)

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
            self.session.end_game(end.result, end.known_by, at=end.at)
            self.session.news = ()

    def _take_for_running(self, running: RecordedGame) -> None:
        """Take a game for running that a record shows, and those before it for ended.

        Damaged lines hide the ends, whose results are then not known.
        """
        if running.number == self.session.game:
            running.ended = None
        for game in self.games:
            if game.ended is None and game.number < self.session.game:
                game.ended = GameEnded(game.number, 0.0, "unknown")

    def _last_up_to(self, number: int) -> RecordedGame | None:
        """Return the run's last game with at most this number."""
        place = bisect_right(self.games, number, key=attrgetter("number"))
        return self.games[place - 1] if place else None

    def _game(self, number: int) -> RecordedGame:
        """Return the run's game with this number, new if necessary. Records of earlier games may follow later ones."""
        game = self._last_up_to(number)
        if game is None or game.number != number:
            game = RecordedGame(number)
            insort(self.games, game, key=attrgetter("number"))
        return game
