"""The soak test: `bot play` as real processes over real sockets, through faults and kills, judged by the server.

For each opponent, the embedded course server runs behind the fault proxy with its database in a file. `bot play` runs
as a separate process, is killed (SIGKILL) at random times, and is started again until its games are played. Faults do
not affect the server's database, so it is the reference for how the games ended.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from bot.course.run.standings import Standings, journal_standings
from bot.course.server.embedded import embedded_server
from bot.course.server.referee import Starter
from bot.course.server.store import Store
from bot.engine.agent import Agent
from bot.errors import ExitCode
from bot.trials.faults.plan import FaultPlan
from bot.trials.faults.proxy import failing
from bot.trials.simulation.campaign import seed_of
from bot.trials.simulation.soak_judge import (
    DATABASE,
    PLAYER,
    OpponentReport,
    SoakReport,
    judge_database,
    judge_journals,
)
from bot.trials.simulation.soak_prediction import predicted

_POLL_S = 0.004
"""Interval at which the number of requests is read, seconds."""
_KILL_WITHIN_S = 0.06
"""Maximum delay of a kill after a request has arrived, seconds: it comes before, during or after the reply."""
_FAILED_RUNS = 20
"""Runs in a row that neither open nor finish a game, after which the soak ends."""

_FIRST_CONTACT = 2
"""Requests of a run that ends at its first contact. One that meets a login page there, which is a fault of the plan, is
right to end: it keeps the game, and is started again."""

Progress = Callable[[str, int], None]
"""Takes the name of a part of the work, and how many games it has reached."""


@dataclass(frozen=True, slots=True)
class SoakPlan:
    """What to play, and with which faults."""

    games: int
    folder: Path
    """Folder for journals, databases and the player's output; must be empty."""
    faults: str = "default"
    """A plan as `serve --faults` reads it."""
    kill: float = 0.02
    """Probability, for each request, that the player is killed soon after it."""
    seed: int = 1
    starter: Starter = "random"
    engine: str = "perfect"
    think_s: float = 0.1


def soak(plan: SoakPlan, opponents: Sequence[Agent], progress: Progress) -> SoakReport:
    """Play against each opponent in turn, the games divided evenly, and judge.

    Ctrl-C ends the play early; the finished games are judged. Raises BotError if a server or the folder cannot be used.
    """
    start = time.monotonic()
    report = SoakReport()
    share, rest = divmod(plan.games, len(opponents))
    first = 0
    for number, opponent in enumerate(opponents):
        games = share + (number < rest)
        if games == 0 or report.interrupted:
            break
        name = re.sub(r"[^a-z0-9]+", "-", opponent.name.lower())
        part = replace(
            plan, games=games, folder=plan.folder / f"{number + 1}-{name}", seed=seed_of(plan.seed, opponent.name)
        )
        part.folder.mkdir()
        found, report.interrupted = _against(opponent, part, partial(_from, first, progress))
        report.opponents[opponent.name] = found
        first += games
    report.seconds = round(time.monotonic() - start, 1)
    return report


def _from(first: int, progress: Progress, what: str, done: int) -> None:
    """Report the progress of a part that begins after ``first`` games."""
    progress(what, first + done)


def _against(opponent: Agent, plan: SoakPlan, progress: Progress) -> tuple[OpponentReport, bool]:
    """Play the plan's games against one opponent, and judge them; return also whether Ctrl-C ended the play."""
    report = OpponentReport()
    faults = FaultPlan.parse(plan.faults, plan.seed)  # without faults it only counts requests
    key = f"{random.Random(plan.seed).getrandbits(64):016x}"
    database = plan.folder / DATABASE
    interrupted = False
    with closing(Store(database)) as store:
        server = embedded_server(
            opponent,
            api_key=key,
            db=database,
            seed=plan.seed,
            starter=plan.starter,
            front=partial(failing, faults),
        )
        with server as url:
            try:
                _Player(plan, url, key, faults, store, report).play(progress)
            except KeyboardInterrupt:
                interrupted = True
        report.requests, report.faults = faults.requests, faults.counts
        judge_database(plan.folder, url, store, report, is_whole=not interrupted)
    judge_journals(plan.folder, report, progress)
    if not interrupted:
        report.predicted = predicted(opponent.name, plan.starter, plan.seed, report)
    return report, interrupted


class _Player:
    """Starts `bot play` until its games are played, and kills it at random."""

    def __init__(
        self, plan: SoakPlan, url: str, key: str, faults: FaultPlan, store: Store, report: OpponentReport
    ) -> None:
        self._plan, self._url, self._key = plan, url, key
        self._faults, self._store, self._report = faults, store, report
        self._random = random.Random(plan.seed)

    def play(self, progress: Progress) -> None:
        """Run until all games are finished and none is running, or too many runs in a row have changed nothing.

        One more game than planned is played if a move that found no running game has opened it.
        """
        total, fruitless = self._plan.games, 0
        now = self._standings()
        while (now.played < total or now.running) and fruitless < _FAILED_RUNS:
            self._run(max(1, total - now.played), lambda: progress("games", self._store.read(PLAYER).played))
            before, now = now, self._standings()
            fruitless = fruitless + 1 if now == before else 0
        progress("games", now.played)

    def _standings(self) -> Standings:
        folder = self._plan.folder / "logs"
        return journal_standings(folder, self._url, (PLAYER,)) if folder.is_dir() else Standings()

    def _run(self, games: int, look: Callable[[], None]) -> None:
        """Run one process until it ends or is killed."""
        plan = self._plan
        command = [sys.executable, "-m", "bot", "play", "--games", str(games), "--server", self._url]
        command += ["--stil-id", PLAYER, "--engine", plan.engine, "--think", str(plan.think_s)]
        package = Path(__file__).parents[3]
        own = {"BOT_API_KEY": self._key, "BOT_STATE_DIR": str(plan.folder / "state")}  # the key is in no process title
        env = {**os.environ, **own, "PYTHONPATH": str(package)}
        output = plan.folder / "play.log"
        before = self._faults.requests
        with output.open("ab") as log:
            process = subprocess.Popen(command, cwd=plan.folder, env=env, stdout=log, stderr=log)
            try:
                killed = self._watch(process, look)
            finally:
                process.kill()
                process.wait()
        if killed:
            self._report.kills += 1
            return
        at_contact = self._faults.requests - before <= _FIRST_CONTACT and process.returncode == ExitCode.PROTOCOL
        if process.returncode not in (ExitCode.DONE, ExitCode.GOAL_MISSED) and not at_contact:
            words = output.read_text(errors="replace").strip().splitlines()[-1:]
            self._report.failures.append(f"exit code {process.returncode}: {' '.join(words)}")

    def _watch(self, process: subprocess.Popen[bytes], look: Callable[[], None]) -> bool:
        """Wait for the end of the process, or kill it; return whether it was killed."""
        seen, next_look = self._faults.requests, 0.0
        while process.poll() is None:
            now = self._faults.requests
            for _ in range(now - seen):
                if self._random.random() < self._plan.kill:
                    time.sleep(self._random.uniform(0, _KILL_WITHIN_S))
                    process.kill()
                    return True
            seen = now
            if time.monotonic() > next_look:
                look()
                next_look = time.monotonic() + 2
            time.sleep(_POLL_S)
        return False
