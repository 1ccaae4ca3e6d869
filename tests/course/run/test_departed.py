"""Kills before and after a request is sent: the journal shows which, and the hypotheses are weighted accordingly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from bot.course.run.observer import Silent
from bot.course.run.resume import fold
from pydantic import SecretStr

from bot.agents.catalogue import make_agent
from bot.course.client.http import CourseClient
from bot.course.journal.reader import journals
from bot.course.run.run import Plan, Run
from bot.course.server.embedded import embedded_server
from bot.course.session.events import Started
from bot.course.session.machine import step
from tests.course.run.course import PATIENT


def weights(*events: dict[str, Any]) -> dict[int, float]:
    """Return the hypotheses' weights by ply, after column 4 on the empty board and a kill."""
    records: list[dict[str, Any]] = [
        {"type": "run"},
        {"type": "intent", "game": 1, "move": -1},
        {"type": "event", "kind": "sent"},
        {"type": "reply", "status": True, "botmove": -1, "result": 0.0, "state": [[0] * 7] * 6},
        {"type": "intent", "game": 1, "move": 3},
        *({"type": "event", **event} for event in events),
    ]
    session, _ = step(fold(records), Started(0.0, 1))
    plies: dict[int, float] = {}
    for hypothesis in session.belief:
        ply = hypothesis.playing.board.ply
        plies[ply] = plies.get(ply, 0.0) + hypothesis.weight
    return plies


def test_a_request_without_a_mark_was_hardly_sent() -> None:
    assert weights() == pytest.approx({0: 0.98, 2: 0.02})


def test_one_that_was_sent_was_probably_processed() -> None:
    assert weights({"kind": "sent"}) == pytest.approx({0: 0.15, 2: 0.85})


def test_one_that_was_seen_to_fail_keeps_its_probability() -> None:
    assert weights({"kind": "sent"}, {"kind": "reply_lost", "delivered": 0.3}) == pytest.approx({0: 0.7, 2: 0.3})


def test_every_move_of_a_real_run_is_marked_once_before_its_reply(tmp_path: Path) -> None:
    with embedded_server(make_agent("random", seed=1), api_key="key") as url:
        run = Run(Plan(url, url, ("ab1234cd-s",), 1, 1, 60.0, 0.05, 60.0, tmp_path), make_agent("random", seed=2))
        run.play(CourseClient(url, ["ab1234cd-s"], SecretStr("key"), PATIENT), Silent())
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
    assert "".join(str(kind)[0] for kind in kinds).startswith("isr" * asked)
