"""A long series for black-box tests: `bot play` as a process that is killed at random, behind a failing network."""

from __future__ import annotations

import random
import signal
import subprocess
import threading
import time
from pathlib import Path

import numpy as np

from bot.course.run.standings import Standings, journal_standings
from bot.errors import ExitCode
from bot.trials.simulation.foreign import ForeignBot
from tests.course.foreign_course import Quirks
from tests.course.foreign_rules import EMPTY, Answer, Grid
from tests.course.foreign_server import ForeignServer, random_faults
from tests.processes import running_bot

PLAYER = "ab1234cd-s"
KILL_SHARE = 0.03
"""Probability, for each request, that the player is killed soon after it."""
KILL_WITHIN_S = 0.1
"""Maximum delay of a kill after its request has arrived, seconds: it comes before, during or after the reply."""
POLL_S = 0.01
"""Interval at which a player is asked whether it has ended, seconds."""
FRUITLESS_RUNS = 20
"""Runs in a row that neither open nor finish a game, after which a series ends."""
FIRST_CONTACT = 2
"""Requests of a run that ends at its first contact. One that meets a login page there, which is a fault of the network,
is right to end with exit code 4: it keeps the game, and is started again."""


def answer_of(bot: ForeignBot, seed: int) -> Answer:
    """Return a bot of the simulation as a bot of the foreign server."""
    chance, player = random.Random(seed), bot.player()

    def answer(grid: Grid, last_student_column: int | None) -> int:
        last = -1 if last_student_column is None else last_student_column
        return player(np.array(grid, dtype=np.int8), last, chance.getrandbits(30))

    return answer


class Series:
    """Games of one player against one bot: server, network, and the processes that play, by a seed."""

    def __init__(self, bot: ForeignBot, *, games: int, seed: int, faults: float, folder: Path) -> None:
        self.bot = bot
        self.games = games
        self.folder = folder
        self.kills = 0
        self.failed_runs: list[str] = []
        """Runs that ended with an error, and the last line of each."""
        quirks = Quirks(starter="random", seed=seed, fault=self._fault, stats_fault=self._fault)
        self.server = ForeignServer(answer_of(bot, seed), quirks)
        self._faults = random_faults(seed, faults)
        self._chance = random.Random(seed)
        self._is_doomed = threading.Event()
        self._has_asked = threading.Event()

    @property
    def logs(self) -> Path:
        """Folder of the journals."""
        return self.folder / "logs"

    def standings(self) -> Standings:
        """Return the standings by the journals."""
        return journal_standings(self.logs, self.server.url, (PLAYER,)) if self.logs.is_dir() else Standings()

    def play(self) -> None:
        """Run the same command until all games are finished and none is running, or too many runs changed nothing."""
        before, fruitless = self.standings(), 0
        while (before.played < self.games or before.running) and fruitless < FRUITLESS_RUNS:
            self._run(max(1, self.games - before.played))
            now = self.standings()
            fruitless = fruitless + 1 if now == before else 0
            before = now

    def _run(self, games: int) -> None:
        """Run one process until it ends or is killed."""
        earlier = len(self.server.requests)
        self._is_doomed.clear()
        self._has_asked.clear()
        output = self.folder / "play.log"
        command = ("play", "--server", self.server.url, "--stil-id", PLAYER, "--games", str(games), "--think", "0.1")
        with (
            output.open("ab") as log,
            running_bot(*command, cwd=self.folder, stdout=log, stderr=subprocess.STDOUT) as process,
        ):
            while process.poll() is None:
                if self._is_doomed.wait(POLL_S):
                    time.sleep(self._chance.uniform(0, KILL_WITHIN_S))
                    process.kill()
                    process.wait()
        if process.returncode == -signal.SIGKILL:
            self.kills += 1
            return
        is_first_contact = len(self.server.requests) - earlier <= FIRST_CONTACT
        allowed = {ExitCode.DONE, ExitCode.GOAL_MISSED} | ({ExitCode.PROTOCOL} if is_first_contact else set())
        if process.returncode not in allowed:
            words = output.read_text(errors="replace").splitlines()[-1:]
            self.failed_runs.append(f"exit code {process.returncode}: {' '.join(words)}")

    def _fault(self, *_place: int) -> str:
        """Return the fault of the next request, and draw whether the player is killed soon after it."""
        if not self._has_asked.is_set() and self.server.running is not None:
            self.server.running.shown = EMPTY  # a player that was killed may not have read the last board
        self._has_asked.set()
        if self._chance.random() < KILL_SHARE:
            self._is_doomed.set()
        return self._faults()
