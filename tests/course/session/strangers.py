"""A student's machine for black-box tests: `bot play`, and its journals compared with the server's own record."""

from __future__ import annotations

import random
import signal
import subprocess
import threading
from collections import Counter
from collections.abc import Container
from pathlib import Path
from typing import Any

from bot.course.journal.games import RecordedGame, game_problems
from bot.course.protocol import ILLEGAL
from bot.course.run.move_review import Reviewer
from bot.course.run.standings import Standings, journal_standings
from bot.errors import ExitCode
from tests import processes
from tests.course.foreign_course import EMPTY, FaultHook, replay
from tests.course.foreign_server import ForeignServer
from tests.course.run.course import journals

KILL_SHARE = 0.03
"""Probability, for each request, that the player is killed soon after it."""
KILL_WITHIN_S = 0.1
"""Maximum delay of a kill after its request has arrived, seconds: it comes before, during or after the reply."""
MOST_RUNS = 100
"""Runs after which a student gives up a series."""
FIRST_CONTACT = 2
"""Requests of a run that ends at its first contact. One that meets a login page there, which is a fault of the network,
is right to end with exit code 4: it keeps the game, and is started again."""


def fault_at(kind: str, *, ply: int, games: Container[int] = range(1, 1000), times: int = 1) -> FaultHook:
    """Return a hook that spoils, in each of the games, the first moves sent at a ply or later."""
    left: Counter[int] = Counter()
    lock = threading.Lock()

    def fault(request: int, move: int, game: int, at: int) -> str:  # noqa: ARG001
        with lock:
            if move < 0 or at < ply or game not in games or left[game] == times:
                return "ok"
            left[game] += 1
            return kind

    return fault


class Student:
    """A student who plays at a server."""

    def __init__(self, server: ForeignServer, home: Path) -> None:
        self.server = server
        self.kills = 0
        self._home = home
        self._process: subprocess.Popen[str] | None = None

    def play(self, *options: str, games: int = 1) -> tuple[int, str]:
        """Run `bot play` to its end in this process, and return its exit code and output."""
        done = processes.bot_here(*self._command(games), *options, cwd=self._home)
        text = done.stdout + done.stderr
        assert "Traceback" not in text, text
        return done.returncode, text

    def play_through_kills(self, games: int, seed: int) -> list[str]:
        """Run the same command until all games are finished, and return the outputs of runs that ended with an error.

        Each run is a process, and some of their requests are their last ones.
        """
        chance, hook, reader, failed = random.Random(seed), self.server.quirks.fault, self._process, []

        def deadly(*place: int) -> str:
            nonlocal reader
            process, running = self._process, self.server.running
            if reader is not process and running is not None:
                running.shown = EMPTY  # a player that was killed may not have read the last board
            reader = process
            if chance.random() < KILL_SHARE and process is not None:
                threading.Timer(chance.uniform(0, KILL_WITHIN_S), process.kill).start()
            return hook(*place)

        self.server.quirks.fault = self.server.quirks.stats_fault = deadly
        for _ in range(MOST_RUNS):
            standings, requests = self.standings, len(self.server.requests)
            if standings.played >= games and not standings.running:
                break
            command = self._command(max(1, games - standings.played))
            output: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
            with processes.running_bot(*command, cwd=self._home, **output) as self._process:
                text, _ = self._process.communicate()
            code = self._process.returncode
            self.kills += code == -signal.SIGKILL
            allowed = {-signal.SIGKILL, ExitCode.DONE, ExitCode.GOAL_MISSED}
            is_first_contact = len(self.server.requests) - requests <= FIRST_CONTACT and code == ExitCode.PROTOCOL
            if code not in allowed and not is_first_contact:
                failed.append(f"exit code {code}: {text[-500:]}")
        return failed

    def _command(self, games: int) -> tuple[str, ...]:
        where = ("--server", self.server.url, "--stil-id", "ab1234cd-s")
        return ("play", *where, "--games", str(games), "--think", "0.1")

    @property
    def standings(self) -> Standings:
        """The standings by the journals."""
        return journal_standings(self._home / "logs", self.server.url, ["ab1234cd-s"])

    @property
    def games(self) -> list[RecordedGame]:
        """The games of the journals."""
        return [game for journal in journals(self._home / "logs") for game in journal.games if game.is_counted]

    def check(self) -> None:
        """Check that no game was given away, and that every result in the journals is one that the server scored."""
        finished = self.server.finished
        assert self.server.forfeits == 0
        assert not [game for game in finished if game.avoidable]
        book = [(game.result, replay(game.moves, student_started=game.student_started)) for game in finished]
        # games without moves match any: they come last
        ends = sorted((game.ended for game in self.games if game.ended is not None), key=lambda end: not end.moves)
        for end in ends:
            if end.known_by == "reply":
                is_shown = end.moves and end.result != ILLEGAL
                board = replay(end.moves, student_started=bool(end.we_started)) if is_shown else None
                book.remove(next(row for row in book if row[0] == end.result and board in (None, row[1])))
        scored = Counter(game.result for game in finished)
        sure = Counter(end.result for end in ends if end.result > 0 or end.known_by == "reply")
        assert ends and not sure - scored, f"claimed {sure}, scored {scored}"
        assert sum(end.result < 0 for end in ends) <= sum(game.result < 0 for game in finished)

    def mistakes(self) -> list[str]:
        """Return the moves that gave value away, and the games that were lost, although a safe column existed."""
        reviewer, found = Reviewer(), []
        for number, game in enumerate(self.games, start=1):
            review = reviewer.review(game, outcomes_only=True)
            found += [*review.given_away, *review.unchecked, *game_problems(game)]
            doubted = game.steps[-1:] if game.result == ILLEGAL else game.steps
            is_lost = game.result is not None and game.result < 0 and not review.excused
            if is_lost and all(step.chosen.safe for step in doubted):
                found.append(f"Game {number} was lost although every choice had a safe column.")
        return found
