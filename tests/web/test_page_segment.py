"""A new segment of Study: two files and one line in the registry, and it has all that the others have."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.web.browser import click, discs, drop, go_to, lists, press, says, sees, tab, visit

from playwright.sync_api import Route  # isort: skip

REGISTRY = Path(__file__).parents[2] / "bot" / "web" / "static" / "registry.js"
TOY = {
    "views/toy.js": """
import { change } from "../store.js";
import { Study } from "../study.js";

class Toy extends Study {
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
registry.push({ model: toy, panel: toyPanel, title: "Toy", place: "Study" });
""",
}
"""A segment: its model, its panel, and its line in the registry."""

pytestmark = pytest.mark.usefixtures("tab")


def test_a_segment_takes_a_model_a_panel_and_a_line_in_the_registry() -> None:
    for name, text in TOY.items():
        tab.page.route(f"**/static/{name}", partial(Route.fulfill, body=text, content_type="text/javascript"))
    visit(view="scores", moves="44")
    lists("#segments button", "Scores", "Book", "Proof", "Toy")
    click("#segment-toy")
    sees("body[data-view=toy][data-place=study]")
    discs(2)
    drop(2)
    lists("#toy-panel", "3 moves")
    lists("#board .note", "toy")
    click("#toy-press")
    press("p")
    says("Entered 1, pressed 2.")
    go_to("play")
    discs(0)
    tab.page.go_back()
    sees("#toy-panel", "3 moves")
    click("#place-play", "#place-study")
    sees("body[data-view=toy]")  # the segment that was open last
