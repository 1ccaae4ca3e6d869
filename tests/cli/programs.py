"""A server, and a run of `bot play` as a program of its own."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bot.agents import make_agent
from bot.config import COURSE_KEY
from bot.errors import JournalError
from bot.journal.reader import read_journal
from bot.server.embedded import embedded_server
from bot.server.referee import Dialect, Starter
from tests.processes import running_bot


@contextmanager
def server(
    opponent: str,
    seed: int,
    *,
    api_key: str = COURSE_KEY,
    dialect: Dialect = Dialect.CURRENT,
    starter: Starter = Starter.RANDOM,
) -> Iterator[str]:
    """Run the course server in this process during the block; yields its address."""
    bot = make_agent(opponent, seed=seed)
    with embedded_server(bot, api_key=api_key, seed=seed, dialect=dialect, starter=starter) as url:
        yield url


@contextmanager
def playing(cwd: Path, url: str, *options: str) -> Iterator[subprocess.Popen[str]]:
    """Run `bot play` for more games than any test waits for, during the block."""
    command = ("play", "--games", "100000", "--server", url, "--stil-id", "k", "--think", "0.3", *options)
    with running_bot(*command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        yield process


def stop_in_mid_game(logs: Path, process: subprocess.Popen[str], moves: int = 2) -> Path:
    """Stop (SIGSTOP) a run in a game with more than ``moves`` moves of the bot, and return its journal's path.

    The run stands still until SIGCONT: otherwise the game could end before the test does anything with it. It stops
    early in the game, so that the move under way cannot end it.
    """
    while process.poll() is None:
        process.send_signal(signal.SIGSTOP)
        for path in logs.glob("*.jsonl"):
            if moves < moves_of_unfinished_game(path) <= moves + 3:
                return path
        process.send_signal(signal.SIGCONT)
        time.sleep(0.02)
    raise AssertionError(process.communicate())


def moves_of_unfinished_game(path: Path) -> int:
    """Return how many moves the bot has chosen in the running game of a journal; 0 if there is none."""
    with suppress(JournalError):  # its first line is being written
        game = read_journal(path).unfinished
        return 0 if game is None else sum(record["type"] == "intent" and record["move"] >= 0 for record in game.records)
    return 0
