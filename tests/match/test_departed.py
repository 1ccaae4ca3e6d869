"""Killed before or after the request left: the journal tells, and the worlds are weighed by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from bot.client.http import CourseClient
from bot.engine.registry import make_agent
from bot.journal.reader import journals
from bot.match.observer import Silent
from bot.match.run import Plan, Run
from bot.match.series import _Past
from bot.server.embedded import embedded_server


def weights(*events: dict[str, Any]) -> dict[int, float]:
    """How likely the worlds are, by ply, after d was played on an empty board and the process died."""
    past = _Past(lambda board: dict.fromkeys(board.legal_columns(), 1 / 7), killed=0.8)
    opening = {"type": "reply", "status": True, "botmove": -1, "result": 0.0, "state": [[0] * 7] * 6}
    for record in (
        {"type": "intent", "move": -1},
        {"kind": "sent"},
        opening,
        {"type": "intent", "move": 3},
        *events,
    ):
        past.take(record.get("type", record.get("kind")), record)
    past.close()
    plies: dict[int, float] = {}
    for world in past.worlds:
        plies[world.playing.board.ply] = plies.get(world.playing.board.ply, 0.0) + world.odds
    return plies


def test_a_request_that_left_no_mark_was_hardly_sent() -> None:
    assert weights() == pytest.approx({0: 0.98, 2: 0.02})


def test_one_that_left_was_processed_as_often_as_such_cases_are() -> None:
    assert weights({"kind": "sent"}) == pytest.approx({0: 0.2, 2: 0.8})


def test_one_that_was_seen_to_fail_keeps_its_odds() -> None:
    assert weights({"kind": "sent"}, {"kind": "reply_lost", "delivered": 0.3}) == pytest.approx({0: 0.7, 2: 0.3})


def test_every_move_of_a_real_run_is_marked_once_before_its_reply(tmp_path: Path) -> None:
    with embedded_server(make_agent("random", seed=1), api_key="key") as url:
        run = Run(Plan(url, url, ("ab1234cd-s",), 1, 1, 5.0, 0.05, 5.0, tmp_path), make_agent("random", seed=2))
        run.play(CourseClient(url, ["ab1234cd-s"], SecretStr("key")), Silent())
        run.journal.close()
    kinds = [
        record.get("kind", record["type"])
        for journal in journals(tmp_path)
        for game in journal.games
        for record in game.records
        if record.get("kind") not in ("statistics", "reconciled")
    ]
    asked = kinds.count("intent")
    assert asked > 4
    assert "".join(kind[0] for kind in kinds).startswith("isr" * asked)
