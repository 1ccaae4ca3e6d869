"""The place of one's own agent: its versions, the groups of its losses, and each lost game on the board."""

from __future__ import annotations

import re
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from fastapi.testclient import TestClient

from bot.course.server.embedded import serving
from bot.game import parse_moves
from bot.lab.gauntlet.history import history
from bot.lab.gauntlet.losses import Loss, LostGame, explain, groups_of, plainest
from bot.lab.gauntlet.run import FOLDER, open_store
from bot.web.agents import AgentPool
from bot.web.app import create_app
from tests.web.browser import (
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
AGENTS = [NAME]
"""The page is started with this agent."""
TEXT = (
    "After Red\u2019s column 7, Yellow could open two fours at once. "
    "In exact play, move 6 (column 4) had lost the game already; right: 3."
)
REASON = "Yellow could open two fours at the same time with column 5; Red could block only one."
"""What is said of the second lost game, at its plainest mistake, which is move 30."""

pytestmark = pytest.mark.usefixtures("tab")


def lost(opponent: str, moves: str, *, side: int = 1, result: float = 0.0, **search: Any) -> Loss:
    """Return what is said of a game that `NAME` did not win; ``search``: what its search said before the mistake."""
    found = explain(LostGame(parse_moves(moves), side, result))
    assert found is not None
    plainest(found).update({"depth": None, "score": None, "pv": []} | search)
    return found | {"opponent": opponent, "starts": not side, "moves": moves, "result": result}


@cache
def lost_games() -> list[Loss]:
    """Return a game whose every position was lost, one with a mistake that could be seen, and one given away."""
    return [
        lost("level:9", "4521224415514244226611175567353"),
        lost("level:9", "341664457433663626443352122227557", depth=2, score=109.0, pv=[6]),
        lost("depth3", "444453336735555767714312222324572666167111", side=0, result=0.5, depth=2, score=100.0, pv=[6]),
    ]


def interval(value: float, error: float) -> dict[str, float]:
    return {"value": value, "low": value - error, "high": value + error}


@cache
def results(versions: int, losses: int) -> dict[str, Any]:
    """Return a reply of /api/agent: for the newest version, these games by turns; each fifth version failed."""
    games = list(islice(cycle(lost_games()), losses))
    newest = {"losses": games, "groups": groups_of(games), "tests": {"of": 14, "right": 11, "again_wrong": 1}}
    with TemporaryDirectory() as logs:
        with open_store(Path(logs) / FOLDER, NAME) as store:
            for number in range(versions):
                passes = [{"bot": "random", "text": "Yes."} | interval(0.9, 0.1)]
                passes.append({"bot": "depth3", "text": "Probably not."} | interval(0.003 * number, 0.05))
                found = {"elo": interval(500 + 9 * number, 80), "kept": {"all": interval(0.3 + number / 100, 0.05)}}
                found |= {"passes": passes} if number % 5 else {"elo": None, "kept": None, "passes": []}
                found |= {"version": f"ab{number:06}", "made": f"2026-11-25 23:{number:02}"} | newest
                store.add(f"report {number}", {"found": found})
        return history(Path(logs), NAME)


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
    held = respond("agent", lambda _route: None)
    reload()
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
    sees("#panel", re.compile(r"depth3: Probably not\..*tests: 11 of 14 now right", re.DOTALL))
    counts(3, ".chart .newest")
    lists(".chart b", "12\u00a0% (7\u00a0% to 17\u00a0%)", "851 (771 to 931)", "69\u00a0% (64\u00a0% to 74\u00a0%)")
    counts(1, ".chart [aria-label^='below 1\u00a0%, ']")
    counts(32, ".chart:nth-of-type(2) g")
    counts(50, "#losses button")
    click("summary:has-text('Show all 300')")
    sees("#losses + details li:nth-child(250)")
    click("#groups li:nth-child(2)")
    sees("h3:has-text('Lost games: 100')")
    lacks("#losses :text('from the start')")
    click("#groups [aria-pressed=true]")
    sees("h3:has-text('Lost games: 300')")
    assert tab.page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_lost_game_opens_before_the_move_that_lost_and_can_be_played_on() -> None:
    prefer(areScoresShown=False)
    answer("agent", json=results(2, 3))
    visit(view="agent")
    click("#losses li:nth-child(2) button")
    says("Move 30: a mistake of tommy-ab-2.")
    discs(29)
    lists("#loss p:not(.about)", TEXT, REASON, "Right: column 1.")
    sees("#loss", "Your search saw 2 plies; this needs 4. Its score: 109. Its line: column 7.")
    lists("#board .note", "?", "\u2713")
    reload()
    says("Move 30: a mistake of tommy-ab-2.")
    click("#loss-why")
    says("step 1 of 4")
    press("End")
    counts(4, "#board .four")
    click("#leave-line")
    discs(29)
    press("n")
    says("a mistake")
    press("n")
    says("Move 0: level:9 to move.")
    discs(0)
    click("#losses li:nth-child(2) button", "#play-on")
    sees("body[data-view=play]")
    sees("#bar-above", "level 9")
    discs(29)
