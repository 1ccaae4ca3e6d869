"""Helpers for black-box tests: run `bot play` as a student does, and compare its journals with the server."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests import processes
from tests.course.foreign_course import FaultHook
from tests.course.foreign_rules import ROWS, Grid, replay
from tests.course.foreign_server import ForeignServer

ROOT = Path(__file__).resolve().parents[3]
STIL_ID = "ab1234cd-s"
LIMIT_S = 600.0
"""Time after which a run counts as hung, seconds."""


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


@dataclass(frozen=True)
class Outcome:
    """Exit code and output of a run that has ended."""

    code: int
    out: str = field(repr=False)
    err: str

    @property
    def text(self) -> str:
        """All that the run printed."""
        return self.out + self.err


class Run:
    """A running `bot play`."""

    def __init__(self, command: list[str], environment: dict[str, str], cwd: Path, output: Path) -> None:
        cwd.mkdir(parents=True, exist_ok=True)
        self._paths = output.with_suffix(".out"), output.with_suffix(".err")
        with self._paths[0].open("wb") as out, self._paths[1].open("wb") as err:
            self.process = processes.start(command, cwd=cwd, env=environment, stdout=out, stderr=err)

    def wait_for(self, condition: Callable[[], bool]) -> bool:
        """Wait until a condition holds, and return whether the run was still going on then."""
        deadline = time.monotonic() + LIMIT_S
        while not condition():
            if self.process.poll() is not None:
                return False
            assert time.monotonic() < deadline, f"nothing happens: {self.outcome(kill=True).text}"
            time.sleep(0.01)
        return self.process.poll() is None

    def stop(self, how: signal.Signals) -> Outcome:
        """Send a signal, which a halted run takes when it goes on, and wait for the end."""
        if self.process.poll() is None:
            self.process.send_signal(how)
            self.process.send_signal(signal.SIGCONT)
        return self.outcome()

    def outcome(self, *, kill: bool = False) -> Outcome:
        """Wait for the end; a run that hangs is killed and fails the test."""
        if kill:
            self.process.kill()
        try:
            code = self.process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"the run does not end: {self.outcome(kill=True).text[-2000:]}") from None
        out, err = (path.read_text(encoding="utf-8", errors="replace") for path in self._paths)
        assert "Traceback" not in out + err, err
        return Outcome(code, out, err)


class Student:
    """A student's machine: one user's state, any number of folders, one server.

    A run that is to be stopped is a process of its own; one that is played to its end shares this process's engine.
    """

    def __init__(self, server: ForeignServer, home: Path, api_key: str = "nyckel") -> None:
        self.server = server
        self.home = home
        self.state = home / "state"
        self._api_key = api_key
        self._runs: list[Run] = []

    def __enter__(self) -> Student:
        return self

    def __exit__(self, *error: object) -> None:
        for run in self._runs:
            processes.end(run.process)

    def start(
        self, *options: str, games: int = 1, cwd: str = "work", logs: str = "logs", host: str = "127.0.0.1"
    ) -> Run:
        """Start `bot play` in a folder, with another folder for its journals."""
        command = [sys.executable, "-m", "bot", *self._arguments(options, games, logs, host)]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("BOT_")}
        environment |= {"PYTHONPATH": str(ROOT), **self._environment()}
        run = Run(command, environment, self.home / cwd, self.home / f"run{len(self._runs)}")
        self._runs.append(run)
        return run

    def play(
        self, *options: str, games: int = 1, cwd: str = "work", logs: str = "logs", host: str = "127.0.0.1"
    ) -> Outcome:
        """Run `bot play` to its end, in this process."""
        (self.home / cwd).mkdir(parents=True, exist_ok=True)
        arguments = self._arguments(options, games, logs, host)
        done = processes.bot_here(*arguments, cwd=self.home / cwd, **self._environment())
        assert "Traceback" not in done.stdout + done.stderr, done.stderr
        return Outcome(done.returncode, done.stdout, done.stderr)

    def _arguments(self, options: tuple[str, ...], games: int, logs: str, host: str) -> list[str]:
        url = self.server.url.replace("127.0.0.1", host)
        where = ["--server", url, "--stil-id", STIL_ID, "--logs", str(self.home / logs)]
        return ["play", *where, "--games", str(games), *options]

    def _environment(self) -> dict[str, str]:
        return {"BOT_STATE_DIR": str(self.state), "BOT_API_KEY": self._api_key}

    def stop_in_mid_game(self, how: signal.Signals, *, games: int = 1, after: int = 0, discs: int = 6) -> Outcome:
        """Start a run and stop it once `after` games are over and the next one has some discs on the board.

        The server halts the run (SIGSTOP) before it sends the reply: otherwise the game could go on, and end, before
        the signal arrives.
        """
        started, halted = threading.Event(), threading.Event()

        def halt() -> None:
            game = self.server.running
            if len(self.server.finished) >= after and game is not None and len(game.moves) >= discs:
                self.server.before_reply = None
                started.wait()
                run.process.send_signal(signal.SIGSTOP)
                halted.set()

        self.server.before_reply = halt
        run = self.start(games=games)
        started.set()
        assert run.wait_for(halted.is_set), f"the run ended too early: {run.outcome().text}"
        outcome = run.stop(how)
        assert outcome.code == (130 if how == signal.SIGINT else -how), outcome.text
        assert self.server.running is not None
        return outcome

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the readable records of all journals."""
        for path in sorted(self.home.rglob("*.jsonl")):
            for line in path.read_bytes().splitlines():
                try:
                    record = json.loads(line)
                except ValueError:
                    continue
                if isinstance(record, dict):
                    yield record

    def game_ends(self) -> list[dict[str, Any]]:
        """Return the journals' records of finished games."""
        return [record for record in self.records() if record.get("type") == "game_end"]


class PerfectBot:
    """A bot that opens with a given column and then plays the best moves of `python -m bot analyse`.

    The analysis only serves to reach rare positions; nothing is concluded from it.
    """

    def __init__(self, opening: int) -> None:
        self._moves = str(opening + 1)
        command = [sys.executable, "-m", "bot", "analyse", "--file", "-", "--json"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        pipe = subprocess.PIPE
        self._analysis = processes.start(command, env=environment, stdin=pipe, stdout=pipe, text=True, bufsize=1)

    def __enter__(self) -> PerfectBot:
        return self

    def __exit__(self, *error: object) -> None:
        processes.end(self._analysis)

    def __call__(self, grid: Grid, last_student_column: int | None) -> int:  # noqa: ARG002
        if last_student_column is None:
            return int(self._moves) - 1
        self._moves += str(last_student_column + 1)
        assert self._analysis.stdin
        assert self._analysis.stdout
        self._analysis.stdin.write(self._moves + "\n")
        best: int = json.loads(self._analysis.stdout.readline())["best"][0]
        self._moves += str(best)
        return best - 1


def _journal_boards(end: dict[str, Any]) -> set[Grid | None]:
    """Return the final boards that a journal's game stands for: with and without a last, illegal move; None: any."""
    if not end["moves"]:
        return {None}
    columns: list[int] = end["moves"]
    endings = [columns, columns[:-1]] if end["result"] == -10 else [columns]
    fitting = [moves for moves in endings if max(Counter(moves).values()) <= ROWS]
    return {replay(moves, student_started=end["we_started"]) for moves in fitting}


def assert_known_results_true(student: Student, *, at_least: int = 1) -> None:
    """Check that every result that is known by a reply is that of a finished game at the server.

    A journal that names the game's moves must come to the server's final board; their order may be unknown after lost
    replies.
    """
    book = [(replay(game.moves, student_started=game.student_started), game.result) for game in student.server.finished]
    known = [end for end in student.game_ends() if end["known_by"] == "reply"]
    known.sort(key=lambda end: not end["moves"])  # games without moves match any, so they come last
    for end in known:
        boards = _journal_boards(end)
        match = next((g for g in book if g[1] == end["result"] and (None in boards or g[0] in boards)), None)
        assert match, f"the journal's {end} is not in the server's finished games: {student.server.finished}"
        book.remove(match)
    assert len(known) >= at_least, f"only {len(known)} games are known by a reply"


def assert_no_result_invented(student: Student) -> None:
    """Check that every result in the journals, however known, is one that the server scored.

    A loss that is only inferred, without statistics, may have been by an illegal move or not.
    """
    ends = [end for end in student.game_ends() if end["result"]]
    claimed = Counter(end["result"] for end in ends if end["known_by"] != "inferred" or end["result"] > 0)
    inferred = sum(end["result"] < 0 and end["known_by"] == "inferred" for end in ends)
    scored = Counter(game.result for game in student.server.finished)
    assert not claimed - scored, f"claimed {claimed}, scored {scored}"
    losses = sum(count for result, count in (scored - claimed).items() if result < 0)
    assert inferred <= losses, f"{inferred} losses inferred, {losses} scored besides those known"


def assert_played_out(server: ForeignServer, games: int | None = None) -> None:
    """Check that every game was played to its end, and how many there were."""
    assert {game.ended for game in server.finished} == {"played"}, server.finished
    assert server.running is None
    assert games is None or len(server.finished) == games


def assert_code_shows_losses(outcome: Outcome, server: ForeignServer) -> None:
    """Check that a run that played all its games says by its exit code whether it lost one."""
    lost = any(game.result < 0 for game in server.finished)
    assert outcome.code == (5 if lost else 0), outcome.text
