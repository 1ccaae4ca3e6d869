"""One run of `bot play`: learn from the past journals, resume or open games, play them, and record the end.

The player's lock is held all the while (`bot.course.journal.state`). An unfinished game is resumed in its own journal,
also if that lies in another folder than ``--logs``; with ``--fresh`` it is recorded as abandoned. Otherwise a new
journal begins; one in which no game was asked for is removed at the end. A run that was killed has no recorded end, and
is resumed all the same.

The driver is the loop around the session: perform its command, record the outcome, pass it back. The simulation runs
the same loop. Nothing here decides what a reply means or whether a request may be repeated.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from bot.course.client.http import CourseClient
from bot.course.events import (
    Abandoned,
    Choose,
    Chosen,
    Command,
    Event,
    GameEnded,
    Learnt,
    Open,
    Options,
    ReadStatistics,
    Send,
    Started,
    Stop,
    StopReason,
)
from bot.course.hypotheses import AnswerBook, bot_answers
from bot.course.journal.journal import Journal, journals, read_journal
from bot.course.journal.records import JournalWriter, RunEnded
from bot.course.journal.state import Place, unfinished_game
from bot.course.policy import EngineHost
from bot.course.protocol import EMBEDDED, LOST, NEW_GAME, Dialect, Identity
from bot.course.run.standings import Observer, RunStandings, Standings, standings_of
from bot.course.session import KEPT, RESUME, Session, step
from bot.engine.agent import Agent, Decision, StopFlag
from bot.errors import AgentError, BotError, JournalError, NetworkError, ProtocolError

GAMES = 200
"""Number of games at the same server, the newest ones, whose answers a run learns."""


# The driver


ColumnChooser = Callable[[Session, float], Decision]
"""Chooses the column of a move within the move clock: takes the session and the seconds left."""
_DECIDED = ("score", "proven", "depth", "nodes", "pv", "source", "safe", "saved", "note")
"""What a choice records of its decision, beside the column."""


@dataclass(slots=True)
class Driver:
    """Runs one session until it stops. ``session`` is always the latest state."""

    session: Session
    client: CourseClient
    journal: JournalWriter
    choose: ColumnChooser
    on_step: Callable[[Session, Event], None] = lambda _session, _event: None
    """Called with the new session and the event after every step."""
    ends: list[GameEnded] = field(default_factory=list)
    """The ends of the run's games, in order."""

    def run(self, started: Started) -> Stop:
        """Play until the session stops. Exceptions of the client and the disk pass through; the run can be resumed."""
        command = self.take(started)
        while not isinstance(command, Stop):
            command = self.take(replace(self.perform(command), game=self.session.game))
        return command

    def take(self, event: Event) -> Command:
        """Record ``event``, pass it to the session, and return the next command.

        The end of a game is on the disk before anything follows from it.
        """
        self.journal.write(event)
        self.session, command = step(self.session, event)
        ends = [item for item in self.session.news if isinstance(item, GameEnded)]
        self.ends += ends
        if ends:
            self.journal.sync()
        self.on_step(self.session, event)
        return command

    def perform(self, command: Command) -> Event:
        """Perform ``command``, after its pause, and return its outcome."""
        if isinstance(command, Send):
            return self.client.send(command.move)
        assert not isinstance(command, Stop)
        if command.after_s > 0:
            self.client.sleep(command.after_s)
        match command:
            case Open():
                return Chosen(self.client.now(), NEW_GAME, answers=self.session.expected(NEW_GAME))
            case Choose():
                return self._choose()
            case ReadStatistics(patience_s=patience_s):
                return self.client.statistics(patience_s)

    def _choose(self) -> Chosen:
        """Return the engine's decision as the event that is recorded, with what clock and session say about it."""
        session, start = self.session, self.client.now()
        decision = self.choose(session, session.left_s(start))
        at = self.client.now()
        until_late_s = session.late_at - at
        return Chosen(
            at,
            decision.column,
            **{name: getattr(decision, name) for name in _DECIDED},
            ply=min(hypothesis.playing.board.ply for hypothesis in session.hypotheses),
            seconds=round(at - start, 6),
            move_s=round(max(0.0, session.options.limit_s - until_late_s), 6),
            late=until_late_s < 0,
            hypotheses=len(session.hypotheses),
            answers=session.expected(decision.column),
        )


# The run


class Run:
    """A run that can be started once. The constructor reads the past journals and opens this run's own.

    Raises JournalError.
    """

    def __init__(
        self,
        options: Options,
        agent: Agent,
        place: Place,
        logs: Path,
        *,
        fresh: bool = False,
        stop: StopFlag | None = None,
    ) -> None:
        """``options`` say what to play, where, and within which time limits.

        ``fresh`` abandons an unfinished game instead of resuming it; ``stop`` ends a search.
        """
        self._choose = EngineHost(agent, options.think_s, stop)
        self._place = place
        self._before = place.state.journal
        self.logs = logs
        history = read_history(logs, place.identity)
        is_giving_up = fresh and _give_up(place, logs, history.last)
        if fresh:
            history = read_history(logs, place.identity)
        resumed = None if fresh else unfinished_game(place, logs, history.last)
        self.is_new_here = not (fresh or resumed or history.last or self._before or place.identity.server == EMBEDDED)
        """Whether nothing on this computer is known of the player: a game may run that was begun on another one."""
        if is_giving_up:
            history.standings.add(LOST)
        self.standings = RunStandings.after(history.standings, options.goal)
        self._earlier = earlier = resumed or Journal(logs)
        """The run that is resumed; an empty one if none is."""
        self._session = replace(earlier.session, answers=history.answers)
        if resumed is None:
            self.journal = JournalWriter.create(logs, "+".join(options.stil_ids)[:60])
        else:
            self.journal = JournalWriter.resume(resumed.path)
        self.started = Started(
            0.0,
            replace(options, engine=agent.name, is_giving_up=is_giving_up),
            _learnt(resumed or history.last, is_damaged=earlier.is_damaged),
            game=earlier.unfinished or 0,
        )

    def close(self) -> None:
        """Close the journal; one that holds nothing, since the run was refused, is removed."""
        self.journal.close()
        path = self.journal.path
        if path.exists() and not path.stat().st_size:
            path.unlink()

    def play(self, client: CourseClient, observer: Observer) -> RunStandings:
        """Play the games and return the standings. However the run ends, its end is recorded.

        Raises NetworkError, ProtocolError or JournalError; KeyboardInterrupt passes through.
        """
        observer.run_started(self.started.options, self.journal.path, self.standings)

        def on_step(session: Session, event: Event) -> None:
            self._point_at(session.open_game)
            observer.step(session, event)
            if client.is_interrupted:  # the outcome of its move is recorded
                raise KeyboardInterrupt

        driver = Driver(self._session, client, self.journal, self._choose, on_step)
        client.on_outage = lambda text, left_s: observer.waiting(driver.session, text, left_s, client.now())
        if self._earlier.unfinished:
            observer.notice(_resuming(self._earlier))
        reason, error = "error", ""
        try:
            stop = driver.run(self.started)
            self._check(stop, is_in_contact=driver.session.is_made)
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
            try:
                self._record_end(driver, reason, error)
            except BotError:
                if reason == "finished":
                    raise
            finally:
                observer.run_ended()
        return self.standings

    def _point_at(self, game: int | None) -> None:
        """Bring the pointer to the running game to the disk: before the game's first request."""
        changes: dict[str, Any] = {"game": game or 0}
        if game:
            changes["journal"] = str(self.journal.path.absolute())
        self._place.store(**changes)

    def _say_what_is_kept(self, session: Session, observer: Observer, why: str) -> None:
        """Report a game that is running at the server when the run ends early."""
        game = session.game
        if session.is_opening:
            observer.notice(f"{why}: game {game} was requested and may be running on the server. {RESUME}")
        elif not session.is_idle:
            observer.notice(f"{why}: game {game} is still running on the server. {KEPT}")

    def _check(self, stop: Stop, *, is_in_contact: bool) -> None:
        """Raise the error for the reason of a stop, unless all games were played."""
        if stop.reason is StopReason.FINISHED:
            return
        message = stop.message
        if not is_in_contact and self.started.options.url not in f"{message} {stop.hint}":
            message = f"No course server has answered at {self.started.options.url}. {message}"
        if stop.reason is not StopReason.NETWORK:
            raise ProtocolError(message, stop.hint)
        hint = stop.hint if RESUME in stop.hint else f"{stop.hint} Then run the same command again.".strip()
        raise NetworkError(message, hint)

    def _record_end(self, driver: Driver, reason: str, error: str) -> None:
        """Record the end; a journal in which no game was asked for is removed."""
        ends = (*self._earlier.ends, *driver.ends)
        substituted_moves = self._earlier.substituted_moves + self.standings.substituted_moves
        self.journal.write(RunEnded(reason, error, ends, substituted_moves, driver.client.now()))
        if ends or driver.session.open_game:
            return
        self._place.store(journal=self._before)
        self.journal.close()
        self.journal.path.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class History:
    """What earlier runs teach a new one."""

    last: Journal | None
    """The newest journal of this player at this server that holds a game: with what it has learnt of lost replies, from
    the runs before it too."""
    answers: AnswerBook
    """The server's bot's answers in the newest games."""
    standings: Standings
    """Those of this player."""


def read_history(logs: Path, player: Identity) -> History:
    """Return what the journals in ``logs`` show of games at the server, and of this ``player``'s there."""
    runs = [run for run in journals(logs) if run.player.server == player.server]
    games = [game for run in runs for game in run.games]
    answers = [bot_answers(game.moves, we_started=bool(game.we_started)) for game in games[-GAMES:]]
    ours = [run for run in runs if run.player == player]
    last = next((read_journal(run.path) for run in reversed(ours) if run.games), None)
    return History(last, AnswerBook().observe(chain.from_iterable(answers)), standings_of(ours))


def _learnt(last: Journal | None, *, is_damaged: bool) -> Learnt:
    """Return what earlier runs have learnt; ``is_damaged`` says that lines of the resumed journal cannot be read."""
    learnt = Learnt() if last is None else last.session.learnt
    dialect: Dialect | None = "jan21" if learnt.dialect == "jan21" else None
    return replace(learnt, dialect=dialect, may_run_elsewhere=is_damaged, is_damaged=is_damaged)


def _resuming(journal: Journal) -> str:
    """Return the sentence for a run that resumes the game of ``journal``."""
    how = "left unfinished" if journal.unfinished_was_answered else "asked for without getting an answer"
    return f"Resuming game {journal.unfinished}, which the last run {how}."


def _give_up(place: Place, logs: Path, last: Journal | None) -> bool:
    """Record that an unfinished game is given up; return whether the server may have it, so that -1 forfeits it.

    It may also be one whose journal cannot be read.
    """
    try:
        journal = unfinished_game(place, logs, last)
    except JournalError:
        return True
    if journal is None:
        return False
    with closing(JournalWriter.resume(journal.path)) as writer:
        writer.write(Abandoned(0.0, journal.unfinished or 0))
    return journal.may_be_forfeited
