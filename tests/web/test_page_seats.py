"""Two seats of agents: set up, stepped, run, and how fast their discs may fall."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.browser import (
    MOVING,
    PHONE,
    choose,
    click,
    counts,
    discs,
    drop,
    go_to,
    lists,
    opponent,
    plays,
    press,
    reload,
    respond,
    says,
    seat,
    sees,
    tab,
    until,
    visit,
)

from playwright.sync_api import Route  # isort: skip

pytestmark = pytest.mark.usefixtures("tab")


def object_of(request: Route) -> str:
    """Return the name by which an agent from outside is the same object in several moves."""
    body: Any = request.request.post_data_json
    return str(body["game"])


@PHONE
def test_a_running_game_waits_while_another_place_is_open_and_survives_a_reload():
    respond("move", lambda _: None)  # the first agent thinks until the place is left
    visit("view=play&yellow=random&red=random&moves=44")
    click("#run")
    says("random is thinking…")
    go_to("puzzles")
    go_to("play")
    lists("#run", "Run")
    reload()
    plays("44")
    opponent("1" * 42)
    click("#step")
    discs(3)


def test_two_agents_are_set_up_stepped_played_to_the_end_and_followed_by_another_game():
    asked = opponent("1212121")
    visit()
    seat("Yellow", "Program")
    seat("Red", "Program")
    choose("Program", "uct")
    tab.page.get_by_label("Games it tries for a move").fill("20")
    press("Tab")
    lists(".player .name", "depth3", "uct:20")
    sees("code", "bot match uct:20 depth")
    choose("Program", "random")
    drop(1)
    press("s")
    discs(2)
    click("#run")
    sees("#rematch")
    assert len({object_of(one) for one in asked}) == 2, "one for each seat"
    click("#rematch")
    until(lambda: len({object_of(one) for one in asked}) == 4)
    sees("#rematch")
    lists(".player .name", "depth3", "random")


@MOVING
def test_discs_do_not_float_however_quick_the_agents_are():
    devtools = tab.page.context.new_cdp_session(tab.page)
    devtools.send("Animation.enable")
    devtools.send("Animation.setPlaybackRate", {"playbackRate": 0.001})
    visit("yellow=random&red=random")
    for count in (1, 2):
        press("s")
        discs(count)
    counts(1, "#board .falling")  # the second disc is there at once
