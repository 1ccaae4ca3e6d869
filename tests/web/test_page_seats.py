"""Two seats: agents play each other; and a new view in the registry has all that these views have."""

from __future__ import annotations

from functools import partial
from pathlib import Path
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
    prefer,
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

REGISTRY = Path(__file__).parents[2] / "bot" / "web" / "static" / "registry.js"
TOY = {
    "views/toy.js": """
import { View } from "../view.js";
import { change } from "../store.js";

class Toy extends View {
  presses = 0;
  entered = 0;
  enter() { this.entered++; change(); }
  status() { return `Entered ${this.entered}, pressed ${this.presses}.`; }
  actions() {
    return [{ id: "toy-press", label: "Press", key: "p", isStrong: true, act: () => { this.presses++; change(); } }];
  }
  notes() { return [{ column: 0, row: 0, text: "toy", kind: "pair" }]; }
}
export const toy = new Toy("toy");
""",
    "views/toyPanel.js": """
import { html } from "../vendor/lit-html.js";
import { toy } from "./toy.js";

export const toyPanel = () => html`<p id="toy-panel">${toy.game.moves.length} moves</p>`;
""",
    "registry.js": REGISTRY.read_text(encoding="utf-8")
    + """
import { toy } from "./views/toy.js";
import { toyPanel } from "./views/toyPanel.js";
registry.push({ model: toy, panel: toyPanel, title: "Toy", place: "Toys" });
""",
}
"""A view: its model, its panel, and its lines in the registry."""

pytestmark = pytest.mark.usefixtures("tab")


def object_of(request: Route) -> str:
    """Return the name by which an agent from outside is the same object in several moves."""
    body: Any = request.request.post_data_json
    return str(body["game"])


@PHONE
def test_a_running_game_waits_while_another_place_is_open_and_survives_a_reload() -> None:
    respond("move", lambda _: None)  # the first agent thinks until the place is left
    visit(view="play", yellow="random", red="random", moves="44")
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


def test_two_agents_are_set_up_stepped_played_to_the_end_and_followed_by_another_game() -> None:
    asked = respond("move", Route.continue_)
    prefer(pace_ms=0)
    visit()
    seat("Yellow", "Agent")
    seat("Red", "Agent")
    choose("Agent", "uct")
    tab.page.get_by_label("Playouts per move").fill("20")
    press("Tab")
    lists(".player .name", "depth3", "uct:20")
    sees("code", "bot match uct:20 depth")
    choose("Agent", "random")
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
def test_discs_do_not_float_however_quick_the_agents_are() -> None:
    devtools = tab.page.context.new_cdp_session(tab.page)
    devtools.send("Animation.enable")
    devtools.send("Animation.setPlaybackRate", {"playbackRate": 0.001})
    prefer(pace_ms=0)
    visit(yellow="random", red="random")
    for count in (1, 2):
        press("s")
        discs(count)
    counts(1, "#board .falling")  # the second disc is there at once


def test_a_view_takes_a_model_a_panel_and_a_line_in_the_registry() -> None:
    for name, text in TOY.items():
        tab.page.route(f"**/static/{name}", partial(Route.fulfill, body=text, content_type="text/javascript"))
    visit(red="random", varied=0)
    drop(4)
    discs(2)
    click("#place-toys")
    discs(0)
    drop(2)
    lists("#toy-panel", "1 moves")
    lists("#board .note", "toy")
    click("#toy-press")
    press("p")
    says("Entered 1, pressed 2.")
    go_to("play")
    discs(2)
    tab.page.go_back()
    sees("#toy-panel", "1 moves")
