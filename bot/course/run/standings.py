"""Standings: finished games by result, and the streak of games in a row without a loss; and what people see of a run.

The course passes a group that plays 20 games in a row without a loss. A draw keeps the streak; a loss ends it, and so
does an illegal move (-10) or a game given up by opening another. A game without a result (0) may have been lost: it
counts for neither side and stands beside the streak, and a streak past it is a pass by the server's own count only.

Whether the goal is met is decided by the server's own count, read after every game. Where it cannot be read, or the
journals count otherwise, `GoalVerdict.sentence` says by whose count the verdict holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Literal

from bot.course.events import Chosen, Counted, Event, GameEnded, Note, Options, Replied
from bot.course.journal.journal import Journal
from bot.course.protocol import LOST, NEW_GAME, WON, Stats
from bot.course.session import Session
from bot.errors import clause, one_line
from bot.game import Board


@dataclass(slots=True, kw_only=True)
class Standings:
    """Counts of finished games, by result."""

    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    current: int = 0
    """The current streak, games with a result."""
    without_result: int = 0
    """Games without a result since the last loss: each may have been lost."""
    certain: int = 0
    """The current streak since the last game without a result, games."""
    longest: int = 0
    """The longest streak without such a game in it, games."""
    running: bool = False
    """Whether the last game is unfinished; it is not counted."""
    substituted_moves: int = 0
    """Moves that another agent had to choose, because ours had failed."""

    def add(self, result: float) -> None:
        """Count a finished game with the server's ``result``; 0 is that of a game whose result nobody knows."""
        if result == 0:
            self.without_result += 1
            self.certain = 0
            return
        self.played += 1
        self.won += result == WON
        self.drawn += 0 < result < WON
        self.lost += result < 0
        self.current += 1
        self.certain += 1
        if result < 0:
            self.current = self.certain = self.without_result = 0
        self.longest = max(self.longest, self.certain)

    @property
    def is_empty(self) -> bool:
        """Whether no game was counted: the player's own client keeps no journals, so only the server counts."""
        return not (self.played or self.longest or self.without_result)

    @property
    def aside(self) -> str:
        """The games without a result, as words to add to a streak; nothing if there are none."""
        return f", {_games(self.without_result)} without a result" if self.without_result else ""


@dataclass(slots=True, kw_only=True)
class RunStandings(Standings):
    """Standings of one run: its games from 0, while the streaks continue those of the journals."""

    goal: int = 20
    """Games in a row without a loss to reach."""
    counted: Counted | None = None
    """The reading of the server's statistics after the last game; None if there was none."""
    slowest_move_s: float = 0.0
    """Longest time between a reply's first byte and our next move, seconds."""
    game_move_s: float = 0.0
    """The same, of the current game."""

    @classmethod
    def after(cls, before: Standings, goal: int) -> RunStandings:
        """Return the standings at the beginning of a run; those ``before`` it count all journals."""
        return cls(
            current=before.current,
            without_result=before.without_result,
            certain=before.certain,
            longest=before.longest,
            goal=goal,
        )

    def timed(self, move_s: float) -> None:
        """Take the time of a move, seconds."""
        self.game_move_s = max(self.game_move_s, move_s)
        self.slowest_move_s = max(self.slowest_move_s, move_s)

    @property
    def verdict(self) -> GoalVerdict:
        """Whether the goal is met, by the server's count if it could be read."""
        return judged(self.goal, self, self.counted)


@dataclass(frozen=True, slots=True)
class GoalVerdict:
    """Whether the goal is met, and by whose count."""

    goal: int
    witness: Literal["server", "journals"]
    """Whose count decides: the server's where it can be read."""
    streak: int
    """The current streak by that count, games."""
    certain: int
    """The part of it since the last game without a result, games."""
    longest: int
    """The longest streak by that count, games."""
    doubt: str = ""
    """What the journals count otherwise, or why the server's count is not known, a clause; empty if both agree."""

    @property
    def is_met(self) -> bool:
        """Whether the goal has been reached, perhaps before a later loss."""
        return self.longest >= self.goal

    @property
    def by(self) -> str:
        """By whose count, as words to add to a streak; nothing if both agree."""
        if not self.doubt:
            return ""
        return " by the server's count" if self.witness == "server" else " by the journals alone"

    @property
    def sentence(self) -> str:
        """Whether the goal is met, and by whose count where that matters."""
        doubt = f"; {self.doubt}" if self.doubt else ""
        if self.is_met:
            return f"Goal met{self.by}: {_games(self.goal)} in a row without a loss{doubt}."
        more = self.goal - self.certain
        needed = f"{_games(more, 'more ')} without a loss {'is' if more == 1 else 'are'} needed"
        return f"Goal not met{self.by}: the longest streak is {self.longest} of {self.goal}, and {needed}{doubt}."


def _games(number: int, which: str = "") -> str:
    return f"{number} {which}game{'' if number == 1 else 's'}"


def judged(goal: int, ours: Standings, counted: Counted | None) -> GoalVerdict:
    """Return whether ``goal`` is met; ``counted`` is the reading of the server's statistics after the last game."""
    server = None if counted is None else counted.stats
    if server is None:
        doubt = f"the server's own count is not known ({why_unread(counted)})"
        return GoalVerdict(goal, "journals", ours.current, ours.certain, ours.longest, doubt)
    verdict = GoalVerdict(goal, "server", server.streak, server.streak, max(server.streak, server.streak_max or 0))
    if ours.is_empty or (server.streak == ours.current and verdict.is_met == (ours.longest >= goal)):
        return verdict
    return replace(
        verdict, doubt=f"the journals count a streak of {ours.current}{ours.aside}, the longest {ours.longest}"
    )


def why_unread(counted: Counted | None) -> str:
    """Return why the server's count is not known, as a clause."""
    if counted is None:
        return "it was not read after the last game"
    return "it keeps no statistics" if counted.kind == "http 404" else clause(counted.message)


def standings_of(runs: Iterable[Journal]) -> Standings:
    """Return the standings over these runs, oldest first.

    An unfinished game that is not the last one was given up by opening another, which the server counts as a loss. One
    that ended unseen does not count before its result is known, as after a crash in that moment.
    """
    runs = list(runs)
    standings = standings_of_ends(chain.from_iterable(ends_of(run) for run in runs))
    standings.substituted_moves = sum(run.substituted_moves for run in runs)
    return standings


def ends_of(run: Journal) -> list[float | None]:
    """Return the results of a run's games, those that the standings count; None for an unfinished one."""
    return [game.result for game in run.games if game.is_counted and game.number != run.session.unseen]


def standings_of_ends(ends: Iterable[float | None]) -> Standings:
    """Return the standings over games by their results; see `standings_of`."""
    standings = Standings()
    for result in ends:
        if standings.running:
            standings.add(LOST)
        standings.running = result is None
        if result is not None:
            standings.add(result)
    return standings


def disagreements(journals: Standings, server: Stats) -> list[str]:
    """Return how the journals and the server's statistics differ, in one sentence; [] if they agree or are empty."""
    if journals.is_empty:
        return []
    if server.played > journals.played:
        return ["The server counts more games than the journals: some were played elsewhere, or journals are missing."]
    if server.played < journals.played:
        return ["The server counts fewer games than the journals: it has lost some, as after a start without its data."]
    if (server.won, server.lost, server.streak) != (journals.won, journals.lost, journals.current):
        return ["The server counts as many games as the journals, with other results."]
    return []


# What people see of a run

_HOW = {
    "statistics": "the server's statistics count it, and no reply has shown it",
    "inferred": "no other end fits the replies that followed",
    "unknown": "the reply was lost and the server's statistics do not show the result",
    "server_reset": "the server no longer knows it",
}
RESULTS = {1.0: "won", 0.5: "drawn", -1.0: "lost", -10.0: "lost by an illegal move", 0.0: "without a result"}
"""The server's results in words."""


@dataclass(frozen=True, slots=True)
class Outage:
    """An outage of the server, after one more request was not answered."""

    message: str
    """Sentences: what happened to the last request, and what was sent."""
    left_s: float
    """Seconds until no further attempt is made."""
    move_left_s: float | None
    """Seconds until the move's time limit, negative after it; None when no move is due."""


class Observer:
    """What people see of a run: turns the session's steps into calls of the methods below, and counts finished games.

    A view overrides these methods, which are called in order. Each must return at once: the move clock is running.
    """

    def __init__(self) -> None:
        self.options, self.journal, self.standings = Options(), Path(), RunStandings()
        self._shown = 0
        """The journal's number of the last game whose start was reported."""
        self._down_since: float | None = None
        """When the outage was reported first that is not over. A single lost reply is none: it has its own notice."""
        self._noted: set[str] = set()
        """Texts of lost replies since the last reply: each is shown once in an outage."""
        self._reply_s = 0.0
        """How long the last reply took, seconds; 0 where that is not known, as in a resumed game."""
        self._move_s = 0.0
        """How long our last move took after it, seconds."""

    def run_started(self, options: Options, journal: Path, standings: RunStandings) -> None:
        """Called before all others: the run writes to ``journal`` and counts its games in ``standings``."""
        self.options, self.journal, self.standings = options, journal, standings

    def game_started(self, board: Board) -> None:
        """Called when a game has begun; on ``board`` we are to move, and the bot may have moved already."""

    def decided(self, board: Board, chosen: Chosen) -> None:
        """Called with our move on ``board`` just before it is sent."""

    def replied(self, board: Board, column: int | None) -> None:
        """Called with the position after the server's reply, and the column of its bot if it moved."""

    def notice(self, text: str) -> None:
        """Called with a sentence for the user, for instance about a fault or a resumed game."""

    def unreachable(self, outage: Outage) -> None:
        """Called after each failed attempt during an outage."""

    def reachable(self, seconds: float) -> None:
        """Called when the server answers again, ``seconds`` after the first failure."""

    def game_ended(self, end: GameEnded) -> None:
        """Called with a finished game, which the standings count; games without a result are not reported."""

    def run_ended(self) -> None:
        """Called when the run is over."""

    def step(self, session: Session, event: Event) -> None:
        """Report one step; see `bot.course.run.run.Driver.on_step`. The move clock is running."""
        if self._down_since is not None and _is_answer(event):
            self.reachable(event.at - self._down_since)
            self._down_since = None
        position = session.position
        if isinstance(event, Chosen) and event.move != NEW_GAME:
            self._move_s = event.move_s
            self.standings.timed(event.move_s)
            if event.note:
                self.standings.substituted_moves += 1
                self.notice(event.note)
            if session.playing is not None:
                self.decided(session.playing.board, event)
        for item in session.news:
            if isinstance(item, GameEnded):
                self._say_why(item, event)
                self._ended(item)
            elif isinstance(item, Note) and not item.quiet:
                self._note(item)
        self.standings.counted = session.counted
        if not isinstance(event, Replied):
            return
        self._reply_s = event.first_byte_s or 0.0
        self._noted.clear()
        if position is None:
            return
        if self._shown != session.game:
            self._shown = session.game
            self.game_started(position.board)
        self.replied(position.board, position.bot_column)

    def _note(self, note: Note) -> None:
        if note.kind != "reply_lost" or note.text not in self._noted:
            self.notice(note.text)
            self._noted.add(note.text)

    def _say_why(self, end: GameEnded, event: Event) -> None:
        """Report the loss of a game without a last board: our move came too late, by the server's clock."""
        if end.known_by != "reply" or end.result != LOST or end.moves or not isinstance(event, Replied):
            return
        reply = event.reply
        if not reply.status or reply.botmove in range(7):  # a refusal has its own note; a four of the bot is not late
            return
        if reply.msg:
            self.notice(f"The server says: {one_line(reply.msg)}.")
        answer_s = event.first_byte_s or 0.0  # our move may have been slow on its way
        all_s = self._reply_s + self._move_s + answer_s
        self.standings.timed(all_s)
        before = f"its last reply took {self._reply_s:.2g} s to arrive, then " if self._reply_s else ""
        self.notice(
            f"The server calls our move late: {before}our move {self._move_s:.2g} s, and the answer to it "
            f"{answer_s:.2g} s, {all_s:.2g} s in all; a run's interruption counts, too. The limit is the server's own. "
            "The next games go the same way unless the network is faster (a cable, another "
            "network, another hour) or --time-limit is smaller."
        )

    def _ended(self, end: GameEnded) -> None:
        if end.moves:
            is_bots = (len(end.moves) % 2 == 0) == end.we_started
            bot_column = end.moves[-1] if is_bots else None
            self.replied(Board.from_moves(end.moves), bot_column)
        if end.known_by != "reply":
            was = "was " if end.result else "ended "
            why = _HOW.get(end.known_by, end.known_by)
            self.notice(f"Game {end.game} {was}{RESULTS.get(end.result, '')}: {why}.")
        self.standings.add(end.result)
        if end.result != 0:
            self.game_ended(end)
        self.standings.game_move_s = 0.0

    def waiting(self, session: Session, text: str, left_s: float, at: float) -> None:
        """Report that the server does not answer, at most for ``left_s`` seconds more, before the news of any step."""
        self._down_since = at if self._down_since is None else self._down_since
        move_left_s = None if session.is_idle else session.late_at - at
        self.unreachable(Outage(text, max(0.0, left_s), move_left_s))


def _is_answer(event: Event) -> bool:
    return isinstance(event, Replied) or (isinstance(event, Counted) and event.stats is not None)
