"""A new view is two files, a model and a panel, and its line in the registry: the frame gives it all else."""

from __future__ import annotations

from pathlib import Path

from tests.web.browser import column, discs, start, status, view

from playwright.sync_api import Page, Route, expect  # isort: skip

REGISTRY = Path(__file__).parents[2] / "bot" / "web" / "static" / "registry.js"
MODEL = """
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
"""
PANEL = """
import { html } from "../vendor/lit-html.js";
import { toy } from "./toy.js";

export const toyPanel = () => html`<section class="card" id="toy-panel">${toy.game.moves.length} moves</section>`;
"""
LISTED = """
import { toy } from "./views/toy.js";
import { toyPanel } from "./views/toyPanel.js";
registry.push({ model: toy, panel: toyPanel, title: "Toy", place: "Toys" });
"""


def test_a_view_takes_a_model_a_panel_and_a_line_in_the_registry(page: Page, url: str) -> None:
    files = {
        "views/toy.js": MODEL,
        "views/toyPanel.js": PANEL,
        "registry.js": REGISTRY.read_text(encoding="utf-8") + LISTED,
    }

    def serve(route: Route) -> None:
        route.fulfill(body=files[route.request.url.partition("/static/")[2]], content_type="text/javascript")

    for name in files:
        page.route(f"**/static/{name}", serve)
    start(page, url, agent="random", fixed=1)
    column(page, 4).click()
    expect(discs(page)).to_have_count(2)
    page.locator("#place-toys").click()
    expect(page.locator("#place-toys")).to_have_attribute("aria-current", "page")
    expect(discs(page)).to_have_count(0)
    column(page, 2).click()
    expect(page.locator("#toy-panel")).to_have_text("1 moves")
    expect(page.locator("#board .note")).to_have_text("toy")
    page.locator("#toy-press").click()
    page.keyboard.press("p")
    expect(status(page)).to_have_text("Entered 1, pressed 2.")
    expect(page.locator("#moves button")).to_have_count(1)
    view(page, "play")
    expect(discs(page)).to_have_count(2)
    page.go_back()
    expect(page.locator("#toy-panel")).to_have_text("1 moves")
    page.reload()
    expect(status(page)).to_have_text("Entered 1, pressed 0.")
    expect(discs(page)).to_have_count(1)
