"""Two agents play each other, one game or a series; and a new view in the registry has all that these views have."""

from __future__ import annotations

import json
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
    kept,
    lists,
    moves,
    opponent,
    press,
    reload,
    respond,
    says,
    sees,
    tab,
    visit,
)

from playwright.sync_api import Route  # isort: skip

REGISTRY = Path(__file__).parents[2] / "bot" / "web" / "static" / "registry.js"
SERIES = {"view": "match", "a": "random", "b": "depth", "bdepth": 2, "pace": 0}
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

export const toyPanel = () => html`<section class="card" id="toy-panel">${toy.game.moves.length} moves</section>`;
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


def test_a_series_swaps_the_starter_counts_right_and_is_kept_for_review() -> None:
    asked = opponent("12" * 21)
    visit(**SERIES, series=2, plies=2)
    press(" ")
    sees("#series-about", "2 games played.")
    played = kept("series")["games"]
    assert played[0]["moves"] == played[1]["moves"], "both begin with the same random moves"
    lists("#series-score strong", "1", "1")  # so the same colour has won both
    assert {object_of(one) for one in asked} == {f"{game['id']}-{seat}" for game in played for seat in (0, 1)}
    reload()
    click("#series-games button >> nth=1")
    lists("#game-names", "depth2 (yellow) – random (red)")
    click("#find")
    sees("body[data-view=review]")
    assert moves() == played[1]["moves"]
    go_to("replay")
    tab.page.select_option("#runs", "series")
    sees("#run-about", "random – depth2")
    counts(2, "#games button")


@PHONE
def test_a_series_waits_while_another_game_is_looked_at_and_can_be_stopped() -> None:
    visit(**SERIES, series=100, moves="44")  # more than can end before it is stopped
    click("#run")
    sees("#series-games button")
    go_to("play")  # leaving the view pauses it
    go_to("match")
    lists("#run", "Go on")
    click("#series-games button")
    assert moves().startswith("44"), "the games begin with the position shown"
    series = kept("series") | {"running": {"id": "here", "opening": "44", "moves": "44"}}
    tab.page.evaluate("text => { localStorage.series = text; }", json.dumps(series))
    reload()
    click("#step")
    discs(3)
    click("#stop")
    lists("#run", "Run 100 games")


def test_a_game_is_set_up_by_hand_stepped_played_to_its_end_and_followed_by_another() -> None:
    asked = respond("move", Route.continue_)
    visit(view="match", a="perfect", b="depth", bdepth=4, pace=0)
    choose("b", "uct")
    tab.page.get_by_label("Playouts per move").fill("20")
    press("Tab")
    lists("#game-names", "perfect (yellow) – uct:20 (red)")
    choose("b", "random")
    drop(1)
    press("s")
    discs(2)
    click("#run")
    lists("#run", "Rematch")
    click("#run")
    lists("#run", "Rematch")
    assert len({object_of(one) for one in asked}) == 4, "one for each game and seat"


@MOVING
def test_discs_do_not_float_however_quick_the_agents_are() -> None:
    devtools = tab.page.context.new_cdp_session(tab.page)
    devtools.send("Animation.enable")
    devtools.send("Animation.setPlaybackRate", {"playbackRate": 0.001})
    visit(view="match", a="random", b="random", pace=0)
    for count in (1, 2):
        press("s")
        discs(count)
    counts(1, "#board .falling")  # the second disc is there at once


def test_a_view_takes_a_model_a_panel_and_a_line_in_the_registry() -> None:
    for name, text in TOY.items():
        tab.page.route(f"**/static/{name}", partial(Route.fulfill, body=text, content_type="text/javascript"))
    visit(agent="random", fixed=1)
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
