"""`bot play --careful`: every exchange is shown and kept, without ids and key."""

from __future__ import annotations

import pytest
from pydantic import SecretStr

from bot.agents.catalogue import make_agent
from bot.course.client.http import CourseClient, Timeouts
from bot.course.client.trace import CarefulLog
from bot.course.server.embedded import embedded_server
from bot.errors import NetworkError
from tests.course.run.course import PATIENT, play
from tests.servers import HOST, reserved_port

ID, KEY = "ab1234cd-s", "secret-key-9"


def test_every_exchange_of_a_game_is_shown_and_kept_without_ids_and_key(tmp_path):
    shown: list[str] = []
    log = CarefulLog(shown.append)
    with embedded_server(make_agent("random", seed=1), api_key=KEY) as url:
        client = CourseClient(url, [ID], SecretStr(KEY), timeouts=PATIENT, trace=log)
        play(client, tmp_path, server=url, url=url, stil_ids=(ID,), limit_s=60.0, careful=True)
    assert len(shown) == len(log.exchanges) > 5
    log({**log.exchanges[-1], "status": 502, "failure": "It makes no sense."})
    assert "HTTP 502" in shown[-1] and shown[-1].endswith("It makes no sense.")
    path = tmp_path / "careful" / "exchanges.jsonl"
    for times in (1, 2):
        log.write(path)
        assert path.read_text().count("\n") == times * len(log.exchanges), "what was kept before stays"
    assert str(path) in shown[-1]
    assert not any(secret in text for text in (*shown, path.read_text()) for secret in (ID, KEY))


def test_a_journal_without_a_game_is_removed(tmp_path):
    with reserved_port() as port, pytest.raises(NetworkError):
        hurried = Timeouts(statistics_s=0.1)
        client = CourseClient(f"http://{HOST}:{port}", [ID], SecretStr(KEY), timeouts=hurried)
        play(client, tmp_path, patience_s=0.0)
    assert list(tmp_path.iterdir()) == []
