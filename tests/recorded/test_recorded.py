"""Recorded runs of `bot play`, replayed by a mocked server; `record.py` says what a recording is, and makes it anew."""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path
from typing import Any

import pytest
import requests
import responses

from bot.course.client.http import CourseClient
from tests.recorded.record import CASES, FAULTS, FOLDER, form_of, in_journal, play

NAMES = {"<id 1>": "ab1234cd-s", "<id 2>": "ef5678gh-s", "<key>": "never-written-anywhere"}
KEY_REFUSED = {"status": False, "msg": "Incorrect API key."}
"""Ends a run whose requests are no longer the recorded ones."""


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CourseClient, "sleep", lambda _self, _seconds: None)


def recording_of(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def asked_in(recording: dict[str, Any]) -> list[tuple[str, list[str]]]:
    return [(exchange["request"], exchange["form"]) for exchange in recording["exchanges"]]


def replayed(recording: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Run the command with the recorded replies; return the requests it made, its exit code, and the journal's games.

    The client first tries whether it can connect at all, so something listens; it never answers.
    """
    asked: list[tuple[str, list[str]]] = []
    exchanges = recording["exchanges"]

    def answer(request: requests.PreparedRequest) -> tuple[int, dict[str, str], str]:
        form = "\n".join(form_of(str(request.body or "")))
        for placeholder, name in NAMES.items():
            form = form.replace(name, placeholder)
        asked.append((f"{request.method} {request.path_url}", form.split("\n")))
        if asked != asked_in(recording)[: len(asked)]:
            return 200, {}, json.dumps(KEY_REFUSED)
        exchange = exchanges[len(asked) - 1]
        if exchange.get("fault") == FAULTS["lost"]:
            raise ConnectionResetError
        body = exchange["body"]
        return exchange["status"], exchange["headers"], body if isinstance(body, str) else json.dumps(body)

    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        responses.RequestsMock(assert_all_requests_are_fired=False) as mock,
    ):
        server = f"http://127.0.0.1:{listener.getsockname()[1]}"
        for method in (responses.GET, responses.POST):
            mock.add_callback(method, re.compile(re.escape(server)), answer, content_type=None)
        done = play(recording["command"], {"<server>": server, **NAMES}, folder)
    return {"asked": asked, "exit_code": done.returncode, "journal": in_journal(folder)}


def is_as_recorded(recording: dict[str, Any], replay: dict[str, Any]) -> bool:
    return replay == {"asked": asked_in(recording), **{key: recording[key] for key in ("exit_code", "journal")}}


def test_every_case_is_recorded() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_a_recorded_run_makes_the_same_requests_and_the_same_journal(name: str, tmp_path: Path) -> None:
    recording = recording_of(name)
    replay = replayed(recording, tmp_path)
    assert replay["asked"] == asked_in(recording)
    assert is_as_recorded(recording, replay)
    assert not any(NAMES["<key>"] in path.read_text() for path in tmp_path.glob("logs/*.jsonl"))
