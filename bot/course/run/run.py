"""One run of `bot play`: learn from the past journals, resume or open games, play them, and record the end."""

from __future__ import annotations

import platform
from dataclasses import replace
from pathlib import Path

from bot import __version__
from bot.course.client.http import CourseClient
from bot.course.journal.reader import Journal
from bot.course.journal.state import KnownServer, Place, unfinished_game
from bot.course.journal.writer import JournalWriter
from bot.course.protocol import LOST
from bot.course.run.driver import Driver
from bot.course.run.engine_host import EngineHost
from bot.course.run.history import read_history
from bot.course.run.listener import Listener, Observer
from bot.course.run.standings import RunStandings, journal_standings
from bot.course.session.events import Counted, Event, GameEnded, Reason, Replied, RunEnded, Sent, Started, Stop
from bot.course.session.fold import Fold
from bot.course.session.state import KEPT, Session
from bot.engine.agent import Agent, StopFlag
from bot.errors import AgentError, BotError, NetworkError, ProtocolError


class Run:
    """A run that can be started once. The constructor reads the past journals and opens this run's own.

    Raises JournalError.
    """

    def __init__(
        self,
        settings: Started,
        agent: Agent,
        place: Place,
        logs: Path,
        *,
        fresh: bool = False,
        stop: StopFlag | None = None,
    ) -> None:
        """``settings`` say what to play, where, and within which time limits; the run adds what only it knows.

        ``fresh`` abandons an unfinished game instead of resuming it; ``stop`` ends a search.
        """
        self._choose = EngineHost(agent, settings.think_s, stop)
        self._place = place
        self.logs = logs
        history = read_history(logs, place.identity, fresh=fresh)
        resumed = unfinished_game(place, logs, history.last, fresh=fresh)
        is_giving_up = fresh and resumed is not None and _give_up(resumed)
        if fresh and resumed is not None:
            place.clear()
            resumed, history = None, read_history(logs, place.identity, fresh=fresh)
        streak = 0 if is_giving_up else history.streak
        self.standings = RunStandings(current=streak, goal=settings.goal)
        fold = Fold(Session(answers=history.answers), is_damaged=resumed is not None and bool(resumed.damaged))
        for _line, record in resumed.records if resumed is not None else ():
            fold.take(record)
        self._session, self._unrecorded = fold.session, fold.expected
        unrecorded_ends = sum(isinstance(item, GameEnded) for item in fold.expected)
        deliveries = history.deliveries if resumed is None else fold.session.deliveries
        self._resuming = "" if resumed is None else _resuming(resumed)
        if resumed is None:
            self.journal = JournalWriter.create(logs, "+".join(settings.stil_ids)[:60])
        else:
            self.journal = JournalWriter.resume(resumed.path)
        stored, found = place.read_server(), known_of(fold.session)  # the resumed journal knows what it has found
        self.started = replace(
            settings,
            games=max(0, settings.games - unrecorded_ends),
            game=fold.session.number,
            dialect=stored.dialect or found.dialect,
            column_opens=stored.column_opens or found.column_opens,
            deliveries=deliveries.cases,
            is_giving_up=is_giving_up,
            is_damaged=fold.is_damaged,
            engine=agent.name,
            versions={"bot": __version__, "python": platform.python_version(), "system": platform.system()},
        )

    def play(self, client: CourseClient, observer: Observer) -> RunStandings:
        """Play the games and return the standings. However the run ends, its end is recorded.

        Raises NetworkError, ProtocolError or JournalError; KeyboardInterrupt passes through.
        """
        listener = Listener(observer, self.standings)

        def on_step(session: Session, event: Event) -> None:
            # The pointer to the running game is on the disk before the game's first request.
            if session.is_idle and not session.is_opening:
                self._place.clear()
            else:
                self._place.point_to(self.journal.path, session.number)
            if isinstance(event, (Replied, Counted)):
                self._place.remember(known_of(session))
            if isinstance(event, Replied):
                self._place.writes_in(self.journal.path.parent)
            listener.step(session, event)
            if client.is_interrupted and not isinstance(event, Sent):  # the reply, which comes next, is to be recorded
                raise KeyboardInterrupt

        driver = Driver(self._session, client, self.journal, self._choose, on_step)
        if self._resuming:
            observer.notice(self._resuming)
        reason, error = "error", ""
        try:
            stop = driver.run(self.started, self._unrecorded)
            self._check(stop, is_in_contact=driver.session.in_contact)
            reason = "finished"
        except KeyboardInterrupt:
            reason = "interrupted"
            self._say_what_is_kept(driver.session, observer, "Interrupted")
            raise
        except BotError as failure:
            error = failure.message
            if isinstance(failure, AgentError):
                self._say_what_is_kept(driver.session, observer, "The agent has failed")
            raise
        finally:
            self._close(client, reason, error, observer, has_games=driver.session.number > 0)
        return self.standings

    def _say_what_is_kept(self, session: Session, observer: Observer, why: str) -> None:
        """Report a game that is running at the server when the run ends early."""
        if session.is_opening:
            observer.notice(f"{why}: game {session.number} was requested and may be running on the server. {KEPT}")
        elif not session.is_idle:
            observer.notice(f"{why}: game {session.number} is still running on the server. {KEPT}")

    def _check(self, stop: Stop, *, is_in_contact: bool) -> None:
        """Raise the error for the reason of a stop, unless all games were played."""
        if stop.reason is Reason.FINISHED:
            return
        message = stop.message
        if not is_in_contact and self.started.url not in f"{message} {stop.hint}":
            message = f"No course server has answered at {self.started.url}. {message}"
        raise (NetworkError if stop.reason is Reason.NETWORK else ProtocolError)(message, stop.hint)

    def _close(self, client: CourseClient, reason: str, error: str, observer: Observer, *, has_games: bool) -> None:
        """Record the end; a journal in which no game was asked for is removed."""
        try:
            self.journal.write(RunEnded(reason, error, at=client.now()))
            if not has_games and not self.started.careful:
                self.journal.close()
                self.journal.path.unlink(missing_ok=True)
        except BotError:
            if reason == "finished":
                raise
        finally:
            if reason != "interrupted":  # Ctrl-C does not wait for thousands of journals
                self._read_longest()
            observer.run_ended()

    def _read_longest(self) -> None:
        """Take the longest streak from all journals, where what they count stands in the sentence about the goal."""
        if self.standings.verdict.doubt:
            everything = journal_standings(self.journal.path.parent, self.started.server, self.started.stil_ids)
            self.standings.longest = max(self.standings.longest, everything.longest)


def _resuming(journal: Journal) -> str:
    """Return the sentence for a run that resumes the game of ``journal``."""
    how = "left unfinished" if journal.unfinished_was_answered else "asked for without getting an answer"
    return f"Resuming game {journal.session.number}, which the last run {how}."


def known_of(session: Session) -> KnownServer:
    """Return what a session has found out about its server that later runs need."""
    return KnownServer("jan21" if session.dialect == "jan21" else None, session.column_opens)


def _give_up(journal: Journal) -> bool:
    """Record an unfinished game as lost, since the next -1 forfeits it; return whether the server has it.

    A game whose end a crash kept from being recorded gets the result that its records show. A game that was never
    answered does not count.
    """
    session = journal.session
    may_run = not session.is_idle or session.is_opening
    was_answered = may_run and journal.is_answered(session.number)
    writer = JournalWriter.resume(journal.path)
    try:
        for item in journal.unrecorded:
            writer.write(item)
        if may_run:
            result = LOST if was_answered else 0.0
            writer.write(GameEnded(session.number, result, "abandoned"))
    finally:
        writer.close()
    return was_answered
