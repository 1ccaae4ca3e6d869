"""The place of one's own agent: whether it passes, the groups of its losses, and each lost game on the board."""

from __future__ import annotations

import json
import re
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from bot.course.server.embedded import serving
from bot.game import Board, parse_moves
from bot.gauntlet.losses import LostGame, explain, groups_of
from bot.web.agents import AgentPool
from bot.web.app import create_app
from tests.web.browser import (
    PHONE,
    answer,
    are_in_view,
    click,
    counts,
    discs,
    go_to,
    hold,
    lacks,
    lists,
    prefer,
    press,
    reload,
    says,
    sees,
    tab,
    visit,
)
from tests.web.test_runs import client_of

NAME = "tommy-ab:2"
"""Stands in for an agent from outside."""
RESULTS = json.loads(Path(__file__).with_name("agent.json").read_text("utf-8"))
"""What the server says of that agent: five lost games, by groups: one whose every position was lost, and four that were
given away."""
AGENTS = [NAME]
"""The page is started with this agent."""
TEXT = "Move 30: After Red\u2019s column 7, Yellow could open two fours at once."
FINDING = RESULTS["findings"][0]["text"]
REASON = "Yellow could open two fours at the same time with column 5; Red could block only one."
"""What is said of the second lost game, at its plainest mistake, which is move 30."""

pytestmark = pytest.mark.usefixtures("tab")


def results(losses: int) -> dict[str, Any]:
    """Return a reply of /api/agent with this number of lost games, repeated by turns."""
    games = list(islice(cycle(RESULTS["losses"]), losses))
    return RESULTS | {"losses": games, "groups": groups_of(games)}


def test_the_recorded_losses_are_what_the_gauntlet_says_of_their_games_and_their_lines_end_with_a_four():
    for loss in RESULTS["losses"]:
        said = explain(LostGame(parse_moves(loss["moves"]), int(not loss["starts"])))
        assert said.items() <= loss.items()
        line = [*parse_moves(loss["moves"])[: loss["ply"]], *loss["line"]]
        assert loss["ply"] is None or Board.from_moves(line).has_winner


def test_without_an_agent_there_is_no_such_place_and_a_sentence_says_why(tmp_path):
    missing = client_of(tmp_path).get("/api/agent")
    assert missing.status_code == 404 and "--agent" in missing.json()["error"]
    with serving(create_app(tmp_path)) as tab.url:
        visit("view=agent")
        sees("body[data-view=play]")
        counts(4, "#places button")


def test_the_server_names_the_agent_as_the_page_does_and_an_empty_place_says_how_to_fill_it(tmp_path):
    reply = client_of(tmp_path, AgentPool([f"/home/student/{NAME}.py:Mine"])).get("/api/agent")
    assert reply.json() == {
        **{"name": f"{NAME}.py:Mine", "version": "", "made": ""},
        **{key: [] for key in ("passes", "findings", "groups", "losses")},
    }
    visit()
    go_to("agent")
    says("No results yet.")
    sees("#panel code", f"bot gauntlet {NAME}")
    lacks("#actions button")
    take = hold("agent")
    reload()
    says("Loading the results\u2026")
    take().reply({"error": "This is a bug."}, 500)
    says("The results cannot be shown.")
    sees("#error", "This is a bug.")
    tab.faults.clear()


@PHONE
def test_the_first_game_that_was_given_away_is_open_and_all_are_listed_by_reason_and_move_beside_it():
    answer("agent", results(300))
    visit("view=agent")
    says(TEXT)
    discs(29)
    are_in_view("#board", "#scores .said", "#loss.reason", "#losses button")
    sees("#losses [aria-pressed=true]", "2. move 30, 60 games")
    sees("#losses p", "60 of 300: lost from the start.")
    counts(5, "#losses button")
    click("#losses button")
    says("level 9 wins")
    sees("#losses [aria-pressed=true]", "1. from the start, 60 games")
    lists("#verdict > *", f"Does {NAME} pass?", "depth3: Probably not: 12 % (5 % to 23 %)", FINDING)
    sees("#panel", "depth3: Probably not: 12 % (5 % to 23 %); 32 of")
    assert tab.page.evaluate("document.documentElement.scrollWidth") == 390


def test_what_is_wrong_comes_with_its_positions_without_repetitions_and_each_leads_to_the_board_and_back():
    finding = RESULTS["findings"][0]
    positions = [{"moves": "4" * count} for count in (*range(5), *range(5), 5, 6)]
    answer("agent", results(3) | {"findings": [finding | {"positions": positions}]})
    visit("view=agent")
    lists("#findings > p", finding["text"])
    lists("#findings > .games button", *[f"Position {number}" for number in range(1, 7)])
    sees("#findings [title='the empty board']", "Position 1")
    click("#findings button >> nth=-1")
    sees("body[data-view=scores]")
    discs(5)
    click("#way-back")
    sees("body[data-view=agent]")
    lacks("#way-back")
    go_to("scores")
    lacks("#way-back")


def test_a_lost_game_opens_before_the_move_that_lost_and_can_be_played_on():
    prefer(areScoresShown=False)
    answer("agent", results(3))
    visit("view=agent")
    says(TEXT)
    discs(29)
    lists("#loss", re.compile(rf"{re.escape(REASON)}\s+Right: column 1\."))
    lists("#board .note", "?", "\u2713")
    reload()
    says(TEXT)
    click("#loss-why")
    says("step 1 of 4")
    press("End")
    counts(4, "#board .four")
    click("#leave-line")
    discs(29)
    press("n")
    says("Move 16: Red\u2019s column 1")
    press("n")
    says("level 9 wins")
    click("#losses button:has-text('move 30')", "#play-on")
    sees("body[data-view=play]")
    sees("#bar-above", "level 9")
    discs(29)
