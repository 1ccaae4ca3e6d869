"""One run of `bot play`: learn from the past journals, resume or open games, play them, and record the end."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from pathlib import Path

from bot import __version__
from bot.course.client.http import CourseClient
from bot.course.journal.reader import Journal
from bot.course.journal.state import Place, unfinished_game
from bot.course.journal.writer import JournalWriter
from bot.course.run.driver import Driver
from bot.course.run.engine_host import EngineHost
from bot.course.run.history import read_history
from bot.course.run.listener import Listener, Observer
from bot.course.run.standings import RunStandings
from bot.course.session.events import Event, GameEnded, News, Reason, RunEnded, Started, Stop
from bot.course.session.fold import Fold
from bot.course.session.state import KEPT, Session
from bot.engine.agent import Agent
from bot.errors import BotError, NetworkError, ProtocolError

_ERRORS: dict[Reason, type[BotError]] = {
    Reason.NETWORK: NetworkError,
    Reason.REJECTED: ProtocolError,
    Reason.REFUSED: ProtocolError,
}


@dataclass(frozen=True, slots=True)
class Plan:
    """What to play, where, and within which time limits; durations in seconds."""

    server: str
    """The server's name in journals: its address, or "embedded", whose port changes."""
    url: str
    player: tuple[str, ...]
    games: int
    goal: int
    limit_s: float
    think_s: float
    patience_s: float
    logs: Path
    fresh: bool = False
    """Abandon an unfinished game instead of resuming it."""
    careful: bool = False
    """Stop at the first game that the server refuses or loses."""


class Run:
    """A run that can be started once. The constructor reads the past journals and opens this run's own.

    Raises JournalError.
    """

    def __init__(self, plan: Plan, agent: Agent, place: Place) -> None:
        self.plan = plan
        self._agent = agent
        self._place = place
        history = read_history(plan.logs, place.identity, fresh=plan.fresh)
        resumed = unfinished_game(place, plan.logs, history.last, fresh=plan.fresh)
        if resumed is not None and plan.fresh:
            _abandon(resumed)
            place.clear()
            resumed = None
        lost = history.last is not None and plan.fresh and history.last.unfinished is not None
        self.standings = RunStandings(current=0 if lost else history.streak, goal=plan.goal)
        self.resumed = resumed.session.number if resumed is not None else None
        was_answered = resumed is None or resumed.unfinished_was_answered
        self._left = "left unfinished" if was_answered else "asked for without getting an answer"
        self._session, self._unrecorded = _start_from(resumed, Session(answers=history.answers))
        self.started = Started(
            0.0,
            games=plan.games,
            game=self._session.number,
            limit_s=plan.limit_s,
            patience_s=plan.patience_s,
            careful=plan.careful,
            is_damaged=resumed is not None and bool(resumed.damaged),
            server=plan.server,
            url=plan.url,
            stil_ids=plan.player,
            engine=agent.name,
            think_s=plan.think_s,
            goal=plan.goal,
            versions={"bot": __version__, "python": platform.python_version(), "system": platform.system()},
        )
        if resumed is None:
            self.journal = JournalWriter.create(plan.logs, "+".join(plan.player)[:60])
        else:
            self.journal = JournalWriter.resume(resumed.path)

    def play(self, client: CourseClient, observer: Observer) -> RunStandings:
        """Play the plan's games and return the standings. However the run ends, its end is recorded.

        Raises NetworkError, ProtocolError or JournalError; KeyboardInterrupt passes through.
        """
        listener = Listener(observer, self.standings)

        def on_step(session: Session, event: Event) -> None:
            self._keep_pointer(session)
            listener.step(session, event)

        driver = Driver(self._session, client, self.journal, EngineHost(self._agent, self.plan.think_s), on_step)
        if self.resumed is not None:
            observer.notice(f"Resuming game {self.resumed}, which the last run {self._left}.")
        reason, error = "error", ""
        try:
            stop = driver.run(self.started, self._unrecorded)
            self._check(stop, is_in_contact=driver.session.in_contact)
            reason = "finished"
        except KeyboardInterrupt:
            reason = "interrupted"
            if not driver.session.is_idle:
                game = driver.session.number
                observer.notice(f"Interrupted: game {game} is still running on the server. {KEPT}")
            raise
        except BotError as failure:
            error = failure.message
            raise
        finally:
            self._close(client, reason, error, observer, has_games=driver.session.number > 0)
        return self.standings

    def _check(self, stop: Stop, *, is_in_contact: bool) -> None:
        """Raise the error for the reason of a stop, unless all games were played."""
        if stop.reason is Reason.FINISHED:
            return
        message = stop.message
        if not is_in_contact and self.plan.url not in f"{message} {stop.hint}":
            message = f"No course server has answered at {self.plan.url}. {message}"
        raise _ERRORS[stop.reason](message, stop.hint)

    def _keep_pointer(self, session: Session) -> None:
        """Keep the pointer to the running game up to date: it is on the disk before the game's first request."""
        if session.is_idle and not session.is_opening:
            self._place.clear()
        else:
            self._place.point_to(self.journal.path, session.number)

    def _close(self, client: CourseClient, reason: str, error: str, observer: Observer, *, has_games: bool) -> None:
        """Record the end; a journal in which no game was asked for is removed."""
        try:
            self.journal.write(RunEnded(reason, error, at=client.now()))
            if not has_games and not self.plan.careful:
                self.journal.close()
                self.journal.path.unlink(missing_ok=True)
        except BotError:
            if reason == "finished":
                raise
        finally:
            observer.run_ended(self.standings)


def _start_from(resumed: Journal | None, session: Session) -> tuple[Session, list[News]]:
    """Return the session to start from, new or resumed from its records, and the news that a crash left unrecorded."""
    fold = Fold(session, is_damaged=resumed is not None and bool(resumed.damaged))
    for _line, record in resumed.records if resumed is not None else ():
        fold.take(record)
    return fold.session, fold.expected


def _abandon(journal: Journal) -> None:
    """Record an unfinished game as lost: the next -1 forfeits it. One that was never answered does not count."""
    was_answered = journal.unfinished_was_answered
    writer = JournalWriter.resume(journal.path)
    try:
        writer.write(GameEnded(journal.session.number, -1.0 if was_answered else 0.0, "abandoned"))
    finally:
        writer.close()
