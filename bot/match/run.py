"""One run of `play`, from the journals of the past to the verdict."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from pathlib import Path

from bot import __version__
from bot.client.http import CourseClient
from bot.engine import Agent
from bot.journal.reader import Game, Journal, journals
from bot.journal.state import Place, unfinished_game
from bot.journal.writer import JournalWriter
from bot.match.caution import Caution
from bot.match.clock import MoveClock
from bot.match.experience import learn
from bot.match.log import SeatLog
from bot.match.observer import Observer, RunInfo
from bot.match.opponent_model import OpponentModel
from bot.match.outcomes import Outcomes
from bot.match.seat import Seat
from bot.match.series import Series, take_up
from bot.match.streak import streak_of
from bot.match.tally import Tally


@dataclass(frozen=True, slots=True)
class Plan:
    """What to play, where, and how long to think; durations in seconds."""

    server: str
    """The server's lasting name in journals."""
    url: str
    player: tuple[str, ...]
    games: int
    goal: int
    limit_s: float
    think_s: float
    patience_s: float
    logs: Path
    fresh: bool = False
    """Abandon an unfinished game instead of taking it up."""


class Run:
    """A run that can be started once. The constructor reads the past journals and opens this run's own.

    Raises JournalError.
    """

    def __init__(self, plan: Plan, agent: Agent, place: Place | None = None) -> None:
        self.plan = plan
        self._agent = agent
        self._place = place
        past = list(journals(plan.logs, plan.server, plan.player, notify=place.notify if place else lambda _text: None))
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
        self.tally = Tally(plan.goal, streak=streak_of(past).current)
        resumed = self._unfinished is not None and not plan.fresh
        self.journal = self._resume(past[-1].path) if resumed else self._create()
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

    def play(self, client: CourseClient, observer: Observer) -> Tally:
        """Play the plan's games; see `Series.play`."""
        clock = MoveClock(self.plan.limit_s, self.plan.think_s)
        log = SeatLog(self.journal, observer)
        outcomes, model = Outcomes(), OpponentModel()
        caution = Caution(outcomes, model)
        seat = Seat(client, self._agent, log, clock, outcomes.within, model, caution, patience_s=self.plan.patience_s)
        seat.is_cautious = learn(self._last, seat.odds, seat.model)
        series = Series(seat, self.tally, self.plan.games, self._place)
        if self._unfinished is not None and not self.plan.fresh:
            observer.notice(f"Taking up game {self._unfinished.number}, which the last run left unfinished.")
            return series.play(take_up(seat, self._unfinished))
        return series.play()

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

    def _resume(self, path: Path) -> JournalWriter:
        assert self._unfinished is not None
        journal = JournalWriter.resume(path)
        text = f"taken up with {self._agent.name}"
        journal.event(self._unfinished.number, "resumed", text, engine=self._agent.name, url=self.plan.url)
        return journal


def _abandon(journal: Journal, game: Game) -> None:
    """Close the books on a game that the next -1 will forfeit."""
    writer = JournalWriter.resume(journal.path)
    try:
        writer.game_end(game.number, -1.0, moves="", we_started=None, known_by="abandoned")
        writer.sync()
    finally:
        writer.close()
    game.ended = {"type": "game_end", "game": game.number, "result": -1.0}
