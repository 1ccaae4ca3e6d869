"""The page on a phone, by keyboard alone, read aloud, light and dark, in a real browser."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bot.game import parse_moves
from tests.web.browser import LATE, LOST, OVER, column, discs, game, moves_of, start, status
from tests.web.test_runs import open_run

from playwright.sync_api import Page, expect  # isort: skip

VIEWS: tuple[tuple[str, dict[str, object], str], ...] = (
    ("play", {"moves": OVER}, "#accuracy"),
    ("review", {"moves": LOST, "human": 1}, "#guide-head"),
    ("analysis", {"moves": LATE}, ".score.best"),
    ("explorer", {"moves": "44"}, ".score"),
    ("puzzles", {}, "#board .disc"),
    ("proof", {}, "#side .card"),
    ("watch", {}, "#graph svg"),
    ("replay", {}, "#graph svg"),
    ("match", {"moves": "44"}, "#side .card"),
)
"""A view, what its address holds, and what it shows when it is ready."""
NAMELESS = """() => {
  const named = (one) => one.textContent.trim() || one.ariaLabel || one.title || one.labels?.[0]?.textContent.trim()
    || document.getElementById(one.getAttribute("aria-labelledby"))?.textContent.trim();
  return [...document.querySelectorAll("button, input, select, textarea, summary, a, [role=img]")]
    .filter((one) => one.checkVisibility() && !named(one)).map((one) => one.outerHTML.slice(0, 200));
}"""
"""Returns the controls that have no name."""


_AGENT = {"name": "depth1", "agent": "depth", "depth": "1", "options": ""}
SERIES = json.dumps(
    {
        "players": [_AGENT, _AGENT | {"name": "random", "agent": "random"}],
        "total": 4,
        "plies": 0,
        "start": "44",
        "games": [{"opening": "44", "moves": OVER}, {"opening": "44", "moves": OVER}],
        "running": {"opening": "44", "moves": "443"},
    }
)
"""A series in the form that the page keeps it in."""


def keep_series(page: Page) -> None:
    """Let the page find a series that is under way."""
    page.add_init_script(f"if (location.protocol === 'http:') localStorage.series = JSON.stringify({SERIES})")


@pytest.fixture(scope="module", autouse=True)
def a_run(logs: Path) -> None:
    journal = open_run(logs)
    game(journal, 1, OVER, 1.0, we_started=True)
    game(journal, 2, OVER, -1.0, we_started=False)
    journal.close()


def show(page: Page, url: str, name: str, parts: dict[str, object], ready: str) -> None:
    """Open a view with what it can show; the review is reached by its button at a game's end."""
    keep_series(page)
    opened = "play" if name == "review" else name
    start(page, url, view=opened, agent="random", patience=60, **parts)
    if name == "review":
        page.locator("#review").click()
    page.locator(ready).first.wait_for()


@pytest.mark.parametrize("page", [{"viewport": {"width": 360, "height": 740}, "has_touch": True}], indirect=True)
def test_everything_fits_a_phone(page: Page, url: str) -> None:
    for name, parts, ready in VIEWS:
        show(page, url, name, parts, ready)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, name
        for tab in page.locator("nav button").all():
            box = tab.bounding_box()
            assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 360, tab.text_content()
    start(page, url, moves="", view="play", agent="random", human=0)
    column(page, 4).tap()
    expect(discs(page)).to_have_count(2)


@pytest.mark.parametrize("page", [{}], indirect=True, ids=["light and dark"])
@pytest.mark.parametrize(("name", "parts", "ready"), VIEWS, ids=[name for name, *_ in VIEWS])
def test_every_control_has_a_name_and_axe_finds_nothing_serious(
    page: Page, url: str, name: str, parts: dict[str, object], ready: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    show(page, url, name, parts, ready)
    if name == "review":
        page.locator("#guide-show").click()
        page.locator("#guide details summary").click()
        page.locator("#guide .reason").first.wait_for()
    if name == "analysis":
        page.locator("#position").fill("9")
        page.keyboard.press("Enter")
        page.locator("#error").wait_for()
    assert page.evaluate(NAMELESS) == []
    for theme in ("light", "dark"):
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        for rule in axe.run(page).response["violations"]:
            where = [node["html"] for node in rule["nodes"]]
            assert rule["impact"] not in ("serious", "critical"), (theme, rule["id"], where)
        page.locator("#theme").click()


def test_by_keyboard_alone_a_game_is_played_and_its_first_own_mistake_reviewed(page: Page, url: str) -> None:
    def tab_to(name: str) -> None:
        """Press Tab until the control with this id, or the column with this number, has the focus."""
        wanted = "one => one.id === name || one.dataset.column === name"
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate(f"name => ({wanted})(document.activeElement)", name):
                return
        raise AssertionError(f"{name} cannot be reached")

    start(page, url, agent="perfect")
    page.keyboard.press("Tab")
    expect(page.locator("#place-play")).to_be_focused()
    tab_to("0")
    page.keyboard.press("Enter")
    expect(discs(page)).to_have_count(2)
    expect(column(page, 1)).to_be_focused()
    expect(page.locator("#live")).to_contain_text(re.compile(r"You play column 1\. +The computer plays column \d"))
    words = re.compile("Board after 2 moves; column 1 from below: yellow")
    expect(page.locator("#board")).to_have_attribute("aria-label", words)
    assert parse_moves(moves_of(page))[0] == 0
    for _ in range(21):
        if page.locator("#review").count():
            break
        before = discs(page).count()
        page.keyboard.press(page.locator("#columns button:enabled").last.inner_text())
        expect(discs(page).nth(before).or_(page.locator("#review")).first).to_be_attached()
        expect(page.locator("#status:not(.thinking)")).to_be_attached()
    tab_to("review")
    page.keyboard.press("Enter")
    expect(page.locator("#guide-head")).to_contain_text("Mistake 1 of")
    expect(page.locator("#guide-head")).to_contain_text("your move")
    tab_to("3")
    page.keyboard.press("Enter")
    expect(page.locator("#guide-text")).to_contain_text("Right, column 4.")
    tab_to("guide-next")
    page.keyboard.press("Enter")
    expect(page.locator("#guide-head")).to_contain_text("Mistake 2 of")


@pytest.mark.parametrize("page", [{"color_scheme": "dark"}], indirect=True)
def test_the_system_says_light_or_dark_and_the_user_has_the_last_word(page: Page, url: str) -> None:
    start(page, url)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.locator("#theme").click()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    expect(status(page)).to_contain_text("Your move")


PRESS = """async ([number, isDrag]) => {
  const button = document.querySelectorAll("#moves button")[number];
  button.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  document.querySelector("[data-field=threats]").click();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const isKept = button.isConnected;
  button.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
  if (!isDrag) button.click();
  return isKept;
}"""
"""Presses the button of a move, has the page redrawn, and releases the button, or drags the pointer away."""


def test_a_press_is_not_lost_when_the_page_is_redrawn_meanwhile(page: Page, url: str) -> None:
    start(page, url, moves=LATE, view="analysis")
    for number in (2, 5):
        assert page.evaluate(PRESS, [number, False])
        expect(discs(page)).to_have_count(number + 1)
    assert page.evaluate(PRESS, [8, True])
    page.keyboard.press("Home")
    expect(discs(page)).to_have_count(0)
