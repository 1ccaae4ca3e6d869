"""One run of `bot play`: read the past journals, resume or open games, play them, and record the end."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from pathlib import Path

from bot import __version__
from bot.course.client.failures import RejectedError
from bot.course.client.http import CourseClient
from bot.course.journal.reader import Game, Journal, journals
from bot.course.journal.state import Place, unfinished_game
from bot.course.journal.writer import JournalWriter
from bot.course.run.driver import Driver
from bot.course.run.engine_host import EngineHost
from bot.course.run.experience import answers_in, delivery_in
from bot.course.run.live import LiveWorld
from bot.course.run.narrator import Narrator
from bot.course.run.observer import Observer, RunInfo
from bot.course.run.outage import OutageWatch
from bot.course.run.resume import records_of, replayed
from bot.course.run.session_log import SessionLog
from bot.course.run.standings import RunStandings, standings_of
from bot.course.session.clock import MoveClock
from bot.course.session.events import GameEnded, Reason, Stop
from bot.course.session.state import Session
from bot.engine.agent import Agent
from bot.errors import BotError, NetworkError, ProtocolError

_ERRORS: dict[Reason, type[BotError]] = {
    Reason.NETWORK: NetworkError,
    Reason.REJECTED: RejectedError,
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
    """Stop at the first game that the server refuses, loses or counts as forfeited."""


class Run:
    """A run that can be started once. The constructor reads the past journals and opens this run's own.

    Raises JournalError.
    """

    def __init__(self, plan: Plan, agent: Agent, place: Place | None = None) -> None:
        self.plan = plan
        self._agent = agent
        self._place = place
        self._at_server = list(journals(plan.logs, plan.server, notify=place.notify if place else lambda _text: None))
        past = [run for run in self._at_server if set(run.stil_ids) == set(plan.player)]
        if place is not None:
            found = unfinished_game(place, plan.logs, give_up_missing=plan.fresh)
            if found is not None:  # perhaps in another folder
                past = [run for run in past if run.path.name != found.journal.path.name] + [found.journal]
        self._last = past[-1] if past else None
        self._unfinished = past[-1].unfinished if past else None
        if self._unfinished is not None and plan.fresh:
            _abandon(past[-1], self._unfinished)
            if place is not None:
                place.clear()
        self.standings = RunStandings(current=standings_of(past).current, goal=plan.goal)
        self._resumed = None if plan.fresh else self._unfinished
        self.journal = self._create() if self._resumed is None else JournalWriter.resume(self._in_logs(past[-1].path))
        self.info = RunInfo(
            plan.server,
            plan.url,
            plan.player,
            agent.name,
            plan.limit_s,
            plan.games,
            plan.goal,
            str(self.journal.path),
        )

    def play(self, client: CourseClient, observer: Observer) -> RunStandings:
        """Play the plan's games and return the standings. However the run ends, its end is recorded.

        Raises NetworkError, ProtocolError or JournalError; KeyboardInterrupt passes through.
        """
        outage = OutageWatch(observer)
        world = LiveWorld(client, outage.retrying)
        log = SessionLog(self.journal, world.now)
        narrator = Narrator(observer, outage, self.standings, self.journal, self._place)
        chooser = EngineHost(self._agent, self.plan.think_s)
        session, unrecorded = self._session()
        driver = Driver(session, world, log, chooser, narrator.step)
        if self._resumed is not None:
            observer.notice(f"Resuming game {self._resumed.number}, which the last run left unfinished.")
            self._write_resumed(self._resumed, log.at)
        reason, error = "error", None
        try:
            self._check(driver.run(self.plan.games, unrecorded))
            reason = "finished"
        except KeyboardInterrupt:
            reason = "interrupted"
            if not driver.session.is_idle:
                observer.notice(
                    f"Interrupted: game {driver.session.number} is still running on the server. "
                    "Run the same command again to resume it."
                )
            raise
        except BotError as failure:
            error = failure.message
            raise
        finally:
            self._close(reason, error, observer)
        return self.standings

    def _session(self) -> tuple[Session, list[GameEnded]]:
        """Return the session to start from, new or resumed from its records, and ends of games to record first."""
        plan = self.plan
        # The resumed run's own records are folded below: counted twice, its bot would seem to repeat itself.
        others = [run for run in self._at_server if run.path.name != self.journal.path.name]
        session = Session(
            clock=MoveClock(plan.limit_s),
            patience_s=plan.patience_s,
            most_bad_games=1 if plan.careful else 2,
            answers=answers_in(others),
            delivery=delivery_in(self._last if self._resumed is None else None),
        )
        if self._resumed is None:
            return session, []
        return replayed(records_of(self.journal.path), session)

    @staticmethod
    def _check(stop: Stop) -> None:
        """Raise the error for the reason of a stop, unless all games were played."""
        if stop.reason is not Reason.FINISHED:
            raise _ERRORS[stop.reason](stop.message, stop.hint)

    def _close(self, reason: str, error: str | None, observer: Observer) -> None:
        counts = {name: getattr(self.standings, name) for name in ("played", "won", "drawn", "lost")}
        try:
            self.journal.run_end(reason, **counts, error=error)
        except BotError:
            if reason == "finished":
                raise
        finally:
            observer.run_ended(self.standings)

    def _create(self) -> JournalWriter:
        plan = self.plan
        return JournalWriter.create(
            plan.logs,
            "+".join(plan.player)[:60],
            server=plan.server,
            url=plan.url,
            stil_ids=list(plan.player),
            engine=self._agent.name,
            limit_s=plan.limit_s,
            think_s=plan.think_s,
            games=plan.games,
            goal=plan.goal,
            versions={"bot": __version__, "python": platform.python_version(), "system": platform.system()},
        )

    def _in_logs(self, path: Path) -> Path:
        """Return the path of a journal in the --logs folder as this run's user writes that folder."""
        is_there = path.absolute().parent == self.plan.logs.absolute()
        return self.plan.logs / path.name if is_there else path

    def _write_resumed(self, game: Game, at: float) -> None:
        plan = self.plan
        text = f"Resumed with {self._agent.name}."
        self.journal.event(game.number, "resumed", text, engine=self._agent.name, url=plan.url, games=plan.games, at=at)


def _abandon(journal: Journal, game: Game) -> None:
    """Record an unfinished game as lost: the next -1 forfeits it."""
    writer = JournalWriter.resume(journal.path)
    try:
        writer.game_end(game.number, -1.0, moves="", we_started=None, known_by="abandoned")
        writer.sync()
    finally:
        writer.close()
    game.ended = {"type": "game_end", "game": game.number, "result": -1.0}
