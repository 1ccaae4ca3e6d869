"""Judge a long series: the journals against the server's own list of games, and every move by the exact scores."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields

from bot.course.journal.games import RecordedGame
from bot.course.journal.journal import Journal
from bot.course.journal.verify import game_problems
from bot.course.protocol import ILLEGAL, Stats
from bot.course.run.move_review import Reviewer
from bot.course.run.standings import disagreements
from bot.game.notation import column_name, format_moves
from tests.course.foreign_course import Finished
from tests.course.run.course import journals
from tests.course.run.long_series import Series


@dataclass(kw_only=True)
class Verdicts:
    """What a series, or several, showed; sums add up with ``+``."""

    games: int = 0
    requests: int = 0
    faults: int = 0
    kills: int = 0
    moves: int = 0
    """Moves that were compared with the exact scores."""
    endings: Counter[str] = field(default_factory=Counter)
    """Games by how the server ended them: "played", "illegal", "forfeit"."""
    lost: list[str] = field(default_factory=list)
    """Games that the server scored as losses."""
    avoidable: list[str] = field(default_factory=list)
    """Illegal moves into a column that was full on the last board that the server had shown to this process."""
    unexplained: list[str] = field(default_factory=list)
    """Lost games in which every choice had a safe column."""
    given_away: list[str] = field(default_factory=list)
    """Moves that gave value away, or were illegal, although a safe column existed."""
    excused: list[str] = field(default_factory=list)
    """The same where no column was right under every hypothesis."""
    unchecked: list[str] = field(default_factory=list)
    """Moves that could not be judged."""
    failed_runs: list[str] = field(default_factory=list)
    disagreements: list[str] = field(default_factory=list)
    """Between the journals and the server, and within the journals."""

    def __add__(self, other: Verdicts) -> Verdicts:
        """Return the sum."""
        return Verdicts(**{each.name: getattr(self, each.name) + getattr(other, each.name) for each in fields(self)})

    def __str__(self) -> str:
        counts = (
            f"{self.games} games, {self.requests} requests, {self.faults} faults, {self.kills} kills; "
            f"{len(self.lost)} lost ({self.endings['illegal']} by an illegal move), "
            f"{self.endings['forfeit']} forfeited; {self.moves} moves checked, {len(self.given_away)} gave value away, "
            f"{len(self.excused)} more under doubt"
        )
        return "\n".join([counts, *(f"  lost: {text}" for text in self.lost)])


def verdicts_on(series: Series) -> Verdicts:
    """Return the verdicts on a series that has been played to its end."""
    server, bot = series.server, series.bot.name
    runs = journals(series.logs)
    games = [game for run in runs for game in run.games if game.is_counted]
    found = Verdicts(
        games=len(server.finished),
        requests=len(server.requests),
        faults=sum(fault != "ok" for *_, fault in server.requests),
        kills=series.kills,
        endings=Counter(game.ended for game in server.finished),
        lost=[f"{bot}, {in_words(game)}" for game in server.finished if game.result < 0],
        avoidable=[f"{bot}, {in_words(game)}" for game in server.finished if game.avoidable],
        failed_runs=[f"{bot}, {text}" for text in series.failed_runs],
        disagreements=[f"{bot}, {text}" for text in _disagreements(series, runs, games)],
    )
    reviewer = Reviewer()
    for number, game in enumerate(games, start=1):
        judge_moves(f"{bot}, game {number}", game, reviewer, found)
    return found


def in_words(game: Finished) -> str:
    """Return a lost game as a line."""
    who = "we" if game.student_started else "the bot"
    return f"game {game.number} ({who} started, {format_moves(game.moves)}): {game.ended}"


def _disagreements(series: Series, runs: list[Journal], games: list[RecordedGame]) -> list[str]:
    """Return where the journals contradict the server's counts, its list of games, or themselves."""
    counts = series.server.course.stats()
    names = ("played", "won", "lost", "streak", "streak_max")
    found = disagreements(series.standings(), Stats(*(counts[name] for name in names)))
    for run in runs:
        found += [f"{run.path.name}: {text}" for text in run.problems]
    for game in games:
        found += [f"game {game.number}: {text}" for text in game_problems(game)]
    if series.server.running is not None:
        found.append("The server still has a game running.")
    ours = [game.result for game in games if game.result != 0]
    theirs = [game.result for game in series.server.finished]
    for number, (mine, yours) in enumerate(zip(ours, theirs, strict=False), start=1):
        # In the statistics, a loss by an illegal move looks like any other.
        both_lost = mine is not None and mine < 0 and yours < 0
        if mine != yours and not both_lost:
            found.append(f"Game {number} ended with {mine} in the journals, with {yours:g} at the server.")
    return found


def judge_moves(name: str, game: RecordedGame, reviewer: Reviewer, found: Verdicts) -> None:
    """Check every move by the exact scores; judge an illegal one, which no board shows, by what the journal says."""
    review = reviewer.review(game, outcomes_only=True)
    found.moves += review.checked
    found.given_away += [f"{name}: {text}" for text in review.given_away]
    found.excused += [f"{name}: {text}" for text in review.excused]
    found.unchecked += [f"{name}: {text}" for text in review.unchecked]
    if game.result is None or game.result >= 0:
        return
    if game.result == ILLEGAL and game.steps:
        last = game.steps[-1].chosen
        (found.given_away if last.safe else found.excused).append(f"{name}: column {column_name(last.move)} was full")
    if not review.excused and all(step.chosen.safe for step in game.steps):
        found.unexplained.append(f"{name} was lost although every choice had a safe column")
