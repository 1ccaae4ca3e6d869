"""A server, and a run of `bot play` as a program of its own, which the server's bot halts in the middle of a game."""

from __future__ import annotations

import signal
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

from bot.agents.catalogue import make_agent
from bot.config import COURSE_KEY
from bot.course.journal.reader import read_journal
from bot.course.protocol import NEW_GAME
from bot.course.server.embedded import embedded_server
from bot.course.server.referee import Dialect, Starter
from bot.engine.agent import Agent, Decision, Limit, Stop
from bot.engine.warmup import warm_up
from bot.game import Board
from tests.processes import running_bot

OUR_MOVES = 3
"""Number of the run's moves in the game in which it is halted: too few to end it."""


class HaltingBot:
    """The server's bot: it halts (SIGSTOP) a run of `playing` before it answers the third move of its first game.

    The run stands still until SIGCONT: otherwise its game could go on, and end, before the test does anything with it.
    """

    def __init__(self, agent: Agent) -> None:
        self.name = agent.name
        self.has_halted = threading.Event()
        self.run: Future[subprocess.Popen[str]] | None = None
        self._agent = agent

    def choose(self, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:
        """See `Agent.choose`."""
        if self.run is not None and not self.has_halted.is_set() and (board.ply + 1) // 2 == OUR_MOVES:
            self.run.result().send_signal(signal.SIGSTOP)
            self.has_halted.set()
        return self._agent.choose(board, limit, stop)


_BOTS: dict[str, HaltingBot] = {}
"""The bots of the servers that are running, by address."""


@contextmanager
def server(
    opponent: str,
    seed: int,
    *,
    api_key: str = COURSE_KEY,
    dialect: Dialect = "current",
    starter: Starter = "random",
) -> Iterator[str]:
    """Run the course server in this process during the block; yields its address."""
    agent = make_agent(opponent, seed=seed)
    warm_up(agent)
    bot = HaltingBot(agent)
    with embedded_server(bot, api_key=api_key, seed=seed, dialect=dialect, starter=starter) as url:
        _BOTS[url] = bot
        yield url
        del _BOTS[url]


@contextmanager
def playing(cwd: Path, url: str, *options: str) -> Iterator[subprocess.Popen[str]]:
    """Run `bot play` for more games than any test waits for, during the block; it is halted in the first of them."""
    command = ("play", "--games", "100000", "--server", url, "--stil-id", "k", "--think", "0.3", *options)
    run: Future[subprocess.Popen[str]] = Future()
    _BOTS[url].run = run
    with running_bot(*command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        run.set_result(process)
        yield process


def halted(url: str, logs: Path, process: subprocess.Popen[str]) -> Path:
    """Wait until a run stands still in the middle of its first game, and return its journal's path."""
    while not _BOTS[url].has_halted.wait(0.05):
        assert process.poll() is None, process.communicate()
    (path,) = logs.glob("*.jsonl")
    journal = read_journal(path)
    assert journal.unfinished == 1
    assert sum(step.move != NEW_GAME for step in journal.games[0].steps) == OUR_MOVES
    return path
