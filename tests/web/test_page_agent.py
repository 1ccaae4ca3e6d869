"""The place of one's own agent: whether it passes, the groups of its losses, and each lost game on the board."""

from __future__ import annotations

import json
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from bot.course.server.embedded import serving
from bot.game import Board, parse_moves
from bot.gauntlet.losses import LostGame, explain, groups_of, listed, shown_positions
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
HERE = "Lost game 2 of 5 \u00b7 move 30"
SHORT = RESULTS["passes"][0]["short"]
FINDING = RESULTS["findings"][0]["text"]
REASON = "Yellow could open two fours at the same time with column 5; Red could block only one."
"""What is said of the second lost game, at its plainest mistake, which is move 30."""

pytestmark = pytest.mark.usefixtures("tab")


def results(losses: int) -> dict[str, Any]:
    """Return a reply of /api/agent with this number of lost games, repeated by turns."""
    games = list(islice(cycle(RESULTS["losses"]), losses))
    findings = [each | {"positions": shown_positions(each["positions"])} for each in RESULTS["findings"]]
    return RESULTS | {"findings": findings} | listed(games, groups_of(games))


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
        **{"name": f"{NAME}.py:Mine", "version": "", "made": "", "lost": 0},
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
    says(HERE)
    discs(29)
    are_in_view("#board", "#scores .said", "#verdict h3", "#loss.reason")
    lists(
        "#losses [aria-pressed=true] > *",
        "2. move 30, 60 games",
        "After Red\u2019s column 7, Yellow could open two fours at once.",
    )
    sees("#losses p", "60 of 300: lost from the start.")
    counts(5, "#losses button")
    click("#losses button")
    says("level 9 wins")
    sees("#losses [aria-pressed=true]", "1. from the start, 60 games")
    lists("#verdict > *", SHORT, "To pass: 20 games in a row without a loss.", FINDING)
    sees("#verdict .kind", "Does not pass")
    sees("#panel", "depth3: no; chance of 20 in a row without a loss: 12 % (5 % to 23 %) after 320 games.")
    assert tab.page.evaluate("document.documentElement.scrollWidth") == 390


def test_the_positions_of_what_is_wrong_are_shown_as_lost_games_are_each_of_them_once():
    finding = RESULTS["findings"][0]
    positions = [{"moves": "4" * count, "column": 2, "right": [5]} for count in (*range(5), *range(5), 5, 6)]
    answer("agent", results(3) | {"findings": [finding | {"positions": shown_positions(positions)}]})
    visit("view=agent")
    lists("#findings > p", finding["text"])
    lists("#findings > .games button", *[f"Position {number}" for number in range(1, 7)])
    click("#findings button >> nth=-1")
    says("Position 6 of 6: your agent plays column 3. Right: column 6.")
    lists("#board .note", "?", "\u2713")
    discs(5)
    press("n")
    says("Position 1 of 6")
    click("#play-on")
    sees("body[data-view=play]")
    tab.page.go_back()
    click("#losses button")
    says("level 9 wins")
    press("n")
    says("Lost game 2 of 3 \u00b7 move 30")


def test_a_lost_game_opens_before_the_move_that_lost_and_can_be_played_on():
    prefer(areScoresShown=False)
    answer("agent", results(3))
    visit("view=agent")
    says("Lost game 2 of 3 \u00b7 move 30")
    lists(".player .name", "level 9", NAME)
    discs(29)
    lists("#loss", f"{REASON} Right: column 1.")
    lists("#board .note", "?", "\u2713")
    reload()
    says("Lost game 2 of 3 \u00b7 move 30")
    click("#loss-why")
    says("step 1 of 4")
    lists("#actions button", "Next game", "Back")
    press("End")
    counts(4, "#board .four")
    click("#leave-line")
    discs(29)
    click("#play-on")
    sees("body[data-view=play]")
    sees("#bar-above", "level 9")
    discs(29)
