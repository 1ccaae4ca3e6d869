"""The page on a phone, by keyboard alone, read aloud, light and dark, in a real browser."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bot.game import parse_moves
from tests.web.browser import LATE, OVER, column, discs, game, moves_of, start, status
from tests.web.test_runs import open_run

from playwright.sync_api import Page, expect  # isort: skip

VIEWS = (
    ("play", "44"),
    pytest.param("play", OVER, marks=pytest.mark.slow),
    ("analysis", LATE),
    pytest.param("explorer", "44", marks=pytest.mark.slow),
    ("proof", ""),
    ("puzzles", ""),
    pytest.param("watch", "", marks=pytest.mark.slow),
    ("replay", ""),
    pytest.param("match", "44", marks=pytest.mark.slow),
)


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


@pytest.mark.parametrize("page", [{"viewport": {"width": 360, "height": 740}, "has_touch": True}], indirect=True)
def test_everything_fits_a_phone(page: Page, url: str) -> None:
    keep_series(page)
    for view in ("play", "analysis", "explorer", "proof", "watch", "replay", "match"):
        start(page, url, moves=LATE, view=view, patience=0.5)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, view
        for tab in page.locator("[role=tab]").all():
            box = tab.bounding_box()
            assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 360, tab.text_content()
    start(page, url, moves="", view="play", agent="random")
    column(page, 4).tap()
    expect(discs(page)).to_have_count(2)


@pytest.mark.parametrize("page", [{}], indirect=True, ids=["light and dark"])
@pytest.mark.parametrize(("view", "moves"), VIEWS)
def test_axe_finds_nothing_serious(page: Page, url: str, view: str, moves: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    keep_series(page)
    start(page, url, view=view, moves=moves, agent="random", human=0, patience=60)
    if view == "analysis":
        page.locator(".score.best").first.wait_for()
        page.locator("#review").click()
        page.locator("#graph svg").wait_for()
        page.locator("#position").fill("9")
        page.keyboard.press("Enter")
        page.locator("#error").wait_for()
        page.locator("#position").fill(moves)
        page.keyboard.press("Enter")
    if view in ("explorer", "proof"):
        page.locator(".reply").first.wait_for()
    if view == "puzzles":
        page.locator("#puzzle-list button").first.wait_for(timeout=600_000)
        page.locator("#puzzle-answer").click()
    if view in ("watch", "replay"):
        page.locator("#graph svg").wait_for()
    for theme in ("light", "dark"):
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        for rule in axe.run(page).response["violations"]:
            where = [node["html"] for node in rule["nodes"]]
            assert rule["impact"] not in ("serious", "critical"), (theme, rule["id"], where)
        page.locator("#theme").click()


def test_the_keyboard_alone_reaches_everything(page: Page, url: str) -> None:
    start(page, url, agent="random")
    page.keyboard.press("Tab")
    expect(page.locator("#tab-play")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-analysis")).to_be_focused()
    expect(page.locator("#panel-analysis")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    for _ in ("sound", "theme", "column 1"):
        page.keyboard.press("Tab")
    expect(column(page, 1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(discs(page)).to_have_count(2)
    expect(column(page, 1)).to_be_focused()
    expect(page.locator("#live")).to_contain_text(re.compile(r"You play column 1\. +The computer plays column \d"))
    words = re.compile("Board after 2 moves; column 1 from below: yellow")
    expect(page.locator("#board")).to_have_attribute("aria-label", words)
    assert parse_moves(moves_of(page))[0] == 0


@pytest.mark.parametrize("page", [{"color_scheme": "dark"}], indirect=True)
def test_the_system_says_light_or_dark_and_the_user_has_the_last_word(page: Page, url: str) -> None:
    start(page, url)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.locator("#theme").click()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    expect(status(page)).to_contain_text("Your move")


PRESS = """([number, isDrag]) => {
  const button = document.querySelectorAll("#moves button")[number];
  button.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  dispatchEvent(new Event("hashchange"));
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
