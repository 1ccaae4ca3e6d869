"""Recorded runs of `bot play`, replayed by a mocked server; `record.py` says what a recording is, and makes it anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.recorded.record import FAULTS, FOLDER, form_of, in_journal, play

NAMES = {"<id 1>": "ab1234cd-s", "<id 2>": "ef5678gh-s", "<key>": "never-written-anywhere"}
KEY_REFUSED = {"status": False, "msg": "Incorrect API key."}
"""Ends a run whose requests are no longer the recorded ones."""


def recording_of(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def asked_in(recording: dict[str, Any]) -> list[tuple[str, list[str]]]:
    return [(exchange["request"], exchange["form"]) for exchange in recording["exchanges"]]


def replayed(recording: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Run the command with the recorded replies; return its requests, its exit code, and the journal's games."""
    asked: list[tuple[str, list[str]]] = []

    def answer(request: requests.PreparedRequest) -> tuple[int, dict[str, str], str]:
        body = str(request.body or "")
        for placeholder, name in NAMES.items():
            body = body.replace(name, placeholder)
        asked.append((f"{request.method} {request.path_url}", form_of(body)))
        if asked != asked_in(recording)[: len(asked)]:
            return 200, {}, json.dumps(KEY_REFUSED)
        exchange = recording["exchanges"][len(asked) - 1]
        if exchange.get("fault") == FAULTS["lost"]:
            raise ConnectionResetError
        reply = exchange["body"]
        return exchange["status"], exchange["headers"], reply if isinstance(reply, str) else json.dumps(reply)

    done = play(recording["command"], NAMES, folder, answer)
    return {"asked": asked, "exit_code": done.returncode, "journal": in_journal(folder)}


def expected(recording: dict[str, Any]) -> dict[str, Any]:
    return {"asked": asked_in(recording), "exit_code": recording["exit_code"], "journal": recording["journal"]}


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.json")))
def test_a_recorded_run_makes_the_same_requests_and_the_same_journal(name: str, tmp_path: Path) -> None:
    recording = recording_of(name)
    assert replayed(recording, tmp_path) == expected(recording)
    assert not any(NAMES["<key>"] in path.read_text() for path in tmp_path.glob("logs/*.jsonl"))


def change(replies: list[dict[str, Any]], what: str) -> None:
    """Change one of a game's replies with a board."""
    reply = replies[len(replies) // 2]
    column = reply["botmove"]
    row = next(row for row in reply["state"] if row[column])
    match what:
        case "another botmove":
            reply["botmove"] = (column + 1) % 7
        case "another disc":
            row[column] = 1
        case "a missing disc":
            row[column] = 0
        case "an early end":
            reply["result"] = -1.0
        case "no end":
            replies[-1]["result"] = 0.0


OTHERS = [pytest.param(name, marks=pytest.mark.slow) for name in ("lost_first", "drawn_first", "january_won")]


@pytest.mark.parametrize("what", ["another botmove", "another disc", "a missing disc", "an early end", "no end"])
@pytest.mark.parametrize("name", ["won_second", *OTHERS])
def test_a_reply_that_was_changed_by_hand_is_noticed(name: str, what: str, tmp_path: Path) -> None:
    changed = recording_of(name)
    change([exchange["body"] for exchange in changed["exchanges"] if "state" in exchange["body"]], what)
    assert replayed(changed, tmp_path) != expected(recording_of(name))
