"""The routes for people who learn, without a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from bot.web.app import create_app


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    return TestClient(create_app(tmp_path), base_url="http://127.0.0.1:8044", raise_server_exceptions=False)


def test_every_level_moves(client: TestClient) -> None:
    answer = client.get("/api/levels").json()
    assert answer["default"] in [level["number"] for level in answer["levels"]]
    for level in answer["levels"]:
        assert level["name"] and level["about"]
        agent, _, depth = level["agent"].partition(":")
        body = {"moves": "444443333161", "agent": agent, "depth": int(depth), "random": True}
        assert 0 <= client.post("/api/move", json=body).json()["column"] <= 6
