"""`bot match` and `bot tournament`: what they print, write and refuse, and equal games over processes and clusters."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from bot.errors import ExitCode
from bot.gauntlet.arena.workers import run_tasks
from bot.gauntlet.store import load
from tests.processes import bot_here, python_json, running_bot


def printed(command: str, folder: Path) -> str:
    """Run a command in a folder; return what it prints."""
    done = bot_here(*command.split(), cwd=folder)
    assert done.returncode == ExitCode.DONE, done.stderr
    return done.stdout


def found(command: str, folder: Path) -> Any:
    """Return the JSON of a command."""
    return json.loads(printed(f"{command} --json", folder))


def test_a_match_is_shown_in_words(tmp_path):
    text = printed("match scripted:7767 scripted:1111 --games 4", tmp_path)
    assert "Elo difference: unbounded below (unbounded below to " in text
    assert "2 different games; the others repeat them" in text


def test_a_tournament_resumes_and_shows_all_agents(tmp_path):
    command = "tournament depth1 random --rounds 2 --record games.jsonl"
    first = found(command, tmp_path)
    assert found(command, tmp_path) == first, "also the times"
    for line in (command, "match depth1 random --record match.jsonl"):
        printed(line, tmp_path)
        for other in (("--time-limit", "9"), ("--seed", "9"), ("--random-plies", "9")):
            assert bot_here(*line.split(), *other, cwd=tmp_path).returncode == 2, "other games"
    assert re.search(r"1 +depth1 .*\n2 +random ", printed(command, tmp_path))


LONG = "match random scripted:4 --random-plies 4 --games 10000 --workers 2 --record"
"""A match that ends much later; the file of its games follows."""


def test_an_error_in_a_worker_is_raised_here():
    with pytest.raises(ValueError, match="no number"):
        list(run_tasks(int, ["no number"] * 9, workers=2))


@pytest.mark.skipif(os.name != "posix", reason="signals of process groups")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_end_of_a_run_ends_its_workers_and_keeps_its_results(number, tmp_path):
    results = tmp_path / "games.jsonl"
    with running_bot(*LONG.split(), str(results), stderr=subprocess.PIPE) as process:
        while process.poll() is None and not (results.exists() and results.read_bytes().count(b"\n") >= 5):
            time.sleep(0.05)
        process.send_signal(number)
        _, errors = process.communicate()  # returns when the last worker has closed the pipe
        assert process.returncode == (-number if number == signal.SIGKILL else 128 + number)
        assert "Traceback" not in errors
        with pytest.raises(ProcessLookupError):  # a worker that stays is ended by the test's time limit
            while True:
                os.killpg(process.pid, 0)
                time.sleep(0.05)
    assert len(load(results, json.loads(results.read_text().splitlines()[0]))) >= 4


ON_A_CLUSTER = """
import sys
from distributed import LocalCluster
from bot.cli.app import run

with LocalCluster(n_workers=2, processes=False, protocol="tcp://", host="127.0.0.1", dashboard_address=None) as cluster:
    run([*sys.argv[1:], "--scheduler", cluster.scheduler_address])
"""


@pytest.mark.slow
def test_a_cluster_plays_the_same_tournament(tmp_path):
    command = "tournament tommy-ab:2 depth2 random --seed 5"
    here = found(command, tmp_path)
    assert python_json(ON_A_CLUSTER, *command.split(), "--json")["cross_table"] == here["cross_table"]
