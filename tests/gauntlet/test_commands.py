"""`bot match` and `bot tournament`: what they print, write and refuse."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from bot.errors import ExitCode
from tests.processes import bot_here


def printed(command: str, folder: Path) -> str:
    """Run a command in a folder; return what it prints."""
    done = bot_here(*command.split(), cwd=folder)
    assert done.returncode == ExitCode.DONE, done.stderr
    return done.stdout


def found(command: str, folder: Path) -> Any:
    """Return the JSON of a command."""
    return json.loads(printed(f"{command} --json", folder))


def test_a_match_is_shown_in_words(tmp_path):
    text = printed("match depth2 random --sprt 0,200 --random-plies 4 --seed 1", tmp_path)
    assert "SPRT: +200 Elo accepted" in text and "random started" in text
    text = printed("match scripted:7767 scripted:1111 --games 4", tmp_path)
    assert "Elo difference: unbounded below (unbounded below to " in text
    assert "2 different games; the others repeat them" in text


def test_a_tournament_resumes_and_shows_all_agents(tmp_path):
    command = "tournament depth1 random --rounds 2 --record games.jsonl"
    first = found(command, tmp_path)
    assert found(command, tmp_path) == first, "also the times"
    for line in (command, "match depth1 random --record match.jsonl"):
        printed(line, tmp_path)
        assert bot_here(*line.split(), "--time-limit", "9", cwd=tmp_path).returncode == 2, "other games"
    assert re.search(r"1 +depth1 .*\n2 +random ", printed(command, tmp_path))
