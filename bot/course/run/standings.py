"""Standings: finished games by result, and the streak of games in a row without a loss.

The course passes a group that plays 20 games in a row without a loss. A draw keeps the streak; a loss ends it, and so
does an illegal move (-10) or a game given up by opening another. A game without a result (0) may have been lost: it
counts for neither side and stands beside the streak, and a streak past it is a pass by the server's own count only.

Whether the goal is met is decided by the server's own count, read after every game. Where it cannot be read, or the
journals count otherwise, `GoalVerdict.sentence` says by whose count the verdict holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Literal

from bot.course.events import Counted
from bot.course.hypotheses import AnswerBook, bot_answers
from bot.course.journal.journal import Journal, journals, read_journal
from bot.course.protocol import LOST, WON, Identity, Stats
from bot.errors import clause

GAMES = 200
"""Number of games at the same server, the newest ones, whose answers a run learns."""


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
        doubt = f"the server's own count is not known ({_why_unread(counted)})"
        return GoalVerdict(goal, "journals", ours.current, ours.certain, ours.longest, doubt)
    verdict = GoalVerdict(goal, "server", server.streak, server.streak, max(server.streak, server.streak_max or 0))
    if server.streak == ours.current and verdict.is_met == (ours.longest >= goal):
        return verdict
    return replace(
        verdict, doubt=f"the journals count a streak of {ours.current}{ours.aside}, the longest {ours.longest}"
    )


def _why_unread(counted: Counted | None) -> str:
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


def journal_standings(
    folder: Path, server: str, stil_ids: Sequence[str], notify: Callable[[str], None] = lambda _text: None
) -> Standings:
    """Return the standings of ``stil_ids`` at ``server`` by the journals in ``folder``.

    ``notify`` gets a sentence for each damaged journal.
    """
    return standings_of(journals(folder, Identity.of(server, stil_ids), notify))


def disagreements(journals: Standings, server: Stats) -> list[str]:
    """Return how the journals and the server's statistics differ, in one sentence; [] if they agree."""
    if server.played > journals.played:
        return ["The server counts more games than the journals: some were played elsewhere, or journals are missing."]
    if server.played < journals.played:
        return ["The server counts fewer games than the journals: it has lost some, as after a start without its data."]
    if (server.won, server.lost, server.streak) != (journals.won, journals.lost, journals.current):
        return ["The server counts as many games as the journals, with other results."]
    return []


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
