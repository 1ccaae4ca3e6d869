"""A server, and a run of `bot play` as a program of its own, which the server's bot halts in the middle of a game."""

from __future__ import annotations

import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

from bot.agents.catalogue import make_agent
from bot.config import COURSE_KEY
from bot.course.journal.journal import read_journal
from bot.course.protocol import Dialect
from bot.course.server.embedded import embedded_server
from bot.course.server.referee import Starter
from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.game import Board
from tests.processes import running_bot

Cli = Callable[..., subprocess.CompletedProcess[str]]
"""Runs a command line in this process; see the fixture `cli`."""
OUR_MOVES = 3
"""Number of the run's moves in the game in which it is halted: too few to end it."""


class Server(Agent):
    """The course's server in this process; its bot halts (SIGSTOP) a run of `playing` before its third answer.

    The run stands still until SIGCONT: otherwise its game could go on, and end, before the test does anything with it.
    """

    def __init__(self, opponent: str, seed: int) -> None:
        self.name = opponent
        self.url = ""
        self._agent = make_agent(opponent, seed=seed)
        self._has_halted = threading.Event()
        self._run: Future[subprocess.Popen[str]] | None = None
        self._agent.warm_up()

    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:
        """See `Agent.choose`."""
        if self._run is not None and not self._has_halted.is_set() and (board.ply + 1) // 2 == OUR_MOVES:
            self._run.result().send_signal(signal.SIGSTOP)
            self._has_halted.set()
        return self._agent.choose(board, limit, stop)

    @contextmanager
    def playing(self, cwd: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], Path]]:
        """Run `bot play` during the block, halted in the middle of its first game; yields it and its journal."""
        command = ("play", "--games", "100000", "--server", self.url, "--stil-id", "k", "--think", "0.02", *options)
        run = self._run = Future()
        with running_bot(*command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            run.set_result(process)
            while not self._has_halted.wait(0.05):
                assert process.poll() is None, process.communicate()
            (path,) = (cwd / "logs").glob("*.jsonl")
            assert read_journal(path).unfinished == 1
            yield process, path


@contextmanager
def server(
    opponent: str,
    seed: int,
    *,
    api_key: str = COURSE_KEY,
    dialect: Dialect = "current",
    starter: Starter = "random",
) -> Iterator[Server]:
    """Run the course server in this process during the block."""
    bot = Server(opponent, seed)
    with embedded_server(bot, api_key=api_key, seed=seed, dialect=dialect, starter=starter) as bot.url:
        yield bot
