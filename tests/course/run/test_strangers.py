"""Black-box tests: `bot play` against a course server that was written from the protocol alone, and their journals
compared with the server's own record."""

from __future__ import annotations

import random
import signal
import subprocess
import threading
from collections import Counter
from collections.abc import Container
from pathlib import Path
from typing import Any

import pytest

from bot.course.journal.games import game_problems
from bot.course.protocol import ILLEGAL
from bot.course.run.standings import Standings, disagreements, journal_standings
from bot.errors import ExitCode
from tests import processes
from tests.course.foreign_course import (
    AlphaBetaBot,
    Answer,
    FaultHook,
    Quirks,
    lowest_column_bot,
    random_bot,
    replay,
)
from tests.course.foreign_server import HARSH_FATES, RANDOM_FAULTS, ForeignServer, random_faults
from tests.course.run.course import journals
from tests.simulation.bots import OPEN
from tests.simulation.world import counted

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

    def fault(request: int, move: int, game: int, at: int) -> str:  # noqa: ARG001
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
        return done.returncode, done.stdout + done.stderr

    def play_through_kills(self, games: int, seed: int) -> list[str]:
        """Run the same command until all games are finished, and return the outputs of runs that ended with an error.

        Each run is a process, and some of their requests are their last ones.
        """
        chance, hook, failed = random.Random(seed), self.server.quirks.fault, []

        def deadly(*place: int) -> str:
            process = self._process
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
            is_first_contact = len(self.server.requests) - requests <= FIRST_CONTACT and code == ExitCode.PROTOCOL
            if code not in {-signal.SIGKILL, ExitCode.DONE, ExitCode.GOAL_MISSED} and not is_first_contact:
                failed.append(f"exit code {code}: {text[-500:]}")
        return failed

    def _command(self, games: int) -> tuple[str, ...]:
        where = ("--server", self.server.url, "--stil-id", "ab1234cd-s")
        return ("play", *where, "--games", str(games), "--think", "0.1")

    @property
    def standings(self) -> Standings:
        """The standings by the journals."""
        return journal_standings(self._home / "logs", self.server.url, ["ab1234cd-s"])

    def check(self) -> None:
        """Check that no game was given away, and that every result in the journals is one that the server scored."""
        finished = self.server.finished
        assert not [game for game in finished if game.ended == "forfeit"]
        games = [game for journal in journals(self._home / "logs") for game in journal.games if game.is_counted]
        assert not [text for game in games for text in game_problems(game)]
        book = [(game.result, replay(game.moves, student_started=game.student_started)) for game in finished]
        # games without moves match any: they come last
        ends = sorted((game.ended for game in games if game.ended is not None), key=lambda end: not end.moves)
        for end in ends:
            if end.known_by == "reply":
                is_shown = end.moves and end.result != ILLEGAL
                board = replay(end.moves, student_started=bool(end.we_started)) if is_shown else None
                book.remove(next(row for row in book if row[0] == end.result and board in (None, row[1])))
        scored = Counter(game.result for game in finished)
        sure = Counter(end.result for end in ends if end.result > 0 or end.known_by == "reply")
        assert ends and not sure - scored, f"claimed {sure}, scored {scored}"
        assert sum(end.result < 0 for end in ends) <= sum(game.result < 0 for game in finished)


ODD: dict[str, tuple[Answer, dict[str, Any]]] = {
    "JSON said to be HTML": (lowest_column_bot, {"content_type": "text/html; charset=utf-8"}),
    "wrong types": (random_bot(3), {"fault": fault_at("wrong_types", ply=4)}),
    "a request processed twice": (random_bot(1), {"fault": fault_at("duplicated", ply=2, games=[1])}),
    "a later request processed twice": (random_bot(1), {"fault": fault_at("duplicated", ply=6, games=[1])}),
    "a lost game without its board": (lowest_column_bot, {"fault": fault_at("late", ply=6, games=[1])}),
    "the server forgets the game": (random_bot(2), {"fault": fault_at("forget", ply=8, games=[1])}),
    "and says so": (random_bot(2), {"fault": fault_at("forget", ply=8, games=[1]), "silent_start": False}),
}


@pytest.mark.parametrize(("bot", "quirks"), ODD.values(), ids=ODD)
def test_what_is_odd_once_costs_no_game(tmp_path: Path, bot: Answer, quirks: dict[str, Any]) -> None:
    with ForeignServer(bot, Quirks(**quirks)) as server:
        student = Student(server, tmp_path)
        code, text = student.play(games=2)
        assert len(server.finished) == 2
        assert code == (5 if any(game.result < 0 for game in server.finished) else 0), text
        assert server.running is None
        student.check()


@pytest.mark.parametrize(
    "kind", ["refused:No game is running.", "refused:It is not your turn in this game.", "html_after", "not_a_number"]
)
def test_what_is_odd_for_ever_ends_the_run_and_costs_few_games(tmp_path: Path, kind: str) -> None:
    quirks = Quirks(fault=fault_at(kind, ply=4, times=10_000))
    with ForeignServer(AlphaBetaBot(2), quirks) as server:
        code, text = Student(server, tmp_path).play("--patience", "1", games=8)
        assert code in (ExitCode.NETWORK, ExitCode.PROTOCOL) and "server" in text.lower() and "Traceback" not in text
        assert server.course.started <= 2
        assert server.forfeits <= kind.startswith("refused:No game"), "as the server says it three times"


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_third_of_the_requests_fail_in_any_way(tmp_path: Path) -> None:
    faults = random_faults(3, 0.31, HARSH_FATES)
    with ForeignServer(AlphaBetaBot(3), Quirks("random", 3, faults, faults)) as server:
        student = Student(server, tmp_path)
        student.play(games=6)
        # where the reply to the last move is lost, the first board of one more game shows how it ended
        assert len(server.finished) in (6, 7)
        student.check()


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_forty_games_through_faults_and_kills_are_all_counted(tmp_path: Path) -> None:
    kills = 0
    for seed, bot in enumerate(OPEN, start=1):
        faults, home = random_faults(seed, 0.2, RANDOM_FAULTS), tmp_path / bot.name
        home.mkdir()
        with ForeignServer(bot.player(), Quirks("random", seed, faults, faults)) as server:
            student = Student(server, home)
            failed = student.play_through_kills(10, seed)
            assert (failed, server.running) == ([], None)
            student.check()
            known = counted(server.course)
            assert known.played >= 10 and disagreements(student.standings, known) == []
            assert {"ok"} < {fault for *_, fault in server.requests}
        kills += student.kills
        print(f"{bot.name}: {known.played} games, {known.lost} lost, {student.kills} kills", flush=True)
    assert kills > 0
