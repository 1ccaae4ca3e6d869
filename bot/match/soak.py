"""A long play over a network that fails and a player that is killed: is a game ever lost for it?

The embedded course server runs behind the fault proxy, on real sockets, with its books in a file. `bot play` runs as a
process of its own, is killed (SIGKILL) at random moments, and is started again until all games are played. The
server's books, which no fault touches, are the judge: how games ended, and whether the journals tell the same story.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bot.client.wire import Stats
from bot.engine import Agent
from bot.errors import ExitCode
from bot.journal.reader import Game, Journal, journals
from bot.journal.verify import count_problems, replay_game
from bot.match.streak import disagreements, journal_streak
from bot.match.values import Judge
from bot.server.embedded import embedded_server
from bot.server.faults import FaultPlan
from bot.server.referee import Starter
from bot.server.store import FinishedGame, Store

PLAYER = "soak"
BOOKS = "server.sqlite3"
_LOOK_S = 0.004
"""How often the number of requests is looked at."""
_KILL_WITHIN_S = 0.06
"""A kill comes so soon after a request has arrived: before, while and after it is answered."""
_FAILED_RUNS = 20
"""So many runs in a row that end by an error without one more game: the soak gives up."""


@dataclass(frozen=True, slots=True)
class SoakPlan:
    """What to play, and what may go wrong."""

    games: int
    folder: Path
    """Where journals, the server's books and the players' output go; must be empty."""
    faults: str = "default"
    """A plan as `serve --faults` reads it, or "none"."""
    kill: float = 0.02
    """The chance, for each request, that the player is killed soon after."""
    seed: int = 1
    starter: Starter = Starter.RANDOM
    engine: str = "perfect"
    think_s: float = 0.1


@dataclass(slots=True)
class SoakReport:
    """What a soak has come to."""

    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: list[str] = field(default_factory=list)
    """Games lost on the server's books, each with its moves and how it ended."""
    requests: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    """Faults met, by kind."""
    kills: int = 0
    resumes: int = 0
    """Games taken up by another run than the one that began them."""
    unknown: int = 0
    """Requests of unknown fate."""
    resolved: int = 0
    """Times that several possible worlds came down to the true one."""
    unsafe: int = 0
    """Choices for which no column was safe in every world."""
    late: int = 0
    """Moves sent after the limit."""
    moves: int = 0
    given_away: list[str] = field(default_factory=list)
    """Moves that gave value away, though a safe column existed."""
    excused: list[str] = field(default_factory=list)
    """The same, where the journal says that no safe column existed."""
    unchecked: int = 0
    disagreements: list[str] = field(default_factory=list)
    """Between the journals and the server's books, and within the journals."""
    failures: list[str] = field(default_factory=list)
    """Runs that ended by an error, with their last words."""
    streak_max: int = 0
    interrupted: bool = False
    """Whether Ctrl-C ended the play; what was played is judged all the same."""
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether no game was lost, nothing given away, and everybody tells the same."""
        return not (self.lost or self.given_away or self.disagreements)


def soak(plan: SoakPlan, opponent: Agent, progress: Callable[[str, int, int], None]) -> SoakReport:
    """Play and judge; ``progress`` is told what is done, how far it is, and of how many.

    Raises BotError where the server or the folder cannot be used.
    """
    start = time.monotonic()
    report = SoakReport()
    books = plan.folder / BOOKS
    faults = None if plan.faults == "none" else FaultPlan.parse(plan.faults, plan.seed)
    key = f"{random.Random(plan.seed).getrandbits(64):016x}"
    with embedded_server(opponent, api_key=key, db=books, seed=plan.seed, starter=plan.starter, faults=faults) as url:
        try:
            _Player(plan, url, key, faults, report).play(progress)
        except KeyboardInterrupt:
            report.interrupted = True
    if faults is not None:
        report.requests, report.faults = faults.requests, dict(faults.counts)
    store = Store(books)
    store.open()
    try:
        _judge_books(plan, url, store, report)
    finally:
        store.close()
    _judge_journals(plan, report, progress)
    report.seconds = round(time.monotonic() - start, 1)
    return report


class _Player:
    """Starts `bot play` again and again, and kills it now and then."""

    def __init__(self, plan: SoakPlan, url: str, key: str, faults: FaultPlan | None, report: SoakReport) -> None:
        self._plan = plan
        self._url = url
        self._key = key
        self._faults = faults
        self._report = report
        self._random = random.Random(plan.seed)

    def play(self, progress: Callable[[str, int, int], None]) -> None:
        total, fruitless = self._plan.games, 0
        played = self._played()
        while played < total and fruitless < _FAILED_RUNS:
            self._run(total - played, lambda: progress("games", self._counted(), total))
            before, played = played, self._played()
            fruitless = fruitless + 1 if played == before else 0
        progress("games", played, total)

    def _played(self) -> int:
        folder = self._plan.folder / "logs"
        return journal_streak(folder, self._url, (PLAYER,)).played if folder.is_dir() else 0

    def _counted(self) -> int:
        """The same by the server's books, which are quicker to read."""
        store = Store(self._plan.folder / BOOKS)
        store.open()
        try:
            return store.read(PLAYER).played
        finally:
            store.close()

    def _run(self, games: int, look: Callable[[], None]) -> None:
        """One process until it ends or is killed."""
        plan = self._plan
        command = [sys.executable, "-m", "bot", "play", "--games", str(games), "--server", self._url]
        command += ["--stil-id", PLAYER, "--engine", plan.engine, "--think", str(plan.think_s)]
        package = Path(__file__).parents[2]
        own = {"BOT_API_KEY": self._key, "BOT_STATE_DIR": str(plan.folder / "state")}  # the key is in no process title
        env = {**os.environ, **own, "PYTHONPATH": str(package)}
        output = plan.folder / "play.log"
        with output.open("ab") as log:
            process = subprocess.Popen(command, cwd=plan.folder, env=env, stdout=log, stderr=log)
            try:
                killed = self._watch(process, look)
            finally:
                process.kill()
                process.wait()
        if killed:
            self._report.kills += 1
        elif process.returncode not in (ExitCode.DONE, ExitCode.GOAL_MISSED):
            words = output.read_text(errors="replace").strip().splitlines()[-1:]
            self._report.failures.append(f"exit code {process.returncode}: {' '.join(words)}")

    def _watch(self, process: subprocess.Popen[bytes], look: Callable[[], None]) -> bool:
        """Wait for the end of the process; returns whether it was killed."""
        seen, next_look = self._requests, 0.0
        while process.poll() is None:
            now = self._requests
            for _ in range(now - seen):
                if self._random.random() < self._plan.kill:
                    time.sleep(self._random.uniform(0, _KILL_WITHIN_S))
                    process.kill()
                    return True
            seen = now
            if time.monotonic() > next_look:
                look()
                next_look = time.monotonic() + 2
            time.sleep(_LOOK_S)
        return False

    @property
    def _requests(self) -> int:
        return 0 if self._faults is None else self._faults.requests


def _judge_books(plan: SoakPlan, url: str, store: Store, report: SoakReport) -> None:
    """What the server's books say, and whether the journals say the same."""
    games, record = store.games(PLAYER), store.read(PLAYER)
    report.games, report.won, report.streak_max = record.played, record.won, record.streak_max
    report.drawn = record.played - record.won - record.lost
    report.lost = [_in_words(number, game) for number, game in enumerate(games, start=1) if game.result < 0]
    books = Stats(record.played, record.won, record.lost, record.streak, record.streak_max)
    report.disagreements += disagreements(journal_streak(plan.folder / "logs", url, (PLAYER,)), books)
    for journal in journals(plan.folder / "logs"):
        report.disagreements += [f"{journal.path.name}: {text}" for text in count_problems(journal.path)]
    if record.running and not report.interrupted:
        report.disagreements.append("The server has a game running still.")
    ours = [game.result for game in _games(plan.folder)]
    theirs = [game.result for game in games]
    for number, (mine, yours) in enumerate(zip(ours, theirs, strict=False), start=1):
        # A loss that only the statistics told is one to the journal, whatever the server calls it.
        if mine != yours and not (mine is not None and mine < 0 and yours < 0):
            report.disagreements.append(f"Game {number} ended with {mine} in the journals, {yours:g} at the server.")


def _judge_journals(plan: SoakPlan, report: SoakReport, progress: Callable[[str, int, int], None]) -> None:
    """Every game's journal: does it verify, and did one of our moves give value away?"""
    judge = Judge()
    games = list(_games(plan.folder))
    for number, game in enumerate(games, start=1):
        replay = replay_game(game)
        report.disagreements += [f"Game {number}: {text}" for text in replay.problems]
        values = judge.judge(replay, outcomes_only=True)
        report.given_away += [f"Game {number}: {text}" for text in values.given_away]
        report.excused += [f"Game {number}: {text}" for text in values.excused]
        report.unchecked += len(values.unchecked)
        report.moves += values.checked
        _count(game, report)
        progress("judged", number, len(games))


def _count(game: Game, report: SoakReport) -> None:
    kinds = Counter(record["kind"] for record in game.records if record["type"] == "event")
    report.unknown += kinds["reply_lost"]
    report.resolved += kinds["reconciled"]
    report.unsafe += kinds["no_safe_column"]
    report.resumes += kinds["resumed"]
    report.late += sum(bool(record.get("late")) for record in game.records if record["type"] == "intent")


def _games(folder: Path) -> Iterator[Game]:
    """All games that were opened, in order."""
    runs: list[Journal] = list(journals(folder / "logs"))
    for run in runs:
        yield from (game for game in run.games if game.ended is not None or game.is_opened)


def _in_words(number: int, game: FinishedGame) -> str:
    who = "we" if game.student_first else "the bot"
    how = {"forfeit": "forfeited by a new game", "illegal": "by an illegal move"}.get(game.reason, "by four in a row")
    return f"Game {number} ({who} started, {re.sub('[^1-7]', '', game.moves)}) {how}."
