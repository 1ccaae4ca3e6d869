"""Judge a soak: the server's database against the journals, and every move against the exact scores."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bot.course.journal.games import Game
from bot.course.journal.reader import Journal, journals
from bot.course.journal.verify import game_problems
from bot.course.protocol import ILLEGAL, NEW_GAME, Stats
from bot.course.run.move_review import Reviewer
from bot.course.run.standings import disagreements, journal_standings
from bot.course.server.store import FinishedGame, Store
from bot.course.session.events import Chosen, Delivery, Failed, Note, Started
from bot.game.notation import column_name

PLAYER = "soak"
DATABASE = "server.sqlite3"
_LOSSES = {"forfeit": "forfeited by a new game", "illegal": "by an illegal move"}


@dataclass(slots=True)
class OpponentReport:
    """The results of a soak against one opponent."""

    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: list[str] = field(default_factory=list)
    """Games lost by the server's database, each with its moves and how it ended."""
    forfeits: int = 0
    """Games lost because a new game was opened while they were running."""
    illegal: int = 0
    """Games lost by an illegal move."""
    requests: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    """Faults by kind."""
    kills: int = 0
    resumes: int = 0
    """Games resumed by another run than the one that opened them."""
    sent: int = 0
    """Requests to /move by the journals."""
    not_sent: int = 0
    """How many of these were certainly not sent."""
    lost_replies: int = 0
    """How many of these had no usable reply and may have been processed."""
    lost_moves: int = 0
    """How many of these were moves, not requests for a new game."""
    records: int = 0
    """Records in the journals' games."""
    reconciled: int = 0
    """How often a board showed which of several hypotheses was true."""
    unsafe: int = 0
    """Choices for which no column was right in every hypothesis."""
    late: int = 0
    """Moves sent after the limit."""
    moves: int = 0
    """Moves checked against the exact scores."""
    unchecked: int = 0
    given_away: list[str] = field(default_factory=list)
    """Moves that gave value away, or were illegal, although a safe column existed."""
    excused: list[str] = field(default_factory=list)
    """The same under doubt: no column was right in every hypothesis, or the move was chosen for the game before."""
    unexplained: list[str] = field(default_factory=list)
    """Lost games in which every choice had a safe column. Such a game was lost from the start, or without our fault."""
    disagreements: list[str] = field(default_factory=list)
    """Between the journals and the server's database, and within the journals."""
    failures: list[str] = field(default_factory=list)
    """Runs that ended with an error, and their last lines."""
    predicted: dict[str, Any] | None = None
    """The simulation's prediction for the same rates of faults; None for opponents that are not foreign bots."""

    @property
    def faultless(self) -> bool:
        """Whether the client made no mistake. It may still lose a game: after some lost replies no move is safe."""
        return not (self.forfeits or self.given_away or self.disagreements or self.failures)


@dataclass(slots=True)
class SoakReport:
    """The results of a soak."""

    opponents: dict[str, OpponentReport] = field(default_factory=dict)
    interrupted: bool = False
    """Whether Ctrl-C ended the play early; the finished games are judged."""
    seconds: float = 0.0

    @property
    def faultless(self) -> bool:
        """Whether the client made no mistake."""
        return all(part.faultless for part in self.opponents.values())

    @property
    def passed(self) -> bool:
        """Whether the client made no mistake and no game was lost."""
        return self.faultless and not self.in_all["lost"]

    @property
    def in_all(self) -> Counter[str]:
        """Sums over the opponents: of the counts, and of the lengths of the lists."""
        sums: Counter[str] = Counter()
        for part in self.opponents.values():
            counts = {**asdict(part), "faults": sum(part.faults.values())}
            del counts["predicted"]
            sums.update({name: value if isinstance(value, int) else len(value) for name, value in counts.items()})
        return sums

    def as_json(self) -> dict[str, Any]:
        """Return the object of --json."""
        return {**asdict(self), "in_all": self.in_all, "faultless": self.faultless, "passed": self.passed}


def judge_database(folder: Path, url: str, store: Store, report: OpponentReport, *, is_whole: bool) -> None:
    """Count the ends of games in the server's database, and compare the journals with it.

    ``is_whole``: whether all games were played to their end.
    """
    games, record = store.games(PLAYER), store.read(PLAYER)
    report.games, report.won = record.played, record.won
    report.drawn = record.played - record.won - record.lost
    report.lost = [_in_words(number, game) for number, game in enumerate(games, start=1) if game.result < 0]
    reasons = Counter(game.reason for game in games)
    report.forfeits, report.illegal = reasons["forfeit"], reasons["illegal"]
    stats = Stats(record.played, record.won, record.lost, record.streak, record.streak_max)
    report.disagreements += disagreements(journal_standings(folder / "logs", url, (PLAYER,)), stats)
    runs = list(journals(folder / "logs"))
    for journal in runs:
        report.disagreements += [f"{journal.path.name}: {text}" for text in journal.problems]
    if record.running and is_whole:
        report.disagreements.append("The server still has a game running.")
    ours = [game.result for game in _games(runs) if game.result != 0]
    theirs = [game.result for game in games]
    for number, (mine, yours) in enumerate(zip(ours, theirs, strict=False), start=1):
        # In the statistics, a loss by an illegal move looks like any other.
        if mine != yours and not (mine is not None and mine < 0 and yours < 0):
            report.disagreements.append(f"Game {number} ended with {mine} in the journals, {yours:g} at the server.")


def judge_journals(folder: Path, report: OpponentReport, progress: Callable[[str, int], None]) -> None:
    """Verify every game's journal, and check every move against the exact scores."""
    reviewer = Reviewer()
    runs = list(journals(folder / "logs"))
    for run in runs:
        _count(run, report)
    games = _games(runs)
    for number, game in enumerate(games, start=1):
        report.disagreements += [f"Game {number}: {text}" for text in game_problems(game)]
        values = reviewer.review(game, outcomes_only=True)
        report.given_away += [f"Game {number}: {text}" for text in values.given_away]
        report.excused += [f"Game {number}: {text}" for text in values.excused]
        report.unchecked += len(values.unchecked)
        report.moves += values.checked
        _judge_end(number, game, report, under_doubt=bool(values.excused))
        progress("judged", number)


def _judge_end(number: int, game: Game, report: OpponentReport, under_doubt: bool) -> None:
    """Judge an illegal move, which no board shows, by what is recorded about its choice, and explain a loss.

    ``under_doubt``: whether a move of this game is excused.
    """
    if not game.result or game.result > 0:
        return
    if game.result == ILLEGAL and game.steps:
        last = game.steps[-1].chosen
        text = f"Game {number}: Column {column_name(last.move)} was full."
        (report.given_away if last.safe else report.excused).append(text)
    if not under_doubt and all(step.chosen.safe for step in game.steps):
        report.unexplained.append(f"Game {number} was lost although every choice had a safe column.")


def _count(journal: Journal, report: OpponentReport) -> None:
    """Add what the records of a run show to the report."""
    report.records += len(journal.records)
    move = NEW_GAME
    for index, (_line, record) in enumerate(journal.records):
        if isinstance(record, Chosen):
            move = record.move
            report.sent += 1
            report.late += record.late
            report.unsafe += not record.safe
        elif isinstance(record, Failed):
            is_lost = record.delivery is Delivery.UNKNOWN
            report.lost_replies += is_lost
            report.lost_moves += is_lost and move != NEW_GAME
            report.not_sent += not is_lost
        elif isinstance(record, Note):
            report.reconciled += record.kind == "reconciled"
        elif isinstance(record, Started):
            report.resumes += index > 0


def _games(runs: Sequence[Journal]) -> list[Game]:
    """Return all games that were opened, in order."""
    return [game for run in runs for game in run.games if game.is_counted]


def _in_words(number: int, game: FinishedGame) -> str:
    who = "we" if game.student_first else "the bot"
    how = _LOSSES.get(game.reason, "by four in a row")
    return f"Game {number} ({who} started, {re.sub('[^1-7]', '', game.moves)}) {how}."
