"""The place of one's own agent: its versions, the groups of its losses, and each lost game on the board."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from bot.course.server.embedded import serving
from bot.web.agents import AgentPool
from bot.web.app import create_app
from tests.web.browser import (
    LOST,
    PHONE,
    answer,
    click,
    counts,
    discs,
    go_to,
    lacks,
    lists,
    prefer,
    press,
    reload,
    respond,
    says,
    sees,
    tab,
    visit,
)

NAME = "tommy-ab:2"
"""Stands in for an agent from outside; the page calls it tommy-ab-2."""

pytestmark = pytest.mark.usefixtures("tab")


@pytest.fixture(scope="module")
def url(logs: Path) -> Iterator[str]:
    """The address of a page that was started with an agent."""
    with serving(create_app(logs, pool=AgentPool([NAME]))) as url:
        yield url


def estimate(value: float, spread: float = 0.1) -> dict[str, float]:
    return {"value": value, "low": value - spread, "high": value + spread}


def results(versions: int, losses: int) -> dict[str, Any]:
    """Return a reply of /api/agent; every third game is one of the second group, lost from the start."""
    text = "Probably not: 12 % (3 % to 30 %); 9 of 60 games lost."
    made = [
        {
            "version": f"ab{number:06}",
            "made": "2026-11-25 23:10",
            "elo": estimate(500 + 9 * number, 80) if number % 5 else None,
            "kept": estimate(0.5 + number / 100),
            "passes": [{"bot": bot, "text": text} | estimate(share, 0.05) for bot, share in PASSES.items()],
        }
        for number in range(versions)
    ]
    games = [MOVED if number % 3 else MOVED | FROM_THE_START for number in range(losses)]
    groups = [
        {"text": text, "games": [number for number in range(losses) if (number % 3 == 0) == is_second]}
        for text, is_second in ((GROUP, False), ("A third: lost from the start.", True))
    ]
    tests = "11 of 14 now right, 1 that was right is wrong again"
    return {"agent": "x", "versions": made, "tests": tests, "groups": groups if losses else [], "losses": games}


PASSES = {"depth3": 0.12, "random": 0.9}
GROUP = "9 of 14: allowed double threat. Your search said it saw 4 plies, this needs 6 plies: it has to look deeper."
MOVED = {
    "opponent": "depth3",
    "starts": False,
    "moves": LOST,
    "result": 0,
    "ply": 21,
    "column": 1,
    "right": [0, 4],
    "text": "After X's e4, O could not block both.",
    "reason": "X makes four at g2.",
    "line": [1, 6, 4],
    "needs": 6,
    "depth": 4,
    "score": 12.5,
    "pv": [1, 4],
}
REASON, RIGHT = "Yellow makes four in column 7, row 2.", "Right: columns 1, 5."
FROM_THE_START: dict[str, Any] = {
    "ply": None,
    "column": None,
    "right": [],
    "line": [],
    "reason": "",
    "needs": None,
    "depth": None,
}


def test_without_an_agent_there_is_no_such_place_and_a_sentence_says_why(tmp_path: Path) -> None:
    missing = TestClient(create_app(tmp_path), base_url="http://127.0.0.1:8044").get("/api/agent")
    assert missing.status_code == 404 and "--agent" in missing.json()["error"]
    with serving(create_app(tmp_path)) as tab.url:
        visit(view="agent")
        sees("body[data-view=play]")
        counts(4, "#places button")


def test_the_server_names_the_agent_as_the_page_does_and_an_empty_place_says_how_to_fill_it(tmp_path: Path) -> None:
    app = create_app(tmp_path, pool=AgentPool([f"/home/student/{NAME}.py:Mine"]))
    reply = TestClient(app, base_url="http://127.0.0.1:8044").get("/api/agent")
    assert reply.json() == {"agent": "Mine", "versions": [], "tests": "", "groups": [], "losses": []}
    visit()
    go_to("agent")
    says("No results yet.")
    sees("#panel code", "bot gauntlet mine.py:tommy-ab-2")
    lacks("#actions button")


def test_what_is_loading_or_has_failed_is_said() -> None:
    held = respond("agent", lambda _route: None)
    visit(view="agent")
    says("Loading the results\u2026")
    held[0].fulfill(status=500, json={"error": "This is a bug."})
    says("The results cannot be shown.")
    sees("#error", "This is a bug.")
    tab.faults.clear()


@PHONE
def test_forty_versions_are_drawn_and_a_group_filters_three_hundred_games() -> None:
    answer("agent", json=results(40, 300))
    visit(view="agent")
    says("Choose a lost game.")
    sees("#panel", re.compile(r"depth3: Probably not: 12 %.*Its own tests: 11 of 14 now right", re.DOTALL))
    counts(3, ".chart .newest")
    lists(".chart b", re.compile(r"^12\s%"), "851 (771 to 931)", re.compile(r"^89\s%"))
    counts(32, ".chart:nth-of-type(2) g")
    counts(50, "#losses button")
    click("summary:has-text('Show all 300')")
    sees("#losses + details li:nth-child(250)")
    click("#groups li:nth-child(2)")
    sees("h3:has-text('Lost games: 100')")
    lacks("#losses :text('move 22')")
    click("#groups [aria-pressed=true]")
    sees("h3:has-text('Lost games: 300')")
    assert tab.page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_lost_game_opens_before_the_move_that_lost_and_can_be_played_on() -> None:
    prefer(areScoresShown=False)
    answer("agent", json=results(2, 3))
    visit(view="agent")
    click("#losses li:nth-child(2) button")
    says("Move 22: a mistake of tommy-ab-2.")
    discs(21)
    lists("#loss p:not(.about)", "After Yellow\u2019s column 5, row 4, Red could not block both.", REASON, RIGHT)
    sees("#loss", "Your search saw 4 plies; this needs 6. Its score: 12.5. Its line: columns 2, 5.")
    lists("#board .note", "?", "\u2713", "\u2713")
    reload()
    says("Move 22: a mistake of tommy-ab-2.")
    click("#loss-why")
    says("step 1 of 3")
    click("#leave-line")
    discs(21)
    press("n")
    says("Move 22")
    press("n")
    says("Move 0: depth3 to move.")
    discs(0)
    click("#losses li:nth-child(2) button", "#play-on")
    sees("body[data-view=play]")
    sees("#bar-above", "depth3")
    discs(21)
