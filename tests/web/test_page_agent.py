"""The place of one's own agent: its versions, the groups of its losses, and each lost game on the board."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from fastapi.testclient import TestClient

from bot.course.server.embedded import serving
from bot.game import Board, parse_moves
from bot.lab.arena.statistics import Estimate, share
from bot.lab.gauntlet.history import history
from bot.lab.gauntlet.losses import Loss, LostGame, explain, groups_of, plainest
from bot.lab.gauntlet.passing import Passing, course_bot
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

pytestmark = pytest.mark.usefixtures("tab")


@pytest.fixture(scope="module")
def url(logs: Path) -> Iterator[str]:
    """The address of a page that was started with an agent."""
    with serving(create_app(logs, pool=AgentPool([NAME]))) as url:
        yield url


@dataclass(frozen=True)
class PlayedGame:
    """A game that `NAME` played and did not win, and what its search said before the mistake that is shown."""

    opponent: str
    moves: str
    starts: bool = False
    points: float = 0.0
    score: float | None = None
    column: int | None = None
    """What it played there, 1 to 7: the whole line of its search; None where every position was lost."""

    @property
    def loss(self) -> Loss:
        """What the gauntlet says of it."""
        found = explain(LostGame(parse_moves(self.moves), int(not self.starts), self.points))
        assert found is not None
        at = plainest(found)
        assert self.column is None or at["column"] == self.column - 1
        at |= {"depth": self.column and 2, "score": self.score, "pv": [] if self.column is None else [self.column - 1]}
        return found | {"opponent": self.opponent, "starts": self.starts, "moves": self.moves, "result": self.points}


GAMES = (
    PlayedGame("level:9", "4521224415514244226611175567353"),
    PlayedGame("level:9", "341664457433663626443352122227557", score=109.0, column=7),
    PlayedGame("depth3", "4544313556133441361134556", score=-203.0, column=1),
    PlayedGame("level:9", "4521224415514224742555333", score=-178.0, column=5),
    PlayedGame("depth3", "444453336735555767714312222324572666167111", True, 0.5, 100.0, 7),
)
TEXT = (
    "After Red\u2019s column 7, Yellow could open two fours at once. "
    "In exact play, move 6 (column 4) had lost the game already; right: 3."
)
REASON = "Yellow could open two fours at the same time with column 5; Red could block only one."
"""What is said of the second of these games, at its plainest mistake, which is move 30."""
LEFT_OUT: dict[str, Any] = {"elo": None, "kept": None, "passes": []}
"""What a version has whose answers failed more often than not."""


@cache
def lost_games() -> list[Loss]:
    return [game.loss for game in GAMES]


def passing(bot: str, games: int, lost: int) -> dict[str, Any]:
    found = Passing(course_bot(bot), games, games // 2, lost, is_certain=False)
    low, high = found.interval
    return {"bot": bot, "value": found.value, "low": low, "high": high, "text": found.text}


@cache
def results(versions: int, losses: int) -> dict[str, Any]:
    """Return a reply of /api/agent: for the newest version, these games by turns; each fifth version failed."""
    games = list(islice(cycle(lost_games()), losses))
    newest = {"losses": games, "groups": groups_of(games), "tests": {"of": 14, "right": 11, "again_wrong": 1}}
    with TemporaryDirectory() as logs:
        with open_store(Path(logs) / FOLDER, NAME) as store:
            for number in range(versions):
                elo, name = 500.0 + 9 * number, f"ab{number:06}"
                found = {"version": name, "made": f"2026-11-25 23:{number:02}", "losses": [], **newest}
                kept = {"all": vars(share(180 + 2 * number, 360))}
                lost = 32 + 2 * (versions - 1 - number)
                passes = [passing("depth3", 320, lost), passing("random", 640, 0)]
                found |= {"elo": vars(Estimate(elo, elo - 80, elo + 80)), "kept": kept, "passes": passes}
                store.add(f"report {name}", {"found": found if number % 5 else found | LEFT_OUT})
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
    sees(
        "#panel", re.compile(r"depth3: Probably not: 12 % \(5 % to 23 %\); 32 of.*tests: 11 of 14 now right", re.DOTALL)
    )
    counts(3, ".chart .newest")
    lists(".chart b", "12\u00a0% (5\u00a0% to 23\u00a0%)", "851 (771 to 931)", re.compile(r"^72\u00a0% \(67"))
    counts(1, ".chart [aria-label^='below 1\u00a0%, ']")
    counts(32, ".chart:nth-of-type(2) g")
    counts(50, "#losses button")
    click("summary:has-text('Show all 300')")
    sees("#losses + details li:nth-child(250)")
    click("#groups li:nth-child(2)")
    sees("h3:has-text('Lost games: 60')")
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
    click("#leave-line")
    discs(29)
    press("n")
    says("Move 16: a mistake")
    press("n")
    says("Move 0: level:9 to move.")
    discs(0)
    click("#losses li:nth-child(2) button", "#play-on")
    sees("body[data-view=play]")
    sees("#bar-above", "level 9")
    discs(29)


def test_the_line_of_a_lost_game_ends_with_the_four_that_its_reason_tells_of() -> None:
    for loss in results(2, len(GAMES))["losses"]:
        line = [*parse_moves(loss["moves"])[: loss["ply"]], *loss["line"]]
        assert loss["ply"] is None or (Board.from_moves(line).has_winner and loss["needs"] == len(loss["line"]))
